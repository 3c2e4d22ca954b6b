/* Help texts within the width of a terminal.
 *
 * A line that is too long is broken at spaces. The lines below it begin where its text does: behind the first gap of
 * two spaces in a list ("  --json      results as JSON"), else where the line begins. Lines that begin with "
 * reassemble " are commands to be copied and stay whole. */
#ifndef CLI_WRAP_H
#define CLI_WRAP_H

#include <stddef.h>
#include <stdio.h>

/* Prints the text, of whole lines, within `width` characters; 0: as it is. */
void wrap_print(const char *text, size_t width, FILE *out);
/* The same for what print(what, ...) prints. Without memory for it the lines are as long as they are. */
void wrap_output(void (*print)(const void *what, FILE *out), const void *what, size_t width, FILE *out);

#endif
