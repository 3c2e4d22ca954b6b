/* The code table (trace/code.h) of the optimised IR: one operation for each instruction that a GPU would execute. */
#include "tracegen/lower/describe/describe.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "tracegen/lower/builtins/collective_calls.h"
#include "tracegen/lower/builtins/image_calls.h"
#include "tracegen/lower/describe/alignment.h"
#include "tracegen/lower/describe/atomic_roles.h"
#include "tracegen/lower/describe/classify.h"
#include "tracegen/lower/describe/first_uses.h"
#include "tracegen/lower/describe/listing.h"
#include "tracegen/lower/describe/operand_roles.h"
#include "tracegen/lower/describe/operands.h"
#include "tracegen/lower/describe/pointer_root.h"
#include "tracegen/abi/post_dominators.h"
#include "tracegen/lower/ir/builtin_names.h"
#include "tracegen/lower/ir/markers.h"
#include "tracegen/lower/ir/source_line.h"

#define MAX_BLOCKS 65535
#define MAX_OPS    (1u << 24)
#define MAX_ACCESS 1024 /* bytes: eight times the widest vector of OpenCL */
#define OP_BYTES   8    /* size of one operation in memory: assumed, half of a Bifrost bundle of 128 bits */

struct table {
  struct lowering *l;
  struct trace_code *code;
  struct value_map block_ids, op_of; /* instruction -> operation */
  LLVMValueRef *instructions;        /* by operation */
};

static int add_op(struct table *t, LLVMValueRef instruction, struct trace_op op) {
  struct trace_code *code = t->code;
  if (code->op_count >= MAX_OPS)
    return lower_error(t->l, instruction, "more than %u operations", MAX_OPS);
  if (!array_room_for_one(&t->instructions, code->op_count, sizeof *t->instructions) ||
      !array_room_for_one(&code->ops, code->op_count, sizeof *code->ops))
    return lower_no_memory(t->l);
  op.line = source_line_or_use(t->l, instruction);
  op.first_use = TRACE_NO_OP;
  t->instructions[code->op_count] = instruction;
  code->ops[code->op_count++] = op;
  return 0;
}

static int add_name(struct table *t, const char *name, uint32_t *index) {
  struct trace_code *code = t->code;
  for (*index = 0; *index < code->name_count; (*index)++)
    if (strcmp(code->names[*index], name) == 0)
      return 0;
  if (!array_room_for_one(&code->names, code->name_count, sizeof *code->names))
    return lower_no_memory(t->l);
  code->names[code->name_count] = strdup(name);
  return code->names[code->name_count++] ? 0 : lower_no_memory(t->l);
}

/* Adds an access of `type` to memory of `root`; `op` has class and name. */
static int add_rooted_access(struct table *t, LLVMValueRef instruction, LLVMTypeRef type, struct pointer_root root,
                             struct trace_op op) {
  struct lowering *l = t->l;
  struct trace_code *code = t->code;
  uint32_t elements;
  if (ir_trace_type(type, &op.type, &elements))
    return lower_error(l, instruction, "a load or store of a type that is not supported");
  const uint64_t bytes = LLVMStoreSizeOfType(l->layout, type);
  if (bytes > MAX_ACCESS)
    return lower_error(l, instruction, "a load or store of %llu bytes at once; at most %d are supported",
                       (unsigned long long)bytes, MAX_ACCESS);
  assert(bytes > 0 && elements > 0);
  op.space = root.space;
  op.width = (uint16_t)elements;
  op.bytes = (uint16_t)bytes;
  if (!array_room_for_one(&code->mem_ops, code->mem_count, sizeof *code->mem_ops) ||
      !array_room_for_one(&l->access_instructions, code->mem_count, sizeof *l->access_instructions) ||
      !array_room_for_one(&l->program->accesses, code->mem_count, sizeof *l->program->accesses))
    return lower_no_memory(t->l);
  l->program->accesses[code->mem_count] =
      (struct kernel_access){.op = code->op_count, .bytes = (uint32_t)bytes, .root = root, .alignment = 1};
  l->access_instructions[code->mem_count] = instruction;
  code->mem_ops[code->mem_count++] = code->op_count;
  return add_op(t, instruction, op);
}

/* Adds an access of `type` through `pointer`. */
static int add_access(struct table *t, LLVMValueRef instruction, LLVMValueRef pointer, LLVMTypeRef type,
                      enum trace_op_class op_class) {
  struct pointer_root root;
  struct trace_op op = {.op_class = (uint8_t)op_class, .name = TRACE_NO_NAME};
  const char *name = op_class == OP_ATOMIC ? atomic_role(instruction, &t->block_ids) : NULL;
  if (pointer_root_find(t->l, pointer, instruction, &root) || (name && add_name(t, name, &op.name)) ||
      add_rooted_access(t, instruction, type, root, op))
    return -1;
  t->l->program->accesses[t->code->mem_count - 1].alignment = alignment_to_check(t->l, instruction, pointer, type);
  return 0;
}

/* Adds an operation without memory. Its type is that of the result; of a comparison, that of the operands. */
static int add_plain(struct table *t, LLVMValueRef instruction, enum trace_op_class op_class, const char *name) {
  struct trace_op op = {.op_class = (uint8_t)op_class, .width = 1, .name = TRACE_NO_NAME};
  uint32_t elements = 1, index;
  LLVMTypeRef type = LLVMTypeOf(instruction);
  if (op_class == OP_INT_CMP || op_class == OP_FLOAT_CMP)
    type = LLVMTypeOf(LLVMGetOperand(instruction, 0));
  if (op_class == OP_BRANCH || op_class == OP_BARRIER)
    type = LLVMVoidTypeInContext(t->l->context);
  if (ir_trace_type(type, &op.type, &elements)) {
    if (op_class != OP_MOVE && op_class != OP_INT_ADD && op_class != OP_INT_MUL)
      return lower_error(t->l, instruction, "a value of a type that is not supported");
    op.type = TYPE_I32; /* a structure: the parts of an operation with overflow, or a move */
  }
  if (name && add_name(t, name, &index))
    return -1;
  op.width = (uint16_t)elements;
  if (name)
    op.name = index;
  if (op_class == OP_ADDRESS)
    op.space = (uint8_t)address_space_of(instruction);
  return add_op(t, instruction, op);
}

/* Functions such as dot and length take vectors and return a number: the wider of operand and result counts. */
static void widen_to_operand(struct table *t, LLVMValueRef call) {
  struct trace_op *op = &t->code->ops[t->code->op_count - 1];
  uint32_t elements;
  if (LLVMGetNumArgOperands(call) > 0) {
    ir_element(LLVMTypeOf(LLVMGetOperand(call, 0)), &elements);
    if (elements > op->width)
      op->width = (uint16_t)elements;
  }
}

/* Calls. */

static int add_builtin(struct table *t, LLVMValueRef call, LLVMValueRef callee) {
  char name[64];
  builtin_name(callee, name, sizeof name);
  const enum trace_op_class op_class = builtin_class(name, LLVMTypeOf(call));
  if (add_plain(t, call, op_class, op_class == OP_MATH ? name : NULL))
    return -1;
  if (op_class == OP_MATH)
    widen_to_operand(t, call);
  if (!builtin_stores_result(name))
    return 0;
  LLVMTypeRef type = builtin_second_result(t->l, name, LLVMTypeOf(call));
  return add_access(t, call, LLVMGetOperand(call, LLVMGetNumArgOperands(call) - 1), type, OP_STORE);
}

/* Adds one operation and, where the whole work-group meets, a barrier. */
static int add_collective(struct table *t, LLVMValueRef call, LLVMValueRef callee) {
  char name[64];
  builtin_name(callee, name, sizeof name);
  if (!collective_call_fits(t->l, call))
    return lower_error(t->l, call, "%s with these arguments is not supported", name);
  if (!value_map_put(&t->l->collectives, call, t->code->op_count))
    return lower_no_memory(t->l);
  if (add_plain(t, call, OP_MATH, name))
    return -1;
  return builtin_is_group_collective(callee) ? add_plain(t, call, OP_BARRIER, NULL) : 0;
}

/* Returns the name of an image function's operation. Reads of three-dimensional images have one of their own, because
 * texture units take longer for them. */
static const char *image_operation(const struct kernel_program *program, const struct kernel_image_call *c) {
  return !c->writes && program->parameters[c->image].image_kind == IMAGE_3D ? "read_image3d" : c->name;
}

/* Adds one operation, then the texels that it touches, under its name. */
static int add_image_call(struct table *t, LLVMValueRef call, const struct kernel_image_call *c) {
  struct lowering *l = t->l;
  const struct pointer_root root = {.kind = ROOT_ARGUMENT, .space = SPACE_GLOBAL, .index = c->image};
  const uint32_t first = t->code->mem_count;
  if (add_plain(t, call, OP_MATH, image_operation(l->program, c)) || !value_map_put(&l->image_accesses, call, first))
    return -1;
  const struct trace_op op = {.op_class = c->writes ? OP_STORE : OP_LOAD,
                              .name = t->code->ops[t->code->op_count - 1].name};
  for (unsigned i = 0; i < image_call_texels(l->program, c); i++) {
    if (add_rooted_access(t, call, image_call_texel_type(l, c), root, op))
      return -1;
    l->access_instructions[first + i] = NULL;
  }
  return 0;
}

#define CLANGS_OWN "%s is not supported: a function of clang's own (__builtin_...) asks for it, and no OpenCL C does"
static int add_intrinsic(struct table *t, LLVMValueRef call, LLVMValueRef callee) {
  enum trace_op_class op_class;
  const char *name;
  if (intrinsic_class(ir_name(callee), &op_class, &name))
    return lower_error(t->l, call, CLANGS_OWN, ir_name(callee));
  return op_class == OP_CLASS_COUNT ? 0 : add_plain(t, call, op_class, op_class == OP_MATH ? name : NULL);
}

static int add_marker(struct table *t, LLVMValueRef call, LLVMValueRef callee) {
  switch (marker_of(callee)) {
  case MARKER_ARGUMENT_PART:
    return add_plain(t, call, OP_MOVE, NULL);
  case MARKER_IMAGE:
    return add_image_call(t, call, image_call_of(t->l->program, callee));
  default:
    return 0;
  }
}

/* Returns whether a function belongs to queues of a device (OpenCL C 2.0, section 6.13.17). */
static bool enqueues(const char *name) {
  static const char *const starts[] = {"__enqueue_",        "enqueue_marker",    "get_default_queue", "__get_kernel_",
                                       "create_user_event", "set_user_event_st", "ndrange_"};
  for (size_t i = 0; i < sizeof starts / sizeof *starts; i++)
    if (strncmp(name, starts[i], strlen(starts[i])) == 0)
      return true;
  return false;
}

#define LOWER_ENQUEUED                                                                                                 \
  "%s is not supported: kernels that enqueue kernels on the device (OpenCL 2.0) cannot be emulated; let the host "     \
  "enqueue them"
static int add_named_call(struct table *t, LLVMValueRef call, LLVMValueRef callee) {
  char name[64];
  builtin_name(callee, name, sizeof name);
  if (builtin_is_barrier(callee))
    return add_plain(t, call, OP_BARRIER, NULL);
  if (builtin_query(callee) >= 0)
    return add_plain(t, call, OP_QUERY, name);
  if (builtin_is_printf(callee))
    return add_plain(t, call, OP_MATH, name);
  if (builtin_is_collective(callee, NULL))
    return add_collective(t, call, callee);
  if (builtin_is_fence(callee))
    return 0;
  if (LLVMIsDeclaration(callee))
    return lower_error(t->l, call, enqueues(name) ? LOWER_ENQUEUED : LOWER_UNKNOWN_FUNCTION, name);
  if (ir_is_from_source(callee))
    return lower_error(t->l, call, "the call of %s cannot be inlined", ir_name(callee));
  return add_builtin(t, call, callee);
}

static int add_call(struct table *t, LLVMValueRef call) {
  LLVMValueRef callee = ir_callee(call);
  if (!callee)
    return lower_error(t->l, call,
                       LLVMIsAInlineAsm(LLVMGetCalledValue(call))
                           ? "assembly (asm) is not supported: it is one processor's, and no OpenCL C"
                           : "a call through a pointer is not supported");
  if (LLVMGetIntrinsicID(callee))
    return add_intrinsic(t, call, callee);
  return marker_of(callee) != MARKER_NONE ? add_marker(t, call, callee) : add_named_call(t, call, callee);
}

static int add_instruction(struct table *t, LLVMValueRef i) {
  const LLVMOpcode opcode = LLVMGetInstructionOpcode(i);
  enum trace_op_class op_class;
  if (opcode == LLVMCall)
    return add_call(t, i);
  if (opcode_class(opcode, &op_class)) {
    char *text = LLVMPrintValueToString(i);
    lower_error(t->l, i, "LLVM's operation \"%.200s\" is not supported: no OpenCL C asks for it", text);
    LLVMDisposeMessage(text);
    return -1;
  }
  switch ((int)op_class) {
  case OP_CLASS_COUNT:
    return 0;
  case OP_LOAD:
    return add_access(t, i, LLVMGetOperand(i, 0), LLVMTypeOf(i), OP_LOAD);
  case OP_STORE:
    return add_access(t, i, LLVMGetOperand(i, 1), LLVMTypeOf(LLVMGetOperand(i, 0)), OP_STORE);
  case OP_ATOMIC:
    return add_access(t, i, LLVMGetOperand(i, 0), LLVMTypeOf(LLVMGetOperand(i, 1)), OP_ATOMIC);
  default:
    return add_plain(t, i, op_class, operand_role(i, op_class));
  }
}

/* Blocks. */

static int number_blocks(struct table *t) {
  struct trace_code *code = t->code;
  const unsigned count = LLVMCountBasicBlocks(t->l->kernel);
  if (count > MAX_BLOCKS)
    return lower_error(t->l, NULL, "%u basic blocks; at most %u are supported", count, MAX_BLOCKS);
  t->l->blocks = calloc(count, sizeof *t->l->blocks);
  code->blocks = calloc(count, sizeof *code->blocks);
  if (!t->l->blocks || !code->blocks)
    return lower_no_memory(t->l);
  LLVMGetBasicBlocks(t->l->kernel, t->l->blocks);
  for (; code->block_count < count; code->block_count++)
    if (!value_map_put(&t->block_ids, t->l->blocks[code->block_count], code->block_count))
      return lower_no_memory(t->l);
  listing_name_blocks(t->l, count);
  return 0;
}

static int add_block(struct table *t, uint32_t id) {
  struct trace_code *code = t->code;
  struct trace_block *block = &code->blocks[id];
  block->first_op = code->op_count;
  block->first_mem = code->mem_count;
  block->code_address = id ? code->blocks[id - 1].code_address + code->blocks[id - 1].code_bytes : 0;
  for (LLVMValueRef i = LLVMGetFirstInstruction(t->l->blocks[id]); i; i = LLVMGetNextInstruction(i)) {
    const uint32_t op = code->op_count;
    if (add_instruction(t, i))
      return -1;
    if (code->op_count > op && !value_map_put(&t->op_of, i, op))
      return lower_no_memory(t->l);
  }
  block->op_count = code->op_count - block->first_op;
  block->mem_count = code->mem_count - block->first_mem;
  for (uint32_t i = 0; i < block->op_count; i++) {
    const struct trace_op *op = &code->ops[block->first_op + i];
    block->has_barrier |= op->op_class == OP_BARRIER;
    block->code_bytes += op->op_class == OP_MOVE ? 0 : OP_BYTES;
    if (!block->line)
      block->line = op->line;
  }
  t->l->program->has_barrier |= block->has_barrier;
  t->l->program->counted_ops[id] = block->code_bytes / OP_BYTES;
  return 0;
}

static int add_successors(struct table *t, uint32_t id) {
  struct trace_code *code = t->code;
  struct trace_block *block = &code->blocks[id];
  LLVMValueRef terminator = LLVMGetBasicBlockTerminator(t->l->blocks[id]);
  const unsigned count = LLVMGetNumSuccessors(terminator);
  block->first_successor = code->successor_count;
  uint32_t *larger = realloc(code->successors, (code->successor_count + count + 1) * sizeof *larger);
  if (!larger)
    return lower_no_memory(t->l);
  code->successors = larger;
  for (unsigned i = 0; i < count; i++) {
    uint32_t successor = 0;
    const bool known = value_map_get(&t->block_ids, LLVMGetSuccessor(terminator, i), &successor);
    assert(known);
    (void)known;
    bool seen = false; /* a switch may name a block several times */
    for (uint32_t k = block->first_successor; k < code->successor_count; k++)
      seen |= code->successors[k] == successor;
    if (!seen)
      code->successors[code->successor_count++] = successor;
  }
  block->successor_count = code->successor_count - block->first_successor;
  return 0;
}

static int build(struct table *t) {
  struct trace_code *code = t->code;
  if (number_blocks(t))
    return -1;
  t->l->program->counted_ops = calloc(code->block_count, sizeof *t->l->program->counted_ops);
  if (!t->l->program->counted_ops)
    return lower_no_memory(t->l);
  for (uint32_t b = 0; b < code->block_count; b++)
    if (add_block(t, b) || add_successors(t, b))
      return -1;
  if (post_dominators(code))
    return lower_no_memory(t->l);
  return first_uses_find(t->l, &t->op_of, t->instructions) || operands_find(t->l, &t->op_of, t->instructions) ? -1 : 0;
}

int code_table_build(struct lowering *l) {
  struct table t = {.l = l, .code = &l->program->code};
  const int status = build(&t) || listing_make(l, t.instructions) ? -1 : 0;
  value_map_clear(&t.block_ids);
  value_map_clear(&t.op_of);
  free(t.instructions);
  return status;
}
