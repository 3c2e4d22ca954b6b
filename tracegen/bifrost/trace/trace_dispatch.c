#include "tracegen/bifrost/trace/trace_dispatch.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "tracegen/bifrost/job/products.h"
#include "tracegen/bifrost/trace/run_groups_together.h"

#define NAME_BYTES 32

struct dispatch_trace {
  const struct bifrost_dispatch *dispatch;
  const struct bifrost_launch *launch;
  struct bifrost_shader *shader;
  struct machine_code code;
  struct trace_writer *writer;
  double start_s;
};

/* A warp that runs more clauses than it could in the time that the job has will not end. */
#define MOST_CLAUSES_A_SECOND 1e8

static uint64_t groups_of(const struct bifrost_dispatch *d) {
  return (uint64_t)d->groups[0] * d->groups[1] * d->groups[2];
}

static uint64_t groups_that_run(const struct dispatch_trace *t) {
  return t->launch->sample.count ? index_ranges_total(&t->launch->sample) : groups_of(t->dispatch);
}

/* A buffer of the trace for each buffer of the driver; their names are their addresses. */
static int describe_buffers(const struct bifrost_memory *memory, struct trace_header *header, struct error *error) {
  char *names = calloc(memory->count + 1, NAME_BYTES);
  header->buffers = calloc(memory->count + 1, sizeof *header->buffers);
  if (!header->buffers || !names) {
    free(names);
    return error_set(error, ERROR_WORK, "out of memory for a trace");
  }
  header->buffers[0].name = names; /* all names are one allocation, freed by open_writer */
  for (size_t i = 0; i < memory->count; i++) {
    const struct bifrost_region *region = &memory->regions[i];
    char *name = names + i * NAME_BYTES;
    snprintf(name, NAME_BYTES, "%s 0x%" PRIx64, region->executable ? "code" : "buffer", region->address);
    header->buffers[header->buffer_count++] = (struct trace_buffer){
        .name = name, .base = (uint32_t)region->address, .bytes = (uint32_t)region->bytes, .space = SPACE_GLOBAL};
  }
  return 0;
}

static void describe_range(const struct dispatch_trace *t, struct trace_header *header) {
  for (int d = 0; d < 3; d++) {
    header->local[d] = t->dispatch->local[d];
    header->global[d] = (uint64_t)t->dispatch->local[d] * t->dispatch->groups[d];
    header->offset[d] = t->launch->offset[d];
  }
}

static int open_writer(struct dispatch_trace *t, const char *path, struct error *error) {
  const struct bifrost_product *gpu = bifrost_product_by_id(t->dispatch->product);
  const struct bifrost_launch *l = t->launch;
  char front_end[128];
  struct trace_header header = {.kernel = (char *)l->kernel,
                                .workload = (char *)l->workload,
                                .source_file = (char *)l->source_file,
                                .source_digest = (char *)l->source_digest,
                                .options = (char *)l->options,
                                .front_end = front_end,
                                .launch = l->index,
                                .dimensions = l->dimensions,
                                .sample = l->sample,
                                .seed = l->seed,
                                .local_bytes = t->dispatch->wls_bytes,
                                .private_bytes = t->dispatch->tls_bytes,
                                .registers = t->dispatch->registers,
                                .ir = t->code.listing,
                                .ir_count = t->code.code.op_count};
  snprintf(front_end, sizeof front_end, "bifrost 1, machine code of %s by " BIFROST_COMPILER, gpu ? gpu->name : "?");
  if (describe_buffers(t->dispatch->memory, &header, error) != 0)
    return -1;
  describe_range(t, &header);
  const int status = trace_writer_open(path, &header, &t->code.code, &t->writer, error);
  if (status == 0)
    trace_writer_limit_instructions(t->writer, l->max_instructions);
  free(header.buffers[0].name);
  free(header.buffers);
  return status;
}

static int prepare(struct dispatch_trace *t, const char *path, struct error *error) {
  if (bifrost_shader_create(t->dispatch, &t->shader, error) != 0) {
    t->shader = NULL;
    return -1;
  }
  if (!path)
    return 0;
  return machine_code_create(t->dispatch, t->shader, &t->code, error) != 0 || open_writer(t, path, error) != 0 ? -1 : 0;
}

/* Work-groups that other work-groups' atomic operations wait for or count would depend on the threads. */
static bool has_atomics(const struct bifrost_shader *shader) {
  for (uint32_t i = 0; i < shader->tuple_count; i++)
    if (shader->tuples[i].slots[UNIT_ADD].action == ACTION_ATOMIC)
      return true;
  return false;
}

static unsigned jobs_of(const struct dispatch_trace *t) {
  return t->launch->jobs > 1 && !has_atomics(t->shader) ? t->launch->jobs : 1;
}

static int run_chosen(struct dispatch_trace *t, const uint32_t *groups, struct error *error) {
  const double limit_s = t->launch->timeout_s;
  const struct group_batches batches = {.dispatch = t->dispatch,
                                        .shader = t->shader,
                                        .code = &t->code,
                                        .writer = t->writer,
                                        .groups = groups,
                                        .count = groups_that_run(t),
                                        .jobs = jobs_of(t),
                                        .most_clauses = (uint64_t)(limit_s * MOST_CLAUSES_A_SECOND),
                                        .end_s = limit_s > 0 ? t->start_s + limit_s : 0};
  const int status = run_groups_together(&batches, error);
  if (status <= 0)
    return status;
  return error_set(error, ERROR_WORK, "kernel %s took more than %g s and was stopped; a higher --timeout allows more",
                   t->launch->kernel, limit_s);
}

static int run(struct dispatch_trace *t, struct error *error) {
  uint32_t *groups = NULL;
  if (t->launch->sample.count && !(groups = index_ranges_expand(&t->launch->sample)))
    return error_set(error, ERROR_WORK, "out of memory for the chosen work-groups");
  const int status = run_chosen(t, groups, error);
  free(groups);
  return status;
}

static int finish(struct dispatch_trace *t, int status, struct bifrost_outcome *out, struct error *error) {
  if (!t->writer)
    return status;
  if (status != 0) {
    trace_writer_abort(t->writer);
    return -1;
  }
  out->work_item_instructions = trace_writer_instructions(t->writer);
  trace_writer_count_bytes(t->writer, &out->trace_bytes);
  return trace_writer_close(t->writer, error);
}

int bifrost_trace_dispatch(const struct bifrost_dispatch *dispatch, const struct bifrost_launch *launch,
                           const char *path, struct bifrost_outcome *out, struct error *error) {
  struct dispatch_trace t = {.dispatch = dispatch, .launch = launch, .start_s = clock_seconds()};
  const double start_cpu_s = clock_process_seconds();
  int status;
  *out = (struct bifrost_outcome){.groups = groups_that_run(&t), .launch_groups = groups_of(dispatch)};
  status = prepare(&t, path, error);
  const double begun_cpu_s = clock_process_seconds();
  if (status == 0)
    status = run(&t, error);
  const double ended_cpu_s = clock_process_seconds();
  status = finish(&t, status, out, error);
  out->run_s = clock_seconds() - t.start_s;
  out->cpu_s = clock_process_seconds() - start_cpu_s;
  out->around_cpu_s = out->cpu_s - (ended_cpu_s - begun_cpu_s);
  machine_code_clear(&t.code);
  bifrost_shader_destroy(t.shader);
  return status;
}
