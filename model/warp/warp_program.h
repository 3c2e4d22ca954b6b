/* Warp programs: a path as a short program of events, computed once, for warps whose work-items all run it.
 *
 * Arithmetic between two events is one number of slots; a loop without events is its slots times its trip count; loops
 * with events stay loops. Unit of slots: 1/1024 (model/isa/price.h). Ownership: warp_program_init allocates,
 * warp_program_clear frees. Errors: arithmetic that overflows, loops nested deeper than PROGRAM_MAX_DEPTH. Cost:
 * O(steps). Threads: read-only once made. */
#ifndef MODEL_WARP_PROGRAM_H
#define MODEL_WARP_PROGRAM_H

#include <stdint.h>

#include "base/error.h"
#include "model/isa/price.h"
#include "trace/trace.h"

#define PROGRAM_MAX_DEPTH 64

/* The kinds of instructions. Those that are events of a warp come first, with the numbers of enum warp_event. */
enum instr_kind { INSTR_ACCESS = 1, INSTR_USE, INSTR_BARRIER, INSTR_FINISH, INSTR_LOOP, INSTR_END };

struct instr {
  uint64_t slots;  /* slots of arithmetic before it */
  uint32_t repeat; /* LOOP, END: trip count */
  union {
    uint32_t site;  /* ACCESS: site of the path */
    uint32_t back;  /* END: instructions from the first of the body to here */
    uint32_t start; /* LOOP: iteration that comes first */
  };
  uint32_t op;      /* ACCESS, USE, BARRIER: index into trace_code.ops */
  uint16_t bytes;   /* ACCESS: bytes of one item, at least 1 */
  uint8_t kind;     /* enum instr_kind */
  uint8_t space;    /* ACCESS: enum trace_space */
  uint8_t op_class; /* ACCESS: enum trace_op_class */
  uint8_t ahead;    /* ACCESS: iterations of the innermost loop ahead; END: iterations of a pass, less one */
  uint32_t use;     /* USE: which one it is; ACCESS: which one waits for the value, or TRACE_NO_OP */
};

struct warp_program {
  struct pipe_uses *uses; /* [count]: of the slots before each instruction; NULL: the GPU has no pipes */
  struct instr *instrs;   /* NULL: no warp walks it (warp_program_forget) */
  uint32_t count;
  uint32_t depth;        /* deepest nest of all its loops, with and without events */
  uint64_t instructions; /* executed by one item, OP_MOVE not counted */
  uint64_t slots;        /* slots of one pass over the path */
};

int warp_program_init(struct warp_program *program, const struct trace_code *code, const struct price_list *prices,
                      const struct trace_path *path, struct error *error);
/* Frees the instructions and keeps the sums, for a path that only work-items of divergent warps run. */
void warp_program_forget(struct warp_program *program);
void warp_program_clear(struct warp_program *program);

#endif
