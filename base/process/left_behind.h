/* Files and folders with the number of a process in their names, which a killed process leaves behind. */
#ifndef BASE_LEFT_BEHIND_H
#define BASE_LEFT_BEHIND_H

#include <stdbool.h>

/* Returns whether `name` is `stem`, the number of a process of this system that has ended, and `last` ('\0': the end of
 * the name). */
bool left_behind(const char *name, const char *stem, char last);

#endif
