#include "trace/write/recorder.h"

#include <stdlib.h>

#include "trace/write/record.h"

struct trace_recorder {
  const struct trace_code *code;
  struct path_table paths;
  struct group group;
  uint32_t group_id;
};

int trace_recorder_create(const struct trace_header *header, const struct trace_code *code, struct trace_recorder **out,
                          struct error *error) {
  struct trace_recorder *r = calloc(1, sizeof *r);
  if (!r)
    return error_set(error, ERROR_WORK, "out of memory for a recorder of work-groups");
  r->code = code;
  if (group_init(&r->group, header, error) != 0) {
    free(r);
    return -1;
  }
  *out = r;
  return 0;
}

void trace_recorder_begin(struct trace_recorder *r, uint32_t group_id) {
  path_table_trim(&r->paths);
  group_reset(&r->group);
  r->group_id = group_id;
}

int trace_recorder_items(struct trace_recorder *r, const struct trace_items *items, struct error *error) {
  return record_items(&r->group, &r->paths, r->code, r->group_id, items, error);
}

int trace_recorder_row(struct trace_recorder *r, const struct trace_row *row, struct error *error) {
  return record_row(&r->group, &r->paths, r->code, r->group_id, row, error);
}

int trace_recorder_end(struct trace_recorder *r, struct bytes *to, struct error *error) {
  return record_pack(&r->group, r->group_id, &r->paths, to, error);
}

void trace_recorder_destroy(struct trace_recorder *r) {
  if (!r)
    return;
  path_table_clear(&r->paths);
  group_clear(&r->group);
  free(r);
}
