/* Texts to JSON documents, by jansson, also where memory runs out: jansson 2.14 writes behind a buffer when the buffer
 * of a long word cannot grow (its lexer takes no notice of a failed realloc), so that a parser has to be left at the
 * first allocation that fails.
 *
 * Ownership: a document is a new reference, which the caller gives back with json_decref. When memory runs out, the
 *            parts of the document that have been made by then are not freed.
 * Threads:   each may parse at the same time; json_watch_memory is called once before. */
#ifndef BASE_JSON_PARSE_H
#define BASE_JSON_PARSE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

#include <jansson.h>

/* Makes jansson tell of allocations that fail, for the whole process, which must not have set allocators of its own.
 * Without it, as in programs that load a library of this project, memory that runs out in a parser is jansson's to
 * notice. */
void json_watch_memory(void);
/* Returns whether an allocation of jansson has failed in this process since json_watch_memory. A document is built from
 * many small parts, and jansson leaves out a part that gets no memory. */
bool json_ran_out_of_memory(void);
/* Returns the value as text, as json_dumps does, which gives an incomplete text where its buffer cannot grow at one
 * place. Returns NULL where that may have happened. The caller frees the text. */
char *json_text(const json_t *value, size_t flags);

/* Returns the document, or NULL with *problem. `flags`: jansson's. */
json_t *json_parse(const char *text, size_t length, size_t flags, json_error_t *problem);
/* The same for the rest of a stream. */
json_t *json_parse_stream(FILE *stream, size_t flags, json_error_t *problem);
/* Returns whether the document was refused because memory ran out. */
bool json_problem_is_memory(const json_error_t *problem);

#endif
