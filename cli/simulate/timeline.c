#include "cli/simulate/timeline.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/file.h"
#include "base/input/json_parse.h"
#include "cli/core/command.h"
#include "model/result/cycle_stack.h"

/* Thread ids of a core: engines from 0, places of work-groups, places of warps. */
enum { GROUP_TRACKS = 1000, WARP_TRACKS = 10000 };

struct writer {
  FILE *out;
  bool any; /* an event was written before */
};

static void separate(struct writer *w) {
  fputs(w->any ? ",\n" : "\n", w->out);
  w->any = true;
}

static int name_process(struct writer *w, uint32_t process, const char *kernel, uint32_t core, struct error *error) {
  json_t *text = command_json_text(kernel);
  char *name = text ? json_text(text, JSON_ENCODE_ANY | JSON_ENSURE_ASCII) : NULL;
  json_decref(text);
  if (!name)
    return error_no_memory(error);
  separate(w);
  fprintf(w->out, "{\"ph\": \"M\", \"name\": \"process_name\", \"pid\": %u, \"args\": {\"name\": %.*s, core %u\"}}",
          process, (int)strlen(name) - 1, name, core);
  free(name);
  return 0;
}

static void name_thread(struct writer *w, uint32_t process, uint32_t thread, const char *kind, uint32_t number) {
  separate(w);
  fprintf(w->out,
          "{\"ph\": \"M\", \"name\": \"thread_name\", \"pid\": %u, \"tid\": %u, \"args\": {\"name\": \"%s %u\"}}",
          process, thread, kind, number);
}

/* Engines, and those places of work-groups and warps that have a span. */
static int name_threads(struct writer *w, uint32_t process, const struct observer *o, const struct observed_core *core,
                        struct error *error) {
  const uint32_t groups = o->group_place_count, warps = groups * o->warps_per_group;
  bool *used = calloc((size_t)groups + warps, sizeof *used);
  if (!used)
    return error_no_memory(error);
  for (size_t i = 0; i < core->span_count; i++)
    if (core->spans[i].kind == SPAN_GROUP || core->spans[i].kind == SPAN_WAIT)
      used[core->spans[i].track + (core->spans[i].kind == SPAN_WAIT ? groups : 0)] = true;
  for (uint32_t i = 0; i < o->engine_count; i++)
    name_thread(w, process, i, "engine", i);
  for (uint32_t i = 0; i < groups; i++)
    if (used[i])
      name_thread(w, process, GROUP_TRACKS + i, "work-groups", i);
  for (uint32_t i = 0; i < warps; i++)
    if (used[groups + i])
      name_thread(w, process, WARP_TRACKS + i, "warp waits", i);
  free(used);
  return 0;
}

/* "load", "store", "atomic", "barrier" of an operation; a run has none. */
static const char *op_name(const struct trace_code *code, uint32_t op) {
  switch (op != TRACE_NO_OP ? code->ops[op].op_class : OP_MOVE) {
  case OP_LOAD:
    return "load";
  case OP_STORE:
    return "store";
  case OP_ATOMIC:
    return "atomic";
  case OP_BARRIER:
    return "barrier";
  default:
    return "run";
  }
}

static void write_span(struct writer *w, uint32_t process, const struct trace_code *code,
                       const struct observed_span *span) {
  static const uint32_t first_track[] = {[SPAN_WAIT] = WARP_TRACKS, [SPAN_GROUP] = GROUP_TRACKS};
  const bool waits = span->kind == SPAN_WAIT, group = span->kind == SPAN_GROUP;
  separate(w);
  fprintf(w->out,
          "{\"ph\": \"X\", \"name\": \"%s%s\", \"cat\": \"%s\", \"pid\": %u, \"tid\": %u, \"ts\": %.17g, \"dur\": "
          "%.17g, \"args\": {\"work_group\": %u",
          waits ? "after " : "", group ? "work-group" : op_name(code, span->op),
          waits   ? "wait"
          : group ? "group"
                  : "busy",
          process, first_track[span->kind] + span->track, ticks_to_cycles(span->begin),
          ticks_to_cycles(span->end - span->begin), span->group);
  if (!group)
    fprintf(w->out, ", \"warp\": %u", span->warp);
  if (span->op != TRACE_NO_OP)
    fprintf(w->out, ", \"line\": %u", code->ops[span->op].line);
  fputs("}}", w->out);
}

static int write_kernel(struct writer *w, const struct replay_kernel *kernel, uint32_t *process, uint64_t *left_out,
                        struct error *error) {
  const struct observer *o = &kernel->observer;
  for (uint32_t core = 0; core < o->core_count; core++, ++*process) {
    if (name_process(w, *process, kernel->name, core, error) != 0)
      return -1;
    if (name_threads(w, *process, o, &o->cores[core], error) != 0)
      return -1;
    for (size_t i = 0; i < o->cores[core].span_count; i++)
      write_span(w, *process, &kernel->trace->code, &o->cores[core].spans[i]);
    *left_out += o->cores[core].left_out;
  }
  return 0;
}

int timeline_write(const struct replay *replay, const char *path, uint64_t *left_out, struct error *error) {
  struct file_replace file;
  uint32_t process = 0;
  *left_out = 0;
  if (file_replace_begin(&file, path, error) != 0)
    return -1;
  struct writer w = {file.stream, false};
  fputs("{\"displayTimeUnit\": \"ms\", \"traceEvents\": [", w.out);
  int status = 0;
  for (size_t i = 0; i < replay->count && status == 0; i++)
    status = write_kernel(&w, &replay->kernels[i], &process, left_out, error);
  if (status != 0) {
    file_replace_abort(&file);
    return -1;
  }
  fprintf(w.out,
          "\n], \"otherData\": {\"schema\": \"reassemble.timeline/1\", \"unit\": \"1 us is 1 cycle\", \"most_spans\": "
          "%d, \"spans_left_out\": %llu}}\n",
          TIMELINE_SPANS, (unsigned long long)*left_out);
  return file_replace_commit(&file, error);
}
