#include "tracegen/bifrost/trace/record_items.h"

#include <stdlib.h>

#define FIRST_ROOM 64

/* One work-item's. */
struct item_record {
  uint16_t *blocks;
  uint32_t *addresses;
  uint32_t block_count, block_room, address_count, address_room;
};

struct item_records {
  const struct machine_code *code;
  struct item_record *items;
  uint32_t item_count;
  size_t bytes; /* of all arrays */
  bool is_full;
};

/* Doubles an array of elements of `size` bytes. Returns false when it may not grow. */
static bool grow(struct item_records *r, void **array, uint32_t *room, size_t size) {
  const uint32_t larger = *room ? 2 * *room : FIRST_ROOM;
  void *moved = r->bytes < ITEM_RECORDS_BYTES && larger > *room ? realloc(*array, larger * size) : NULL;
  if (!moved) {
    r->is_full = true;
    return false;
  }
  r->bytes += (larger - *room) * size;
  *array = moved;
  *room = larger;
  return true;
}

static inline void put_block(struct item_records *r, struct item_record *item, uint16_t block) {
  if (item->block_count == item->block_room &&
      !grow(r, (void **)&item->blocks, &item->block_room, sizeof *item->blocks))
    return;
  item->blocks[item->block_count++] = block;
}

static inline void put_address(struct item_records *r, struct item_record *item, uint32_t address) {
  if (item->address_count == item->address_room &&
      !grow(r, (void **)&item->addresses, &item->address_room, sizeof *item->addresses))
    return;
  item->addresses[item->address_count++] = address;
}

static void note_clause(void *context, const struct bifrost_position *at) {
  struct item_records *r = context;
  const uint32_t block = r->code->block_of_clause[at->clause];
  if (block == TRACE_NO_BLOCK)
    return;
  for (unsigned lanes = at->lanes; lanes; lanes &= lanes - 1)
    put_block(r, &r->items[at->first_item + (unsigned)__builtin_ctz(lanes)], (uint16_t)block);
}

/* A branch that ends the work-item goes to the block behind all clauses. */
static void note_branch(void *context, const struct bifrost_position *at, uint8_t taken) {
  struct item_records *r = context;
  if (at->shader->clauses[at->clause].target != END_CLAUSE)
    return;
  for (unsigned lanes = taken; lanes; lanes &= lanes - 1)
    put_block(r, &r->items[at->first_item + (unsigned)__builtin_ctz(lanes)], (uint16_t)r->code->exit_block);
}

static void note_access(void *context, const struct bifrost_position *at, const struct bifrost_access *access) {
  struct item_records *r = context;
  for (unsigned lanes = at->lanes; lanes; lanes &= lanes - 1) {
    const unsigned lane = (unsigned)__builtin_ctz(lanes);
    put_address(r, &r->items[at->first_item + lane], (uint32_t)access->address[lane]);
  }
}

struct bifrost_listener item_records_listener(struct item_records *records) {
  return (struct bifrost_listener){
      .context = records, .clause = note_clause, .access = note_access, .branch = note_branch};
}

int item_records_create(const struct machine_code *code, uint32_t items, struct item_records **out,
                        struct error *error) {
  struct item_records *r = calloc(1, sizeof *r);
  *out = r;
  if (r && (r->items = calloc(items, sizeof *r->items))) {
    r->code = code;
    r->item_count = items;
    return 0;
  }
  free(r);
  *out = NULL;
  return error_set(error, ERROR_WORK, "out of memory for the records of %u work-items", items);
}

void item_records_destroy(struct item_records *records) {
  if (!records)
    return;
  for (uint32_t i = 0; i < records->item_count; i++) {
    free(records->items[i].blocks);
    free(records->items[i].addresses);
  }
  free(records->items);
  free(records);
}

static int write_item(struct item_records *r, uint32_t i, struct trace_writer *writer, struct error *error) {
  struct item_record *item = &r->items[i];
  const int status =
      trace_writer_item(writer, i, item->blocks, item->block_count, item->addresses, item->address_count, error);
  item->block_count = item->address_count = 0;
  return status;
}

int item_records_write(struct item_records *records, uint32_t group, struct trace_writer *writer, struct error *error) {
  if (records->is_full)
    return error_set(error, ERROR_WORK, "what the work-items of work-group %u did takes more than %zu bytes", group,
                     ITEM_RECORDS_BYTES);
  if (trace_writer_group_begin(writer, group) != 0)
    return error_set(error, ERROR_WORK, "the trace of work-group %u cannot be begun", group);
  for (uint32_t i = 0; i < records->item_count; i++)
    if (write_item(records, i, writer, error) != 0)
      return -1;
  return trace_writer_group_end(writer, error);
}
