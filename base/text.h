/* Small text functions: nearest words, digests, formatted strings. */
#ifndef BASE_TEXT_H
#define BASE_TEXT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

/* Returns the candidate nearest to `word` by optimal string alignment distance, case ignored, if that is at most one
 * plus a quarter of the word's length; else the first candidate that begins with the word, if the word has three
 * characters or more; else NULL. `candidates` ends with NULL. A word of more than 64 bytes has no near candidate. */
const char *text_nearest(const char *word, const char *const *candidates);

/* Returns the end of an error message about an unknown word: "; did you mean \"x\"?" with the nearest candidate, or
 * `otherwise` if none is near. */
struct text_hint {
  char text[160];
};
struct text_hint text_hint(const char *word, const char *const *candidates, const char *otherwise);

/* Returns the FNV-1a hash of 64 bits, continued from `hash`. The first call of a chain passes TEXT_HASH_START. */
#define TEXT_HASH_START 0xcbf29ce484222325u
uint64_t text_hash(uint64_t hash, const void *data, size_t length);

/* Formats as printf does into a new string, which the caller frees; NULL when memory ran out. */
char *text_format(const char *format, ...) __attribute__((format(printf, 1, 2)));

/* Returns the last part of a path without its ending ("a/b.c.json" gives "b.c"). The caller frees it; NULL when memory
 * ran out. */
char *text_stem(const char *path);

/* Opens a stream that writes *text, as open_memstream does: *text, which ends with a NUL, and its *length are those of
 * what was written when the stream is flushed or closed. It differs in that an allocation that fails is an error of the
 * stream (glibc's loses what it was to write, and says nothing). Returns NULL when memory has run out. text_stream_end
 * closes it. */
FILE *text_stream_begin(char **text, size_t *length);
/* Closes the stream that writes *text. Returns whether *text holds everything that was written. If memory ran out,
 * *text is freed and set to NULL. */
bool text_stream_end(FILE *stream, char **text);

/* Writes the text as a cell of comma-separated values (RFC 4180), in quotes where it needs them. */
void text_put_csv(const char *text, FILE *out);

#endif
