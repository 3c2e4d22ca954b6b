/* Writes a launch that is put together of work-items of other traces and of plain accesses to memory.
 *
 * Order of calls: open; for every work-group begin, lanes and accesses, end; then close or abort. What is left of a
 * work-group is filled up with work-items that end at once.
 * Ownership: code and arena are borrowed; close and abort free. Errors: 0 or -1. Cost: that of trace_writer_item.
 * Threads: one. */
#ifndef GRAPHICS_LAUNCH_WRITER_H
#define GRAPHICS_LAUNCH_WRITER_H

#include "graphics/tile/frame_arena.h"
#include "graphics/tile/launch_code.h"
#include "trace/write/writer.h"

struct launch_writer {
  const struct launch_code *code;
  struct trace_writer *writer;
  uint32_t group_items, group, item; /* items of a work-group; the next group and item */
  uint32_t *homes, home; /* NULL, or by group (trace.homes): `home` becomes that of each group that begins */
  uint32_t *fragments;   /* NULL, or by group (trace.fragments): the work-items of traces are counted there */
  uint16_t *blocks;
  uint32_t *addresses, *found;
  size_t block_room, address_room, found_room;
};

/* A work-item of a trace. */
struct launch_lane {
  const struct trace *trace;
  size_t number; /* of the trace, as launch_code_create had it */
  uint64_t item; /* in the order of its launch */
  struct arena_map *map;
  /* NULL, or called for each memory access that is written, with its address in the trace. */
  void (*accessed)(void *user, const struct trace_op *op, uint32_t address);
  void *user;
};

struct launch_access {
  uint32_t address;
  uint8_t bytes; /* 1, 2, 4, 8 or 16 */
  bool stores;
  uint8_t what; /* enum launch_what */
};

/* `name`: of the launch's kernel. `groups`: work-groups that will be written. */
int launch_writer_open(const char *path, const char *name, const struct launch_code *code,
                       const struct frame_arena *arena, uint64_t groups, uint32_t group_items,
                       struct launch_writer *out, struct error *error);
void launch_writer_begin(struct launch_writer *writer);
bool launch_writer_is_full(const struct launch_writer *writer);
int launch_writer_lane(struct launch_writer *writer, const struct launch_lane *lane, struct error *error);
/* Adds a work-item that executes the accesses one after the other. */
int launch_writer_access(struct launch_writer *writer, const struct launch_access *list, size_t count,
                         struct error *error);
int launch_writer_end(struct launch_writer *writer, struct error *error);
int launch_writer_close(struct launch_writer *writer, struct error *error);
void launch_writer_abort(struct launch_writer *writer);

#endif
