/* A slow and simple reference of a warp's events: every work-item's blocks and addresses are listed with a trace
 * cursor, then the items are run in lockstep, one by one. It shares no code with the model's walk. */
#ifndef SUPPORT_REFERENCE_WARP_H
#define SUPPORT_REFERENCE_WARP_H

#include <assert.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "model/params/gpu.h"
#include "model/isa/isa.h"
#include "reference_bundles.h"
#include "reference_fetch.h"
#include "reference_issue_order.h"
#include "trace/trace.h"

enum reference_kind { REFERENCE_RUN, REFERENCE_ACCESS, REFERENCE_USE, REFERENCE_BARRIER };

struct reference_event {
  enum reference_kind kind;
  uint64_t slots, item_slots;          /* RUN; 1/1024 slot */
  uint64_t pipes[REFERENCE_PIPES];     /* RUN; operations of each pipe, in 1/1024 */
  struct reference_lines_of_code code; /* RUN */
  uint32_t op;
  uint32_t use; /* USE: its number; ACCESS: that of the use that waits for the value */
  uint32_t lane_count;
  uint32_t lane[64], address[64]; /* ACCESS: addresses by lane, ascending lanes */
};

struct reference_item {
  uint32_t *blocks, **addresses; /* [executions] */
  uint32_t *left;                /* [executions]: iterations left of a loop over the block alone, 0: no such loop */
  uint32_t count, at;
};

struct reference_warp {
  struct reference_event *events;
  uint32_t event_count, capacity;
  uint64_t instructions, item_instructions;
  uint64_t slots, item_slots, pipes[REFERENCE_PIPES]; /* of the run that is being gathered */
  const struct gpu_spec *spec;
  uint32_t items;
  struct reference_item item[64];
  const struct trace *trace;
  uint32_t *order;        /* the operations as they are done */
  struct trace_code done; /* the code in that order */
  uint64_t *prices;       /* by operation */
  const struct isa_profile *isa;
  uint64_t *begins;                    /* by operation: place of its code; NULL: code is not wanted */
  int64_t code_line;                   /* bytes */
  struct reference_lines_of_code code; /* not part of a run yet */
  bool uses;                           /* first uses of loaded values are events */
  uint32_t budget, unroll;             /* early_load_bytes and unroll, where they apply */
};

/* Lists the iterations that are left at each execution of steps [from, to). Returns their number. */
static inline uint32_t reference_list_left(const struct trace_path *path, uint32_t from, uint32_t to, uint32_t *left) {
  uint32_t count = 0;
  for (uint32_t i = from; i < to; i += 1 + path->steps[i].body) {
    const struct trace_step *step = &path->steps[i];
    if (step->body == 0)
      left[count++] = 0;
    for (uint32_t n = 0; step->body > 0 && n < step->repeat; n++) {
      const uint32_t first = count;
      count += reference_list_left(path, i + 1, i + 1 + step->body, left + count);
      if (step->body == 1)
        left[first] = step->repeat - n;
    }
  }
  return count;
}

static inline void reference_read_item(struct reference_warp *w, const struct trace_group *group, uint32_t id,
                                       struct reference_item *item) {
  struct trace_cursor cursor;
  uint32_t addresses[256], capacity = 16;
  item->blocks = malloc(capacity * sizeof *item->blocks);
  item->addresses = malloc(capacity * sizeof *item->addresses);
  trace_cursor_init(&cursor, w->trace, group, id);
  uint32_t block;
  while (trace_cursor_next(&cursor, &block, addresses)) {
    if (item->count == capacity) {
      capacity *= 2;
      item->blocks = realloc(item->blocks, capacity * sizeof *item->blocks);
      item->addresses = realloc(item->addresses, capacity * sizeof *item->addresses);
    }
    uint32_t mem = w->trace->code.blocks[block].mem_count;
    assert(mem <= 256);
    item->blocks[item->count] = block;
    item->addresses[item->count] = malloc((mem + 1) * sizeof **item->addresses);
    memcpy(item->addresses[item->count++], addresses, mem * sizeof *addresses);
  }
  const struct trace_shape *shape = w->trace->shapes[group->shape];
  const struct trace_path *path = w->trace->paths[shape->cohorts[shape->cohort_of_item[id]].path];
  item->left = malloc((item->count + 1) * sizeof *item->left);
  const uint32_t listed = reference_list_left(path, 0, path->step_count, item->left);
  assert(listed == item->count), (void)listed;
}

static inline uint32_t reference_next(const struct reference_warp *w, uint32_t lane) {
  const struct reference_item *item = &w->item[lane];
  return item->at < item->count ? item->blocks[item->at] : TRACE_NO_BLOCK;
}

static inline struct reference_event *reference_emit(struct reference_warp *w, enum reference_kind kind, uint32_t op) {
  if (w->event_count == w->capacity) {
    w->capacity = w->capacity ? 2 * w->capacity : 64;
    w->events = realloc(w->events, w->capacity * sizeof *w->events);
  }
  struct reference_event *event = &w->events[w->event_count++];
  *event = (struct reference_event){.kind = kind, .op = op};
  return event;
}

static inline void reference_close_run(struct reference_warp *w) {
  if (w->slots > 0) {
    struct reference_event *event = reference_emit(w, REFERENCE_RUN, TRACE_NO_OP);
    event->slots = w->slots;
    event->item_slots = w->item_slots;
    memcpy(event->pipes, w->pipes, sizeof w->pipes);
    event->code = w->code;
    w->code = (struct reference_lines_of_code){0};
  }
  w->slots = w->item_slots = 0;
  memset(w->pipes, 0, sizeof w->pipes);
}

static inline bool reference_is_use(const struct trace_code *code, uint32_t op) {
  for (uint32_t i = 0; i < code->mem_count; i++)
    if (code->ops[code->mem_ops[i]].first_use == op)
      return true;
  return false;
}

/* Returns which of the block's memory operations the operation is. */
static inline uint32_t reference_mem(const struct trace_code *code, const struct trace_block *block, uint32_t op) {
  uint32_t mem = 0;
  while (code->mem_ops[block->first_mem + mem] != op)
    mem++;
  return mem;
}

/* Returns the number of the use that waits for the value of an access in one of `copies` copies. */
static inline uint32_t reference_use_of(const struct trace_code *code, const struct trace_block *block,
                                        struct reference_issued x, uint32_t copies) {
  const struct trace_op *op = &code->ops[x.op];
  if (op->op_class == OP_STORE || op->first_use == TRACE_NO_OP)
    return TRACE_NO_OP;
  if (op->first_use < block->first_op || op->first_use >= block->first_op + block->op_count)
    return op->first_use;
  return op->first_use + (x.copy + (op->first_use <= x.op)) % copies * code->op_count;
}

/* `x`: of the code as it is done. */
static inline void reference_execute_op(struct reference_warp *w, uint64_t set, const struct trace_block *block,
                                        struct reference_issued x, uint32_t copies) {
  const struct trace_code *code = &w->trace->code;
  const uint32_t i = w->order[x.op];
  const struct trace_op *op = &code->ops[i];
  const uint32_t active = (uint32_t)__builtin_popcountll(set);
  if (w->uses && reference_is_use(code, i)) {
    reference_close_run(w);
    reference_emit(w, REFERENCE_USE, i)->use = x.op + x.copy * code->op_count;
  }
  if (w->begins)
    reference_fetch(&w->code, w->begins[i], reference_bytes_of(code, w->isa, i), w->code_line);
  w->slots += w->prices[i];
  w->item_slots += active * w->prices[i];
  reference_use_pipe(code, w->isa, w->spec, i, w->pipes);
  w->instructions += op->op_class != OP_MOVE;
  w->item_instructions += op->op_class != OP_MOVE ? active : 0;
  bool memory = op->op_class == OP_LOAD || op->op_class == OP_STORE || op->op_class == OP_ATOMIC;
  if (!memory && op->op_class != OP_BARRIER)
    return;
  reference_close_run(w);
  struct reference_event *event = reference_emit(w, memory ? REFERENCE_ACCESS : REFERENCE_BARRIER, i);
  event->use = reference_use_of(&w->done, block, x, copies);
  for (uint32_t lane = 0; memory && lane < w->items; lane++)
    if (set >> lane & 1) {
      event->lane[event->lane_count] = lane;
      event->address[event->lane_count++] =
          w->item[lane].addresses[w->item[lane].at + x.copy][reference_mem(code, block, i)];
    }
}

/* Lets all lanes of `set` execute their next `copies` blocks, which are one block, operation by operation. */
static inline void reference_execute(struct reference_warp *w, uint64_t set, uint32_t copies) {
  const struct trace_code *code = &w->trace->code;
  const struct trace_block *block = &code->blocks[reference_next(w, (uint32_t)__builtin_ctzll(set))];
  struct reference_issued *order = reference_issue_order(&w->done, block, copies, w->budget);
  for (uint32_t i = 0; i < copies * block->op_count; i++)
    reference_execute_op(w, set, block, order[i], copies);
  free(order);
  for (uint32_t lane = 0; lane < w->items; lane++)
    w->item[lane].at += set >> lane & 1 ? copies : 0;
}

/* Lets all lanes execute steps [from, to) of the path that all of them run; a loop over one block is unrolled. */
static inline void reference_uniform(struct reference_warp *w, uint64_t set, const struct trace_path *path,
                                     uint32_t from, uint32_t to) {
  for (uint32_t i = from; i < to; i += 1 + path->steps[i].body) {
    const struct trace_step *step = &path->steps[i];
    if (step->body == 0)
      reference_execute(w, set, 1);
    const bool one_block = step->body == 1 && step[1].body == 0;
    const uint32_t copies = one_block ? reference_copies(&w->trace->code, step[1].block, w->budget, w->unroll) : 1;
    for (uint32_t n = 0; step->body > 0 && n < step->repeat;)
      if (copies > 1 && n + copies <= step->repeat) {
        reference_execute(w, set, copies);
        n += copies;
      } else {
        reference_uniform(w, set, path, i + 1, i + 1 + step->body);
        n++;
      }
  }
}

/* Lets all lanes of `set`, whose paths differ, execute their next block, or copies of it if all of them stay in a loop
 * over it for so long. */
static inline void reference_divergent(struct reference_warp *w, uint64_t set) {
  const uint32_t block = reference_next(w, (uint32_t)__builtin_ctzll(set));
  uint32_t copies = reference_copies(&w->trace->code, block, w->budget, w->unroll);
  for (uint32_t lane = 0; lane < w->items; lane++)
    if (set >> lane & 1 && w->item[lane].left[w->item[lane].at] < copies)
      copies = 1;
  reference_execute(w, set, copies);
}

static inline bool reference_before(const struct trace_code *code, uint32_t a, uint32_t b) {
  uint32_t x = code->blocks[a].code_address, y = code->blocks[b].code_address;
  return x < y || (x == y && a < b);
}

/* Returns the lanes of `set` whose next block is `block`. */
static inline uint64_t reference_standing(const struct reference_warp *w, uint64_t set, uint32_t block) {
  uint64_t at = 0;
  for (uint32_t lane = 0; lane < w->items; lane++)
    if (set >> lane & 1 && reference_next(w, lane) == block)
      at |= UINT64_C(1) << lane;
  return at;
}

static inline uint32_t reference_lowest(const struct reference_warp *w, uint64_t set) {
  uint32_t best = TRACE_NO_BLOCK;
  for (uint32_t lane = 0; lane < w->items; lane++) {
    uint32_t next = reference_next(w, lane);
    if (set >> lane & 1 && (best == TRACE_NO_BLOCK || reference_before(&w->trace->code, next, best)))
      best = next;
  }
  return best;
}

/* Runs `set` until every lane is at `stop` or has ended, by recursion instead of the model's stack. */
static inline void reference_ipdom(struct reference_warp *w, uint64_t set, uint32_t stop) {
  uint32_t last = TRACE_NO_BLOCK;
  for (;;) {
    uint64_t running = set & ~reference_standing(w, set, stop) & ~reference_standing(w, set, TRACE_NO_BLOCK);
    if (!running)
      return;
    uint32_t lowest = reference_lowest(w, running);
    if (reference_standing(w, running, lowest) == running) {
      last = lowest;
      reference_divergent(w, running);
      continue;
    }
    uint32_t meet = last == TRACE_NO_BLOCK ? TRACE_NO_BLOCK : w->trace->code.blocks[last].ipdom;
    uint64_t apart = running & ~reference_standing(w, running, meet);
    while (apart) {
      uint64_t side = reference_standing(w, apart, reference_lowest(w, apart));
      apart &= ~side;
      reference_ipdom(w, side, meet);
    }
  }
}

static inline void reference_min_pc(struct reference_warp *w, uint64_t set) {
  for (;;) {
    uint64_t running = set & ~reference_standing(w, set, TRACE_NO_BLOCK);
    if (!running)
      return;
    reference_divergent(w, reference_standing(w, running, reference_lowest(w, running)));
  }
}

/* Finds the warps of a work-group: items one after another, with a new warp after warp_size items and, under per_row,
 * at every new segment. */
static inline uint32_t reference_warp_count(const struct trace *trace, const struct gpu_spec *spec) {
  uint32_t warps = 0, inside = 0;
  for (uint32_t item = 0; item < trace_local_size(&trace->header); item++) {
    bool row = spec->warp_formation == WARPS_PER_ROW && item % trace->header.local[0] == 0;
    inside = item == 0 || row || inside == spec->warp_size ? 1 : inside + 1;
    warps += inside == 1;
  }
  return warps;
}

/* Returns the first item of warp `index`; the number of items for the warp behind the last one. */
static inline uint32_t reference_warp_first(const struct trace *trace, const struct gpu_spec *spec, uint32_t index) {
  uint32_t warps = 0, inside = 0, all = trace_local_size(&trace->header);
  for (uint32_t item = 0; item < all; item++) {
    bool row = spec->warp_formation == WARPS_PER_ROW && item % trace->header.local[0] == 0;
    inside = item == 0 || row || inside == spec->warp_size ? 1 : inside + 1;
    warps += inside == 1;
    if (warps == index + 1)
      return item;
  }
  return all;
}

/* Returns the path that all of these work-items run, or NULL. */
static inline const struct trace_path *reference_path_of_all(const struct trace *trace, const struct trace_group *group,
                                                             uint32_t first, uint32_t items) {
  const struct trace_shape *shape = trace->shapes[group->shape];
  for (uint32_t i = 0; i < items; i++)
    if (shape->cohort_of_item[first + i] != shape->cohort_of_item[first])
      return NULL;
  return trace->paths[shape->cohorts[shape->cohort_of_item[first]].path];
}

/* Returns the bytes of values that are loaded early: a register less while they and the values take too many. */
static inline uint32_t reference_early_bytes(const struct trace_header *header, const struct gpu_spec *spec) {
  const bool early = !spec->late_local_loads && header->early_load_registers > header->registers;
  const int64_t values = early ? header->early_load_registers : header->registers;
  int64_t bytes = spec->early_load_bytes;
  while (spec->early_load_registers > 0 && bytes > 0 && 4 * values + bytes > 4 * spec->early_load_registers)
    bytes--;
  return (uint32_t)bytes;
}

/* Fills *w; the caller frees it with reference_warp_clear. */
static inline void reference_warp_read(struct reference_warp *w, const struct trace *trace,
                                       const struct isa_profile *isa, const struct trace_group *group, uint32_t index,
                                       const struct gpu_spec *spec) {
  uint32_t first = reference_warp_first(trace, spec, index);
  *w = (struct reference_warp){.trace = trace, .spec = spec, .uses = spec->memory == MEMORY_DEPENDENCY};
  w->order = reference_order(&trace->code, spec->late_store_registers);
  w->done = reference_done_code(&trace->code, w->order);
  w->prices = reference_prices(&trace->code, isa, spec, w->order);
  w->isa = isa;
  w->begins = spec->instruction_cache_bytes ? reference_code_begins(&trace->code, isa, w->order) : NULL;
  w->code_line = spec->instruction_line_bytes;
  const bool ordered = w->uses && spec->issue == ISSUE_SLOTS && spec->instruction_cache_bytes == 0;
  w->budget = ordered ? reference_early_bytes(&trace->header, spec) : 0;
  w->unroll = (uint32_t)spec->unroll;
  w->items = reference_warp_first(trace, spec, index + 1) - first;
  for (uint32_t lane = 0; lane < w->items; lane++)
    reference_read_item(w, group, first + lane, &w->item[lane]);
  uint64_t set = w->items == 64 ? UINT64_MAX : (UINT64_C(1) << w->items) - 1;
  const struct trace_path *path = reference_path_of_all(trace, group, first, w->items);
  if (path)
    reference_uniform(w, set, path, 0, path->step_count);
  else if (spec->divergence == DIVERGENCE_IPDOM)
    reference_ipdom(w, set, TRACE_NO_BLOCK);
  else
    reference_min_pc(w, set);
  reference_close_run(w);
}

static inline void reference_warp_clear(struct reference_warp *w) {
  for (uint32_t lane = 0; lane < w->items; lane++) {
    for (uint32_t i = 0; i < w->item[lane].count; i++)
      free(w->item[lane].addresses[i]);
    free(w->item[lane].blocks);
    free(w->item[lane].left);
    free(w->item[lane].addresses);
  }
  for (uint32_t i = 0; i < w->event_count; i++)
    free(w->events[i].code.lines);
  free(w->code.lines);
  free(w->begins);
  free(w->order);
  free(w->done.ops);
  free(w->done.operand_end);
  free(w->done.operands);
  free(w->events);
  free(w->prices);
}

#endif
