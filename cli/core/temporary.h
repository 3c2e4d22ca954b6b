/* A temporary folder that is removed when the program ends, also when it is ended early (base/process/early_end.h).
 *
 * temporary_create makes "$TMPDIR/reassemble-<process>-XXXXXX" (/tmp without TMPDIR), and removes this user's whose
 * processes were killed; temporary_remove removes it with all that is in it and frees the name. */
#ifndef CLI_TEMPORARY_H
#define CLI_TEMPORARY_H

#include "base/error.h"

int temporary_create(char **folder, struct error *error);
void temporary_remove(char *folder);

#endif
