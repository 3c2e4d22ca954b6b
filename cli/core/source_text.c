#include "cli/core/source_text.h"

#include <ctype.h>
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/file.h"
#include "base/text.h"

enum { MOST_BYTES = 16 << 20 };

static uint32_t count_lines(const char *bytes) {
  uint32_t count = 1;
  for (; *bytes != '\0'; bytes++)
    count += *bytes == '\n';
  return count;
}

static char *trim(char *line) {
  while (isspace((unsigned char)*line))
    line++;
  for (char *end = line + strlen(line); end > line && isspace((unsigned char)end[-1]);)
    *--end = '\0';
  return line;
}

/* Splits the bytes into lines. Returns false when memory has run out. */
static bool split(struct source_text *text) {
  char *rest = text->bytes;
  text->count = count_lines(text->bytes);
  text->lines = calloc(text->count, sizeof *text->lines);
  for (uint32_t i = 0; text->lines && i < text->count; i++)
    text->lines[i] = strsep(&rest, "\n");
  for (uint32_t i = 0; text->lines && i < text->count; i++)
    text->lines[i] = trim(text->lines[i]);
  return text->lines != NULL;
}

bool source_text_load(const char *path, const struct trace_header *header, struct source_text *out) {
  struct error refused = ERROR_INIT;
  size_t length;
  char digest[32];
  *out = (struct source_text){0};
  if (!path)
    path = header->source_file;
  errno = 0;
  if (path[0] == '\0' || file_read(path, MOST_BYTES, &out->bytes, &length, &refused) != 0)
    return errno != ENOMEM;
  snprintf(digest, sizeof digest, "fnv1a:%016" PRIx64, text_hash(TEXT_HASH_START, out->bytes, length));
  const bool same = strcmp(digest, header->source_digest) == 0 && strlen(out->bytes) == length;
  const bool good = !same || split(out);
  if (!same || !good)
    source_text_clear(out);
  return good;
}

const char *source_text_line(const struct source_text *text, uint32_t number) {
  return number > 0 && number <= text->count ? text->lines[number - 1] : "";
}

void source_text_clear(struct source_text *text) {
  free(text->bytes);
  free(text->lines);
  *text = (struct source_text){0};
}
