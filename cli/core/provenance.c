/* The words of the command line and the digests (cli/core/provenance.h). */
#include "cli/core/provenance.h"

#include <ctype.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/text.h"

static bool is_plain(const char *word) {
  return word[0] != '\0' && word[strspn(word, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789"
                                              "_-./,:=+@%")] == '\0';
}

static void put_word(const char *word, FILE *out) {
  if (is_plain(word)) {
    fputs(word, out);
    return;
  }
  putc('\'', out);
  for (; *word != '\0'; word++)
    if (*word == '\'')
      fputs("'\\''", out);
    else
      putc(*word, out);
  putc('\'', out);
}

/* Results do not depend on these, so that documents of equal results are equal. Returns whether the word is such an
 * option; *value: whether the next word is its value. */
static bool matters_not(const char *word, bool *value) {
  *value = strcmp(word, "--jobs") == 0 || strcmp(word, "-j") == 0;
  return *value || strncmp(word, "--jobs=", 7) == 0 ||
         (strncmp(word, "-j", 2) == 0 && isdigit((unsigned char)word[2])) || strcmp(word, "--quiet") == 0 ||
         strcmp(word, "-q") == 0;
}

/* Copies the words of this process' command line, each behind a 0 byte, the program by its name alone. Returns false
 * when memory ran out. */
static bool put_words(FILE *words, FILE *out) {
  char *word = NULL;
  size_t size = 0;
  bool value = false;
  fputs("reassemble", out);
  for (bool first = true; getdelim(&word, &size, '\0', words) > 0; first = false) {
    const bool left_out = first || value;
    value = false;
    if (left_out || matters_not(word, &value))
      continue;
    putc(' ', out);
    put_word(word, out);
  }
  const bool whole = word && feof(words);
  free(word);
  return whole;
}

/* Writes the command as a shell reads it, which the caller frees; NULL: the system does not tell. Returns false when
 * memory ran out. */
static bool command_line(char **text) {
  size_t size;
  *text = NULL;
  FILE *words = fopen("/proc/self/cmdline", "r");
  if (!words)
    return access("/proc/self/cmdline", R_OK) != 0;
  FILE *out = text_stream_begin(text, &size);
  bool good = out && put_words(words, out);
  good = out && text_stream_end(out, text) && good;
  fclose(words);
  if (!good) {
    free(*text);
    *text = NULL;
  }
  return good;
}

static void show_digest(struct view *view, const char *key, uint64_t digest) {
  char text[20];
  snprintf(text, sizeof text, "%016llx", (unsigned long long)digest);
  view_member(view, key, view_text(text));
}

uint64_t provenance_gpu_digest(const struct gpu *gpu) {
  uint64_t digest = TEXT_HASH_START;
  char text[64];
  for (size_t i = 0; i < gpu_params.count; i++) {
    const struct param *row = &gpu_params.list[i];
    const char *value = params_format(row, &gpu->spec, text, sizeof text);
    digest = text_hash(digest, row->key, strlen(row->key) + 1);
    digest = text_hash(digest, value, strlen(value) + 1);
  }
  return digest;
}

void provenance_begin(struct view *view, const struct gpu *gpu) {
  char *command;
  view->failed = !command_line(&command) || view->failed;
  view_object_begin(view, "provenance");
  view_member(view, "command", view_text(command));
  view_member(view, "version", view_text(REASSEMBLE_VERSION));
  view_member(view, "gpu", view_text(gpu->name));
  show_digest(view, "gpu_digest", provenance_gpu_digest(gpu));
  view_array(view, "traces");
  free(command);
}

void provenance_origin(struct view *view, const struct trace_origin *origin) {
  view_element_begin(view, "traces");
  view_member(view, "kernel", view_text(origin->kernel));
  view_member(view, "source_file", view_text(origin->source_file));
  view_member(view, "source_digest", view_text(origin->source_digest));
  view_member(view, "options", view_text(origin->options));
  view_member(view, "front_end", view_text(origin->front_end));
  view_member(view, "outside_loads", origin->reads_zero ? view_whole(origin->outside_loads) : view_absent());
  view_object_end(view);
}

/* Returns the origin with texts that belong to the trace. */
static struct trace_origin origin_of(const struct trace *trace) {
  const struct trace_header *header = &trace->header;
  return (struct trace_origin){header->kernel,    header->source_file, header->source_digest, header->options,
                               header->front_end, header->reads_zero,  trace->outside_loads};
}

void provenance_trace(struct view *view, const struct trace *trace) {
  const struct trace_origin origin = origin_of(trace);
  provenance_origin(view, &origin);
}

/* Replaces the text by a copy; NULL stays. Returns false when memory ran out. */
static bool copy(char **text) {
  if (!*text)
    return true;
  *text = strdup(*text);
  return *text != NULL;
}

struct trace_origin *trace_origin_make(const struct trace *trace) {
  struct trace_origin *origin = malloc(sizeof *origin);
  if (!origin)
    return NULL;
  *origin = origin_of(trace);
  char **texts[] = {&origin->kernel, &origin->source_file, &origin->source_digest, &origin->options,
                    &origin->front_end};
  bool good = true;
  for (size_t i = 0; i < sizeof texts / sizeof texts[0]; i++)
    good = copy(texts[i]) && good;
  if (good)
    return origin;
  trace_origin_destroy(origin);
  return NULL;
}

void trace_origin_destroy(struct trace_origin *origin) {
  if (!origin)
    return;
  free(origin->kernel);
  free(origin->source_file);
  free(origin->source_digest);
  free(origin->options);
  free(origin->front_end);
  free(origin);
}

void provenance_end(struct view *view) {
  view_object_end(view);
}
