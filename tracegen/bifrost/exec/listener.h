/* The events of a run of Bifrost code: clauses, accesses, branches, barriers. The trace writer
 * and the statistics receive them.
 *
 * Shapes:  lanes are bits of a mask; lane i of a warp runs the work-item of linear local id first_item + i.
 * Units:   addresses are the GPU's for global memory, and byte offsets for local and private memory.
 * Threads: the functions of a listener are called by the thread that runs the work-group. */
#ifndef TRACEGEN_BIFROST_LISTENER_H
#define TRACEGEN_BIFROST_LISTENER_H

#include "tracegen/bifrost/exec/shader.h"

/* The position of a warp in the code. */
struct bifrost_position {
  const struct bifrost_shader *shader;
  uint64_t group;      /* linear id of the work-group */
  uint32_t warp;       /* number of the warp in it */
  uint32_t first_item; /* linear local id of lane 0 */
  uint32_t clause;     /* index into shader->clauses */
  uint8_t lanes;       /* that run the clause */
};

struct bifrost_access {
  uint8_t op_class; /* OP_LOAD, OP_STORE or OP_ATOMIC */
  uint8_t space;    /* enum trace_space; SPACE_CONSTANT for uniform buffers */
  uint16_t bytes;   /* of each lane */
  uint8_t tuple;    /* of the clause */
  uint64_t address[WARP_LANES];
};

/* All functions may be NULL. */
struct bifrost_listener {
  void *context;
  void (*group_begins)(void *context, uint64_t group);
  void (*clause)(void *context, const struct bifrost_position *at); /* before it runs */
  void (*access)(void *context, const struct bifrost_position *at, const struct bifrost_access *access);
  /* The lanes in `taken`, a part of the lanes of the clause, branch. */
  void (*branch)(void *context, const struct bifrost_position *at, uint8_t taken);
  void (*barrier)(void *context, const struct bifrost_position *at);
  void (*group_ends)(void *context, uint64_t group);
};

#endif
