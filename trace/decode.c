#include "trace/decode.h"

#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "trace/limits.h"
#include "trace/path.h"

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
  struct trace_step *steps = malloc((count + 1) * sizeof *steps);
  if (steps == NULL || !room32(&trace->paths, &t->path_capacity, trace->path_count, sizeof *trace->paths)) {
    free(steps);
    return no_memory(error);
  }
  if (!decode_steps(r, steps, count)) {
    free(steps);
    return malformed(error, "a path's steps end early or have a number out of range");
  }
  struct trace_path *path;
  if (path_build(&trace->code, steps, count, (size_t)(LIMIT_TABLE_BYTES - t->bytes), &path, error) != 0)
    return -1;
  trace->paths[trace->path_count++] = path;
  t->bytes += path_memory(path);
  return 0;
}

static void shape_destroy(struct trace_shape *s) {
  if (s == NULL)
    return;
  free(s->cohorts);
  free(s->cohort_of_item);
  free(s->index_in_cohort);
  free(s->streams);
  free(s);
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
    streams += p->leaf_count;
    if (streams > LIMIT_LEAVES)
      return malformed(error, "a shape has more streams than the format allows");
  }
  s->stream_count = (uint32_t)streams;
  return 0;
}

/* Runs of equal cohorts cover all items; cohorts are numbered by first appearance. */
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

static bool decode_stream(struct byte_reader *r, bool plain, uint32_t dimensions, uint32_t depth,
                          struct trace_stream *stream) {
  stream->kind = plain ? STREAM_AFFINE : (uint8_t)take_at_most(r, STREAM_RAW);
  if (stream->kind == STREAM_RAW)
    return !r->bad;
  for (uint32_t d = 0; d < depth; d++)
    stream->loop_stride[d] = (int32_t)take_zigzag(r);
  for (uint32_t d = 0; d < dimensions && stream->kind == STREAM_AFFINE && !plain; d++)
    stream->item_stride[d] = (int32_t)take_zigzag(r);
  return !r->bad;
}

static int decode_streams(const struct tables *t, struct byte_reader *r, struct trace_shape *s,
                          struct shape_facts *facts, struct error *error) {
  for (uint32_t i = 0; i < s->cohort_count; i++) {
    const struct trace_cohort *c = &s->cohorts[i];
    const struct trace_path *p = t->trace->paths[c->path];
    const bool plain = t->version > 1 && take_at_most(r, 1);
    uint64_t instructions;
    if (r->bad)
      return malformed(error, "a shape's cohorts end early or have an unknown form");
    if (__builtin_mul_overflow(p->op_executions, c->item_count, &instructions) ||
        __builtin_add_overflow(facts->instructions, instructions, &facts->instructions))
      return malformed(error, "a work-group executes more than 2^64 operations");
    for (uint32_t k = 0; k < p->leaf_count; k++) {
      struct trace_stream *stream = &s->streams[c->first_stream + k];
      if (!decode_stream(r, plain, t->trace->header.dimensions, p->leaves[k].depth, stream))
        return malformed(error, "a shape's streams end early or have an unknown kind");
      if (stream->kind == STREAM_ITEM)
        facts->value_count += c->item_count;
      else if (stream->kind == STREAM_RAW)
        facts->value_count += c->item_count * p->leaves[k].executions; /* below 2^56 */
      if (facts->value_count > LIMIT_VALUES)
        return malformed(error, "a shape needs more numbers in a work-group than the format allows");
    }
  }
  return 0;
}

/* Fixed-size parts, then the streams once their number is known. */
static int fill_shape(struct tables *t, struct byte_reader *r, struct trace_shape *s, struct shape_facts *facts,
                      struct error *error) {
  const uint32_t local_size = trace_local_size(&t->trace->header);
  s->cohorts = calloc(s->cohort_count, sizeof *s->cohorts);
  s->cohort_of_item = malloc(local_size * sizeof *s->cohort_of_item);
  s->index_in_cohort = malloc(local_size * sizeof *s->index_in_cohort);
  if (!s->cohorts || !s->cohort_of_item || !s->index_in_cohort)
    return no_memory(error);
  if (decode_cohorts(t, r, s, error) != 0 || decode_items(local_size, r, s, error) != 0)
    return -1;
  if (t->version == 1 && s->stream_count > reader_left(r))
    return malformed(error, "a shape has more streams than the frame holds");
  const uint64_t bytes = sizeof *s + sizeof *facts + s->cohort_count * sizeof *s->cohorts +
                         local_size * (sizeof *s->cohort_of_item + sizeof *s->index_in_cohort) +
                         s->stream_count * (sizeof *s->streams + sizeof *facts->before);
  if (bytes > LIMIT_TABLE_BYTES - t->bytes)
    return too_large(error);
  t->bytes += bytes;
  s->streams = calloc((size_t)s->stream_count + 1, sizeof *s->streams);
  facts->before = calloc((size_t)s->stream_count + 1, sizeof *facts->before);
  if (s->streams == NULL || facts->before == NULL)
    return no_memory(error);
  return decode_streams(t, r, s, facts, error);
}

int decode_shape(struct tables *t, struct byte_reader *r, struct error *error) {
  struct trace *trace = t->trace;
  uint32_t capacity = t->shape_capacity;
  struct shape_facts facts = {0};
  struct trace_shape *s = calloc(1, sizeof *s);
  if (s == NULL || !room32(&t->facts, &capacity, trace->shape_count, sizeof *t->facts) ||
      !room32(&trace->shapes, &t->shape_capacity, trace->shape_count, sizeof *trace->shapes)) {
    free(s);
    return no_memory(error);
  }
  s->cohort_count = (uint32_t)take_at_most(r, trace_local_size(&trace->header));
  int result;
  if (r->bad || s->cohort_count == 0 || trace->shape_count == LIMIT_SHAPES)
    result = malformed(error, "a shape has no cohort or more than work-items, or there are too many shapes");
  else
    result = fill_shape(t, r, s, &facts, error);
  if (result != 0) {
    free(facts.before);
    shape_destroy(s);
    return -1;
  }
  t->facts[trace->shape_count] = facts;
  trace->shapes[trace->shape_count++] = s;
  return 0;
}

static uint32_t take_value(struct byte_reader *r, uint32_t before) {
  const int64_t difference = take_zigzag(r);
  if (difference != (int32_t)difference)
    r->bad = true;
  return before + (uint32_t)difference;
}

/* An item or raw stream: `items` rows of `executions` numbers; *before is the first. */
static void take_rows(struct byte_reader *r, uint32_t *to, uint64_t items, uint64_t executions, uint32_t *before) {
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

/* *before, what a stream's first number is relative to, becomes this number. */
static void take_stream(const struct tables *t, const struct trace_cohort *c, uint32_t leaf,
                        const struct trace_stream *stream, uint32_t *before, struct byte_reader *r, int64_t *base,
                        uint32_t *values, size_t *place) {
  if (stream->kind == STREAM_AFFINE) {
    *before = take_value(r, *before);
    *base = *before;
    return;
  }
  const uint64_t executions = stream->kind == STREAM_RAW ? t->trace->paths[c->path]->leaves[leaf].executions : 1;
  *base = (int64_t)*place;
  take_rows(r, values + *place, c->item_count, executions, before);
  *place += (size_t)(c->item_count * executions);
}

static void take_numbers(const struct tables *t, const struct trace_shape *s, struct shape_facts *facts,
                         struct byte_reader *r, struct numbers *numbers) {
  size_t place = 0;
  for (uint32_t i = 0; i < s->cohort_count && !r->bad; i++) {
    const struct trace_cohort *c = &s->cohorts[i];
    const struct trace_path *p = t->trace->paths[c->path];
    for (uint32_t k = 0; k < p->leaf_count; k++) {
      const uint32_t stream = c->first_stream + k;
      uint32_t *before = &facts->before[stream];
      if (t->version > 1 && !facts->met)
        *before = t->last[p->leaves[k].op];
      take_stream(t, c, k, &s->streams[stream], before, r, &numbers->base[stream], numbers->values, &place);
      if (t->version > 1)
        t->last[p->leaves[k].op] = *before;
    }
  }
  facts->met = true;
}

int decode_group(struct tables *t, struct byte_reader *r, struct numbers *numbers, uint32_t *previous_shape,
                 struct trace_group *group, struct error *error) {
  int64_t shape;
  if (__builtin_add_overflow(take_zigzag(r), (int64_t)*previous_shape, &shape) || r->bad || shape < 0 ||
      shape >= t->trace->shape_count)
    return malformed(error, "a work-group names a shape that was not defined before");
  const struct trace_shape *s = t->trace->shapes[shape];
  struct shape_facts *facts = &t->facts[shape];
  if (facts->value_count > reader_left(r) || s->stream_count > reader_left(r))
    return malformed(error, "a work-group has more numbers than the frame holds");
  if (!array_room(&numbers->base, &numbers->base_capacity, (size_t)s->stream_count + 1, sizeof *numbers->base) ||
      !array_room(&numbers->values, &numbers->value_capacity, (size_t)facts->value_count + 1, sizeof *numbers->values))
    return no_memory(error);
  if (t->last == NULL && (t->last = calloc((size_t)t->trace->code.op_count + 1, sizeof *t->last)) == NULL)
    return no_memory(error);
  take_numbers(t, s, facts, r, numbers);
  if (r->bad)
    return malformed(error, "a work-group's numbers end early or are out of range");
  *previous_shape = (uint32_t)shape;
  group->shape = (uint32_t)shape;
  group->base = numbers->base;
  group->values = numbers->values;
  group->value_count = facts->value_count;
  return 0;
}

void tables_clear(struct tables *t) {
  struct trace *trace = t->trace;
  for (uint32_t i = 0; i < trace->path_count; i++)
    path_destroy(trace->paths[i]);
  for (uint32_t i = 0; i < trace->shape_count; i++) {
    shape_destroy(trace->shapes[i]);
    if (t->facts != NULL)
      free(t->facts[i].before);
  }
  free(trace->paths);
  free(trace->shapes);
  free(t->facts);
  free(t->last);
  t->last = NULL;
  trace->paths = NULL;
  trace->shapes = NULL;
  trace->path_count = trace->shape_count = 0;
  t->facts = NULL;
}
