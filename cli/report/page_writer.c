#include "cli/report/page_writer.h"

#include <inttypes.h>

#include "cli/core/command.h"
#include "cli/report/pack.h"
#include "cli/report/page_parts.h"

enum { DIGITS = 8 };

static int put_escaped(const char *text, size_t length, void *user) {
  FILE *out = user;
  for (size_t i = 0; i < length; i++) {
    if (text[i] == '<')
      fputs("\\u003c", out);
    else
      putc(text[i], out);
  }
  return 0;
}

static json_t *page_entry(const struct document *document) {
  char digest[32];
  snprintf(digest, sizeof digest, "fnv1a:%016" PRIx64, document->digest);
  return json_pack("{s:o, s:s, s:s, s:O?, s:s?, s:o}", "path", command_json_text(document->path), "digest", digest,
                   "kind", document->kind, "run", document->run, "note", document->note, "document",
                   pack(document->json));
}

int page_write(const struct documents *documents, FILE *out, struct error *error) {
  json_t *list = json_array();
  int status = 0;
  for (size_t i = 0; i < documents->count && status == 0; i++)
    status = json_array_append_new(list, page_entry(&documents->items[i]));
  if (status == 0) {
    fwrite(page_head.bytes, 1, page_head.length, out);
    status = json_dump_callback(list, put_escaped, out, JSON_COMPACT | JSON_REAL_PRECISION(DIGITS));
    fwrite(page_tail.bytes, 1, page_tail.length, out);
  }
  json_decref(list);
  return status == 0 ? 0 : error_no_memory(error);
}
