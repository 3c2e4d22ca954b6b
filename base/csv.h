/* Cells of comma-separated values (RFC 4180). */
#ifndef BASE_CSV_H
#define BASE_CSV_H

#include <stdio.h>

/* The text, quoted where it needs it. Errors: the stream's. */
void csv_put_text(const char *text, FILE *out);

#endif
