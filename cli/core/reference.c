#include "cli/core/reference.h"

#include <stdlib.h>

#include "base/input/json.h"

enum { MOST_ROWS = 10000 };

static int read_row(const json_t *item, const char *group, const char *path, struct reference *out,
                    struct error *error) {
  static const char *const keys[] = {"point", "value", NULL};
  struct reference_row *row = &out->rows[out->count];
  *row = (struct reference_row){.group = group};
  if (json_check_keys(item, keys, path, error) != 0 || json_need_string(item, "point", &row->point, path, error) != 0 ||
      json_need_real(item, "value", 1e-9, 1e9, &row->theirs, path, error) != 0)
    return -1;
  out->count++;
  return 0;
}

static int read_group(const json_t *item, const char *path, struct reference *out, struct error *error) {
  static const char *const keys[] = {"name", "about", "rows", NULL};
  const char *name;
  json_t *rows;
  if (json_check_keys(item, keys, path, error) != 0 || json_need_string(item, "name", &name, path, error) != 0 ||
      json_need_array(item, "rows", &rows, path, error) != 0)
    return -1;
  const size_t room = out->count + json_array_size(rows);
  struct reference_row *larger = room <= MOST_ROWS ? realloc(out->rows, (room + 1) * sizeof *larger) : NULL;
  if (!larger)
    return error_set(error, ERROR_WORK, "out of memory for %zu rows", room);
  out->rows = larger;
  for (size_t i = 0; i < json_array_size(rows); i++)
    if (read_row(json_array_get(rows, i), name, path, out, error) != 0)
      return -1;
  return 0;
}

static int read_document(const char *path, struct reference *out, struct error *error) {
  static const char *const keys[] = {"schema", "name", "about", "source", "groups", NULL};
  json_t *groups;
  if (json_load_document(path, &out->document, error) != 0 ||
      json_check_schema(out->document, "reassemble.reference/1", path, error) != 0 ||
      json_check_keys(out->document, keys, path, error) != 0 ||
      json_need_string(out->document, "source", &out->source, path, error) != 0 ||
      json_need_array(out->document, "groups", &groups, path, error) != 0)
    return -1;
  for (size_t i = 0; i < json_array_size(groups); i++)
    if (read_group(json_array_get(groups, i), path, out, error) != 0)
      return -1;
  return out->count > 0 ? 0 : error_at(error, ERROR_INPUT, path, 0, 0, "groups", "holds no rows");
}

int reference_load(const char *path, struct reference *out, struct error *error) {
  *out = (struct reference){0};
  const int status = read_document(path, out, error);
  if (status != 0)
    reference_clear(out);
  return status;
}

void reference_clear(struct reference *reference) {
  json_decref(reference->document);
  free(reference->rows);
  *reference = (struct reference){0};
}
