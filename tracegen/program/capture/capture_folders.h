/* Build options of a program that had changed its current folder: relative folders of -I start where it was when it
 * built its kernels. Private to tracegen. */
#ifndef TRACEGEN_CAPTURE_FOLDERS_H
#define TRACEGEN_CAPTURE_FOLDERS_H

#include "base/error.h"

/* *out: `options` with the folders of -I as seen from `folder` (NULL: the current one, where nothing changes); free it.
 */
int capture_absolute_folders(const char *options, const char *folder, char **out, struct error *error);

#endif
