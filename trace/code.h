/* The static part of a trace: the code table of one kernel. It depends on no hardware and holds no cost; an ISA profile
 * (model/isa/isa.h) turns operations into issue slots when a trace is loaded.
 *
 * Shapes: the operations of all blocks stand in one array, block after block, in program order inside a block. The
 * memory operations of a block own, in their order, the consecutive address streams of each execution of it.
 * Ownership: struct trace_code owns its arrays; trace_code_clear frees them.
 * Source: the classes follow LLVM's instruction set, grouped by what GPUs price alike. */
#ifndef TRACE_CODE_H
#define TRACE_CODE_H

#include <stdint.h>

#include "base/error.h"

/* A row of the operation classes is X(enumerator, "name in files", "meaning"). ISA profiles use the names. */
#define TRACE_OP_CLASSES(X)                                                                                            \
  X(OP_INT_ADD, "int_add", "integer add, subtract, negate, absolute, min, max")                                        \
  X(OP_INT_MUL, "int_mul", "integer multiply, multiply-add")                                                           \
  X(OP_INT_DIV, "int_div", "integer divide, remainder")                                                                \
  X(OP_INT_LOGIC, "int_logic", "and, or, xor, not, popcount, bit reverse")                                             \
  X(OP_INT_SHIFT, "int_shift", "shifts and rotates")                                                                   \
  X(OP_INT_CMP, "int_cmp", "integer and pointer comparison")                                                           \
  X(OP_FLOAT_ADD, "float_add", "float add, subtract, negate, absolute, min, max")                                      \
  X(OP_FLOAT_MUL, "float_mul", "float multiply")                                                                       \
  X(OP_FLOAT_FMA, "float_fma", "fused multiply-add (fma, mad, contracted a*b+c)")                                      \
  X(OP_FLOAT_DIV, "float_div", "float divide, remainder")                                                              \
  X(OP_FLOAT_CMP, "float_cmp", "float comparison")                                                                     \
  X(OP_CONVERT, "convert", "conversion between types that changes bits")                                               \
  X(OP_EXTEND, "extend", "integer truncation, zero and sign extension")                                                \
  X(OP_SELECT, "select", "select between two values")                                                                  \
  X(OP_SHUFFLE, "shuffle", "vector insert, extract, shuffle")                                                          \
  X(OP_MOVE, "move", "phi and other copies that may be coalesced away")                                                \
  X(OP_ADDRESS, "address", "address arithmetic (getelementptr)")                                                       \
  X(OP_MATH, "math", "built-in function, priced by `name`")                                                            \
  X(OP_QUERY, "query", "work-item query (get_global_id ...)")                                                          \
  X(OP_BRANCH, "branch", "branch, switch, return")                                                                     \
  X(OP_BARRIER, "barrier", "work-group barrier")                                                                       \
  X(OP_LOAD, "load", "memory load")                                                                                    \
  X(OP_STORE, "store", "memory store")                                                                                 \
  X(OP_ATOMIC, "atomic", "atomic read-modify-write")

enum trace_op_class {
#define X(id, name, meaning) id,
  TRACE_OP_CLASSES(X)
#undef X
      OP_CLASS_COUNT
};

enum trace_type {
  TYPE_VOID,
  TYPE_I1,
  TYPE_I8,
  TYPE_I16,
  TYPE_I32,
  TYPE_I64,
  TYPE_F16,
  TYPE_F32,
  TYPE_F64,
  TYPE_PTR,
  TYPE_COUNT
};

enum trace_space { SPACE_GLOBAL, SPACE_CONSTANT, SPACE_LOCAL, SPACE_PRIVATE, SPACE_COUNT };

const char *trace_op_class_name(enum trace_op_class c);
const char *trace_type_name(enum trace_type t); /* "i32", "f32" and so on */
const char *trace_space_name(enum trace_space s);

#define TRACE_NO_OP    UINT32_MAX /* first_use: the value is never used */
#define TRACE_NO_BLOCK UINT32_MAX /* ipdom of an exit block */
#define TRACE_NO_NAME  UINT32_MAX

/* Name of the operation at the end of whose block a sub-group waits. */
#define TRACE_SUB_GROUP_BARRIER "sub_group_barrier"

struct trace_op {
  uint8_t op_class; /* enum trace_op_class */
  /* enum trace_type of one element: of the result; of the stored value for OP_STORE; of comparisons, the operands */
  uint8_t type;
  uint8_t space; /* enum trace_space, memory operations only */
  uint8_t reserved;
  uint16_t width;     /* vector elements, 1 for a scalar */
  uint16_t bytes;     /* memory operations: bytes that one work-item accesses (element size x width) */
  uint32_t first_use; /* loads and atomics: index (in trace_code.ops) of the first operation that uses the value:
                    in the same block if there is one after it, else the first in block order; TRACE_NO_OP if none */
  uint32_t name;      /* OP_MATH, OP_QUERY, accesses to texels (the image function's): index into trace_code.names;
                    TRACE_NO_NAME otherwise */
  uint32_t line;      /* source line, 0 unknown */
};

struct trace_block {
  uint32_t first_op, op_count;
  uint32_t first_mem, mem_count; /* indices into trace_code.mem_ops */
  uint32_t first_successor, successor_count;
  uint32_t ipdom; /* immediate post-dominator block, TRACE_NO_BLOCK for an exit */
  uint32_t code_address,
      code_bytes; /* position in the kernel's code, in program order, for min-PC scheduling and the instruction cache */
  uint32_t line;
  uint8_t has_barrier; /* its barrier is then the block's last operation before the branch */
};

/* The code table of a kernel. Block 0 is the entry. A block without a successor ends the work-item. A block has at most
 * one barrier, which only the block's branch may follow; the front end splits blocks behind barriers. */
struct trace_code {
  struct trace_op *ops;
  uint32_t op_count;
  struct trace_block *blocks;
  uint32_t block_count; /* at most 65,535: block ids are 16 bits while recording */
  uint32_t *mem_ops;    /* op indices of loads, stores, atomics, in block order */
  uint32_t mem_count;
  uint32_t *successors;
  uint32_t successor_count;
  char **names;
  uint32_t name_count;
  /* The operations whose values each operation uses: those of operation i are operands[operand_end[i - 1]] up to
   * operands[operand_end[i]], where the first begin at 0. One that stands at or behind its user in the user's block is
   * the value of the iteration before. NULL: not known. */
  uint32_t *operand_end; /* [op_count] */
  uint32_t *operands;
};

void trace_code_clear(struct trace_code *code);
/* Checks every index and the rules above. Every code table that is read from a file is checked. */
int trace_code_check(const struct trace_code *code, struct error *error);

#endif
