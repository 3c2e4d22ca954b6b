/* The state of a warp and of the work-group that it belongs to. Private to exec/. */
#ifndef TRACEGEN_BIFROST_WARP_H
#define TRACEGEN_BIFROST_WARP_H

#include "tracegen/bifrost/exec/execute.h"

struct warp {
  struct lanes values[VALUE_COUNT];
  struct lanes wide; /* upper halves of addresses, from one unit to the other */
  uint32_t next[WARP_LANES];
  uint8_t alive;   /* lanes that have not ended */
  uint8_t waiting; /* lanes at a barrier */
  uint32_t number, first_item;
  uint64_t clauses_run;
};

/* The buffer that an instruction accessed last: most instructions access one. */
struct memory_window {
  uint64_t first, bytes;
  uint8_t *data;
};

struct bifrost_runner {
  const struct bifrost_shader *shader;
  const struct bifrost_dispatch *dispatch;
  struct bifrost_run_options options;
  struct bifrost_listener listener;
  struct warp *warps; /* [warp_count] */
  uint32_t warp_count, items;
  uint8_t *local, *private;      /* work-group memory, and that of all work-items */
  struct memory_window *windows; /* [tuples of the shader] */
  struct memory_window *window;  /* of the instruction that runs */
  struct bifrost_position at;    /* of the warp that runs */
  struct error *error;
};

/* Runs a warp until all of its lanes have ended or wait at a barrier. */
int warp_run(struct bifrost_runner *runner, struct warp *warp);
/* Runs the tuples of a clause. Returns -1 after an error. *taken becomes the lanes that branch. */
int clause_run(struct bifrost_runner *runner, struct warp *warp, const struct shader_clause *clause, uint8_t *taken);
/* Runs the message of a slot. */
int message_run(struct bifrost_runner *runner, struct warp *warp, const struct shader_tuple *tuple, unsigned number,
                const struct lanes *const *sources);
int atomic_run(struct bifrost_runner *runner, struct warp *warp, const struct shader_tuple *tuple,
               uint8_t *const *memory);
/* Reports an error of the lane at hand, and returns -1. */
int lane_error(struct bifrost_runner *runner, unsigned lane, const char *format, ...)
    __attribute__((format(printf, 3, 4)));
/* Returns where `bytes` bytes of the GPU's memory lie, or NULL. */
uint8_t *gpu_memory(struct bifrost_runner *runner, uint64_t address, uint32_t bytes, unsigned lane);

/* Addresses at which work-group memory and a work-item's private memory appear, when a program asks for them: no buffer
 * of the driver lies there. */
#define LOCAL_WINDOW   ((uint64_t)0x7e << 40)
#define PRIVATE_WINDOW ((uint64_t)0x7d << 40)

#endif
