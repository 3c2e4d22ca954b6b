/* Small text helpers: did-you-mean and digests. */
#ifndef BASE_TEXT_H
#define BASE_TEXT_H

#include <stddef.h>
#include <stdint.h>

/* The candidate nearest to `word` (optimal string alignment distance, case ignored: at most 1 + a quarter of the word's
 * length), else the first one that begins with it (3 or more characters), or NULL when none is near. `candidates` is
 * NULL-terminated; words over 64 bytes have no near candidate. */
const char *text_nearest(const char *word, const char *const *candidates);

/* The end of an error message about an unknown word: "; did you mean \"x\"?" with the nearest candidate, or `otherwise`
 * where none is near. */
struct text_hint {
  char text[160];
};
struct text_hint text_hint(const char *word, const char *const *candidates, const char *otherwise);

/* FNV-1a, 64 bits; start from TEXT_HASH_START to chain. */
#define TEXT_HASH_START 0xcbf29ce484222325u
uint64_t text_hash(uint64_t hash, const void *data, size_t length);

/* printf into a new string that the caller frees; NULL when out of memory. */
char *text_format(const char *format, ...) __attribute__((format(printf, 1, 2)));

/* The last part of a path without its ending ("a/b.c.json" -> "b.c"); the caller frees it; NULL when out of memory. */
char *text_stem(const char *path);

#endif
