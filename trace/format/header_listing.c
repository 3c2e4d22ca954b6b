#include "trace/format/header_listing.h"

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/input/json_parse.h"
#include "base/text.h"

json_t *header_text(const char *text) {
  json_t *json = json_string(text);
  if (json)
    return json;
  char *ascii = strdup(text);
  for (char *c = ascii; c && *c; c++)
    if ((unsigned char)*c >= 0x80)
      *c = '?';
  json = ascii ? json_string(ascii) : NULL;
  free(ascii);
  return json;
}

static bool is_plain(const char *line) {
  const unsigned char *c = (const unsigned char *)line;
  while (*c >= ' ' && *c < 0x7f && *c != '"' && *c != '\\')
    c++;
  return *c == '\0';
}

/* Writes a text as JSON: at once if it has only characters that stay as they are, as nearly all lines of listings. */
static bool put_text(const char *text, FILE *out) {
  json_t *json = is_plain(text) ? NULL : header_text(text);
  char *quoted = json ? json_text(json, JSON_ENCODE_ANY) : NULL;
  const bool ok = is_plain(text) || quoted;
  if (quoted)
    fputs_unlocked(quoted, out);
  else {
    putc_unlocked('"', out);
    fputs_unlocked(text, out);
    putc_unlocked('"', out);
  }
  free(quoted);
  json_decref(json);
  return ok;
}

char *header_with_listing(const struct trace_header *h, char *text) {
  static const char end[] = "\n}";
  char *longer = NULL;
  size_t length;
  FILE *out = text_stream_begin(&longer, &length);
  bool ok = out;
  if (out)
    fprintf(out, "%.*s,\n \"ir\": [", (int)(strlen(text) - strlen(end)), text);
  for (uint32_t i = 0; ok && i < h->ir_count; i++) {
    fputs_unlocked(i ? ",\n  " : "\n  ", out);
    ok = put_text(h->ir[i], out);
  }
  if (out)
    fprintf(out, "\n ]%s", end);
  free(text);
  if (out && text_stream_end(out, &longer) && ok)
    return longer;
  free(longer);
  return NULL;
}
