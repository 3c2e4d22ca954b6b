/* Launches of compute shaders between draws: each becomes a launch of the emulator, and a trace as any kernel's. */
#include <stdlib.h>
#include <string.h>
#include <vulkan/vulkan_core.h>

#include "base/array.h"

#include "graphics/execute/execution.h"

#define MOST_GROUPS     65535 /* along a dimension; Vulkan requires at least as many */
#define MOST_ALL_GROUPS (UINT64_C(1) << 24)

static int find_groups(const struct execution *e, const struct frame_dispatch *d, uint32_t groups[3],
                       struct error *error) {
  uint64_t bytes;
  memcpy(groups, d->groups, 3 * sizeof *groups);
  if (d->buffer) {
    const uint8_t *contents = storage_buffer(&e->storage, d->buffer, &bytes);
    if (!contents || d->offset > bytes || bytes - d->offset < 3 * sizeof *groups)
      return error_set(error, ERROR_INPUT, "the groups of an indirect dispatch are in no buffer");
    memcpy(groups, contents + d->offset, 3 * sizeof *groups);
  }
  for (int k = 0; k < 3; k++)
    if (groups[k] > MOST_GROUPS)
      return error_set(error, ERROR_INPUT, "found %u work-groups along a dimension, expected at most %d", groups[k],
                       MOST_GROUPS);
  return (uint64_t)groups[0] * groups[1] * groups[2] <= MOST_ALL_GROUPS
             ? 0
             : error_set(error, ERROR_INPUT, "the dispatch has more than 2^24 work-groups");
}

static int launch(struct execution *e, const struct frame_dispatch *d, struct frame_dispatch_result *r,
                  struct error *error) {
  struct stage stage = {0};
  uint64_t global[3];
  if (!e->bound->pipeline || !e->bound->pipeline->is_compute)
    return error_set(error, ERROR_INPUT, "a dispatch without a compute pipeline");
  if (find_groups(e, d, r->groups, error) || stage_translate(e, VK_SHADER_STAGE_COMPUTE_BIT, &stage, error))
    return -1;
  for (int k = 0; k < 3; k++) {
    r->local[k] = stage.source.local[k];
    global[k] = (uint64_t)r->groups[k] * r->local[k];
  }
  const bool is_empty = global[0] == 0 || global[1] == 0 || global[2] == 0;
  const int status = is_empty ? 0 : stage_dispatch(e, &stage, r->name, global, error);
  r->instructions = stage.instructions;
  r->trace_bytes = stage.trace_bytes;
  shader_source_clear(&stage.source);
  return status;
}

int execution_dispatch(struct execution *e, const struct frame_dispatch *d, struct error *error) {
  struct frame_execution *out = e->out;
  struct error failure = ERROR_INIT;
  if (!array_room_for_one(&out->dispatches, out->dispatch_count, sizeof *out->dispatches))
    return error_no_memory(error);
  struct frame_dispatch_result *r = &out->dispatches[out->dispatch_count];
  *r = (struct frame_dispatch_result){.record = e->record};
  snprintf(r->name, sizeof r->name, "dispatch-%zu", out->dispatch_count++);
  e->stage_stopped = false;
  e->bound = &e->points[VK_PIPELINE_BIND_POINT_COMPUTE];
  if (launch(e, d, r, &failure))
    snprintf(r->missing, sizeof r->missing, "%.199s", failure.text);
  e->bound = &e->points[VK_PIPELINE_BIND_POINT_GRAPHICS];
  r->stopped = e->stage_stopped || failure.kind == ERROR_WORK;
  return 0;
}
