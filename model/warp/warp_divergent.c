#include "model/warp/warp_divergent.h"

#include <assert.h>

#include "model/warp/fetch_program.h"
#include "model/warp/stream.h"

struct loop {
  uint32_t begin, end; /* steps of the body */
  uint32_t site;       /* number of its first site */
  uint32_t repeat;
};

struct strand {
  const struct trace_step *steps; /* of its path */
  const uint32_t *base;           /* bases of its path's streams in this work-group */
  const int32_t *streams;         /* run of these streams */
  uint64_t lanes;                 /* its lanes of the warp */
  struct loop *loops;             /* [depth] */
  uint32_t *iteration;            /* [depth] */
  uint32_t step_count;
  uint32_t step;           /* step of the block before which it is */
  uint32_t site;           /* number of the first site of that block */
  uint32_t index : 16;     /* of its first work-item in its cohort; those of the other work-items follow */
  uint32_t items : 7;      /* number of lanes */
  uint32_t narrow : 1;     /* kind of the run of streams */
  uint32_t open_loops : 8; /* at most PROGRAM_MAX_DEPTH */
};

/* The state of a divergent warp: `running` strands are in `block`, or in several copies of it, before event number
 * `position` of that. */
struct divergent {
  struct lockstep lockstep;
  uint64_t running;                /* 0: choose strands again */
  const struct block_price *price; /* of the block or of its copies */
  uint32_t block, position, mem;   /* mem: index of an access among the block's memory operations */
  uint32_t running_items;
  uint8_t ahead;           /* the copy of the block that the access is in */
  uint8_t told;            /* enum warp_moved */
  uint8_t event;           /* enum warp_event: behind the run that was told last */
  struct strand strands[]; /* [warp's items]; behind them the lockstep's memory, loops and iterations */
};

static_assert(sizeof(struct divergent) == WARP_DIVERGENT_ALIGNMENT && sizeof(struct strand) == WARP_DIVERGENT_ALIGNMENT,
              "an event of a divergent warp reads one cache line of the host, and one for each strand");

size_t warp_divergent_bytes(uint32_t warp_size, uint32_t depth) {
  size_t one = sizeof(struct strand) + sizeof(uint32_t) + depth * (sizeof(struct loop) + sizeof(uint32_t));
  size_t stack = divergence_stack(warp_size) * sizeof(struct reconvergence);
  return (sizeof(struct divergent) + stack + warp_size * one + WARP_DIVERGENT_ALIGNMENT - 1) &
         ~(size_t)(WARP_DIVERGENT_ALIGNMENT - 1);
}

static void go_to(struct strand *s, const struct loop *loop) {
  s->step = loop->begin;
  s->site = loop->site;
}

/* Moves from a loop step or the end of a body to the next block step. */
static void settle(struct strand *s) {
  for (;;) {
    struct loop *loop = s->open_loops ? &s->loops[s->open_loops - 1] : NULL;
    if (loop && s->step == loop->end) {
      if (++s->iteration[s->open_loops - 1] < loop->repeat)
        go_to(s, loop);
      else
        s->open_loops--;
    } else if (s->step < s->step_count && s->steps[s->step].body > 0) {
      const struct trace_step *step = &s->steps[s->step++];
      s->iteration[s->open_loops] = 0;
      s->loops[s->open_loops++] = (struct loop){s->step, s->step + step->body, s->site, step->repeat};
    } else {
      return;
    }
  }
}

static uint32_t block_of(const struct strand *s) {
  return s->step < s->step_count ? s->steps[s->step].block : TRACE_NO_BLOCK;
}

static void add_strand(struct divergent *d, const struct warp_context *context, const struct warp *warp, uint32_t item,
                       char **memory) {
  const struct trace_cohort *cohort = &warp->shape->cohorts[warp->shape->cohort_of_item[item]];
  const struct trace_path *path = context->trace->paths[cohort->path];
  struct strand *s = &d->strands[d->lockstep.strand_count++];
  *s = (struct strand){.steps = path->steps,
                       .step_count = path->step_count,
                       .base = warp->group->base + cohort->first_stream,
                       .streams = context->trace->streams + cohort->streams,
                       .index = warp->shape->index_in_cohort[item],
                       .narrow = cohort->narrow};
  s->loops = (struct loop *)*memory;
  *memory += context->depth * sizeof *s->loops;
  s->iteration = (uint32_t *)*memory;
  *memory += context->depth * sizeof *s->iteration;
}

/* Returns the index of the strand of a lane among those made so far, strand_count if it is the first of its cohort. */
static uint32_t find_strand(const struct divergent *d, const struct warp *warp, uint32_t lane) {
  const uint16_t *cohorts = warp->shape->cohort_of_item + warp->first_item;
  uint32_t s = 0;
  while (s < d->lockstep.strand_count && cohorts[__builtin_ctzll(d->strands[s].lanes)] != cohorts[lane])
    s++;
  return s;
}

void divergent_start(struct warp *warp, const struct warp_context *context, void *memory) {
  struct divergent *d = memory;
  warp->divergent = d;
  warp->at = NULL;
  d->running = 0;
  d->told = WARP_WALK;
  d->lockstep.strand_count = 0;
  d->lockstep.stack = (struct reconvergence *)(d->strands + warp->count);
  d->lockstep.next = (uint32_t *)(d->lockstep.stack + divergence_stack(warp->count));
  char *rest = (char *)(d->lockstep.next + warp->count);
  for (uint32_t lane = 0; lane < warp->count; lane++) {
    const uint32_t s = find_strand(d, warp, lane), item = warp->first_item + lane;
    if (s == d->lockstep.strand_count)
      add_strand(d, context, warp, item, &rest);
    d->strands[s].lanes |= UINT64_C(1) << lane;
    d->strands[s].items++;
    if (context->counts)
      context->counts->path_items[warp->shape->cohorts[warp->shape->cohort_of_item[item]].path]++;
  }
  for (uint32_t s = 0; s < d->lockstep.strand_count; s++) {
    settle(&d->strands[s]);
    d->lockstep.next[s] = block_of(&d->strands[s]);
  }
  context->policy->start(&d->lockstep);
}

/* Adds slots to the run; `uses` are those of pipes, if the warp adds them up. */
static void gather(struct warp *warp, const struct divergent *d, uint64_t slots, const struct pipe_uses *uses) {
  uint64_t items;
  if (uses)
    pipe_uses_add(warp->uses, uses);
  if (__builtin_add_overflow(warp->slots, slots, &warp->slots))
    warp->slots = UINT64_MAX;
  if (__builtin_mul_overflow(slots, d->running_items, &items) ||
      __builtin_add_overflow(warp->item_slots, items, &warp->item_slots))
    warp->item_slots = UINT64_MAX;
}

static void count_executions(struct warp_counts *counts, const struct divergent *d, uint32_t items) {
  counts->block_warps[d->block] += d->price->copies;
  if (d->running_items < items)
    counts->block_waiting[d->block] +=
        (uint64_t)(((items - d->running_items) * WARP_WAITING_ONE + items / 2) / items) * d->price->copies;
}

/* Returns the iterations that a strand still has in a loop over the block before which it is; 0: there is no such
 * loop. */
static uint32_t iterations_left(const struct strand *s) {
  const struct loop *loop = s->open_loops ? &s->loops[s->open_loops - 1] : NULL;
  if (!loop || s->step != loop->begin || loop->end != loop->begin + 1)
    return 0;
  return loop->repeat - s->iteration[s->open_loops - 1];
}

/* Returns the price of what the running strands execute: several copies of the block if all stay in a loop over it for
 * so many iterations. No strand that waits could run in between, because these come back to the same block. */
static const struct block_price *price_of_running(const struct divergent *d, const struct price_list *prices) {
  const struct block_price *loop = &prices->loops[d->block];
  if (loop->copies < 2 || loop->event_count == 0)
    return &prices->blocks[d->block];
  for (uint64_t left = d->running; left; left &= left - 1)
    if (iterations_left(&d->strands[__builtin_ctzll(left)]) < loop->copies)
      return &prices->blocks[d->block];
  return loop;
}

static bool choose(struct warp *warp, const struct warp_context *context) {
  struct divergent *d = warp->divergent;
  d->running = context->policy->select(&d->lockstep, &context->trace->code, &d->block);
  d->running_items = 0;
  d->position = 0;
  if (!d->running)
    return false;
  for (uint64_t left = d->running; left; left &= left - 1)
    d->running_items += d->strands[__builtin_ctzll(left)].items;
  d->price = price_of_running(d, context->prices);
  if (context->counts)
    count_executions(context->counts, d, warp->count);
  return true;
}

static void leave_block(struct warp *warp, const struct trace_code *code) {
  struct divergent *d = warp->divergent;
  for (uint64_t left = d->running; left; left &= left - 1) {
    int index = __builtin_ctzll(left);
    struct strand *s = &d->strands[index];
    if (d->price->copies > 1)
      s->iteration[s->open_loops - 1] += d->price->copies - 1;
    s->step++;
    s->site += code->blocks[d->block].mem_count;
    settle(s);
    d->lockstep.next[index] = block_of(s);
  }
  d->running = 0;
}

static void listen(struct fetched *fetched, const struct code_piece *piece) {
  fetched->misses += fetch_piece(piece, fetched->cache);
}

/* Returns the place of a strand's part of the present access, in the present iteration of its loops. */
static struct stream_place stream_of(const struct warp *warp, const struct warp_context *context,
                                     const struct strand *s) {
  const uint32_t site = s->site + warp->divergent->mem;
  struct stream_place place = {.trace = context->trace,
                               .warp = warp,
                               .stream = s->narrow ? trace_stream_narrow(s->streams, site)
                                                   : trace_stream_in(s->streams, site),
                               .base = s->base[site],
                               .index = s->index,
                               .depth = s->open_loops,
                               .counters = s->iteration,
                               .executions = 1};
  for (uint32_t i = 0; place.stream.kind == STREAM_RAW && i < s->open_loops; i++) {
    place.number = place.number * s->loops[i].repeat + s->iteration[i];
    place.executions *= s->loops[i].repeat;
  }
  return place;
}

/* Moves a strand to an iteration ahead, or back to its own. */
static void shift(const struct strand *s, uint32_t iterations) {
  if (iterations)
    s->iteration[s->open_loops - 1] += iterations;
}

/* The addresses are in order of lanes, as without divergence. */
void divergent_addresses(const struct warp *warp, const struct warp_context *context, struct lane_addresses *out) {
  const struct divergent *d = warp->divergent;
  const struct trace_op *op = &context->trace->code.ops[warp->op];
  uint64_t lanes = 0;
  out->bytes = op->bytes ? op->bytes : 1;
  out->affine = false;
  out->count = 0;
  for (uint64_t left = d->running; left; left &= left - 1) {
    const struct strand *s = &d->strands[__builtin_ctzll(left)];
    shift(s, d->ahead);
    const struct stream_place place = stream_of(warp, context, s);
    stream_some(&place, op->space, s->lanes, out->address);
    shift(s, -d->ahead);
    lanes |= s->lanes;
  }
  out->lanes = lanes;
  out->word_stride_bytes = stream_word_stride_bytes(warp, op->space);
  for (; lanes; lanes &= lanes - 1)
    out->address[out->count++] = out->address[__builtin_ctzll(lanes)];
}

/* Prefetches for the access behind the run that is about to be returned. */
static void prefetch(const struct warp *warp, const struct warp_context *context) {
  const struct divergent *d = warp->divergent;
  for (uint64_t left = d->running; left; left &= left - 1) {
    const struct strand *s = &d->strands[__builtin_ctzll(left)];
    shift(s, d->ahead);
    const struct stream_place place = stream_of(warp, context, s);
    stream_prefetch(&place, s->lanes);
    shift(s, -d->ahead);
  }
}

/* Returns `event` of operation `op`, or the run before it if there is one, behind which the event is told. */
static enum warp_event tell(struct warp *warp, enum warp_event event, uint32_t op) {
  struct divergent *d = warp->divergent;
  d->told = warp->slots > 0 ? WARP_RUN_TOLD : WARP_EVENT_TOLD;
  d->event = (uint8_t)event;
  warp->op = op;
  return warp->slots > 0 ? WARP_RUN : event;
}

/* Arrives at the event at the current position of the block. Returns it, or the run before it. */
static enum warp_event arrive(struct warp *warp, const struct warp_context *context) {
  static const enum warp_event kinds[] = {
      [BLOCK_ACCESS] = WARP_ACCESS, [BLOCK_USE] = WARP_USE, [BLOCK_BARRIER] = WARP_BARRIER};
  struct divergent *d = warp->divergent;
  const uint32_t number = d->price->first_event + d->position;
  const struct block_event *here = &context->prices->events[number];
  gather(warp, d, here->slots, warp->uses ? &context->prices->event_uses[number] : NULL);
  if (context->fetched)
    listen(context->fetched, &context->fetched->lines->events[number]);
  d->mem = here->mem;
  d->ahead = (uint8_t)here->copy;
  warp->use = here->use;
  const enum warp_event event = tell(warp, kinds[here->kind], here->op);
  if (event == WARP_RUN && here->kind == BLOCK_ACCESS)
    prefetch(warp, context);
  return event;
}

enum warp_event divergent_next(struct warp *warp, const struct warp_context *context) {
  struct divergent *d = warp->divergent;
  if (d->told == WARP_RUN_TOLD) {
    d->told = WARP_EVENT_TOLD;
    return (enum warp_event)d->event;
  }
  if (d->told == WARP_EVENT_TOLD)
    d->position++;
  warp->slots = warp->item_slots = 0;
  if (warp->uses)
    *warp->uses = (struct pipe_uses){{0}};
  for (;;) {
    if (!d->running && !choose(warp, context))
      return tell(warp, WARP_DONE, TRACE_NO_OP);
    if (d->position < d->price->event_count)
      return arrive(warp, context);
    gather(warp, d, d->price->tail, warp->uses ? price_tail_uses(context->prices, d->block, d->price) : NULL);
    if (context->fetched)
      listen(context->fetched, &context->fetched->lines->tails[d->block]);
    leave_block(warp, &context->trace->code);
  }
}
