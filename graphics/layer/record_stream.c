#include "graphics/layer/record_stream.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"

static bool make_room(struct record_stream *s, size_t more) {
  s->failed = s->failed || !array_room(&s->bytes, &s->room, s->length + more, 1);
  return !s->failed;
}

void record_put(struct record_stream *s, enum frame_record_kind kind, const void *structure, size_t size) {
  const struct frame_record_head head = {kind, 0};
  if (!make_room(s, sizeof head))
    return;
  s->last = s->length;
  s->payload = 0;
  memcpy(s->bytes + s->length, &head, sizeof head);
  s->length += sizeof head;
  record_more(s, structure, size);
}

void record_more(struct record_stream *s, const void *bytes, size_t size) {
  if (!make_room(s, size + 8))
    return;
  char *payload = s->bytes + s->last + sizeof(struct frame_record_head);
  if (size > 0)
    memcpy(payload + s->payload, bytes, size);
  s->payload += size;
  const size_t filled = (s->payload + 7) & ~(size_t)7;
  memset(payload + s->payload, 0, filled - s->payload);
  const uint32_t length = (uint32_t)filled;
  memcpy(s->bytes + s->last + offsetof(struct frame_record_head, bytes), &length, sizeof length);
  s->length = s->last + sizeof(struct frame_record_head) + filled;
}

void record_join(struct record_stream *s, const struct record_stream *other) {
  s->failed = s->failed || other->failed;
  if (other->length == 0 || !make_room(s, other->length))
    return;
  memcpy(s->bytes + s->length, other->bytes, other->length);
  s->last = s->length;
  s->length += other->length;
}

void record_unsupported(struct record_stream *s, const char *name, enum frame_reach reach, uint32_t object) {
  const bool is_known = reach != FRAME_REACH_OBJECT || object > 0;
  const struct frame_lack lack = {is_known ? reach : FRAME_REACH_REST, object};
  struct frame_unsupported record;
  memset(&record, 0, sizeof record);
  snprintf(record.name, sizeof record.name, "%s", name);
  record_put(s, FRAME_UNSUPPORTED, &record, sizeof record);
  record_more(s, &lack, sizeof lack);
}

void record_stream_clear(struct record_stream *s) {
  free(s->bytes);
  *s = (struct record_stream){0};
}
