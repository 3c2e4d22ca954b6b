#include "trace/write/encoder.h"

#include <stdlib.h>

#include "trace/write/record.h"

struct trace_encoder {
  const struct trace_code *code;
  struct path_table paths;
  struct group group;
  uint32_t group_id;
};

int trace_encoder_create(const struct trace_header *header, const struct trace_code *code, struct trace_encoder **out,
                         struct error *error) {
  struct trace_encoder *r = calloc(1, sizeof *r);
  if (!r)
    return error_set(error, ERROR_WORK, "out of memory for an encoder of work-groups");
  r->code = code;
  if (group_init(&r->group, header, error) != 0) {
    free(r);
    return -1;
  }
  *out = r;
  return 0;
}

void trace_encoder_begin(struct trace_encoder *r, uint32_t group_id) {
  path_table_trim(&r->paths);
  group_reset(&r->group);
  r->group_id = group_id;
}

int trace_encoder_items(struct trace_encoder *r, const struct trace_items *items, struct error *error) {
  return record_items(&r->group, &r->paths, r->code, r->group_id, items, error);
}

int trace_encoder_affine(struct trace_encoder *r, const struct trace_affine_items *items, struct error *error) {
  return record_affine(&r->group, &r->paths, r->code, r->group_id, items, error);
}

int trace_encoder_end(struct trace_encoder *r, struct bytes *to, struct error *error) {
  return record_pack(&r->group, r->group_id, &r->paths, to, error);
}

void trace_encoder_destroy(struct trace_encoder *r) {
  if (!r)
    return;
  path_table_clear(&r->paths);
  group_clear(&r->group);
  free(r);
}
