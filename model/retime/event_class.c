#include "model/retime/event_class.h"

#include <stdlib.h>
#include <string.h>

enum { FIRST_CAPACITY = 64 };

static bool grow(struct event_classes *c, uint32_t capacity) {
  void *classes = realloc(c->classes, capacity * sizeof *c->classes);
  c->classes = classes ? classes : c->classes;
  void *misses = realloc(c->misses, ((size_t)capacity * c->width + 1) * sizeof *c->misses);
  c->misses = misses ? misses : c->misses;
  void *events = realloc(c->events, capacity * sizeof *c->events);
  c->events = events ? events : c->events;
  if (!classes || !misses || !events)
    return false;
  c->capacity = capacity;
  return true;
}

bool event_classes_init(struct event_classes *c, uint32_t width) {
  *c = (struct event_classes){.width = width};
  if (!grow(c, FIRST_CAPACITY))
    return false;
  c->count = EVENT_FIRST_CLASS;
  memset(c->classes, 0, EVENT_FIRST_CLASS * sizeof *c->classes);
  memset(c->events, 0, EVENT_FIRST_CLASS * sizeof *c->events);
  memset(c->misses, 0, (size_t)EVENT_FIRST_CLASS * width * sizeof *c->misses);
  return true;
}

void event_classes_clear(struct event_classes *c) {
  free(c->classes);
  free(c->misses);
  free(c->events);
  hash_table_clear(&c->by_hash);
  *c = (struct event_classes){0};
}

/* Mixes a value into a hash, as wyhash and similar functions do. Only speed and spread matter. */
static uint64_t mix(uint64_t hash, uint64_t value) {
  hash = (hash ^ value) * UINT64_C(0x9e3779b97f4a7c15);
  return hash ^ (hash >> 29);
}

static uint64_t hash_of(const struct event_classes *c, const struct event_class *class, const uint16_t *misses) {
  const uint64_t kind = class->kind, transactions = class->transactions, rounds = class->rounds;
  uint64_t hash = mix(mix(class->slots, class->item_slots), kind << 32 | class->lanes | rounds << 40);
  uint32_t i = 0;
  hash = mix(hash, transactions << 32 | class->op_class);
  for (; misses && i + 4 <= c->width; i += 4) {
    uint64_t four;
    memcpy(&four, misses + i, sizeof four);
    hash = mix(hash, four);
  }
  for (; misses && i < c->width; i++)
    hash = mix(hash, misses[i]);
  return hash;
}

static bool same(const struct event_classes *c, uint32_t number, const struct event_class *class,
                 const uint16_t *misses) {
  const struct event_class *known = &c->classes[number];
  return known->slots == class->slots && known->item_slots == class->item_slots && known->kind == class->kind &&
         known->misses == class->misses && known->lanes == class->lanes && known->transactions == class->transactions &&
         known->op_class == class->op_class && known->rounds == class->rounds &&
         (!misses || memcmp(c->misses + (size_t)number * c->width, misses, c->width * sizeof *misses) == 0);
}

static uint16_t add(struct event_classes *c, const struct event_class *class, const uint16_t *misses, uint64_t hash) {
  if (c->count == EVENT_MOST_CLASSES || (c->count == c->capacity && !grow(c, 2 * c->capacity)) ||
      !hash_table_add(&c->by_hash, hash, c->count))
    return 0;
  c->classes[c->count] = *class;
  c->events[c->count] = 1;
  if (misses)
    memcpy(c->misses + (size_t)c->count * c->width, misses, c->width * sizeof *misses);
  else
    memset(c->misses + (size_t)c->count * c->width, 0, c->width * sizeof *misses);
  return (uint16_t)c->count++;
}

static uint16_t number_of(struct event_classes *c, const struct event_class *class, const uint16_t *misses) {
  const uint64_t hash = hash_of(c, class, misses);
  for (uint32_t at = hash_table_first(&c->by_hash, hash), i;
       (i = hash_table_next(&c->by_hash, hash, &at)) != HASH_INDEX_NONE;)
    if (same(c, i, class, misses)) {
      c->events[i]++;
      return (uint16_t)i;
    }
  return add(c, class, misses, hash);
}

static uint16_t *recent_of(struct event_classes *c, const struct event_class *class) {
  const uint64_t mixed = (class->slots ^ (uint64_t) class->transactions << 40 ^ (uint64_t) class->op_class << 32) *
                         UINT64_C(0x9e3779b97f4a7c15);
  return &c->recent[mixed >> 32 & (EVENT_RECENT - 1)];
}

uint16_t event_classes_number(struct event_classes *c, const struct event_class *class, const uint16_t *misses) {
  if (misses)
    return number_of(c, class, misses);
  uint16_t *recent = recent_of(c, class);
  if (*recent && same(c, *recent, class, NULL)) {
    c->events[*recent]++;
    return *recent;
  }
  return *recent = number_of(c, class, NULL);
}
