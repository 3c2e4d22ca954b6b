#include "trace/path/slots.h"

#include <stdlib.h>
#include <string.h>

static uint64_t mix_in(uint64_t hash, const unsigned char *at) {
  uint64_t word;
  memcpy(&word, at, 8);
  hash = (hash ^ word) * UINT64_C(0xff51afd7ed558ccd);
  return hash ^ hash >> 32;
}

/* Returns a hash of the data. Each step mixes eight bytes as the finalizer of MurmurHash3 does; long data is mixed in
 * four independent chains, which a processor computes at the same time. The last step may take bytes again. */
uint64_t slots_hash(const void *data, size_t length) {
  const unsigned char *at = data, *end = at + length;
  uint64_t hash = length * UINT64_C(0x9e3779b97f4a7c15), b = 1, c = 2, d = 3;
  for (; end - at >= 128; at += 32) {
    hash = mix_in(hash, at);
    b = mix_in(b, at + 8);
    c = mix_in(c, at + 16);
    d = mix_in(d, at + 24);
  }
  hash ^= b * 3 + c * 5 + d * 7;
  for (; end - at > 8; at += 8)
    hash = mix_in(hash, at);
  if (length >= 8)
    hash = mix_in(hash, end - 8);
  else
    for (; at < end; at++)
      hash = (hash ^ *at) * UINT64_C(0xc4ceb9fe1a85ec53);
  return hash ^ (hash >> 29);
}

static struct slot *free_slot(struct slots *s, uint64_t hash) {
  size_t i = hash & (s->slot_count - 1);
  while (s->slot[i].entry)
    i = (i + 1) & (s->slot_count - 1);
  return &s->slot[i];
}

static bool double_slots(struct slots *s) {
  struct slots grown = {.slot_count = s->slot_count ? 2 * s->slot_count : 256, .count = s->count};
  grown.slot = calloc(grown.slot_count, sizeof *grown.slot);
  if (!grown.slot)
    return false;
  for (size_t i = 0; i < s->slot_count; i++)
    if (s->slot[i].entry)
      *free_slot(&grown, s->slot[i].hash) = s->slot[i];
  free(s->slot);
  *s = grown;
  return true;
}

bool slots_insert(struct slots *s, uint64_t hash, void *entry) {
  if (2 * (s->count + 1) > s->slot_count && !double_slots(s))
    return false;
  *free_slot(s, hash) = (struct slot){hash, entry};
  s->count++;
  return true;
}

void slots_clear(struct slots *s) {
  free(s->slot);
  *s = (struct slots){0};
}
