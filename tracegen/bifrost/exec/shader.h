/* A program of Bifrost machine code, decoded once for a dispatch: what each slot of each tuple computes, from where to
 * where.
 *
 * Shapes:    clauses stand in the order of their addresses; clause 0 is the entry. A tuple has a slot for each unit.
 *            Operands are arrays of a value for each lane: registers and temporaries of the warp, or the shader's pool
 *            of values that all warps share (uniforms, constants).
 * Ownership: bifrost_shader_create allocates, bifrost_shader_destroy frees. The dispatch is not kept.
 * Errors:    code outside of memory, or that is no code, is ERROR_WORK with its address. An operation that cannot be
 *            run is an error when it is run.
 * Threads:   a shader is constant after its creation. */
#ifndef TRACEGEN_BIFROST_SHADER_H
#define TRACEGEN_BIFROST_SHADER_H

#include "base/error.h"
#include "tracegen/bifrost/bifrost_dispatch.h"
#include "tracegen/bifrost/isa/operations.h"
#include "tracegen/bifrost/isa/register_block.h"

/* The storage of a warp's values: its registers, then the results of both units in even and odd tuples. */
enum warp_value {
  VALUE_REGISTERS = 0,
  VALUE_TEMPORARIES = 64, /* + 2 * (tuple % 2) + enum bifrost_unit */
  VALUE_WARP_ID = 68,
  VALUE_COUNT
};

/* An operand: a value, of which parts may be taken, and whose bits are then kept by a mask and flipped by another. */
struct shader_operand {
  bool in_pool;  /* else it is a value of the warp */
  bool is_plain; /* the value as it is */
  bool is_part;  /* `shift`, `keep` and `flip` alone give the part */
  bool selects;  /* bytes are chosen by `select` */
  bool widens;   /* it is a half in the low bits, wanted as a float */
  bool is_code;  /* it is an address of code: that of its clause and a distance */
  bool flushes;  /* subnormal numbers are zero */
  uint8_t type;  /* enum source_type */
  uint8_t shift;
  uint8_t select[4]; /* for each byte: the number of a byte, or SELECT_ZERO, or SELECT_SIGN + number */
  uint16_t index;
  uint32_t keep, flip;
};

#define SELECT_ZERO 4
#define SELECT_SIGN 8

/* The operation of a slot. */
enum slot_action {
  ACTION_NOTHING,
  ACTION_ALU,
  ACTION_BRANCH,
  ACTION_LOAD,
  ACTION_STORE,
  ACTION_ATOMIC,
  ACTION_BARRIER,
  ACTION_IMAGE_ADDRESS,
  ACTION_IMAGE_LOAD,
  ACTION_IMAGE_STORE,
  ACTION_TEXTURE,
  ACTION_UNSUPPORTED
};

struct shader_slot {
  uint8_t action; /* enum slot_action */
  uint8_t operand_count;
  uint8_t bytes; /* of memory that a message reads or writes, for each lane; of an image those of a texel */
  struct register_write write;
  alu_function *compute; /* of ACTION_ALU; of ACTION_BRANCH the comparison */
  struct shader_operand operands[OPERATION_MAX_SOURCES];
  struct instruction instruction;
};

struct shader_tuple {
  struct shader_slot slots[2]; /* by enum bifrost_unit */
};

#define NO_CLAUSE  UINT32_MAX
#define END_CLAUSE (UINT32_MAX - 1) /* a branch that ends its work-items */

struct shader_clause {
  struct clause_header header;
  uint32_t first_tuple;
  uint8_t tuple_count;
  bool flushes;
  uint32_t quadword;       /* from the program's start, as listings count */
  uint32_t quadword_count; /* that it takes in memory */
  uint32_t target;         /* clause that its branch goes to, END_CLAUSE or NO_CLAUSE */
};

struct bifrost_shader {
  struct shader_clause *clauses;
  uint32_t clause_count;
  struct shader_tuple *tuples;
  uint32_t tuple_count;
  struct lanes *pool;
  uint32_t pool_count;
  uint8_t registers_used; /* highest number of a register that is read or written, plus 1 */
};

int bifrost_shader_create(const struct bifrost_dispatch *dispatch, struct bifrost_shader **out, struct error *error);
void bifrost_shader_destroy(struct bifrost_shader *shader);
/* Returns the class that an instruction has in a trace: that of its operation, but for shifts by zero, which are logic
 * operations. */
enum trace_op_class bifrost_slot_class(const struct bifrost_shader *shader, const struct shader_slot *slot);

#endif
