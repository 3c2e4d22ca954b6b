#include "trace/read/decode.h"

#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "trace/format/limits.h"
#include "trace/path/path.h"

static int malformed(struct error *error, const char *what) {
  return error_set(error, ERROR_INPUT, "%s", what);
}

static int too_large(struct error *error) {
  return error_set(error, ERROR_WORK, "paths and shapes need more than %llu GiB of memory: trace a smaller launch",
                   (unsigned long long)(LIMIT_TABLE_BYTES >> 30));
}

static int no_memory(struct error *error) {
  return error_set(error, ERROR_WORK, "out of memory for a trace");
}

static bool room32(void *array, uint32_t *capacity, uint32_t count, size_t size) {
  size_t wide = *capacity;
  const bool ok = array_room(array, &wide, (size_t)count + 1, size);
  *capacity = (uint32_t)wide;
  return ok;
}

static bool decode_steps(struct byte_reader *r, struct trace_step *steps, uint32_t count) {
  for (uint32_t i = 0; i < count; i++) {
    const uint64_t v = take_at_most(r, UINT32_MAX);
    if (v & 1)
      steps[i] =
          (struct trace_step){.body = (uint32_t)(v >> 1), .repeat = 2 + (uint32_t)take_at_most(r, UINT32_MAX - 2)};
    else
      steps[i] = (struct trace_step){.block = (uint32_t)(v >> 1), .repeat = 1};
    if ((v & 1) && steps[i].body == 0)
      r->bad = true;
  }
  return !r->bad;
}

int decode_path(struct tables *t, struct byte_reader *r, struct error *error) {
  struct trace *trace = t->trace;
  const uint32_t count = (uint32_t)take_at_most(r, LIMIT_STEPS);
  if (r->bad || count > reader_left(r) || trace->path_count == LIMIT_PATHS)
    return malformed(error, "a path has more steps than the frame holds, or there are too many paths");
  if (t->bytes + count * sizeof(struct trace_step) > LIMIT_TABLE_BYTES)
    return too_large(error);
  if (!array_room(&t->steps, &t->step_capacity, count, sizeof *t->steps) ||
      !room32(&trace->paths, &t->path_capacity, trace->path_count, sizeof *trace->paths))
    return no_memory(error);
  if (!decode_steps(r, t->steps, count))
    return malformed(error, "a path's steps end early or have a number out of range");
  struct trace_path *path;
  if (path_build(&trace->code, t->steps, count, (size_t)(LIMIT_TABLE_BYTES - t->bytes), &t->paths, &path, error) != 0)
    return -1;
  trace->paths[trace->path_count++] = path;
  t->bytes += path_memory(path);
  return 0;
}

size_t shape_memory(uint32_t cohort_count, uint32_t local_size) {
  return sizeof(struct shape_facts) + sizeof(struct trace_shape) + cohort_count * sizeof(struct trace_cohort) +
         2 * local_size * sizeof(uint16_t);
}

/* Allocates a shape, its facts, its cohorts and the numbers of its work-items in one piece. */
static struct trace_shape *shape_create(struct tables *t, uint32_t cohort_count, uint32_t local_size) {
  const size_t bytes = shape_memory(cohort_count, local_size);
  struct shape_facts *facts = pool_take(&t->shapes, bytes);
  if (!facts)
    return NULL;
  memset(facts, 0, bytes);
  struct trace_shape *s = (struct trace_shape *)(void *)(facts + 1);
  s->cohorts = (struct trace_cohort *)(s + 1);
  s->cohort_count = cohort_count;
  s->cohort_of_item = (uint16_t *)(s->cohorts + cohort_count);
  s->index_in_cohort = s->cohort_of_item + local_size;
  return s;
}

static int decode_cohorts(const struct tables *t, struct byte_reader *r, struct trace_shape *s, struct error *error) {
  uint64_t streams = 0;
  for (uint32_t i = 0; i < s->cohort_count; i++) {
    const uint64_t path = take_varint(r);
    if (r->bad || path >= t->trace->path_count)
      return malformed(error, "a shape names a path that was not defined before");
    const struct trace_path *p = t->trace->paths[path];
    if (p->barrier_executions != t->trace->paths[s->cohorts[0].path]->barrier_executions && i > 0)
      return malformed(error, "work-items of a work-group pass different numbers of barriers");
    s->cohorts[i] = (struct trace_cohort){.path = (uint32_t)path, .first_stream = (uint32_t)streams};
    streams += p->site_count;
    if (streams > LIMIT_SITES)
      return malformed(error, "a shape has more streams than the format allows");
  }
  s->stream_count = (uint32_t)streams;
  return 0;
}

/* Decodes the cohort of each work-item. The runs cover all work-items, and cohorts are numbered in the order of their
 * first work-item. */
static int decode_items(uint32_t local_size, struct byte_reader *r, struct trace_shape *s, struct error *error) {
  uint32_t item = 0, appeared = 0;
  while (item < local_size) {
    const uint64_t cohort = take_at_most(r, appeared);
    const uint64_t length = take_at_most(r, local_size - item - 1) + 1;
    if (r->bad || cohort >= s->cohort_count)
      return malformed(error, "a shape's runs do not cover its work-items, cohort by cohort");
    appeared += cohort == appeared;
    for (uint64_t i = 0; i < length; i++, item++) {
      s->cohort_of_item[item] = (uint16_t)cohort;
      s->index_in_cohort[item] = (uint16_t)s->cohorts[cohort].item_count++;
    }
  }
  return appeared == s->cohort_count ? 0 : malformed(error, "a shape has a cohort without work-items");
}

/* Decodes a site's stream: sets the words of the site, and writes its loop strides behind the first `used` words of the
 * run. */
static bool decode_stream(struct byte_reader *r, bool plain, uint32_t dimensions, uint32_t depth, int32_t *run,
                          uint32_t site, uint32_t *used) {
  const enum trace_stream_kind kind = plain ? STREAM_AFFINE : (enum trace_stream_kind)take_at_most(r, STREAM_RAW);
  int32_t *words = run + (size_t)TRACE_STREAM_WORDS * site;
  words[0] = trace_stream_word(kind, depth > 0 && kind != STREAM_RAW ? *used : 0);
  for (uint32_t d = 0; d < depth && kind != STREAM_RAW; d++)
    run[(*used)++] = (int32_t)take_zigzag(r);
  for (uint32_t d = 0; d < 3; d++)
    words[1 + d] = d < dimensions && kind == STREAM_AFFINE && !plain ? (int32_t)take_zigzag(r) : 0;
  return !r->bad;
}

/* The largest number of work-items of a narrow cohort. Warps of larger cohorts need the item strides of all sites. */
enum { NARROW_ITEMS = 3 };

static bool has_item_strides(const int32_t *run, uint32_t site) {
  const int32_t *strides = trace_stream_in(run, site).item_stride;
  return strides[0] != 0 || strides[1] != 0 || strides[2] != 0;
}

/* Removes the item strides from the run of a cohort of a few work-items if all of them are 0. */
static void make_narrow(int32_t *run, uint32_t sites, struct trace_cohort *c, uint32_t *used) {
  const uint32_t words = TRACE_STREAM_WORDS * sites, fewer = words - sites;
  bool narrow = sites > 0 && c->item_count <= NARROW_ITEMS;
  for (uint32_t k = 0; k < sites && narrow; k++)
    narrow = !has_item_strides(run, k);
  if (!narrow)
    return;
  for (uint32_t k = 0; k < sites; k++) {
    const uint32_t word = (uint32_t)run[TRACE_STREAM_WORDS * k];
    run[k] = (int32_t)(word >> 2 ? word - (fewer << 2) : word);
  }
  memmove(run + sites, run + words, (*used - words) * sizeof *run);
  *used -= fewer;
  c->narrow = true;
}

static int decode_run(struct tables *t, struct byte_reader *r, bool plain, struct trace_cohort *c,
                      struct shape_facts *facts, struct error *error) {
  const struct trace_path *p = t->trace->paths[c->path];
  uint32_t used = TRACE_STREAM_WORDS * p->site_count; /* below 2^28 */
  for (uint32_t k = 0; k < p->site_count; k++) {
    const struct trace_nest *nest = trace_nest_of(p, k);
    if (!array_room(&t->run, &t->run_capacity, (size_t)used + TRACE_MAX_DEPTH, sizeof *t->run))
      return no_memory(error);
    if (!decode_stream(r, plain, t->trace->header.dimensions, nest->depth, t->run, k, &used))
      return malformed(error, "a shape's streams end early or have an unknown kind");
    const enum trace_stream_kind kind = trace_stream_in(t->run, k).kind;
    if (kind == STREAM_ITEM)
      facts->value_count += c->item_count;
    else if (kind == STREAM_RAW)
      facts->value_count += c->item_count * nest->executions; /* below 2^56 */
    if (facts->value_count > LIMIT_VALUES)
      return malformed(error, "a shape needs more numbers in a work-group than the format allows");
  }
  make_narrow(t->run, p->site_count, c, &used);
  return stream_runs_find(&t->runs, t->run, used, &c->streams) ? 0 : no_memory(error);
}

static int decode_streams(struct tables *t, struct byte_reader *r, struct trace_shape *s, struct shape_facts *facts,
                          struct error *error) {
  for (uint32_t i = 0; i < s->cohort_count; i++) {
    struct trace_cohort *c = &s->cohorts[i];
    const struct trace_path *p = t->trace->paths[c->path];
    const bool plain = t->version > 1 && take_at_most(r, 1);
    uint64_t instructions;
    if (t->bytes + 3 * sizeof *t->run * TRACE_STREAM_WORDS * (uint64_t)p->site_count >
        LIMIT_TABLE_BYTES) /* one copy that is kept, and room to grow */
      return too_large(error);
    if (r->bad)
      return malformed(error, "a shape's cohorts end early or have an unknown form");
    if (__builtin_mul_overflow(p->op_executions, c->item_count, &instructions) ||
        __builtin_add_overflow(facts->instructions, instructions, &facts->instructions))
      return malformed(error, "a work-group executes more than 2^64 operations");
    facts->block_executions += p->block_executions * c->item_count;
    if (!plain || p->nest_count > 1) {
      if (decode_run(t, r, plain, c, facts, error) != 0)
        return -1;
    } else if (!stream_runs_zeros(&t->runs, TRACE_STREAM_WORDS * p->site_count, &c->streams)) {
      return no_memory(error);
    }
  }
  return 0;
}

static int fill_shape(struct tables *t, struct byte_reader *r, struct trace_shape *s, struct shape_facts *facts,
                      struct error *error) {
  const uint64_t runs = stream_runs_bytes(&t->runs);
  if (decode_cohorts(t, r, s, error) != 0 || decode_items(trace_local_size(&t->trace->header), r, s, error) != 0)
    return -1;
  if (t->version == 1 && s->stream_count > reader_left(r))
    return malformed(error, "a shape has more streams than the frame holds");
  const int result = decode_streams(t, r, s, facts, error);
  t->trace->streams = t->runs.words;
  t->bytes += stream_runs_bytes(&t->runs) - runs;
  return result;
}

int decode_shape(struct tables *t, struct byte_reader *r, struct error *error) {
  struct trace *trace = t->trace;
  const uint32_t local_size = trace_local_size(&trace->header);
  if (!room32(&trace->shapes, &t->shape_capacity, trace->shape_count, sizeof *trace->shapes))
    return no_memory(error);
  const uint32_t cohorts = (uint32_t)take_at_most(r, local_size);
  if (r->bad || cohorts == 0 || trace->shape_count == LIMIT_SHAPES)
    return malformed(error, "a shape has no cohort or more than work-items, or there are too many shapes");
  struct trace_shape *s = shape_create(t, cohorts, local_size);
  if (!s)
    return no_memory(error);
  t->bytes += shape_memory(cohorts, local_size);
  if (fill_shape(t, r, s, (struct shape_facts *)(void *)s - 1, error) != 0)
    return -1;
  trace->shapes[trace->shape_count++] = s;
  return t->bytes <= LIMIT_TABLE_BYTES ? 0 : too_large(error);
}

static uint32_t take_value(struct byte_reader *r, uint32_t before) {
  const int64_t difference = take_zigzag(r);
  if (difference != (int32_t)difference)
    r->bad = true;
  return before + (uint32_t)difference;
}

/* Decodes the numbers of an item stream or raw stream: `executions` numbers for each of `items` work-items. The first
 * number is relative to *before, which is set to it. */
static void take_item_numbers(struct byte_reader *r, uint32_t *to, uint64_t items, uint64_t executions,
                              uint32_t *before) {
  uint32_t first = *before;
  for (uint64_t k = 0; k < items && !r->bad; k++) {
    first = take_value(r, first);
    uint32_t last = first;
    if (k == 0)
      *before = first;
    *to++ = first;
    for (uint64_t e = 1; e < executions; e++)
      *to++ = last = take_value(r, last);
  }
}

/* Decodes the numbers of a stream. The first number is relative to *before, which is set to it. */
static void take_stream(const struct tables *t, const struct trace_cohort *c, uint32_t site, uint32_t *before,
                        struct byte_reader *r, uint32_t *base, uint32_t *values, size_t *place) {
  const enum trace_stream_kind kind = trace_stream_of(t->trace, c, site).kind;
  if (kind == STREAM_AFFINE) {
    *base = *before = take_value(r, *before);
    return;
  }
  const uint64_t executions = kind == STREAM_RAW ? trace_nest_of(t->trace->paths[c->path], site)->executions : 1;
  *base = (uint32_t)*place; /* below LIMIT_VALUES */
  take_item_numbers(r, values + *place, c->item_count, executions, before);
  *place += (size_t)(c->item_count * executions);
}

/* Returns the first number of the stream in the previous group of this shape. */
static uint32_t number_before(const struct tables *t, const struct shape_facts *facts, const struct trace_cohort *c,
                              uint32_t site) {
  const uint32_t stream = c->first_stream + site;
  if (!facts->kept_base)
    return facts->before[stream];
  const uint32_t base = facts->kept_base[stream];
  return trace_stream_of(t->trace, c, site).kind == STREAM_AFFINE ? base : facts->kept_values[base];
}

static void take_numbers(const struct tables *t, const struct trace_shape *s, const struct shape_facts *facts,
                         struct byte_reader *r, struct numbers *numbers) {
  const bool met = facts->kept_base || facts->before;
  size_t place = 0;
  for (uint32_t i = 0; i < s->cohort_count && !r->bad; i++) {
    const struct trace_cohort *c = &s->cohorts[i];
    const struct trace_path *p = t->trace->paths[c->path];
    for (uint32_t k = 0; k < p->site_count; k++) {
      uint32_t before = met ? number_before(t, facts, c, k) : t->version > 1 ? t->last[p->sites[k].op] : 0;
      take_stream(t, c, k, &before, r, &numbers->base[c->first_stream + k], numbers->values, &place);
      if (t->version > 1)
        t->last[p->sites[k].op] = before;
    }
  }
}

/* Copies the first numbers of a group that the caller does not keep. They count among the tables' bytes. */
static int keep_first_numbers(struct tables *t, const struct trace_shape *s, struct shape_facts *facts,
                              const struct numbers *numbers, struct error *error) {
  const size_t bytes = ((size_t)s->stream_count + 1) * sizeof *facts->before;
  if (!facts->before) {
    if (bytes > LIMIT_TABLE_BYTES - t->bytes)
      return too_large(error);
    if (!(facts->before = malloc(bytes)))
      return no_memory(error);
    t->bytes += bytes;
  }
  const struct shape_facts now = {.kept_base = numbers->base, .kept_values = numbers->values};
  for (uint32_t i = 0; i < s->cohort_count; i++)
    for (uint32_t k = 0; k < t->trace->paths[s->cohorts[i].path]->site_count; k++)
      facts->before[s->cohorts[i].first_stream + k] = number_before(t, &now, &s->cohorts[i], k);
  return 0;
}

int decode_group(struct tables *t, struct byte_reader *r, struct numbers *numbers, uint32_t *previous_shape,
                 struct trace_group *group, struct error *error) {
  int64_t shape;
  if (__builtin_add_overflow(take_zigzag(r), (int64_t)*previous_shape, &shape) || r->bad || shape < 0 ||
      shape >= t->trace->shape_count)
    return malformed(error, "a work-group names a shape that was not defined before");
  const struct trace_shape *s = t->trace->shapes[shape];
  struct shape_facts *facts = shape_facts_of(t, shape);
  if (facts->value_count > reader_left(r) || s->stream_count > reader_left(r))
    return malformed(error, "a work-group has more numbers than the frame holds");
  if (!array_room(&numbers->base, &numbers->base_capacity, (size_t)s->stream_count + 1, sizeof *numbers->base) ||
      !array_room(&numbers->values, &numbers->value_capacity, (size_t)facts->value_count + 1, sizeof *numbers->values))
    return no_memory(error);
  if (!t->last && !(t->last = calloc((size_t)t->trace->code.op_count + 1, sizeof *t->last)))
    return no_memory(error);
  take_numbers(t, s, facts, r, numbers);
  if (r->bad)
    return malformed(error, "a work-group's numbers end early or are out of range");
  if (!t->kept && keep_first_numbers(t, s, facts, numbers, error) != 0)
    return -1;
  *previous_shape = (uint32_t)shape;
  group->shape = (uint32_t)shape;
  group->base = numbers->base;
  group->values = numbers->values;
  group->value_count = facts->value_count;
  return 0;
}

void decode_kept(struct tables *t, const struct trace_group *group) {
  struct shape_facts *facts = shape_facts_of(t, group->shape);
  facts->kept_base = group->base;
  facts->kept_values = group->values;
}
