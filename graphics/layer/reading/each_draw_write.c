/* Takes what was read of the targets while the device executes the commands (each_draw.h). */
#include <stdlib.h>
#include <string.h>

#include "graphics/layer/reading/decoded.h"
#include "graphics/layer/reading/each_draw_state.h"

#define BLOCK_BYTES 1024

static uint64_t written_bytes; /* of targets, in the present file */

/* Fills `runs` with the parts that differ from the former reading of the target, which is 0 before the first one, and
 * takes them over; returns how many there are. */
static uint32_t find_runs(const struct slot *slot, const char *texels, struct frame_run *runs) {
  uint32_t count = 0;
  for (uint64_t at = 0; at < slot->bytes; at += BLOCK_BYTES) {
    const uint64_t length = slot->bytes - at < BLOCK_BYTES ? slot->bytes - at : BLOCK_BYTES;
    if (memcmp(texels + at, slot->former + at, length) == 0)
      continue;
    if (count > 0 && runs[count - 1].offset + runs[count - 1].bytes == at)
      runs[count - 1].bytes += length;
    else
      runs[count++] = (struct frame_run){at, length};
  }
  return count;
}

static void put_runs(struct slot *slot, const char *texels, struct frame_run *runs, struct record_stream *out) {
  struct frame_target_bytes record = slot->target;
  record.goes_on = slot->has_former;
  record.runs = find_runs(slot, texels, runs);
  record_put(out, FRAME_TARGET_BYTES, &record, sizeof record);
  record_more(out, runs, record.runs * sizeof *runs);
  for (uint32_t i = 0; i < record.runs; i++) {
    memcpy(slot->former + runs[i].offset, texels + runs[i].offset, runs[i].bytes);
    record_more(out, texels + runs[i].offset, runs[i].bytes);
    written_bytes += runs[i].bytes;
  }
  slot->has_former = true;
}

static void put_target(struct slot *slot, struct record_stream *out) {
  uint64_t length;
  char *own =
      slot->places.shared ? samples_texels(&slot->places, slot->target.aspect, slot->copy.bytes, &length) : NULL;
  const char *texels = slot->places.shared ? own : slot->copy.bytes;
  struct frame_run *runs = texels ? calloc(slot->bytes / BLOCK_BYTES + 1, sizeof *runs) : NULL;
  if (runs && written_bytes + slot->bytes <= EACH_DRAW_MOST_BYTES)
    put_runs(slot, texels, runs, out);
  free(runs);
  free(own);
}

static void put_samples(const struct each_draw *s, struct record_stream *out) {
  struct frame_samples record;
  memcpy(&record.passed, s->passed.bytes, sizeof record.passed);
  record_put(out, FRAME_SAMPLES, &record, sizeof record);
}

/* Waits until the device has got to a stop. Those before it have been passed. */
static void reach(struct each_draw *s, size_t stop) {
  if (stop == s->taken && stop < s->stop_count)
    checkpoint_wait(&s->stops[stop].checkpoint);
}

static void pass(struct each_draw *s) {
  if (s->taken < s->stop_count)
    checkpoint_open(&s->stops[s->taken++].checkpoint);
}

static void put_reading(struct each_draw *s, size_t index, struct record_stream *out) {
  const struct reading *r = index < s->count ? &s->list[index] : NULL;
  if (!r || r->stop >= s->stop_count)
    return;
  reach(s, r->stop);
  if (!r->is_samples)
    put_target(&s->slots[r->slot], out);
  else if (r->query)
    put_samples(s, out);
  if (index == s->stops[r->stop].last)
    pass(s);
}

void each_draw_prepare(VkCommandBuffer commands, bool written) {
  struct each_draw *s = each_draw_state(commands);
  for (size_t i = 0; s && i < s->stop_count; i++)
    if (written)
      checkpoint_close(&s->stops[i].checkpoint);
    else
      checkpoint_open(&s->stops[i].checkpoint);
  for (size_t i = 0; s && written && i < s->slot_count; i++)
    if (s->slots[i].has_former) {
      s->slots[i].has_former = false;
      memset(s->slots[i].former, 0, s->slots[i].bytes);
    }
  if (s)
    s->taken = 0;
}

void each_draw_pass(VkCommandBuffer commands) {
  struct each_draw *s = each_draw_state(commands);
  for (size_t i = 0; s && i < s->stop_count; i++)
    checkpoint_open(&s->stops[i].checkpoint);
}

void each_draw_begin_file(void) {
  written_bytes = 0;
}

/* The next stop is that of the decoded image. */
static void put_decoded(struct each_draw *s, const void *record, struct record_stream *out) {
  if (s)
    reach(s, s->taken);
  decoded_write(record, out);
  if (s)
    pass(s);
}

void each_draw_write(VkCommandBuffer commands, FILE *file) {
  const struct record_stream *s = layer_commands(commands);
  struct each_draw *state = each_draw_state(commands);
  for (size_t at = 0; at < s->length;) {
    struct record_stream out = {0};
    struct frame_record_head head;
    memcpy(&head, s->bytes + at, sizeof head);
    if (head.kind == FRAME_TARGET_BYTES && state)
      put_reading(state, ((const struct frame_target_bytes *)(s->bytes + at + sizeof head))->runs, &out);
    else if (head.kind == FRAME_IMAGE_TEXELS)
      put_decoded(state, s->bytes + at + sizeof head, &out);
    else
      fwrite(s->bytes + at, 1, sizeof head + head.bytes, file);
    if (out.length > 0 && !out.failed)
      fwrite(out.bytes, 1, out.length, file);
    record_stream_clear(&out);
    at += sizeof head + head.bytes;
  }
  each_draw_pass(commands);
}
