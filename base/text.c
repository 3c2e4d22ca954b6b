#include "base/text.h"

#include <ctype.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"

/* Longer words are not compared. The bound keeps the table of distances on the stack. */
enum { LONGEST_WORD = 64, SHORTEST_PREFIX = 3 };

static int same_letter(char a, char b) {
  return tolower((unsigned char)a) == tolower((unsigned char)b);
}

static unsigned smallest(unsigned a, unsigned b, unsigned c) {
  unsigned ab = a < b ? a : b;
  return ab < c ? ab : c;
}

/* Returns the optimal string alignment distance: insertions, deletions, substitutions and swaps of neighbours cost one
 * each, and case does not count. Three lines of the table of distances are enough. */
static unsigned distance(const char *a, size_t a_length, const char *b, size_t b_length) {
  unsigned lines[3][LONGEST_WORD + 1];
  for (size_t j = 0; j <= b_length; j++)
    lines[0][j] = (unsigned)j;
  for (size_t i = 1; i <= a_length; i++) {
    unsigned *now = lines[i % 3];
    const unsigned *above = lines[(i + 2) % 3], *above2 = lines[(i + 1) % 3];
    now[0] = (unsigned)i;
    for (size_t j = 1; j <= b_length; j++) {
      unsigned substitution = above[j - 1] + (same_letter(a[i - 1], b[j - 1]) ? 0 : 1);
      now[j] = smallest(above[j] + 1, now[j - 1] + 1, substitution);
      if (i > 1 && j > 1 && same_letter(a[i - 1], b[j - 2]) && same_letter(a[i - 2], b[j - 1]))
        now[j] = smallest(now[j], above2[j - 2] + 1, now[j]);
    }
  }
  return lines[a_length % 3][b_length];
}

static const char *first_with_prefix(const char *word, size_t length, const char *const *candidates) {
  if (length < SHORTEST_PREFIX)
    return NULL;
  for (; *candidates; candidates++)
    if (strncasecmp(word, *candidates, length) == 0)
      return *candidates;
  return NULL;
}

const char *text_nearest(const char *word, const char *const *candidates) {
  size_t length = strlen(word);
  if (length == 0 || length > LONGEST_WORD)
    return NULL;
  unsigned limit = 1 + (unsigned)length / 4;
  if (limit >= length) /* otherwise any word of that length would be near */
    limit = (unsigned)length - 1;
  unsigned best = limit + 1;
  const char *nearest = NULL;
  for (const char *const *candidate = candidates; *candidate; candidate++) {
    size_t candidate_length = strlen(*candidate);
    if (candidate_length > LONGEST_WORD)
      continue;
    unsigned d = distance(word, length, *candidate, candidate_length);
    if (d < best) {
      best = d;
      nearest = *candidate;
    }
  }
  return nearest ? nearest : first_with_prefix(word, length, candidates);
}

struct text_hint text_hint(const char *word, const char *const *candidates, const char *otherwise) {
  struct text_hint hint;
  const char *nearest = text_nearest(word, candidates);
  snprintf(hint.text, sizeof hint.text, nearest ? "; did you mean \"%s\"?" : "%s", nearest ? nearest : otherwise);
  return hint;
}

uint64_t text_hash(uint64_t hash, const void *data, size_t length) {
  const unsigned char *bytes = data;
  for (size_t i = 0; i < length; i++)
    hash = (hash ^ bytes[i]) * 0x100000001b3u;
  return hash;
}

char *text_format(const char *format, ...) {
  char *text = NULL;
  va_list arguments;
  va_start(arguments, format);
  int length = vasprintf(&text, format, arguments);
  va_end(arguments);
  return length < 0 ? NULL : text;
}

char *text_stem(const char *path) {
  const char *slash = strrchr(path, '/');
  char *name = strdup(slash ? slash + 1 : path);
  char *dot = name ? strrchr(name, '.') : NULL;
  if (dot && dot != name)
    *dot = '\0';
  return name;
}

void text_put_csv(const char *text, FILE *out) {
  if (!strpbrk(text, ",\"\n\r")) {
    fputs(text, out);
    return;
  }
  putc('"', out);
  for (; *text; text++) {
    if (*text == '"')
      putc('"', out);
    putc(*text, out);
  }
  putc('"', out);
}

struct text_stream {
  char **text;
  size_t *length, capacity; /* bytes */
};

static ssize_t take_text(void *cookie, const char *bytes, size_t count) {
  struct text_stream *s = cookie;
  const size_t needed = *s->length + count + 1;
  if (!array_room(s->text, &s->capacity, needed, 1))
    return 0; /* an error of the stream */
  memcpy(*s->text + *s->length, bytes, count);
  *s->length += count;
  (*s->text)[*s->length] = '\0';
  return (ssize_t)count;
}

static int end_text(void *cookie) {
  free(cookie);
  return 0;
}

enum { FIRST_BYTES = 256 };

FILE *text_stream_begin(char **text, size_t *length) {
  static const cookie_io_functions_t functions = {.write = take_text, .close = end_text};
  struct text_stream *s = malloc(sizeof *s);
  *length = 0;
  *text = calloc(1, FIRST_BYTES);
  FILE *stream = s && *text ? fopencookie(s, "w", functions) : NULL;
  if (stream) {
    *s = (struct text_stream){text, length, FIRST_BYTES};
    return stream;
  }
  free(s);
  free(*text);
  *text = NULL;
  return NULL;
}

bool text_stream_end(FILE *stream, char **text) {
  const bool failed = ferror(stream) != 0;
  if (fclose(stream) == 0 && !failed && *text)
    return true;
  free(*text);
  *text = NULL;
  return false;
}
