/* The walk of a warp whose work-items all run one path, as inline functions, because a replay spends most of its time
 * here. The functions follow the rules of model/warp/warp.h. */
#ifndef MODEL_WARP_UNIFORM_H
#define MODEL_WARP_UNIFORM_H

#include <assert.h>

#include "model/warp/warp.h"

static_assert(INSTR_ACCESS == (int)WARP_ACCESS && INSTR_USE == (int)WARP_USE && INSTR_BARRIER == (int)WARP_BARRIER &&
                  INSTR_FINISH == (int)WARP_DONE,
              "instructions of a program have the numbers of the events that they are told as");

/* Returns the index of the path that all its work-items run. */
static inline uint32_t uniform_path(const struct warp *warp) {
  return warp->shape->cohorts[warp->shape->cohort_of_item[warp->first_item]].path;
}

static inline __attribute__((always_inline)) enum warp_event uniform_tell(struct warp *warp,
                                                                          const struct instr *instr) {
  warp->moved = WARP_EVENT_TOLD;
  warp->op = instr->op;
  return (enum warp_event)instr->kind;
}

/* Passes the begin or the end of an iteration of a loop. Returns the next instruction. */
static inline const struct instr *uniform_cross(struct warp *warp, const struct instr *instr) {
  if (instr->kind == INSTR_LOOP) {
    warp->counters[warp->open_loops++] = instr->start;
    return instr + 1;
  }
  if ((warp->counters[warp->open_loops - 1] += instr->ahead + 1u) < instr->repeat)
    return instr - instr->back;
  warp->open_loops--;
  return instr + 1;
}

/* Walks from `instr` to the next event, and returns it. Slots cannot overflow: the sum over a path fits
 * (warp_program_init). */
static inline __attribute__((always_inline)) enum warp_event uniform_walk(struct warp *warp,
                                                                          const struct instr *instr) {
  uint64_t slots = instr->slots;
  while (instr->kind > INSTR_FINISH) {
    instr = uniform_cross(warp, instr);
    slots += instr->slots;
  }
  warp->at = instr;
  warp->slots = slots;
  if (slots == 0)
    return uniform_tell(warp, instr);
  warp->moved = WARP_RUN_TOLD;
  return WARP_RUN;
}

/* Returns the event after `told`, which was returned last. */
static inline __attribute__((always_inline)) enum warp_event uniform_after(struct warp *warp, enum warp_event told) {
  return told == WARP_RUN ? uniform_tell(warp, warp->at) : uniform_walk(warp, warp->at + 1);
}

static inline enum warp_event uniform_next(struct warp *warp) {
  if (warp->moved == WARP_WALK)
    return uniform_walk(warp, warp->at);
  return uniform_after(warp, warp->moved == WARP_RUN_TOLD ? WARP_RUN : WARP_ACCESS);
}

/* Returns the offset of the first lane of the present access, by an affine stream. */
static inline __attribute__((always_inline)) int64_t uniform_first(const struct warp *warp,
                                                                   const struct trace_stream *stream) {
  int64_t first = warp->base[warp->at->site];
  for (int d = 0; d < 3; d++)
    first += (int64_t)stream->item_stride[d] * warp->place[d];
  for (uint32_t d = 0; d < warp->open_loops; d++)
    first += (int64_t)stream->loop_stride[d] * warp->counters[d];
  if (warp->at->ahead)
    first += (int64_t)stream->loop_stride[warp->open_loops - 1] * warp->at->ahead;
  return first;
}

/* Finds the range of lines of the present access, if its lanes leave out no line between the first and the last.
 * Returns false if the access must be computed lane by lane. */
static inline __attribute__((always_inline)) bool uniform_lines(const struct warp *warp, const struct line_size *size,
                                                                uint32_t *low, uint32_t *high) {
  const struct instr *instr = warp->at;
  if (!warp->one_segment || instr->space == SPACE_PRIVATE) /* runs of narrow streams are not segments either */
    return false;
  const struct trace_stream stream = trace_stream_in(warp->streams, instr->site);
  if (stream.kind != STREAM_AFFINE)
    return false;
  const int64_t first = uniform_first(warp, &stream), stride = stream.item_stride[0];
  int64_t last = first + stride * (warp->count - 1);
  if (((uint64_t)first | (uint64_t)last) >> 32 || (uint64_t)(stride + size->bytes) > 2 * (uint64_t)size->bytes)
    return false; /* wraps at 32 bits, or leaves out lines */
  uint64_t begin = (uint64_t)(first < last ? first : last), end = (uint64_t)(first < last ? last : first);
  uint64_t memory = instr->space == SPACE_LOCAL ? warp->local_base : 0;
  *low = line_of(size, memory + begin);
  *high = line_of(size, memory + end + instr->bytes - 1);
  return true;
}

#endif
