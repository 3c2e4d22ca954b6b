#include "tracegen/program/capture/capture_folders.h"

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/text.h"
#include "tracegen/front/opencl_options.h"

static bool is_current(const char *folder) {
  char *current = getcwd(NULL, 0);
  const bool same = current && strcmp(current, folder) == 0;
  free(current);
  return same;
}

/* Escapes a text that stands in quotes, for opencl_options_split. */
static void put_escaped(FILE *out, const char *text) {
  for (; *text; text++) {
    if (*text == '"' || *text == '\\')
      putc('\\', out);
    putc(*text, out);
  }
}

static void put_word(FILE *out, const char *start, const char *folder, const char *word) {
  fprintf(out, "%s\"", start);
  if (folder) {
    put_escaped(out, folder);
    putc('/', out);
  }
  put_escaped(out, word);
  fputs("\" ", out);
}

static void put_words(FILE *out, char *const *words, size_t count, const char *folder) {
  for (size_t i = 0; i < count; i++) {
    const bool includes = strncmp(words[i], "-I", 2) == 0, apart = includes && !words[i][2];
    const char *word = apart ? words[++i] : words[i] + (includes ? 2 : 0);
    put_word(out, includes ? "-I" : "", includes && word[0] != '/' ? folder : NULL, word);
  }
}

int capture_absolute_folders(const char *options, const char *folder, char **out, struct error *error) {
  char **words;
  size_t count, size;
  *out = NULL;
  if (!folder || is_current(folder)) {
    *out = strdup(options);
    return *out ? 0 : error_no_memory(error);
  }
  if (opencl_options_split(options, &words, &count, error))
    return -1;
  FILE *stream = open_memstream(out, &size);
  if (stream)
    put_words(stream, words, count, folder);
  free(words);
  return stream && text_stream_end(stream, out) ? 0 : error_no_memory(error);
}
