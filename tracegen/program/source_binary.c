#include "tracegen/program/source_binary.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char first_line[] = "reassemble: OpenCL C of a program, version 1\n";

#define HEAD_BYTES (sizeof first_line - 1 + 40) /* the second line has a constant length */

static void write_head(const char *options, const char *source, char head[HEAD_BYTES + 1]) {
  snprintf(head, HEAD_BYTES + 1, "%s%019zu %019zu\n", first_line, strlen(options), strlen(source));
}

size_t source_binary_size(const char *options, const char *source) {
  return HEAD_BYTES + strlen(options) + strlen(source);
}

void source_binary_write(const char *options, const char *source, unsigned char *to) {
  char head[HEAD_BYTES + 1];
  write_head(options, source, head);
  memcpy(to, head, HEAD_BYTES);
  memcpy(to + HEAD_BYTES, options, strlen(options));
  memcpy(to + HEAD_BYTES + strlen(options), source, strlen(source));
}

/* Reads the lengths, whose sum is that of the rest. */
static bool read_head(const unsigned char *binary, size_t length, size_t *options, size_t *source) {
  char head[HEAD_BYTES + 1];
  if (!binary || length < HEAD_BYTES || memcmp(binary, first_line, sizeof first_line - 1) != 0)
    return false;
  memcpy(head, binary, HEAD_BYTES);
  head[HEAD_BYTES] = '\0';
  const size_t rest = length - HEAD_BYTES;
  return sscanf(head + sizeof first_line - 1, "%19zu %19zu", options, source) == 2 && *options <= rest &&
         *source == rest - *options;
}

bool source_binary_read(const unsigned char *binary, size_t length, char **options, char **source) {
  size_t options_length, source_length;
  if (!read_head(binary, length, &options_length, &source_length))
    return false;
  const char *text = (const char *)binary + HEAD_BYTES;
  *options = strndup(text, options_length);
  *source = strndup(text + options_length, source_length);
  if (*options && *source)
    return true;
  free(*options);
  free(*source);
  return false;
}
