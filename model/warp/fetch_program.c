#include "model/warp/fetch_program.h"

#include <assert.h>
#include <stdbool.h>
#include <stdlib.h>

uint64_t fetch_piece(const struct code_piece *piece, struct cache *cache) {
  uint64_t misses = 0;
  for (uint32_t line = piece->first; line < piece->end; line++)
    misses += !cache_access(cache, line);
  return misses;
}

static uint64_t add(uint64_t a, uint64_t b) {
  return a + b < FETCH_MOST_MISSES ? a + b : FETCH_MOST_MISSES;
}

static uint64_t times(uint64_t a, uint64_t b) {
  uint64_t product;
  return __builtin_mul_overflow(a, b, &product) || product > FETCH_MOST_MISSES ? FETCH_MOST_MISSES : product;
}

uint64_t fetch_items(const struct fetch_item *items, uint32_t from, uint32_t to, struct cache *cache) {
  uint64_t misses = 0;
  for (uint32_t i = from; i < to; i++)
    if (items[i].body == 0) {
      misses = add(misses, fetch_piece(&items[i].lines, cache));
    } else {
      misses = add(misses, fetch_items(items, i + 1, i + 1 + items[i].body, cache));
      misses = add(misses, times(items[i].steady, items[i].repeat - 1));
      i += items[i].body;
    }
  return misses;
}

/* State of the pass over a path's steps, in the order in which warp_program emits instructions. */
struct compiler {
  struct fetch_program *program;
  const struct trace_path *path;
  const struct price_list *prices;
  const struct code_lines *lines;
  uint32_t cache_lines;
  bool no_memory;
};

static void put(struct compiler *c, struct code_piece lines) {
  if (lines.first < lines.end)
    c->program->items[c->program->item_count++] = (struct fetch_item){.lines = lines};
}

static void emit(struct compiler *c) {
  c->program->begin[++c->program->instr_count] = c->program->item_count;
}

static void compile_block(struct compiler *c, uint32_t block) {
  const struct block_price *price = &c->prices->blocks[block];
  for (uint32_t i = price->first_event; i < price->first_event + price->event_count; i++) {
    put(c, c->lines->events[i]);
    emit(c);
  }
  put(c, c->lines->tails[block]);
}

static bool has_event(const struct compiler *c, uint32_t from, uint32_t to) {
  for (uint32_t step = from; step < to; step++)
    if (c->path->steps[step].body == 0 && c->prices->blocks[c->path->steps[step].block].event_count > 0)
      return true;
  return false;
}

/* Returns the misses of an iteration that follows another one. */
static uint64_t steady_misses(struct compiler *c, uint32_t from, uint32_t to) {
  struct cache *cache = cache_create(CACHE_REUSE_DISTANCE, REPLACEMENT_LRU, c->cache_lines, c->cache_lines, false);
  if (!cache) {
    c->no_memory = true;
    return 0;
  }
  fetch_items(c->program->items, from, to, cache);
  uint64_t misses = fetch_items(c->program->items, from, to, cache);
  cache_destroy(cache);
  return misses;
}

static void compile_steps(struct compiler *c, uint32_t from, uint32_t to);

static void compile_time_loop(struct compiler *c, uint32_t step) {
  uint32_t loop = c->program->item_count++;
  compile_steps(c, step + 1, step + 1 + c->path->steps[step].body);
  uint32_t body = c->program->item_count - loop - 1;
  if (body == 0) {
    c->program->item_count = loop;
    return;
  }
  c->program->items[loop] = (struct fetch_item){.body = body, .repeat = c->path->steps[step].repeat};
  c->program->items[loop].steady = steady_misses(c, loop + 1, loop + 1 + body);
}

static void compile_loop(struct compiler *c, uint32_t step) {
  uint32_t body = c->path->steps[step].body;
  if (!has_event(c, step + 1, step + 1 + body)) {
    compile_time_loop(c, step);
    return;
  }
  emit(c);
  compile_steps(c, step + 1, step + 1 + body);
  emit(c);
}

static void compile_steps(struct compiler *c, uint32_t from, uint32_t to) {
  while (from < to && !c->no_memory) {
    const struct trace_step *step = &c->path->steps[from];
    if (step->body == 0)
      compile_block(c, step->block);
    else
      compile_loop(c, from);
    from += 1 + step->body;
  }
}

/* Returns an upper bound of the number of pieces and loops, and of instructions. */
static size_t most(const struct compiler *c) {
  size_t bound = 2;
  for (uint32_t i = 0; i < c->path->step_count; i++)
    bound += 2 + (c->path->steps[i].body > 0 ? 0 : c->prices->blocks[c->path->steps[i].block].event_count);
  return bound;
}

int fetch_program_init(struct fetch_program *program, const struct trace_path *path, const struct price_list *prices,
                       const struct code_lines *lines, uint32_t cache_lines, struct error *error) {
  struct compiler c = {program, path, prices, lines, cache_lines, false};
  *program = (struct fetch_program){.items = malloc(most(&c) * sizeof *program->items),
                                    .begin = calloc(most(&c), sizeof *program->begin)};
  if (program->items && program->begin) {
    compile_steps(&c, 0, path->step_count);
    emit(&c);
  }
  if (program->items && program->begin && !c.no_memory)
    return 0;
  fetch_program_clear(program);
  return error_no_memory(error);
}

void fetch_program_clear(struct fetch_program *program) {
  free(program->items);
  free(program->begin);
  *program = (struct fetch_program){0};
}
