#include "model/isa/code_lines.h"

#include <math.h>
#include <stdlib.h>

/* State of the pass over a code table. */
struct layout {
  const struct trace_code *code;
  uint64_t *at; /* [op_count + 1]: byte at which each operation begins, by number of block */
  uint64_t *end;
  uint32_t line_bytes;
};

static int compare_addresses(const void *a, const void *b) {
  const struct trace_block *const *x = a, *const *y = b;
  if ((*x)->code_address != (*y)->code_address)
    return (*x)->code_address < (*y)->code_address ? -1 : 1;
  return *x < *y ? -1 : *x > *y;
}

/* Sets the bytes at which operations begin and end. Blocks are placed in order of code address, those of one address in
 * order of number. */
static int place_operations(struct layout *layout, const struct isa_profile *isa, uint64_t *bytes,
                            struct error *error) {
  const struct trace_code *code = layout->code;
  const struct trace_block **order = calloc(code->block_count + 1u, sizeof *order);
  int status = order ? 0 : error_no_memory(error);
  for (uint32_t b = 0; b < code->block_count && status == 0; b++)
    order[b] = &code->blocks[b];
  if (status == 0)
    qsort(order, code->block_count, sizeof *order, compare_addresses);
  *bytes = 0;
  for (uint32_t b = 0; b < code->block_count && status == 0; b++)
    for (uint32_t i = order[b]->first_op; i < order[b]->first_op + order[b]->op_count && status == 0; i++) {
      uint32_t own = 0;
      status = isa_op_bytes(isa, code, &code->ops[i], &own, error);
      layout->at[i] = *bytes;
      layout->end[i] = *bytes += own;
    }
  free(order);
  return status;
}

/* Returns the lines of operations [from, to) of one block. */
static struct code_piece piece(const struct layout *layout, uint32_t from, uint32_t to) {
  if (from >= to || layout->at[from] == layout->end[to - 1])
    return (struct code_piece){0, 0};
  return (struct code_piece){(uint32_t)(layout->at[from] / layout->line_bytes),
                             (uint32_t)((layout->end[to - 1] - 1) / layout->line_bytes + 1)};
}

static void cut_block(const struct layout *layout, const struct price_list *prices, uint32_t b,
                      struct code_lines *lines) {
  const struct trace_block *block = &layout->code->blocks[b];
  const struct block_price *price = &prices->blocks[b];
  uint32_t from = block->first_op;
  for (uint32_t i = price->first_event; i < price->first_event + price->event_count; i++) {
    const struct block_event *event = &prices->events[i];
    uint32_t to = event->kind == BLOCK_USE ? event->op : event->op + 1;
    lines->events[i] = piece(layout, from, to);
    from = to;
  }
  lines->tails[b] = piece(layout, from, block->first_op + block->op_count);
}

static uint32_t event_count(const struct trace_code *code, const struct price_list *prices) {
  if (code->block_count == 0)
    return 0;
  const struct block_price *last = &prices->blocks[code->block_count - 1];
  return last->first_event + last->event_count;
}

static int cut(struct layout *layout, const struct isa_profile *isa, const struct price_list *prices,
               struct code_lines *lines, struct error *error) {
  uint64_t bytes;
  if (!layout->at || !layout->end || !lines->events || !lines->tails)
    return error_no_memory(error);
  if (place_operations(layout, isa, &bytes, error))
    return -1;
  if (bytes / layout->line_bytes > CODE_MOST_LINES)
    return error_at(error, ERROR_INPUT, "", 0, 0, "instruction_line_bytes",
                    "the kernel's code has more than %u lines of %u bytes: use a larger instruction_line_bytes, or "
                    "instruction_cache_bytes: 0",
                    CODE_MOST_LINES, layout->line_bytes);
  lines->count = (uint32_t)((bytes + layout->line_bytes - 1) / layout->line_bytes);
  for (uint32_t b = 0; b < layout->code->block_count; b++)
    cut_block(layout, prices, b, lines);
  return 0;
}

int code_lines_init(struct code_lines *lines, const struct trace_code *code, const struct isa_profile *isa,
                    const struct price_list *prices, uint32_t line_bytes, struct error *error) {
  struct layout layout = {code, calloc(code->op_count + 1u, sizeof *layout.at),
                          calloc(code->op_count + 1u, sizeof *layout.end), line_bytes};
  *lines = (struct code_lines){calloc(event_count(code, prices) + 1u, sizeof *lines->events),
                               calloc(code->block_count + 1u, sizeof *lines->tails), 0};
  int status = cut(&layout, isa, prices, lines, error);
  free(layout.at);
  free(layout.end);
  if (status)
    code_lines_clear(lines);
  return status;
}

void code_lines_clear(struct code_lines *lines) {
  free(lines->events);
  free(lines->tails);
  *lines = (struct code_lines){0};
}
