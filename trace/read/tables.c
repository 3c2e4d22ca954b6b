/* Manages the memory of a reader's tables (trace/read/decode.h). */
#include <stdlib.h>

#include "trace/read/decode.h"

struct shape_facts *shape_facts_of(const struct tables *t, uint32_t shape) {
  return (struct shape_facts *)(void *)t->trace->shapes[shape] - 1;
}

void tables_release(struct tables *t) {
  for (uint32_t i = 0; i < t->trace->shape_count && !t->kept; i++) {
    free(shape_facts_of(t, i)->before);
    shape_facts_of(t, i)->before = NULL;
  }
  free(t->last);
  free(t->run);
  free(t->steps);
  stream_runs_release(&t->runs);
  t->last = NULL;
  t->run = NULL;
  t->steps = NULL;
  t->run_capacity = t->step_capacity = 0;
}

void tables_spill(struct tables *t, size_t memory_bytes) {
  const size_t share = memory_bytes / 4; /* of streams, and of shapes; it is assumed that paths take more */
  t->paths.file = t->shapes.file = &t->file;
  t->paths.plain = memory_bytes - 2 * share;
  t->shapes.plain = share;
  t->runs.spills = true;
  t->runs.plain = (uint32_t)(share / sizeof *t->runs.words);
}

bool tables_are_in_files(const struct tables *t) {
  return t->file.bytes > 0 || t->runs.in_file;
}

void tables_let_go(const struct tables *t) {
  pool_let_go(&t->paths);
  pool_let_go(&t->shapes);
  stream_runs_let_go(&t->runs);
}

void tables_clear(struct tables *t) {
  struct trace *trace = t->trace;
  tables_release(t);
  pool_clear(&t->paths);
  pool_clear(&t->shapes);
  spill_file_clear(&t->file);
  free(trace->paths);
  free(trace->shapes);
  stream_runs_clear(&t->runs);
  trace->paths = NULL;
  trace->shapes = NULL;
  trace->streams = NULL;
  trace->path_count = trace->shape_count = 0;
}
