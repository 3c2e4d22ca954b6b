#include "tuner/board/complaints.h"

#include <string.h>

#include "base/input/json_place.h"

enum { MOST_SHOWN = 20 };

static void append(struct complaints *c, const struct error *found) {
  char line[768], text[512];
  FILE *out = fmemopen(line, sizeof line, "w");
  if (!out)
    return;
  struct error shortened = *found;
  snprintf(text, sizeof text, "%.500s", found->text);
  memcpy(shortened.text, text, sizeof text);
  error_print(&shortened, out);
  fclose(out);
  line[sizeof line - 1] = '\0';
  line[strcspn(line, "\n")] = '\0';
  const int length = snprintf(c->rest + c->used, sizeof c->rest - c->used, "\n%s", line);
  if (length > 0 && (size_t)length < sizeof c->rest - c->used)
    c->used += (size_t)length;
  else
    c->rest[c->used] = '\0';
}

int complaints_add(struct complaints *c, struct error *found) {
  if (found->kind == ERROR_NONE)
    return 0;
  if (found->kind != ERROR_INPUT) {
    c->first = *found;
    return -1;
  }
  json_place(found);
  if (c->count == 0)
    c->first = *found;
  else if (c->count < MOST_SHOWN)
    append(c, found);
  c->count++;
  *found = (struct error)ERROR_INIT;
  return 0;
}

int complaints_end(const struct complaints *c, struct error *error) {
  const struct error *first = &c->first;
  if (first->kind == ERROR_NONE)
    return 0;
  char more[64] = "";
  if (c->count > MOST_SHOWN)
    snprintf(more, sizeof more, "\n... and %zu more", c->count - MOST_SHOWN);
  return error_at(error, first->kind, first->file, first->line, first->column, first->key, "%.900s%s%s", first->text,
                  c->rest, more);
}
