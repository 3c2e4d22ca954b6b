#include "model/warp/warp_program.h"

#include <assert.h>
#include <stdbool.h>
#include <stdlib.h>

/* State of the pass over a path's steps. */
struct compiler {
  struct warp_program *program;
  const struct trace_code *code;
  const struct price_list *prices;
  const struct trace_path *path;
  uint64_t pending; /* slots since the last event or loop boundary */
  struct pipe_uses pending_uses;
  uint32_t site;
  bool overflow;
};

/* The sums over a finished sequence of steps. */
struct totals {
  uint64_t slots, instructions;
};

static void add(struct compiler *c, uint64_t *to, uint64_t value) {
  c->overflow |= __builtin_add_overflow(*to, value, to);
}

static uint64_t times(struct compiler *c, uint64_t a, uint64_t b) {
  uint64_t product;
  c->overflow |= __builtin_mul_overflow(a, b, &product);
  return product;
}

static struct instr *emit(struct compiler *c, enum instr_kind kind) {
  if (c->program->uses)
    c->program->uses[c->program->count] = c->pending_uses;
  c->pending_uses = (struct pipe_uses){{0}};
  struct instr *instr = &c->program->instrs[c->program->count++];
  *instr = (struct instr){.kind = (uint8_t)kind, .slots = c->pending};
  c->pending = 0;
  return instr;
}

static void describe_access(struct instr *instr, const struct trace_op *op, uint32_t site) {
  instr->site = site;
  instr->space = op->space;
  instr->op_class = op->op_class;
  instr->bytes = op->bytes ? op->bytes : 1;
}

static void compile_events(struct compiler *c, uint32_t block, const struct block_price *price) {
  static const enum instr_kind kinds[] = {
      [BLOCK_ACCESS] = INSTR_ACCESS, [BLOCK_USE] = INSTR_USE, [BLOCK_BARRIER] = INSTR_BARRIER};
  for (uint32_t i = price->first_event; i < price->first_event + price->event_count; i++) {
    const struct block_event *event = &c->prices->events[i];
    add(c, &c->pending, event->slots);
    if (c->program->uses)
      pipe_uses_add(&c->pending_uses, &c->prices->event_uses[i]);
    struct instr *instr = emit(c, kinds[event->kind]);
    instr->op = event->op;
    if (event->kind == BLOCK_ACCESS)
      describe_access(instr, &c->code->ops[event->op], c->site + event->mem);
    instr->ahead = (uint8_t)event->copy;
    instr->use = event->use;
  }
  add(c, &c->pending, price->tail);
  if (c->program->uses)
    pipe_uses_add(&c->pending_uses, price_tail_uses(c->prices, block, price));
}

static void compile_block(struct compiler *c, uint32_t step, struct totals *totals) {
  const uint32_t block = c->path->steps[step].block;
  const struct block_price *price = &c->prices->blocks[block];
  compile_events(c, block, price);
  c->site += c->code->blocks[block].mem_count;
  add(c, &totals->slots, price->total);
  add(c, &totals->instructions, price->instructions);
}

static int compile_steps(struct compiler *c, uint32_t from, uint32_t to, uint32_t depth, struct totals *totals,
                         struct error *error);

/* Compiles iterations `start` to `repeat` of a loop whose body is `price->copies` copies of a block. */
static void compile_pass(struct compiler *c, uint32_t block, const struct block_price *price, uint32_t start,
                         uint32_t repeat) {
  const uint32_t before = c->program->count;
  struct instr *loop = emit(c, INSTR_LOOP);
  loop->repeat = repeat;
  loop->start = start;
  compile_events(c, block, price);
  struct instr *end = emit(c, INSTR_END);
  end->repeat = repeat;
  end->ahead = (uint8_t)(price->copies - 1);
  end->back = (uint32_t)(end - c->program->instrs) - (before + 1);
}

/* Compiles a loop whose body is one block that is unrolled, then its last iterations. */
static void compile_unrolled(struct compiler *c, uint32_t step, struct totals *totals) {
  const uint32_t block = c->path->steps[step + 1].block, repeat = c->path->steps[step].repeat;
  const struct block_price *loop = &c->prices->loops[block], *price = &c->prices->blocks[block];
  const uint32_t unrolled = repeat / loop->copies * loop->copies;
  compile_pass(c, block, loop, 0, unrolled);
  if (unrolled < repeat)
    compile_pass(c, block, price, unrolled, repeat);
  c->site += c->code->blocks[block].mem_count;
  add(c, &totals->slots, times(c, price->total, repeat));
  add(c, &totals->instructions, times(c, price->instructions, repeat));
}

static bool is_unrolled(const struct compiler *c, uint32_t step) {
  const struct trace_step *steps = &c->path->steps[step];
  return steps[0].body == 1 && steps[1].body == 0 && c->prices->loops[steps[1].block].copies > 1 &&
         steps[0].repeat >= c->prices->loops[steps[1].block].copies && c->prices->loops[steps[1].block].event_count > 0;
}

static int compile_loop(struct compiler *c, uint32_t step, uint32_t depth, struct totals *totals, struct error *error) {
  uint32_t repeat = c->path->steps[step].repeat, body = c->path->steps[step].body;
  uint32_t before = c->program->count;
  uint64_t pending = c->pending;
  const struct pipe_uses pending_uses = c->pending_uses;
  struct totals inside = {0};
  emit(c, INSTR_LOOP)->repeat = repeat;
  if (compile_steps(c, step + 1, step + 1 + body, depth + 1, &inside, error))
    return -1;
  if (c->program->count == before + 1) { /* there is no event inside, only time */
    c->program->count = before;
    c->pending = times(c, c->pending, repeat);
    add(c, &c->pending, pending);
    pipe_uses_multiply(&c->pending_uses, repeat);
    pipe_uses_add(&c->pending_uses, &pending_uses);
  } else {
    struct instr *end = emit(c, INSTR_END);
    end->repeat = repeat;
    end->back = (uint32_t)(end - c->program->instrs) - (before + 1);
  }
  add(c, &totals->slots, times(c, inside.slots, repeat));
  add(c, &totals->instructions, times(c, inside.instructions, repeat));
  return 0;
}

static int compile_steps(struct compiler *c, uint32_t from, uint32_t to, uint32_t depth, struct totals *totals,
                         struct error *error) {
  if (depth > PROGRAM_MAX_DEPTH)
    return error_set(error, ERROR_INPUT, "a path nests more than %d loops: the trace is damaged", PROGRAM_MAX_DEPTH);
  if (depth > c->program->depth)
    c->program->depth = depth;
  while (from < to) {
    const struct trace_step *step = &c->path->steps[from];
    if (step->body == 0)
      compile_block(c, from, totals);
    else if (is_unrolled(c, from)) {
      if (depth + 1 > c->program->depth)
        c->program->depth = depth + 1;
      compile_unrolled(c, from, totals);
    } else if (compile_loop(c, from, depth, totals, error))
      return -1;
    from += 1 + step->body;
  }
  return 0;
}

/* Returns an upper bound of the instructions: every block step gives its events, every loop step a begin and an end. */
static size_t instr_bound(const struct price_list *prices, const struct trace_path *path) {
  size_t bound = 1;
  for (uint32_t i = 0; i < path->step_count; i++)
    bound += path->steps[i].body > 0
                 ? 4
                 : prices->blocks[path->steps[i].block].event_count + prices->loops[path->steps[i].block].event_count;
  return bound;
}

int warp_program_init(struct warp_program *program, const struct trace_code *code, const struct price_list *prices,
                      const struct trace_path *path, struct error *error) {
  *program = (struct warp_program){0};
  const size_t bound = instr_bound(prices, path);
  program->instrs = malloc(bound * sizeof *program->instrs);
  program->uses = prices->event_uses ? malloc(bound * sizeof *program->uses) : NULL;
  if (!program->instrs || (prices->event_uses && !program->uses)) {
    warp_program_clear(program);
    return error_no_memory(error);
  }
  struct compiler c = {.program = program, .code = code, .prices = prices, .path = path};
  struct totals totals = {0};
  if (compile_steps(&c, 0, path->step_count, 0, &totals, error)) {
    warp_program_clear(program);
    return -1;
  }
  emit(&c, INSTR_FINISH);
  assert(c.overflow || c.site == path->site_count);
  program->slots = totals.slots;
  program->instructions = totals.instructions;
  if (!c.overflow)
    return 0;
  warp_program_clear(program);
  return error_set(error, ERROR_INPUT, "a path executes more than 2^53 operations: no real kernel does");
}

void warp_program_forget(struct warp_program *program) {
  free(program->instrs);
  free(program->uses);
  program->instrs = NULL;
  program->uses = NULL;
}

void warp_program_clear(struct warp_program *program) {
  warp_program_forget(program);
  *program = (struct warp_program){0};
}
