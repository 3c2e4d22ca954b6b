#include "tracegen/process/launch_trace.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/file.h"
#include "base/text.h"

int launch_trace_prepare(struct launch_trace *t, const struct workload *workload, const struct index_ranges *samples,
                         const struct arena *arena, const char *front_end, struct error *error) {
  char *text;
  size_t length;
  if (file_read(workload->source, (size_t)64 << 20, &text, &length, error))
    return -1;
  *t = (struct launch_trace){.workload = workload, .samples = samples, .arena = arena, .front_end = front_end};
  snprintf(t->digest, sizeof t->digest, "fnv1a:%016" PRIx64, text_hash(TEXT_HASH_START, text, length));
  free(text);
  return 0;
}

static char *text_or_empty(char *text) {
  static char empty[1];
  return text ? text : empty;
}

static void describe_buffers(const struct launch_trace *t, const struct workload_launch *launch,
                             const struct kernel_program *program, struct trace_header *header) {
  const struct workload *w = t->workload;
  const struct arena *arena = t->arena;
  for (size_t i = 0; i < w->buffer_count; i++)
    header->buffers[header->buffer_count++] = (struct trace_buffer){.name = w->buffers[i].name,
                                                                    .base = (uint32_t)arena->regions[i].offset,
                                                                    .bytes = (uint32_t)arena->regions[i].bytes,
                                                                    .space = SPACE_GLOBAL};
  for (uint32_t i = 0; i < program->parameter_count; i++)
    if (program->parameters[i].is_pointer && program->parameters[i].space == SPACE_CONSTANT)
      header->buffers[launch->arguments[i].buffer].space = SPACE_CONSTANT;
  for (uint32_t i = 0; i < program->constants.count; i++)
    header->buffers[header->buffer_count++] = (struct trace_buffer){.name = program->constants.list[i].name,
                                                                    .base = program->constants.list[i].offset,
                                                                    .bytes = (uint32_t)program->constants.list[i].bytes,
                                                                    .space = SPACE_CONSTANT};
}

/* Returns the last part of the path: a trace says nothing about the machine that it was made on. */
static char *file_name(char *path) {
  char *slash = strrchr(path, '/');
  return slash ? slash + 1 : path;
}

int launch_trace_open(const struct launch_trace *t, size_t index, const struct kernel_program *program,
                      uint32_t local_bytes, uint32_t sub_group, const char *path, struct trace_writer **writer,
                      struct error *error) {
  const struct workload *w = t->workload;
  const struct workload_launch *launch = &w->launches[index];
  struct trace_header header = {.kernel = program->name,
                                .workload = text_or_empty(w->name),
                                .source_file = file_name(text_or_empty(w->source)),
                                .source_digest = (char *)t->digest,
                                .options = text_or_empty(w->options),
                                .front_end = (char *)t->front_end,
                                .launch = (uint32_t)index,
                                .dimensions = launch->dimensions,
                                .sample = t->samples[index],
                                .sub_group = program->uses_sub_groups ? sub_group : 0,
                                .reads_zero = program->reads_zero,
                                .seed = w->seed,
                                .local_bytes = local_bytes,
                                .private_bytes = program->private_bytes,
                                .ir = program->ir,
                                .ir_count = program->ir ? program->code.op_count : 0,
                                .registers = program->registers,
                                .early_load_registers = program->early_load_registers};
  memcpy(header.global, launch->global, sizeof header.global);
  memcpy(header.offset, launch->offset, sizeof header.offset);
  memcpy(header.local, launch->local, sizeof header.local);
  header.buffers = calloc(w->buffer_count + program->constants.count + 1, sizeof *header.buffers);
  if (!header.buffers)
    return error_no_memory(error);
  describe_buffers(t, launch, program, &header);
  const int status = trace_writer_open_packed(path, &header, &program->code, t->small, writer, error);
  free(header.buffers);
  return status;
}
