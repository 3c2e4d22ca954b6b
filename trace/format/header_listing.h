/* The texts of a trace header as JSON, and its listing, which is most of it: jansson would take longer to write its
 * lines than everything else about a small trace takes. Internal to trace/.
 *
 * Ownership: the caller owns what is returned. Errors: NULL when memory ran out. */
#ifndef TRACE_HEADER_LISTING_H
#define TRACE_HEADER_LISTING_H

#include <jansson.h>

#include "trace/trace.h"

/* Returns the text as JSON, which has to be UTF-8; of a path in another encoding only the ASCII characters are kept. */
json_t *header_text(const char *text);
/* Adds the listing as the last member of a header that json_dumps wrote with JSON_INDENT(1), in the same form. Frees
 * the text that it is given. */
char *header_with_listing(const struct trace_header *header, char *text);

#endif
