#include "model/retime/watch/cache_watch_tree.h"

#include <stdlib.h>
#include <string.h>

enum { FIRST_CAPACITY = 256, MOST_NODES = 1 << 26 };

static uint32_t bucket_of(const struct cache_watch_tree *t, uint32_t parent, struct cache_watch_finding f) {
  uint64_t hash = ((uint64_t)f.stream << 48 | (uint64_t)f.what << 32 | f.count) * UINT64_C(0x9e3779b97f4a7c15);
  hash = (hash ^ hash >> 29 ^ parent) * UINT64_C(0xbf58476d1ce4e5b9);
  return (uint32_t)(hash >> 32) & (t->capacity - 1);
}

static bool is_it(const struct cache_watch_node *node, uint32_t parent, struct cache_watch_finding f) {
  return node->parent == parent && node->finding.stream == f.stream && node->finding.what == f.what &&
         node->finding.count == f.count;
}

static bool grow(struct cache_watch_tree *t, uint32_t capacity) {
  void *nodes = capacity <= MOST_NODES ? realloc(t->nodes, capacity * sizeof *t->nodes) : NULL;
  t->nodes = nodes ? nodes : t->nodes;
  uint32_t *buckets = nodes ? calloc(capacity, sizeof *buckets) : NULL;
  if (!buckets)
    return false;
  free(t->buckets);
  t->buckets = buckets;
  t->capacity = capacity;
  for (uint32_t i = 1; i < t->count; i++) {
    uint32_t *bucket = &buckets[bucket_of(t, t->nodes[i].parent, t->nodes[i].finding)];
    t->nodes[i].next = *bucket;
    *bucket = i;
  }
  return true;
}

bool cache_watch_tree_init(struct cache_watch_tree *t) {
  *t = (struct cache_watch_tree){.count = 1};
  if (!grow(t, FIRST_CAPACITY))
    return false;
  t->nodes[0] = (struct cache_watch_node){0};
  return true;
}

void cache_watch_tree_clear(struct cache_watch_tree *t) {
  free(t->nodes);
  free(t->buckets);
  *t = (struct cache_watch_tree){0};
}

void cache_watch_tree_forget(struct cache_watch_tree *t) {
  memset(t->buckets, 0, t->capacity * sizeof *t->buckets);
  t->nodes[0] = (struct cache_watch_node){0};
  t->count = 1;
}

static uint32_t add(struct cache_watch_tree *t, uint32_t parent, struct cache_watch_finding f) {
  if (t->count == t->capacity && !grow(t, 2 * t->capacity))
    return 0;
  uint32_t *bucket = &t->buckets[bucket_of(t, parent, f)];
  t->nodes[t->count] = (struct cache_watch_node){.finding = f, .parent = parent, .next = *bucket};
  return *bucket = t->count++;
}

uint32_t cache_watch_tree_step(struct cache_watch_tree *t, uint32_t node, struct cache_watch_finding f) {
  uint32_t child = t->nodes[node].last;
  if (child && is_it(&t->nodes[child], node, f))
    return child;
  child = t->buckets[bucket_of(t, node, f)];
  while (child && !is_it(&t->nodes[child], node, f))
    child = t->nodes[child].next;
  child = child ? child : add(t, node, f);
  t->nodes[node].last = child;
  return child;
}
