#include "model/outcome_streams.h"

#include <stdlib.h>
#include <string.h>

/* Findings: at each stream, `what` is the smallest L2 size that held so many lines, or one of these: */
enum { WHAT_OWN = UINT16_MAX };    /* so many lines miss the replay's own L2; other caches: behind the sizes */
enum { STREAM_KIND = UINT16_MAX }; /* of a first node: `what` is the operation's class, `count` its transactions */

/* ---- which there are ---- */

static bool is_size(const struct outcome_variants *v, uint32_t l2) {
  return l2 > 0 && cache_geometry_is_lru(&v->l2[l2].geometry);
}

static void add_size(struct outcome_streams *s, uint32_t lines) {
  uint32_t at = 0;
  while (at < s->size_count && s->sizes[at] < lines)
    at++;
  if (at < s->size_count && s->sizes[at] == lines)
    return;
  memmove(s->sizes + at + 1, s->sizes + at, (s->size_count - at) * sizeof *s->sizes);
  s->sizes[at] = lines;
  s->size_count++;
}

static void find_sizes(struct outcome_streams *s) {
  const struct outcome_variants *v = s->variants;
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

static void find_places(struct outcome_streams *s, const struct outcome_log *log) {
  for (uint32_t i = 0; i < log->size_count; i++)
    s->place_of[log->sizes[i]] = i;
  for (uint32_t i = 0; i < log->other_count; i++)
    s->place_of[log->others[i]] = i;
}

/* Number 0 is the replay's own, which no other is like. */
static bool is_behind(const struct outcome_streams *s, const struct outcome_stream *stream, uint32_t l1) {
  const bool size = l1 > 0 && cache_geometry_is_lru(&s->variants->l1[l1]);
  const uint32_t place = s->place_of[l1];
  return stream->first < stream->end ? size && place >= stream->first && place < stream->end
                                     : !size && place == stream->other;
}

static void list_members(const struct outcome_streams *s, struct outcome_stream *stream) {
  const struct outcome_variants *v = s->variants;
  stream->l1_count = stream->sized_count = 0;
  for (uint32_t i = 0; i < v->l1_count; i++)
    if (is_behind(s, stream, i))
      stream->l1s[stream->l1_count++] = i;
  for (uint32_t i = 1; i < v->l2_count; i++)
    if (is_size(v, i) && is_behind(s, stream, v->l2[i].l1))
      stream->sized[stream->sized_count++] = i;
}

static bool add_caches(const struct outcome_streams *s, struct outcome_stream *stream) {
  const struct outcome_variants *v = s->variants;
  bool done = true;
  for (uint32_t i = 1; i < v->l2_count && done; i++)
    if (!is_size(v, i) && is_behind(s, stream, v->l2[i].l1)) {
      stream->variants[stream->cache_count] = i;
      done = cache_geometry_create(&v->l2[i].geometry, &stream->caches[stream->cache_count++]);
    }
  return done;
}

/* Its levels are the caller's. */
static bool add_stream(struct outcome_streams *s, uint32_t first, uint32_t end, uint32_t other) {
  const struct outcome_variants *v = s->variants;
  struct outcome_stream *stream = &s->streams[s->count++];
  *stream = (struct outcome_stream){.first = first,
                                    .end = end,
                                    .other = other,
                                    .l1s = calloc(v->l1_count, sizeof *stream->l1s),
                                    .sized = calloc(v->l2_count, sizeof *stream->sized),
                                    .caches = calloc(v->l2_count, sizeof(struct cache *)),
                                    .variants = calloc(v->l2_count, sizeof *stream->variants)};
  if (!stream->l1s || !stream->sized || !stream->caches || !stream->variants)
    return false;
  list_members(s, stream);
  return add_caches(s, stream);
}

static bool add_new_stream(struct outcome_streams *s, uint32_t first, uint32_t end, uint32_t other) {
  if (!add_stream(s, first, end, other))
    return false;
  struct outcome_stream *stream = &s->streams[s->count - 1];
  return stream->sized_count == 0 || (stream->levels = lru_levels_create(s->sizes, s->size_count));
}

/* Caches of other models cannot be copied: with one behind a size of L1, no two have one stream. */
static bool may_share(const struct outcome_variants *v) {
  for (uint32_t i = 1; i < v->l2_count; i++)
    if (v->l2[i].l1 > 0 && cache_geometry_is_lru(&v->l1[v->l2[i].l1]) && !is_size(v, i))
      return false;
  return true;
}

static bool add_streams(struct outcome_streams *s, const struct outcome_log *log) {
  bool done = true;
  for (uint32_t i = 0; i < log->other_count && done; i++)
    done = add_new_stream(s, 0, 0, i);
  if (may_share(s->variants) && log->size_count > 0)
    return done && add_new_stream(s, 0, log->size_count, 0);
  for (uint32_t i = 0; i < log->size_count && done; i++)
    done = add_new_stream(s, i, i + 1, 0);
  return done;
}

bool outcome_streams_init(struct outcome_streams *s, const struct outcome_variants *v, const struct outcome_log *log,
                          uint32_t access_lines) {
  *s = (struct outcome_streams){.variants = v,
                                .capacity = log->other_count + log->size_count,
                                .sizes = calloc(v->l2_count + 1u, sizeof *s->sizes),
                                .size_of = calloc(v->l2_count + 1u, sizeof *s->size_of),
                                .place_of = calloc(v->l1_count + 1u, sizeof *s->place_of),
                                .held_by = calloc(v->l2_count + 1u, sizeof *s->held_by),
                                .lines = calloc(access_lines + 1u, sizeof *s->lines),
                                .parted = calloc(log->size_count + 1u, sizeof *s->parted)};
  s->streams = calloc(s->capacity, sizeof *s->streams);
  if (!s->sizes || !s->size_of || !s->place_of || !s->held_by || !s->lines || !s->parted || !s->streams ||
      !outcome_tree_init(&s->tree))
    return false;
  find_sizes(s);
  find_places(s, log);
  return add_streams(s, log);
}

void outcome_streams_clear(struct outcome_streams *s) {
  for (uint32_t i = 0; i < s->count; i++) {
    for (uint32_t k = 0; k < s->streams[i].cache_count; k++)
      cache_destroy(s->streams[i].caches[k]);
    free(s->streams[i].caches);
    free(s->streams[i].l1s);
    free(s->streams[i].sized);
    free(s->streams[i].variants);
    lru_levels_destroy(s->streams[i].levels);
  }
  free(s->streams);
  free(s->sizes);
  free(s->size_of);
  free(s->place_of);
  free(s->held_by);
  free(s->lines);
  free(s->parted);
  outcome_tree_clear(&s->tree);
  *s = (struct outcome_streams){0};
}

/* ---- sizes of L1 part ---- */

/* The stream goes on for sizes below `at` only; a new one has its past. */
static bool part(struct outcome_streams *s, uint32_t number, uint32_t at) {
  struct outcome_stream *stream = &s->streams[number];
  const uint32_t end = stream->end;
  stream->end = at;
  list_members(s, stream);
  if (!add_stream(s, at, end, 0))
    return false;
  struct outcome_stream *new = &s->streams[s->count - 1];
  return new->sized_count == 0 || (new->levels = lru_levels_copy(stream->levels));
}

/* A line of level L is held by size L and missed by size L - 1. What nodes stand for changes then. */
static bool part_sizes(struct outcome_streams *s, const struct outcome_log *log, uint32_t count) {
  memset(s->parted, 0, log->size_count + 1u);
  for (uint32_t i = 0; i < count; i++) {
    const struct logged_line *lines = outcome_log_lines(log, log->order[i]);
    for (uint32_t k = 0; k < log->order[i]->transactions; k++)
      s->parted[lines[k].level] = true;
  }
  for (uint32_t i = 0; i < s->count; i++)
    for (uint32_t at = s->streams[i].end; at > s->streams[i].first + 1; at--)
      if (s->parted[at - 1]) {
        outcome_tree_forget(&s->tree);
        if (!part(s, i, at - 1))
          return false;
      }
  return true;
}

/* ---- lines go by ---- */

/* Those that go on, in s->lines. */
static uint32_t lines_of(const struct outcome_streams *s, const struct outcome_stream *stream,
                         const struct outcome_log *log, const struct logged_access *access) {
  const struct logged_line *lines = outcome_log_lines(log, access);
  uint32_t count = 0;
  if (stream->first < stream->end) {
    for (uint32_t k = 0; k < access->transactions; k++)
      if (lines[k].level > stream->first)
        s->lines[count++] = lines[k].line;
  } else {
    for (uint32_t k = 0; k < access->transactions; k++)
      if (outcome_log_missed(log, access, k, stream->other))
        s->lines[count++] = lines[k].line;
  }
  return count;
}

static uint32_t step(struct outcome_streams *s, uint32_t node, uint32_t stream, uint32_t what, uint32_t count) {
  return outcome_tree_step(&s->tree, node, (struct outcome_finding){(uint16_t)stream, (uint16_t)what, count});
}

static uint32_t use_sizes(struct outcome_streams *s, uint32_t number, uint32_t node, uint32_t count) {
  struct lru_levels *levels = s->streams[number].levels;
  if (!levels)
    return step(s, node, number, 0, count);
  if (count == 1)
    return step(s, node, number, lru_levels_access(levels, s->lines[0]), 1);
  memset(s->held_by, 0, (s->size_count + 1) * sizeof *s->held_by);
  for (uint32_t k = 0; k < count; k++)
    s->held_by[lru_levels_access(levels, s->lines[k])]++;
  for (uint32_t i = 0; i <= s->size_count && node; i++)
    if (s->held_by[i] > 0)
      node = step(s, node, number, i, s->held_by[i]);
  return node;
}

static uint32_t use_caches(struct outcome_streams *s, uint32_t number, uint32_t node, uint32_t count) {
  const struct outcome_stream *stream = &s->streams[number];
  for (uint32_t i = 0; i < stream->cache_count && node; i++) {
    uint32_t missed = 0;
    for (uint32_t k = 0; k < count; k++)
      missed += !stream->caches[i] || !cache_access(stream->caches[i], s->lines[k]);
    if (missed > 0)
      node = step(s, node, number, s->size_count + 1 + i, missed);
  }
  return node;
}

static bool pass(struct outcome_streams *s, uint32_t number, const struct outcome_log *log, uint32_t accesses) {
  const struct outcome_stream *stream = &s->streams[number];
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
  return true;
}

enum { MANY_NODES = 1 << 20 };

bool outcome_streams_pass(struct outcome_streams *s, const struct outcome_log *log, uint32_t count) {
  if (s->tree.count > MANY_NODES)
    outcome_tree_forget(&s->tree);
  if (!part_sizes(s, log, count))
    return false;
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

/* ---- what was found ---- */

static void add_finding(const struct outcome_streams *s, const struct outcome_finding *f, bool load, uint16_t *misses) {
  const struct outcome_variants *v = s->variants;
  const struct outcome_stream *stream = &s->streams[f->stream];
  uint16_t *l2 = misses + v->l1_count;
  if (f->what == WHAT_OWN)
    l2[0] = (uint16_t)f->count;
  else if (f->what > s->size_count)
    l2[stream->variants[f->what - s->size_count - 1]] = (uint16_t)f->count;
  if (f->what > s->size_count)
    return;
  for (uint32_t i = 0; i < stream->l1_count && load; i++)
    misses[stream->l1s[i]] = (uint16_t)(misses[stream->l1s[i]] + f->count);
  for (uint32_t i = 0; i < stream->sized_count; i++) {
    const uint32_t variant = stream->sized[i];
    l2[variant] = (uint16_t)(l2[variant] + (s->size_of[variant] < f->what ? f->count : 0));
  }
}

void outcome_streams_misses(const struct outcome_streams *s, uint32_t node, uint16_t *misses) {
  const struct outcome_node *nodes = s->tree.nodes;
  uint32_t first = node;
  while (nodes[first].parent)
    first = nodes[first].parent;
  const bool load = nodes[first].finding.what == OP_LOAD;
  memset(misses, 0, (s->variants->l1_count + s->variants->l2_count) * sizeof *misses);
  for (; nodes[node].parent; node = nodes[node].parent)
    add_finding(s, &nodes[node].finding, load, misses);
}
