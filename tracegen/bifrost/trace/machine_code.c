#include "tracegen/bifrost/trace/machine_code.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "base/text.h"
#include "tracegen/bifrost/isa/disassemble.h"
#include "tracegen/bifrost/trace/machine_blocks.h"

struct table_builder {
  const struct bifrost_dispatch *dispatch;
  const struct bifrost_shader *shader;
  struct machine_code *out;
  struct trace_block *block;
  uint32_t *first_op;                   /* by clause */
  bool out_of_memory, has_two_barriers; /* of one clause */
};

static char no_line[] = ""; /* of a slot that is not listed */

static bool is_image(const struct shader_slot *slot) {
  return slot->action == ACTION_TEXTURE || slot->action == ACTION_IMAGE_LOAD || slot->action == ACTION_IMAGE_STORE;
}

static bool is_access(const struct shader_slot *slot) {
  return slot->action == ACTION_LOAD || slot->action == ACTION_STORE || slot->action == ACTION_ATOMIC || is_image(slot);
}

/* The number behind ".i" of the name, in bits. */
uint16_t machine_access_bytes(const struct operation *operation) {
  const char *bits = strstr(operation->name, ".i");
  const unsigned long width = bits ? strtoul(bits + 2, NULL, 10) : 32;
  return width >= 8 ? (uint16_t)(width / 8) : 4;
}

static enum trace_space space_of(const struct instruction *in) {
  switch (in->modifier[T_SEG]) {
  case V_WLS:
    return SPACE_LOCAL;
  case V_TL:
    return SPACE_PRIVATE;
  case V_UBO:
    return SPACE_CONSTANT;
  default:
    return SPACE_GLOBAL;
  }
}

static enum trace_type integer_type(uint16_t bytes) {
  return bytes == 1 ? TYPE_I8 : bytes == 2 ? TYPE_I16 : bytes == 8 ? TYPE_I64 : TYPE_I32;
}

/* Returns the type of one element, and sets how many a register holds. */
static enum trace_type type_of(const struct operation *operation, uint16_t *width) {
  *width = 1;
  switch (operation->type) {
  case SOURCE_F32:
    return TYPE_F32;
  case SOURCE_H2:
    *width = 2;
    return TYPE_F16;
  case SOURCE_S16X2:
  case SOURCE_U16X2:
    *width = 2;
    return TYPE_I16;
  case SOURCE_S8X4:
  case SOURCE_U8X4:
    *width = 4;
    return TYPE_I8;
  default:
    return TYPE_I32;
  }
}

static uint32_t intern_name(struct table_builder *b, const char *name) {
  struct trace_code *code = &b->out->code;
  for (uint32_t i = 0; i < code->name_count; i++)
    if (strcmp(code->names[i], name) == 0)
      return i;
  if (!array_room_for_one(&code->names, code->name_count, sizeof *code->names) ||
      !(code->names[code->name_count] = strdup(name)))
    b->out_of_memory = true;
  else
    return code->name_count++;
  return 0;
}

static uint8_t access_class(uint8_t action) {
  return action == ACTION_ATOMIC                                  ? OP_ATOMIC
         : action == ACTION_STORE || action == ACTION_IMAGE_STORE ? OP_STORE
                                                                  : OP_LOAD;
}

static struct trace_op op_of(struct table_builder *b, const struct shader_slot *slot) {
  const struct operation *operation = slot->instruction.operation;
  struct trace_op op = {
      .op_class = (uint8_t)bifrost_slot_class(b->shader, slot), .first_use = TRACE_NO_OP, .name = TRACE_NO_NAME};
  op.type = (uint8_t)type_of(operation, &op.width);
  if (is_access(slot)) {
    op.op_class = access_class(slot->action);
    op.bytes = is_image(slot) ? slot->bytes : machine_access_bytes(operation);
    op.space = is_image(slot) ? SPACE_GLOBAL : (uint8_t)space_of(&slot->instruction);
    op.type = (uint8_t)integer_type(op.bytes);
    op.width = op.type == TYPE_I32 && op.bytes > 4 ? op.bytes / 4 : 1;
  } else if (slot->action == ACTION_NOTHING ||
             op.op_class >= OP_LOAD) { /* an access that is not supported ends the run */
    op.op_class = OP_MOVE;
    op.type = TYPE_VOID;
  } else if (slot->action == ACTION_BARRIER) {
    op.op_class = OP_BARRIER;
    op.type = TYPE_VOID;
  } else if (slot->action == ACTION_BRANCH) {
    op.op_class = OP_BRANCH;
    op.type = TYPE_VOID;
  } else if (op.op_class == OP_MATH)
    op.name = intern_name(b, operation->name);
  return op;
}

static void add_op(struct table_builder *b, const struct shader_slot *slot, char *line) {
  struct trace_code *code = &b->out->code;
  if (is_access(slot)) {
    code->mem_ops[code->mem_count++] = code->op_count;
    b->block->mem_count++;
  }
  b->out->listing[code->op_count] = line;
  code->ops[code->op_count++] = op_of(b, slot);
  b->block->op_count++;
}

/* Returns the next line of the listing that is an instruction's, without blanks before it. */
static char *next_line(char **rest) {
  char *line;
  while ((line = strsep(rest, "\n"))) {
    line += strspn(line, " \t");
    if (*line == '*' || *line == '+')
      return line;
  }
  return no_line;
}

/* Lists the shader, whose clauses follow each other in memory. Returns -1 when memory ran out. */
static int list_clauses(struct table_builder *b) {
  const struct shader_clause *last = &b->shader->clauses[b->shader->clause_count - 1];
  const size_t bytes = (size_t)(last->quadword + last->quadword_count) * QUADWORD_BYTES;
  const uint8_t *code = bytes ? bifrost_memory_at(b->dispatch->memory, b->dispatch->shader, bytes) : NULL;
  size_t length;
  FILE *out = text_stream_begin(&b->out->text, &length);
  if (!out)
    return -1;
  if (code)
    program_disassemble(code, bytes, out, NULL);
  return text_stream_end(out, &b->out->text) ? 0 : -1;
}

/* A barrier, which is an ADD unit's, comes behind the clause's other operations. */
static void add_clause(struct table_builder *b, uint32_t index, char **rest) {
  const struct shader_clause *clause = &b->shader->clauses[index];
  char *barrier_line = NULL;
  const struct shader_slot *barrier = NULL;
  b->first_op[index] = b->out->code.op_count;
  for (unsigned i = 0; i < 2u * clause->tuple_count; i++) {
    const struct shader_slot *slot = &b->shader->tuples[clause->first_tuple + i / 2].slots[i % 2];
    char *line = next_line(rest);
    if (slot->action != ACTION_BARRIER) {
      add_op(b, slot, line);
      continue;
    }
    b->has_two_barriers |= barrier != NULL;
    barrier = slot;
    barrier_line = line;
  }
  if (barrier)
    add_op(b, barrier, barrier_line);
}

/* Returns the first operation that waits for the message of clause `index`. */
static uint32_t first_use(const struct table_builder *b, uint32_t index) {
  const unsigned slot = b->shader->clauses[index].header.dependency_slot;
  for (uint32_t c = index; c + 1 < b->shader->clause_count; c++)
    if (b->shader->clauses[c].header.dependency_wait >> slot & 1)
      return b->first_op[c + 1];
  return TRACE_NO_OP;
}

static void set_first_uses(const struct table_builder *b) {
  const struct trace_code *code = &b->out->code;
  for (uint32_t c = 0; c < b->shader->clause_count; c++) {
    const uint32_t end = c + 1 < b->shader->clause_count ? b->first_op[c + 1] : code->op_count;
    for (uint32_t i = b->first_op[c]; i < end; i++)
      if (code->ops[i].op_class == OP_LOAD || code->ops[i].op_class == OP_ATOMIC)
        code->ops[i].first_use = first_use(b, c);
  }
}

static int allocate(struct table_builder *b) {
  struct trace_code *code = &b->out->code;
  const size_t most = 2 * (size_t)b->shader->tuple_count;
  code->ops = calloc(most + 1, sizeof *code->ops);
  code->mem_ops = calloc(most + 1, sizeof *code->mem_ops);
  b->out->listing = calloc(most + 1, sizeof *b->out->listing);
  b->first_op = calloc(b->shader->clause_count, sizeof *b->first_op);
  return code->ops && code->mem_ops && b->out->listing && b->first_op ? 0 : -1;
}

static void add_clauses(struct table_builder *b) {
  const struct trace_code *code = &b->out->code;
  char *rest = b->out->text;
  for (uint32_t c = 0; c < b->shader->clause_count; c++) {
    if (b->out->block_of_clause[c] != TRACE_NO_BLOCK) {
      b->block = &b->out->code.blocks[b->out->block_of_clause[c]];
      b->block->first_op = code->op_count;
      b->block->first_mem = code->mem_count;
    }
    add_clause(b, c, &rest);
  }
  if (b->out->exit_block != TRACE_NO_BLOCK) {
    b->out->code.blocks[b->out->exit_block].first_op = code->op_count;
    b->out->code.blocks[b->out->exit_block].first_mem = code->mem_count;
  }
  set_first_uses(b);
}

int machine_code_create(const struct bifrost_dispatch *dispatch, const struct bifrost_shader *shader,
                        struct machine_code *out, struct error *error) {
  struct table_builder b = {.dispatch = dispatch, .shader = shader, .out = out};
  *out = (struct machine_code){0};
  if (machine_blocks_find(shader, out, error) != 0) {
    machine_code_clear(out);
    return -1;
  }
  b.out_of_memory = allocate(&b) != 0 || list_clauses(&b) != 0;
  if (!b.out_of_memory)
    add_clauses(&b);
  free(b.first_op);
  if (!b.out_of_memory && !b.has_two_barriers)
    return 0;
  machine_code_clear(out);
  return error_set(error, ERROR_WORK,
                   b.out_of_memory ? "out of memory for a code table"
                                   : "a clause has two barriers, which no trace holds");
}

void machine_code_clear(struct machine_code *code) {
  free(code->listing);
  free(code->text);
  free(code->block_of_clause);
  trace_code_clear(&code->code);
  *code = (struct machine_code){0};
}
