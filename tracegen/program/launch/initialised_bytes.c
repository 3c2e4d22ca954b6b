#include "tracegen/program/launch/initialised_bytes.h"

#include <string.h>

void initialised_none(struct memory_record *buffer) {
  buffer->gaps[0] = (struct memory_gap){.start = 0, .end = buffer->bytes};
  buffer->gap_count = buffer->bytes > 0;
}

/* Cuts the bytes [start, end) out of the gaps. Where that gives more gaps than there is room for, none is left. */
static void cut(struct memory_record *buffer, uint64_t start, uint64_t end) {
  struct memory_gap left[2 * MAX_GAPS];
  unsigned count = 0;
  for (unsigned i = 0; i < buffer->gap_count; i++) {
    const struct memory_gap *gap = &buffer->gaps[i];
    if (gap->start < start)
      left[count++] = (struct memory_gap){gap->start, gap->end < start ? gap->end : start};
    if (gap->end > end)
      left[count++] = (struct memory_gap){gap->start > end ? gap->start : end, gap->end};
  }
  buffer->gap_count = count <= MAX_GAPS ? count : 0;
  memcpy(buffer->gaps, left, buffer->gap_count * sizeof *left);
}

void initialised_range(struct memory_record *buffer, uint64_t offset, uint64_t bytes) {
  if (buffer && buffer->parent) {
    offset += buffer->offset;
    buffer = buffer->parent;
  }
  if (buffer)
    buffer->writes++;
  if (buffer && buffer->gap_count > 0 && bytes > 0)
    cut(buffer, offset, offset + bytes < offset ? UINT64_MAX : offset + bytes);
}

void initialised_all(struct memory_record *buffer) {
  if (buffer)
    initialised_range(buffer, 0, buffer->bytes);
}

void initialised_everything(void) {
  for (struct memory_record *r = memory_first(); r; r = r->next)
    initialised_all(r);
}

json_t *initialised_gaps(const struct memory_record *buffer) {
  json_t *list = buffer->gap_count > 0 ? json_array() : NULL;
  for (unsigned i = 0; list && i < buffer->gap_count; i++)
    json_array_append_new(list, json_pack("[I, I]", (json_int_t)buffer->gaps[i].start,
                                          (json_int_t)(buffer->gaps[i].end - buffer->gaps[i].start)));
  return list;
}
