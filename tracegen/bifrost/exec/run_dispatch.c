/* Work-groups: warps, their first registers, barriers. */
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tracegen/bifrost/exec/warp.h"

static uint32_t group_items(const struct bifrost_dispatch *dispatch) {
  return dispatch->local[0] * dispatch->local[1] * dispatch->local[2];
}

/* The ids of a work-group or work-item of linear id `linear` in a grid of this size. */
static void ids_of(uint64_t linear, const uint32_t *size, uint32_t *ids) {
  ids[0] = (uint32_t)(linear % size[0]);
  ids[1] = (uint32_t)(linear / size[0] % size[1]);
  ids[2] = (uint32_t)(linear / size[0] / size[1]);
}

int lane_error(struct bifrost_runner *runner, unsigned lane, const char *format, ...) {
  char text[300];
  uint32_t group[3], item[3];
  va_list arguments;
  char place[32] = "the end";
  if (runner->at.clause < runner->shader->clause_count)
    snprintf(place, sizeof place, "clause_%u", runner->shader->clauses[runner->at.clause].quadword);
  va_start(arguments, format);
  vsnprintf(text, sizeof text, format, arguments);
  va_end(arguments);
  if (!(runner->at.lanes >> lane & 1) && runner->at.lanes)
    lane = (unsigned)__builtin_ctz(runner->at.lanes);
  ids_of(runner->at.group, runner->dispatch->groups, group);
  ids_of(runner->at.first_item + lane, runner->dispatch->local, item);
  return error_set(runner->error, ERROR_WORK, "%s, work-item (%u, %u, %u) of work-group (%u, %u, %u): %s", place,
                   item[0], item[1], item[2], group[0], group[1], group[2], text);
}

static void set_ids(struct warp *warp, unsigned lane, const struct bifrost_dispatch *dispatch, const uint32_t *group) {
  uint32_t item[3];
  struct lanes *r = warp->values;
  ids_of(warp->first_item + lane, dispatch->local, item);
  if (dispatch->preload & BIFROST_PRELOAD_LOCAL_XY)
    r[55].at[lane] = item[0] | item[1] << 16;
  if (dispatch->preload & BIFROST_PRELOAD_LOCAL_Z)
    r[56].at[lane] = item[2];
  for (unsigned d = 0; d < 3; d++) {
    if (dispatch->preload & (unsigned)BIFROST_PRELOAD_GROUP_X << d)
      r[57 + d].at[lane] = group[d];
    if (dispatch->preload & (unsigned)BIFROST_PRELOAD_GLOBAL_X << d)
      r[60 + d].at[lane] = group[d] * dispatch->local[d] + item[d];
  }
}

static void start_warp(struct bifrost_runner *runner, uint32_t number, const uint32_t *group) {
  struct warp *warp = &runner->warps[number];
  uint32_t lanes = runner->dispatch->warp_lanes, left;
  memset(warp, 0, sizeof *warp);
  warp->number = number;
  warp->first_item = number * lanes;
  left = runner->items - warp->first_item;
  warp->alive = (uint8_t)((1u << (left < lanes ? left : lanes)) - 1);
  for (unsigned i = 0; i < WARP_LANES; i++) {
    warp->values[VALUE_WARP_ID].at[i] = number;
    if (warp->alive >> i & 1)
      set_ids(warp, i, runner->dispatch, group);
  }
}

/* Runs each warp up to the next barrier. Returns how many work-items wait at it, or -1. */
static int64_t run_phase(struct bifrost_runner *runner) {
  int64_t waiting = 0;
  for (uint32_t i = 0; i < runner->warp_count; i++) {
    runner->warps[i].waiting = 0;
    if (warp_run(runner, &runner->warps[i]))
      return -1;
    waiting += __builtin_popcount(runner->warps[i].waiting);
  }
  return waiting;
}

static bool has_ended(const struct bifrost_runner *runner) {
  for (uint32_t i = 0; i < runner->warp_count; i++)
    if (runner->warps[i].alive & ~runner->warps[i].waiting)
      return false;
  return true;
}

static int run_warps(struct bifrost_runner *runner) {
  int64_t waiting;
  do {
    waiting = run_phase(runner);
    if (waiting < 0)
      return -1;
  } while (waiting || !has_ended(runner));
  return 0;
}

int bifrost_runner_run(struct bifrost_runner *runner, uint64_t group, struct error *error) {
  uint32_t ids[3];
  const struct bifrost_listener *listener = &runner->listener;
  runner->error = error;
  runner->at = (struct bifrost_position){.shader = runner->shader, .group = group};
  ids_of(group, runner->dispatch->groups, ids);
  memset(runner->local, 0, runner->dispatch->wls_bytes);
  if (listener->group_begins)
    listener->group_begins(listener->context, group);
  for (uint32_t i = 0; i < runner->warp_count; i++)
    start_warp(runner, i, ids);
  if (run_warps(runner))
    return -1;
  if (listener->group_ends)
    listener->group_ends(listener->context, group);
  return 0;
}

int bifrost_runner_create(const struct bifrost_shader *shader, const struct bifrost_dispatch *dispatch,
                          const struct bifrost_run_options *options, struct bifrost_runner **out, struct error *error) {
  struct bifrost_runner *runner = calloc(1, sizeof *runner);
  *out = runner;
  if (!runner)
    return error_no_memory(error);
  runner->shader = shader;
  runner->dispatch = dispatch;
  runner->options = options ? *options : (struct bifrost_run_options){0};
  if (runner->options.listener)
    runner->listener = *runner->options.listener;
  runner->items = group_items(dispatch);
  runner->warp_count = (runner->items + dispatch->warp_lanes - 1) / dispatch->warp_lanes;
  runner->warps = aligned_alloc(_Alignof(struct warp), runner->warp_count * sizeof *runner->warps);
  runner->local = calloc(1, (size_t)dispatch->wls_bytes + 1);
  runner->private = calloc(1, (size_t)dispatch->tls_bytes * (runner->items + WARP_LANES) + 1);
  runner->windows = calloc((size_t)shader->tuple_count + 1, sizeof *runner->windows);
  if (runner->warps && runner->local && runner->private && runner->windows)
    return 0;
  bifrost_runner_destroy(runner);
  return error_no_memory(error);
}

void bifrost_runner_destroy(struct bifrost_runner *runner) {
  if (!runner)
    return;
  free(runner->warps);
  free(runner->local);
  free(runner->private);
  free(runner->windows);
  free(runner);
}

static int run_all(struct bifrost_runner *runner, const struct bifrost_dispatch *dispatch, struct error *error) {
  uint64_t groups = (uint64_t)dispatch->groups[0] * dispatch->groups[1] * dispatch->groups[2];
  for (uint64_t group = 0; group < groups; group++)
    if (bifrost_runner_run(runner, group, error))
      return -1;
  return 0;
}

int bifrost_execute(const struct bifrost_dispatch *dispatch, const struct bifrost_run_options *options,
                    struct error *error) {
  struct bifrost_shader *shader;
  struct bifrost_runner *runner;
  int result;
  if (bifrost_shader_create(dispatch, &shader, error))
    return -1;
  if (bifrost_runner_create(shader, dispatch, options, &runner, error)) {
    bifrost_shader_destroy(shader);
    return -1;
  }
  result = run_all(runner, dispatch, error);
  bifrost_runner_destroy(runner);
  bifrost_shader_destroy(shader);
  return result;
}
