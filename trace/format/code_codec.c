#include "trace/format/code_codec.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "trace/format/limits.h"

/* The numbers that a file gives to a list of names: here[number in the file] is the number in this program. */
struct numbering {
  uint32_t count;
  uint8_t here[256];
};

static const char *class_name(unsigned i) {
  return trace_op_class_name((enum trace_op_class)i);
}

static const char *type_name(unsigned i) {
  return trace_type_name((enum trace_type)i);
}

static const char *space_name(unsigned i) {
  return trace_space_name((enum trace_space)i);
}

static const struct name_list {
  const char *what;
  const char *(*name)(unsigned);
  unsigned count;
} lists[3] = {
    {"operation class", class_name, OP_CLASS_COUNT},
    {"type", type_name, TYPE_COUNT},
    {"address space", space_name, SPACE_COUNT},
};

static void encode_lists(struct bytes *out) {
  for (int l = 0; l < 3; l++) {
    bytes_varint(out, lists[l].count);
    for (unsigned i = 0; i < lists[l].count; i++)
      bytes_text(out, lists[l].name(i));
  }
}

/* Writes an index plus one; UINT32_MAX, which means none, becomes 0. */
static void encode_optional(struct bytes *out, uint32_t index) {
  bytes_varint(out, (uint32_t)(index + 1));
}

static void encode_op(const struct trace_op *op, struct bytes *out) {
  const uint32_t plain[] = {op->op_class, op->type, op->space, op->width, op->bytes};
  for (size_t i = 0; i < sizeof plain / sizeof plain[0]; i++)
    bytes_varint(out, plain[i]);
  encode_optional(out, op->first_use);
  encode_optional(out, op->name);
  bytes_varint(out, op->line);
}

static void encode_block(const struct trace_code *code, const struct trace_block *b, struct bytes *out) {
  bytes_varint(out, b->op_count);
  bytes_varint(out, b->successor_count);
  for (uint32_t i = 0; i < b->successor_count; i++)
    bytes_varint(out, code->successors[b->first_successor + i]);
  encode_optional(out, b->ipdom);
  bytes_varint(out, b->code_address);
  bytes_varint(out, b->code_bytes);
  bytes_varint(out, b->line);
  bytes_varint(out, b->has_barrier);
  for (uint32_t i = 0; i < b->op_count; i++)
    encode_op(&code->ops[b->first_op + i], out);
}

/* Writes operands as distances from their users, which are small. */
static void encode_operands(const struct trace_code *code, struct bytes *out) {
  for (uint32_t i = 0, next = 0; i < code->op_count; i++) {
    bytes_varint(out, code->operand_end[i] - next);
    for (; next < code->operand_end[i]; next++)
      bytes_varint(out, zigzag((int64_t)i - code->operands[next]));
  }
}

void code_encode(const struct trace_code *code, struct bytes *out) {
  encode_lists(out);
  bytes_varint(out, code->name_count);
  for (uint32_t i = 0; i < code->name_count; i++)
    bytes_text(out, code->names[i]);
  bytes_varint(out, code->block_count);
  for (uint32_t i = 0; i < code->block_count; i++)
    encode_block(code, &code->blocks[i], out);
  if (code->operand_end)
    encode_operands(code, out);
}

/* code_decode clears errno, which an array without memory sets. */
static int malformed(struct error *error) {
  if (errno == ENOMEM)
    return error_set(error, ERROR_WORK, "out of memory for a code table");
  return error_set(error, ERROR_INPUT, "damaged trace: the code table ends early or has a number out of range");
}

static int decode_list(struct byte_reader *r, const struct name_list *list, struct numbering *numbers,
                       struct error *error) {
  numbers->count = (uint32_t)take_at_most(r, 256);
  for (uint32_t i = 0; i < numbers->count; i++) {
    char *name = take_text(r, LIMIT_NAME_BYTES);
    if (!name)
      return malformed(error);
    unsigned here = 0;
    while (here < list->count && strcmp(list->name(here), name) != 0)
      here++;
    if (here == list->count) {
      error_set(error, ERROR_INPUT, "code table: unknown %s \"%s\": the trace was written by a newer version",
                list->what, name);
      free(name);
      return -1;
    }
    free(name);
    numbers->here[i] = (uint8_t)here;
  }
  return 0;
}

static int decode_names(struct byte_reader *r, struct trace_code *code, struct error *error) {
  const uint32_t count = (uint32_t)take_at_most(r, LIMIT_NAMES);
  if (count > reader_left(r))
    return malformed(error);
  code->names = calloc(count + 1, sizeof *code->names);
  if (!code->names)
    return error_set(error, ERROR_WORK, "out of memory for a code table");
  while (code->name_count < count) {
    char *name = take_text(r, LIMIT_NAME_BYTES);
    if (!name)
      return malformed(error);
    code->names[code->name_count++] = name;
  }
  return 0;
}

static bool decode_numbered(struct byte_reader *r, const struct numbering *numbers, uint8_t *out) {
  const uint64_t number = take_varint(r);
  if (r->bad || number >= numbers->count)
    return false;
  *out = numbers->here[number];
  return true;
}

static uint32_t take_u32(struct byte_reader *r) {
  return (uint32_t)take_at_most(r, UINT32_MAX);
}

static uint32_t take_optional(struct byte_reader *r) {
  return take_u32(r) - 1;
}

static bool decode_op(struct byte_reader *r, const struct numbering numbers[3], struct trace_code *code) {
  struct trace_op op = {0};
  if (!decode_numbered(r, &numbers[0], &op.op_class) || !decode_numbered(r, &numbers[1], &op.type) ||
      !decode_numbered(r, &numbers[2], &op.space))
    return false;
  op.width = (uint16_t)take_at_most(r, UINT16_MAX);
  op.bytes = (uint16_t)take_at_most(r, UINT16_MAX);
  op.first_use = take_optional(r);
  op.name = take_optional(r);
  op.line = take_u32(r);
  if (r->bad || code->op_count == LIMIT_OPS || !array_room_for_one(&code->ops, code->op_count, sizeof op))
    return false;
  if (op.op_class == OP_LOAD || op.op_class == OP_STORE || op.op_class == OP_ATOMIC) {
    if (!array_room_for_one(&code->mem_ops, code->mem_count, sizeof *code->mem_ops))
      return false;
    code->mem_ops[code->mem_count++] = code->op_count;
  }
  code->ops[code->op_count++] = op;
  return true;
}

static bool decode_block(struct byte_reader *r, const struct numbering numbers[3], struct trace_code *code) {
  struct trace_block b = {
      .first_op = code->op_count, .first_mem = code->mem_count, .first_successor = code->successor_count};
  b.op_count = (uint32_t)take_at_most(r, LIMIT_OPS);
  b.successor_count = (uint32_t)take_at_most(r, LIMIT_SUCCESSORS - code->successor_count);
  for (uint32_t i = 0; i < b.successor_count && !r->bad; i++) {
    if (!array_room_for_one(&code->successors, code->successor_count, sizeof *code->successors))
      return false;
    code->successors[code->successor_count++] = take_u32(r);
  }
  b.ipdom = take_optional(r);
  b.code_address = take_u32(r);
  b.code_bytes = take_u32(r);
  b.line = take_u32(r);
  b.has_barrier = (uint8_t)take_at_most(r, 1);
  for (uint32_t i = 0; i < b.op_count && !r->bad; i++)
    if (!decode_op(r, numbers, code))
      return false;
  b.mem_count = code->mem_count - b.first_mem;
  if (r->bad || !array_room_for_one(&code->blocks, code->block_count, sizeof b))
    return false;
  code->blocks[code->block_count++] = b;
  return true;
}

static bool decode_operands(struct byte_reader *r, struct trace_code *code) {
  uint32_t count = 0;
  code->operand_end = calloc(code->op_count, sizeof *code->operand_end);
  for (uint32_t i = 0; code->operand_end && i < code->op_count; i++) {
    for (uint64_t more = take_at_most(r, LIMIT_OPERANDS); more > 0 && !r->bad; more--) {
      const int64_t operand = (int64_t)i - take_zigzag(r);
      if (operand < 0 || operand >= code->op_count || !array_room_for_one(&code->operands, count, sizeof(uint32_t)))
        return false;
      code->operands[count++] = (uint32_t)operand;
    }
    code->operand_end[i] = count;
  }
  return code->operand_end && !r->bad;
}

static int decode(struct byte_reader *r, struct trace_code *code, struct error *error) {
  struct numbering numbers[3];
  for (int l = 0; l < 3; l++)
    if (decode_list(r, &lists[l], &numbers[l], error) != 0)
      return -1;
  if (decode_names(r, code, error) != 0)
    return -1;
  const uint32_t blocks = (uint32_t)take_at_most(r, LIMIT_BLOCKS);
  for (uint32_t i = 0; i < blocks; i++)
    if (!decode_block(r, numbers, code))
      return malformed(error);
  if (!r->bad && reader_left(r) > 0 && code->op_count > 0 && !decode_operands(r, code))
    return malformed(error);
  if (r->bad || reader_left(r) != 0)
    return malformed(error);
  return trace_code_check(code, error);
}

int code_decode(const unsigned char *data, size_t length, struct trace_code *code, struct error *error) {
  struct byte_reader r = {.at = data, .end = data + length};
  *code = (struct trace_code){0};
  errno = 0;
  if (decode(&r, code, error) == 0)
    return 0;
  trace_code_clear(code);
  return -1;
}

int code_copy(struct trace_code *to, const struct trace_code *from, struct bytes *encoded, struct error *error) {
  const size_t before = encoded->length;
  code_encode(from, encoded);
  return encoded->failed ? error_set(error, ERROR_WORK, "out of memory for a code table")
                         : code_decode(encoded->data + before, encoded->length - before, to, error);
}
