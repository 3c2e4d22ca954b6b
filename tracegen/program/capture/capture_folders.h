/* Build options of a program that had changed its current folder: relative folders of -I start at the folder in which
 * it built its kernels. Private to program/capture. */
#ifndef TRACEGEN_PROGRAM_CAPTURE_FOLDERS_H
#define TRACEGEN_PROGRAM_CAPTURE_FOLDERS_H

#include "base/error.h"

/* *out becomes `options` with absolute folders of -I, which start at `folder` (NULL: the current one, and nothing
 * changes); the caller frees it. */
int capture_absolute_folders(const char *options, const char *folder, char **out, struct error *error);

#endif
