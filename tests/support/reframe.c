#include "reframe.h"

#include <stdlib.h>
#include <string.h>

#include "trace/read/reader.h"

static void need(int condition) {
  if (!condition)
    abort();
}

void loose_trace_read(const char *path, struct loose_trace *out) {
  struct frame_reader r;
  struct frame f;
  FILE *file = fopen(path, "rb");
  *out = (struct loose_trace){0};
  need(file && frame_reader_begin(&r, file, path, NULL) == 0);
  while (frame_read(&r, &f, NULL) == 1) {
    need(out->count < REFRAME_MAX);
    struct loose_frame *loose = &out->frames[out->count++];
    *loose = (struct loose_frame){f.kind, malloc(f.length + 1), f.length};
    need(loose->raw != NULL);
    memcpy(loose->raw, f.raw, f.length);
  }
  frame_reader_clear(&r);
  fclose(file);
}

void loose_trace_write(const char *path, const struct loose_trace *trace) {
  struct frame_writer w;
  FILE *file = fopen(path, "wb");
  need(file && frame_writer_begin(&w, file, NULL) == 0);
  for (size_t i = 0; i < trace->count; i++)
    need(frame_write(&w, trace->frames[i].kind, trace->frames[i].raw, trace->frames[i].length, NULL) == 0);
  frame_writer_clear(&w);
  need(fclose(file) == 0);
}

struct loose_frame *loose_trace_find(struct loose_trace *trace, enum frame_kind kind) {
  for (size_t i = 0; i < trace->count; i++)
    if (trace->frames[i].kind == kind)
      return &trace->frames[i];
  abort();
}

void loose_trace_clear(struct loose_trace *trace) {
  for (size_t i = 0; i < trace->count; i++)
    free(trace->frames[i].raw);
  *trace = (struct loose_trace){0};
}

/* Reads the first and last execution of every site: the ends of every array. */
static void touch(const struct trace *trace, const struct trace_group *group, uint32_t item) {
  const struct trace_shape *shape = trace->shapes[group->shape];
  const struct trace_path *path = trace->paths[shape->cohorts[shape->cohort_of_item[item]].path];
  static volatile uint32_t sink;
  for (uint32_t site = 0; site < path->site_count; site++) {
    uint32_t counters[TRACE_MAX_DEPTH] = {0};
    sink = trace_address(trace, group, item, site, counters);
    for (uint32_t d = 0; d < trace_nest_of(path, site)->depth; d++)
      counters[d] = trace_nest_of(path, site)->repeat[d] - 1;
    sink = trace_address(trace, group, item, site, counters);
  }
  (void)sink;
}

int read_whole_trace(const char *path, struct error *error) {
  struct trace_reader *reader;
  struct trace_group group;
  int result;
  if (trace_reader_open(path, &reader, error) != 0)
    return -1;
  const struct trace *trace = trace_reader_trace(reader);
  while ((result = trace_reader_next(reader, &group, error)) == 1)
    for (uint32_t i = 0; i < trace_local_size(&trace->header); i++)
      touch(trace, &group, i);
  trace_reader_close(reader);
  return result;
}
