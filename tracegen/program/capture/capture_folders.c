#include "tracegen/program/capture/capture_folders.h"

#include <errno.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/text.h"
#include "tracegen/front/opencl_options.h"

/* Returns 1 if the folder is the current one, 0 if not or if the current one was removed, and -1 on an error. */
static int is_current(const char *folder, struct error *error) {
  char *current = getcwd(NULL, 0);
  if (!current && errno == ENOMEM)
    return error_no_memory(error);
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
  const int current = folder ? is_current(folder, error) : 1;
  if (current < 0)
    return -1;
  if (current) {
    *out = strdup(options);
    return *out ? 0 : error_no_memory(error);
  }
  if (opencl_options_split(options, &words, &count, error))
    return -1;
  FILE *stream = text_stream_begin(out, &size);
  if (stream)
    put_words(stream, words, count, folder);
  free(words);
  return stream && text_stream_end(stream, out) ? 0 : error_no_memory(error);
}
