/* Writes the record of a work-group, relative to the work-groups before it (trace/write/group.h). */
#include "trace/write/group.h"

#include <string.h>

#include "base/spill.h"
#include "trace/format/limits.h"

static int no_memory(struct error *error) {
  return error_set(error, ERROR_WORK, "out of memory for a work-group's trace");
}

static struct shape_entry *find_shape(const struct group_description *d, const struct path_name *const *paths,
                                      struct shape_table *shapes, struct bytes *record) {
  record->length = 0;
  if (!bytes_reserve(record, ((size_t)d->cohort_count + 1) * BYTES_VARINT_MAX + d->shape_length))
    return NULL;
  unsigned char *to = varint_put(record->data, d->cohort_count);
  for (uint32_t i = 0; i < d->cohort_count; i++)
    to = varint_put(to, paths[i]->id);
  memcpy(to, d->shape, d->shape_length);
  record->length = (size_t)(to - record->data) + d->shape_length;
  return shape_table_find(shapes, record, d->stream_count);
}

#define TOUCHED_BYTES 32 /* bytes that writing a stream touches, approximately */

/* Writes the cohort's streams, which begin with number `stream`, and returns the place behind the last byte. *rest
 * moves behind the bytes that were copied. */
static unsigned char *write_cohort(const struct group_description *d, const struct path_name *path, size_t stream,
                                   struct shape_entry *shape, uint32_t *last, const unsigned char **rest,
                                   unsigned char *to) {
  for (uint32_t site = 0; site < path->site_count; site++, stream++) {
    if (stream % SPILL_ROUNDS == 0)
      spill_touched(SPILL_ROUNDS * TOUCHED_BYTES);
    const uint32_t first = d->firsts[stream], length = d->rest_lengths[stream];
    uint32_t *last_of_op = &last[path->site_op[site]];
    to = varint_put_difference(to, first, shape->met ? shape->before[stream] : *last_of_op);
    shape->before[stream] = *last_of_op = first;
    if (length == 0)
      continue;
    memcpy(to, *rest, length);
    to += length;
    *rest += length;
  }
  return to;
}

int group_write(const struct group_description *d, const struct path_name *const *paths, struct shape_table *shapes,
                struct group_before *before, struct bytes *out, struct error *error) {
  struct shape_entry *shape = find_shape(d, paths, shapes, &before->record);
  if (!shape || !bytes_reserve(out, (d->stream_count + (size_t)2) * BYTES_VARINT_MAX + d->rest_length))
    return no_memory(error);
  if (shape->id >= LIMIT_SHAPES)
    return error_set(error, ERROR_WORK, "more than %u different work-groups: trace a smaller launch", LIMIT_SHAPES);
  unsigned char *to = varint_put_zigzag(out->data + out->length, (int64_t)shape->id - before->shape);
  const unsigned char *rest = d->rest;
  size_t stream = 0;
  for (uint32_t i = 0; i < d->cohort_count; stream += paths[i++]->site_count)
    to = write_cohort(d, paths[i], stream, shape, before->last, &rest, to);
  out->length = (size_t)(to - out->data);
  shape->met = true;
  before->shape = shape->id;
  return 0;
}
