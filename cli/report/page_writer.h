/* Writes the page: one HTML file that holds documents, styles, scripts and D3, and needs nothing else.
 *
 * The documents' texts are data for the page's script, in JSON in which "<" is written as an escape, so that no text
 * can end the element that holds it. The script puts texts into the page as text, never as markup. */
#ifndef CLI_PAGE_WRITER_H
#define CLI_PAGE_WRITER_H

#include <stdio.h>

#include "base/error.h"
#include "cli/report/documents.h"

/* Errors of the stream itself are left to its closing. */
int page_write(const struct documents *documents, FILE *out, struct error *error);

#endif
