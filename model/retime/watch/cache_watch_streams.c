#include "model/retime/watch/cache_watch_streams.h"

#include <stdlib.h>
#include <string.h>

/* `what` of a finding is a pair of the smallest L1 size and the smallest L2 size that held `count` lines; or, behind
 * the pairs, the number of a cache that `count` lines miss; or one of the following numbers. */
enum { WHAT_OWN = UINT16_MAX };    /* the replay's own L2 */
enum { STREAM_KIND = UINT16_MAX }; /* of a first node: `what` is the class of the operation, `count` its transactions */

static uint32_t pair_of(const struct cache_watch_streams *s, uint32_t l1_level, uint32_t l2_level) {
  return l1_level * (s->size_count + 1) + l2_level;
}

/* ---- the streams ---- */

static bool is_size(const struct cache_watch_variants *v, uint32_t l2) {
  return l2 > 0 && cache_geometry_is_lru(&v->l2[l2].geometry);
}

static void add_size(struct cache_watch_streams *s, uint32_t lines) {
  uint32_t at = 0;
  while (at < s->size_count && s->sizes[at] < lines)
    at++;
  if (at < s->size_count && s->sizes[at] == lines)
    return;
  memmove(s->sizes + at + 1, s->sizes + at, (s->size_count - at) * sizeof *s->sizes);
  s->sizes[at] = lines;
  s->size_count++;
}

static void find_sizes(struct cache_watch_streams *s) {
  const struct cache_watch_variants *v = s->variants;
  for (uint32_t i = 0; i < v->l2_count; i++)
    if (is_size(v, i))
      add_size(s, v->l2[i].geometry.lines);
  for (uint32_t i = 0; i < v->l2_count; i++) {
    s->size_of[i] = s->size_count;
    for (uint32_t k = 0; k < s->size_count && is_size(v, i); k++)
      if (s->sizes[k] == v->l2[i].geometry.lines)
        s->size_of[i] = k;
  }
}

static void find_places(struct cache_watch_streams *s, const struct cache_watch_log *log) {
  for (uint32_t i = 0; i < log->size_count; i++)
    s->place_of[log->sizes[i]] = i;
  for (uint32_t i = 0; i < log->other_count; i++)
    s->place_of[log->others[i]] = i;
}

/* Returns whether the stream is behind this L1. Number 0 is the replay's own, which is never shared. */
static bool is_behind(const struct cache_watch_streams *s, const struct cache_watch_stream *stream, uint32_t l1) {
  const bool size = l1 > 0 && cache_geometry_is_lru(&s->variants->l1[l1]);
  const uint32_t place = s->place_of[l1];
  return stream->first < stream->end ? size && place >= stream->first && place < stream->end
                                     : !size && place == stream->other;
}

static void list_members(const struct cache_watch_streams *s, struct cache_watch_stream *stream) {
  const struct cache_watch_variants *v = s->variants;
  stream->l1_count = stream->sized_count = 0;
  for (uint32_t i = 0; i < v->l1_count; i++)
    if (is_behind(s, stream, i))
      stream->l1s[stream->l1_count++] = i;
  for (uint32_t i = 1; i < v->l2_count; i++)
    if (is_size(v, i) && is_behind(s, stream, v->l2[i].l1))
      stream->sized[stream->sized_count++] = i;
}

static bool add_caches(const struct cache_watch_streams *s, struct cache_watch_stream *stream) {
  const struct cache_watch_variants *v = s->variants;
  bool done = true;
  for (uint32_t i = 1; i < v->l2_count && done; i++)
    if (!is_size(v, i) && is_behind(s, stream, v->l2[i].l1)) {
      stream->variants[stream->cache_count] = i;
      done = cache_geometry_create(&v->l2[i].geometry, &stream->caches[stream->cache_count++]);
    }
  return done;
}

static bool add_stream(struct cache_watch_streams *s, uint32_t first, uint32_t end, uint32_t other) {
  const struct cache_watch_variants *v = s->variants;
  struct cache_watch_stream *stream = &s->streams[s->count++];
  *stream = (struct cache_watch_stream){.first = first,
                                        .end = end,
                                        .other = other,
                                        .l1s = calloc(v->l1_count, sizeof *stream->l1s),
                                        .sized = calloc(v->l2_count, sizeof *stream->sized),
                                        .caches = calloc(v->l2_count, sizeof(struct cache *)),
                                        .variants = calloc(v->l2_count, sizeof *stream->variants)};
  if (!stream->l1s || !stream->sized || !stream->caches || !stream->variants)
    return false;
  list_members(s, stream);
  if (stream->sized_count > 0 && !(stream->levels = multi_size_lru_create(s->sizes, s->size_count)))
    return false;
  return add_caches(s, stream);
}

/* Returns whether sizes of L1 may share a stream. If a cache of another model is behind a size of L1, each size has its
 * own stream. */
static bool may_share(const struct cache_watch_variants *v) {
  for (uint32_t i = 1; i < v->l2_count; i++)
    if (v->l2[i].l1 > 0 && cache_geometry_is_lru(&v->l1[v->l2[i].l1]) && !is_size(v, i))
      return false;
  return true;
}

static bool add_streams(struct cache_watch_streams *s, const struct cache_watch_log *log) {
  const uint32_t together = may_share(s->variants) ? log->size_count : 1;
  bool done = true;
  for (uint32_t i = 0; i < log->other_count && done; i++)
    done = add_stream(s, 0, 0, i);
  for (uint32_t i = 0; i < log->size_count && done; i += together)
    done = add_stream(s, i, i + together, 0);
  return done;
}

bool cache_watch_streams_init(struct cache_watch_streams *s, const struct cache_watch_variants *v,
                              const struct cache_watch_log *log, uint32_t access_lines) {
  *s = (struct cache_watch_streams){.variants = v,
                                    .capacity = log->other_count + log->size_count,
                                    .sizes = calloc(v->l2_count + 1u, sizeof *s->sizes),
                                    .size_of = calloc(v->l2_count + 1u, sizeof *s->size_of),
                                    .place_of = calloc(v->l1_count + 1u, sizeof *s->place_of),
                                    .lines = calloc(access_lines + 1u, sizeof *s->lines),
                                    .found = calloc(access_lines + 1u, sizeof *s->found)};
  s->streams = calloc(s->capacity, sizeof *s->streams);
  if (!s->sizes || !s->size_of || !s->place_of || !s->lines || !s->found || !s->streams ||
      !cache_watch_tree_init(&s->tree))
    return false;
  find_sizes(s);
  find_places(s, log);
  s->first_cache = pair_of(s, log->size_count + 1, 0);
  return (uint64_t)(log->size_count + 1) * (s->size_count + 1) + v->l2_count < WHAT_OWN && add_streams(s, log);
}

void cache_watch_streams_clear(struct cache_watch_streams *s) {
  for (uint32_t i = 0; i < s->count; i++) {
    for (uint32_t k = 0; k < s->streams[i].cache_count; k++)
      cache_destroy(s->streams[i].caches[k]);
    free(s->streams[i].caches);
    free(s->streams[i].l1s);
    free(s->streams[i].sized);
    free(s->streams[i].variants);
    multi_size_lru_destroy(s->streams[i].levels);
  }
  free(s->streams);
  free(s->sizes);
  free(s->size_of);
  free(s->place_of);
  free(s->lines);
  free(s->found);
  cache_watch_tree_clear(&s->tree);
  *s = (struct cache_watch_streams){0};
}

/* ---- accesses ---- */

/* Writes the lines that go on to s->lines, and the sizes of L1 for which they do to s->found. Returns their number. */
static uint32_t lines_of(const struct cache_watch_streams *s, const struct cache_watch_stream *stream,
                         const struct cache_watch_log *log, const struct logged_access *access) {
  const struct logged_line *lines = cache_watch_log_lines(log, access);
  uint32_t count = 0;
  if (stream->first < stream->end) {
    for (uint32_t k = 0; k < access->transactions; k++)
      if (lines[k].level > stream->first) {
        s->found[count] = lines[k].level < stream->end ? lines[k].level : stream->end;
        s->lines[count++] = lines[k].line;
      }
  } else {
    for (uint32_t k = 0; k < access->transactions; k++)
      if (cache_watch_log_missed(log, access, k, stream->other)) {
        s->found[count] = 0;
        s->lines[count++] = lines[k].line;
      }
  }
  return count;
}

static uint32_t step(struct cache_watch_streams *s, uint32_t node, uint32_t stream, uint32_t what, uint32_t count) {
  return cache_watch_tree_step(&s->tree, node, (struct cache_watch_finding){(uint16_t)stream, (uint16_t)what, count});
}

/* Replaces s->found by pairs, ascending. */
static void find_pairs(struct cache_watch_streams *s, struct multi_size_lru *levels, uint32_t count) {
  for (uint32_t k = 0; k < count; k++) {
    const uint32_t pair = pair_of(s, s->found[k], levels ? multi_size_lru_access(levels, s->lines[k]) : 0);
    uint32_t at = k;
    for (; at > 0 && s->found[at - 1] > pair; at--)
      s->found[at] = s->found[at - 1];
    s->found[at] = pair;
  }
}

static uint32_t use_sizes(struct cache_watch_streams *s, uint32_t number, uint32_t node, uint32_t count) {
  find_pairs(s, s->streams[number].levels, count);
  for (uint32_t k = 0, same; k < count && node; k += same) {
    for (same = 1; k + same < count && s->found[k + same] == s->found[k];)
      same++;
    node = step(s, node, number, s->found[k], same);
  }
  return node;
}

static uint32_t use_caches(struct cache_watch_streams *s, uint32_t number, uint32_t node, uint32_t count) {
  const struct cache_watch_stream *stream = &s->streams[number];
  for (uint32_t i = 0; i < stream->cache_count && node; i++) {
    uint32_t missed = 0;
    for (uint32_t k = 0; k < count; k++)
      missed += !stream->caches[i] || !cache_access(stream->caches[i], s->lines[k]);
    if (missed > 0)
      node = step(s, node, number, s->first_cache + i, missed);
  }
  return node;
}

static bool pass(struct cache_watch_streams *s, uint32_t number, const struct cache_watch_log *log, uint32_t accesses) {
  const struct cache_watch_stream *stream = &s->streams[number];
  const bool own = number == 0;
  for (uint32_t i = 0; i < accesses; i++) {
    struct logged_access *access = log->order[i];
    if (own ? access->own_to_l2 == 0 : stream->first < stream->end && access->most <= stream->first)
      continue;
    const uint32_t count = lines_of(s, stream, log, access);
    uint32_t node = access->node;
    if (count > 0)
      node = use_sizes(s, number, node, count);
    if (count > 0 && node)
      node = use_caches(s, number, node, count);
    if (own && access->own_missed > 0 && node)
      node = step(s, node, number, WHAT_OWN, access->own_missed);
    if (!node)
      return false;
    access->node = node;
  }
  return !stream->levels || !multi_size_lru_failed(stream->levels);
}

enum { MANY_NODES = 1 << 20 };

bool cache_watch_streams_pass(struct cache_watch_streams *s, const struct cache_watch_log *log, uint32_t count) {
  if (s->tree.count > MANY_NODES)
    cache_watch_tree_forget(&s->tree);
  for (uint32_t i = 0; i < count; i++) {
    struct logged_access *access = log->order[i];
    access->node = step(s, 0, STREAM_KIND, access->op_class, access->transactions);
    if (!access->node)
      return false;
  }
  for (uint32_t i = 0; i < s->count; i++)
    if (!pass(s, i, log, count))
      return false;
  return true;
}

/* ---- the results ---- */

/* Returns whether a line whose smallest holding size is `level` misses this L1. */
static bool misses_l1(const struct cache_watch_streams *s, const struct cache_watch_stream *stream, uint32_t l1,
                      uint32_t level) {
  return stream->first == stream->end || s->place_of[l1] < level;
}

static void add_pair(const struct cache_watch_streams *s, const struct cache_watch_finding *f, bool load,
                     uint16_t *misses) {
  const struct cache_watch_variants *v = s->variants;
  const struct cache_watch_stream *stream = &s->streams[f->stream];
  const uint32_t l1_level = f->what / (s->size_count + 1), l2_level = f->what % (s->size_count + 1);
  uint16_t *l2 = misses + v->l1_count;
  for (uint32_t i = 0; i < stream->l1_count && load; i++)
    if (misses_l1(s, stream, stream->l1s[i], l1_level))
      misses[stream->l1s[i]] = (uint16_t)(misses[stream->l1s[i]] + f->count);
  for (uint32_t i = 0; i < stream->sized_count; i++) {
    const uint32_t variant = stream->sized[i];
    if (s->size_of[variant] < l2_level && misses_l1(s, stream, v->l2[variant].l1, l1_level))
      l2[variant] = (uint16_t)(l2[variant] + f->count);
  }
}

static void add_finding(const struct cache_watch_streams *s, const struct cache_watch_finding *f, bool load,
                        uint16_t *misses) {
  uint16_t *l2 = misses + s->variants->l1_count;
  if (f->what == WHAT_OWN)
    l2[0] = (uint16_t)f->count;
  else if (f->what >= s->first_cache)
    l2[s->streams[f->stream].variants[f->what - s->first_cache]] = (uint16_t)f->count;
  else
    add_pair(s, f, load, misses);
}

void cache_watch_streams_misses(const struct cache_watch_streams *s, uint32_t node, uint16_t *misses) {
  const struct cache_watch_node *nodes = s->tree.nodes;
  uint32_t first = node;
  while (nodes[first].parent)
    first = nodes[first].parent;
  const bool load = nodes[first].finding.what == OP_LOAD;
  memset(misses, 0, (s->variants->l1_count + s->variants->l2_count) * sizeof *misses);
  for (; nodes[node].parent; node = nodes[node].parent)
    add_finding(s, &nodes[node].finding, load, misses);
}
