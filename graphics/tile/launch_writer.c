#include "graphics/tile/launch_writer.h"

#include <stdlib.h>

#include "base/array.h"

static void find_most(const struct launch_code *code, struct trace_header *h) {
  for (size_t i = 0; i < code->shader_count; i++) {
    const struct trace_header *other = &code->shaders[i].trace->header;
    h->registers = other->registers > h->registers ? other->registers : h->registers;
    h->private_bytes = other->private_bytes > h->private_bytes ? other->private_bytes : h->private_bytes;
  }
}

int launch_writer_open(const char *path, const char *name, const struct launch_code *code,
                       const struct frame_arena *arena, uint64_t groups, uint32_t group_items,
                       struct launch_writer *out, struct error *error) {
  char none[] = "";
  struct trace_header h = {.kernel = (char *)(uintptr_t)name,
                           .workload = (char *)(uintptr_t)name,
                           .source_file = none,
                           .source_digest = none,
                           .options = none,
                           .front_end = none,
                           .dimensions = 1,
                           .global = {groups * group_items, 1, 1},
                           .local = {group_items, 1, 1},
                           .buffers = arena->buffers,
                           .buffer_count = (uint32_t)arena->count};
  find_most(code, &h);
  *out = (struct launch_writer){.code = code, .group_items = group_items};
  return trace_writer_open(path, &h, &code->code, &out->writer, error);
}

void launch_writer_begin(struct launch_writer *w) {
  if (w->homes)
    w->homes[w->group] = w->home;
  if (w->fragments)
    w->fragments[w->group] = 0;
  trace_writer_group_begin(w->writer, w->group++);
  w->item = 0;
}

bool launch_writer_is_full(const struct launch_writer *w) {
  return w->item == w->group_items;
}

static bool make_room(struct launch_writer *w, size_t blocks, size_t addresses) {
  return array_room(&w->blocks, &w->block_room, blocks, sizeof *w->blocks) &&
         array_room(&w->addresses, &w->address_room, addresses + 1, sizeof *w->addresses);
}

/* Adds the work-item of the first `blocks` blocks and `addresses` addresses; the block that ends it follows them. */
static int write_item(struct launch_writer *w, size_t blocks, size_t addresses, struct error *error) {
  w->blocks[blocks] = (uint16_t)(w->code->code.block_count - 1);
  return trace_writer_item(w->writer, w->item++, w->blocks, blocks + 1, w->addresses, addresses, error);
}

/* Appends the addresses of one execution of a block. */
static void take_block(struct launch_writer *w, const struct launch_lane *lane, const struct launch_shader *shader,
                       const struct trace_block *block, size_t *addresses) {
  for (uint32_t m = 0; m < block->mem_count; m++) {
    const uint32_t number = lane->trace->code.mem_ops[block->first_mem + m];
    const struct trace_op *op = &shader->ops[number];
    if (!shader->kept[number])
      continue;
    const bool in_arena = op->space == SPACE_GLOBAL || op->space == SPACE_CONSTANT;
    w->addresses[(*addresses)++] = in_arena ? arena_map_address(lane->map, w->found[m]) : w->found[m];
    if (lane->accessed)
      lane->accessed(lane->user, op, w->found[m]);
  }
}

int launch_writer_lane(struct launch_writer *w, const struct launch_lane *lane, struct error *error) {
  const struct trace *t = lane->trace;
  const struct launch_shader *shader = &w->code->shaders[w->code->shader_of[lane->number]];
  const uint32_t size = trace_local_size(&t->header);
  struct trace_cursor cursor;
  size_t blocks = 1, addresses = 0;
  uint32_t block;
  if (!make_room(w, 2, 1) || !array_room(&w->found, &w->found_room, t->code.mem_count + 1, sizeof *w->found))
    return error_no_memory(error);
  if (w->fragments)
    w->fragments[w->group - 1]++;
  w->blocks[0] = 0;
  trace_cursor_init(&cursor, t, &t->groups[lane->item / size], (uint32_t)(lane->item % size));
  while (trace_cursor_next(&cursor, &block, w->found)) {
    const struct trace_block *b = &t->code.blocks[block];
    if (!make_room(w, blocks + 2, addresses + b->mem_count))
      return error_no_memory(error);
    w->blocks[blocks++] = (uint16_t)(shader->first_block + block);
    take_block(w, lane, shader, b, &addresses);
  }
  return write_item(w, blocks, addresses, error);
}

int launch_writer_access(struct launch_writer *w, const struct launch_access *list, size_t count, struct error *error) {
  if (!make_room(w, count + 2, count))
    return error_no_memory(error);
  w->blocks[0] = 0;
  for (size_t i = 0; i < count; i++) {
    w->blocks[1 + i] = launch_code_access(list[i].bytes, list[i].stores, (enum launch_what)list[i].what);
    w->addresses[i] = list[i].address;
  }
  return write_item(w, 1 + count, count, error);
}

int launch_writer_end(struct launch_writer *w, struct error *error) {
  while (!launch_writer_is_full(w))
    if (launch_writer_access(w, NULL, 0, error))
      return -1;
  return trace_writer_group_end(w->writer, error);
}

static void clear(struct launch_writer *w) {
  free(w->blocks);
  free(w->addresses);
  free(w->found);
  *w = (struct launch_writer){0};
}

int launch_writer_close(struct launch_writer *w, struct error *error) {
  const int status = trace_writer_close(w->writer, error);
  clear(w);
  return status;
}

void launch_writer_abort(struct launch_writer *w) {
  trace_writer_abort(w->writer);
  clear(w);
}
