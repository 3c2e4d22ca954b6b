/* Recognises files and folders that a killed process leaves behind, by the number of the process in their names. */
#ifndef BASE_LEFT_BEHIND_H
#define BASE_LEFT_BEHIND_H

#include <stdbool.h>

/* Returns whether `name` consists of `stem`, the number of a process of this system that has ended, and `last`. A
 * `last` of '\\0' means that the name ends there. */
bool left_behind(const char *name, const char *stem, char last);

#endif
