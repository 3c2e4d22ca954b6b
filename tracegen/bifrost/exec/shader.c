#include "tracegen/bifrost/exec/shader.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "tracegen/bifrost/exec/image.h"
#include "tracegen/bifrost/exec/shader_builder.h"
#include "tracegen/bifrost/exec/texture_request.h"
#include "tracegen/bifrost/isa/sources.h"

static enum slot_action message_action(uint8_t message) {
  switch (message) {
  case MESSAGE_LOAD:
    return ACTION_LOAD;
  case MESSAGE_STORE:
    return ACTION_STORE;
  case MESSAGE_ATOMIC:
    return ACTION_ATOMIC;
  case MESSAGE_BARRIER:
    return ACTION_BARRIER;
  default:
    return ACTION_UNSUPPORTED;
  }
}

/* Modifiers without a documented meaning. */
static bool has_unknown_modifier(const uint8_t *modifier) {
  return modifier[T_MASK] == V_MASK || modifier[T_ROUND] == V_RTO || modifier[T_SPECIAL] == V_LEFT ||
         modifier[T_SPECIAL] == V_SCALE16 || modifier[T_DIVZERO] == V_DIVZERO || modifier[T_OFFSET] == V_OFFSET ||
         modifier[T_CMPF] == V_TOTAL || modifier[T_BYTES2] == V_BYTES2 || modifier[T_ROUND] == V_INF ||
         modifier[T_ROUND] == V_INF0 || modifier[T_SEG] == V_POS || modifier[T_SEG] == V_VARY ||
         modifier[T_LANE_OP] == V_ACCUMULATE || modifier[T_LANE_OP] == V_SHIFT;
}

static bool is_branch(const char *name) {
  return strncmp(name, "BRANCH.", 7) == 0 || strncmp(name, "BRANCHZ.", 8) == 0 || strcmp(name, "JUMP") == 0;
}

/* Returns ACTION_NOTHING for an operation that does not access images. */
static enum slot_action image_action(const char *name) {
  static const struct {
    const char *name;
    enum slot_action action;
  } actions[] = {
      {"LEA_ATTR_TEX", ACTION_IMAGE_ADDRESS}, {"LD_ATTR_TEX", ACTION_IMAGE_LOAD}, {"ST_CVT", ACTION_IMAGE_STORE},
      {"LD_CVT", ACTION_UNSUPPORTED},         {"TEXC", ACTION_TEXTURE},           {"TEXS_2D.f16", ACTION_TEXTURE},
      {"TEXS_2D.f32", ACTION_TEXTURE}};
  for (size_t i = 0; i < sizeof actions / sizeof *actions; i++)
    if (strcmp(name, actions[i].name) == 0)
      return actions[i].action;
  return ACTION_NOTHING;
}

static enum slot_action action_of(const struct instruction *in) {
  const struct operation *operation = in->operation;
  const enum slot_action image = image_action(operation->name);
  if (has_unknown_modifier(in->modifier))
    return ACTION_UNSUPPORTED;
  if (image != ACTION_NOTHING)
    return image;
  if (operation->alu == alu_nop || strncmp(operation->name, "ATOM_C", 6) == 0)
    return operation->message ? ACTION_ATOMIC : ACTION_NOTHING;
  if (operation->message)
    return message_action(operation->message);
  return operation->alu ? ACTION_ALU : is_branch(operation->name) ? ACTION_BRANCH : ACTION_UNSUPPORTED;
}

static alu_function *comparison_of(uint8_t type) {
  return type == SOURCE_F32 ? alu_fcmp_f32 : type == SOURCE_S32 ? alu_icmp_s32 : alu_icmp_u32;
}

static int build_slot(struct shader_builder *builder, struct shader_slot *slot, enum bifrost_unit unit, uint32_t bits,
                      struct error *error) {
  if (!instruction_decode(unit, bits, &slot->instruction))
    return error_set(error, ERROR_WORK,
                     "the code at GPU address 0x%" PRIx64 " holds no instruction of the %s unit (0x%x)",
                     builder->clause_address, unit == UNIT_FMA ? "FMA" : "ADD", bits);
  slot->action = action_of(&slot->instruction);
  slot->compute = slot->action == ACTION_BRANCH ? comparison_of(slot->instruction.operation->type)
                                                : slot->instruction.operation->alu;
  shader_build_operands(builder, slot);
  if (slot->write.number != NO_REGISTER && slot->write.number >= builder->shader->registers_used)
    builder->shader->registers_used = slot->write.number + 1;
  return 0;
}

/* The number behind the ".i" of an operation's name, in bytes. */
static uint8_t name_bytes(const char *name) {
  const char *dot = strstr(name, ".i");
  return dot ? (uint8_t)(strtoul(dot + 2, NULL, 10) / 8) : 0;
}

/* Returns the bytes that a message moves; 0 for an atomic operation of two halves that lacks the FMA unit's. */
static void set_bytes(struct shader_tuple *tuple) {
  struct shader_slot *message = &tuple->slots[UNIT_ADD];
  const char *name = message->instruction.operation->name, *first = tuple->slots[UNIT_FMA].instruction.operation->name;
  bool is_half = strcmp(name, "ATOM_CX") == 0;
  if (is_half && strncmp(first, "ATOM_C", 6) != 0)
    message->action = ACTION_UNSUPPORTED;
  else if (message->instruction.operation->message)
    message->bytes = name_bytes(is_half ? first : name);
}

/* The FMA unit's half of an image's address chooses the table of attributes: the first one has the images, and is the
 * default of loads. */
static bool chooses_images(const struct shader_slot *half) {
  return strcmp(half->instruction.operation->name, "DTSEL_IMM") == 0 &&
         half->instruction.modifier[T_TABLE] == V_ATTRIBUTE_1;
}

/* Returns the number of the image of the last instruction before that computes an address, where it is a constant. */
static uint32_t last_image(const struct bifrost_shader *shader) {
  for (uint32_t i = shader->tuple_count; i-- > 0;) {
    const struct shader_slot *slot = &shader->tuples[i].slots[UNIT_ADD];
    const struct shader_operand *index = &slot->operands[2];
    if (slot->action == ACTION_IMAGE_ADDRESS || slot->action == ACTION_IMAGE_LOAD)
      return index->in_pool ? shader->pool[index->index].at[0] : 0;
  }
  return 0;
}

/* Returns whether the registers of an image access have a form that is known: 32 bits a component, or 16 bits, of which
 * two share a register and an address does not say so. */
static bool has_known_form(const struct shader_slot *slot) {
  const uint8_t form = slot->instruction.modifier[T_REGISTER_FORMAT];
  const bool is_packed = form == V_F16 || form == V_S16 || form == V_U16;
  return form != V_F64 && form != V_I64 && !(is_packed && slot->action == ACTION_IMAGE_ADDRESS);
}

/* Sets how many bytes a texel of an image access has, and refuses what is not supported. */
static void build_image_access(const struct shader_builder *builder, struct shader_tuple *tuple) {
  struct shader_slot *slot = &tuple->slots[UNIT_ADD];
  struct texture_request request;
  struct image image = {.texel_bytes = 0};
  bool is_supported = true;
  if (slot->action < ACTION_IMAGE_ADDRESS || slot->action > ACTION_TEXTURE)
    return;
  if (slot->action == ACTION_TEXTURE) {
    is_supported = texture_request_of(builder->shader, slot, &request) &&
                   image_of_texture(builder->dispatch, request.has_texture ? 0 : request.texture, &image);
  } else {
    is_supported = has_known_form(slot) && image_of_attribute(builder->dispatch, last_image(builder->shader), &image) &&
                   (slot->action != ACTION_IMAGE_ADDRESS || chooses_images(&tuple->slots[UNIT_FMA]));
  }
  slot->bytes = image.texel_bytes;
  if (!is_supported)
    slot->action = ACTION_UNSUPPORTED;
}

static int build_tuple(struct shader_builder *builder, struct shader_tuple *tuple, struct error *error) {
  const struct clause *clause = builder->clause;
  unsigned i = builder->tuple;
  bool last = i + 1 == clause->tuple_count;
  struct register_block next;
  if (!register_block_decode(clause->tuples[i].registers, i == 0, &builder->registers) ||
      !register_block_decode(clause->tuples[last ? 0 : i + 1].registers, last, &next))
    return error_set(error, ERROR_WORK, "the clause at GPU address 0x%" PRIx64 " has a reserved register mode",
                     builder->clause_address);
  tuple->slots[UNIT_FMA].write = next.fma;
  tuple->slots[UNIT_ADD].write = next.add;
  if (build_slot(builder, &tuple->slots[UNIT_FMA], UNIT_FMA, clause->tuples[i].fma, error) ||
      build_slot(builder, &tuple->slots[UNIT_ADD], UNIT_ADD, clause->tuples[i].add, error))
    return -1;
  set_bytes(tuple);
  build_image_access(builder, tuple);
  if (tuple->slots[UNIT_ADD].instruction.operation->alu ==
      alu_shaddxh_i32) /* it shifts as far as the FMA unit's half */
    tuple->slots[UNIT_ADD].instruction.number[NUMBER_SHIFT] = tuple->slots[UNIT_FMA].instruction.number[NUMBER_SHIFT];
  return 0;
}

static int build_clause(struct shader_builder *builder, const struct clause *clause, uint32_t quadword,
                        struct error *error) {
  struct bifrost_shader *shader = builder->shader;
  if (shader->clause_count == builder->clause_capacity ||
      shader->tuple_count + clause->tuple_count > builder->tuple_capacity)
    return error_set(error, ERROR_WORK, "the shader is too long");
  builder->clause = clause;
  builder->clause_address = builder->dispatch->shader + (uint64_t)quadword * QUADWORD_BYTES;
  shader->clauses[shader->clause_count++] = (struct shader_clause){.header = clause->header,
                                                                   .first_tuple = shader->tuple_count,
                                                                   .tuple_count = clause->tuple_count,
                                                                   .flushes = clause->header.flush_to_zero != 0,
                                                                   .quadword = quadword,
                                                                   .quadword_count = clause->quadword_count,
                                                                   .target = NO_CLAUSE};
  if (clause->header.suppresses_inf || clause->header.suppresses_nan)
    return error_set(error, ERROR_WORK, "the clause at GPU address 0x%" PRIx64 " suppresses infinities or NaN",
                     builder->clause_address);
  for (builder->tuple = 0; builder->tuple < clause->tuple_count; builder->tuple++)
    if (build_tuple(builder, &shader->tuples[shader->tuple_count++], error))
      return -1;
  return 0;
}

static uint32_t clause_at(const struct bifrost_shader *shader, int64_t quadword) {
  for (uint32_t i = 0; i < shader->clause_count; i++)
    if (shader->clauses[i].quadword == quadword)
      return i;
  return NO_CLAUSE;
}

/* A branch goes to a constant of its clause; its target is found when all clauses are known. */
static int find_target(struct shader_builder *builder, uint32_t index, struct error *error) {
  struct shader_clause *clause = &builder->shader->clauses[index];
  const struct shader_slot *slot =
      &builder->shader->tuples[clause->first_tuple + clause->tuple_count - 1].slots[UNIT_ADD];
  const struct shader_operand *last = &slot->operands[slot->operand_count ? slot->operand_count - 1 : 0];
  uint64_t address;
  if (slot->action != ACTION_BRANCH)
    return 0;
  if (!last->in_pool)
    return error_set(error, ERROR_WORK, "clause_%u branches to an address in a register, which is not supported",
                     clause->quadword);
  if (!last->is_code &&
      !builder->shader->pool[last->index].at[0]) { /* how the compiler writes the end of the program */
    clause->target = END_CLAUSE;
    return 0;
  }
  address = (builder->dispatch->shader & ~(uint64_t)UINT32_MAX) | builder->shader->pool[last->index].at[0];
  if (address >= builder->dispatch->shader)
    clause->target = clause_at(builder->shader, (int64_t)((address - builder->dispatch->shader) / QUADWORD_BYTES));
  if (clause->target == NO_CLAUSE)
    return error_set(error, ERROR_WORK, "clause_%u branches to GPU address 0x%" PRIx64 ", where no clause begins",
                     clause->quadword, address);
  return 0;
}

static bool is_padding(const uint8_t *code, size_t size) {
  return size < QUADWORD_BYTES || !(code[0] | code[1] | code[2] | code[3]);
}

static int build(struct shader_builder *builder, const uint8_t *code, size_t size, struct error *error) {
  struct clause clause;
  size_t at = 0;
  while (!is_padding(code + at, size - at)) {
    if (clause_unpack(code + at, size - at, &clause, error) ||
        build_clause(builder, &clause, (uint32_t)(at / QUADWORD_BYTES), error))
      return -1;
    at += (size_t)clause.quadword_count * QUADWORD_BYTES;
  }
  for (uint32_t i = 0; i < builder->shader->clause_count; i++)
    if (find_target(builder, i, error))
      return -1;
  if (!builder->shader->clause_count || builder->out_of_memory)
    return error_set(error, ERROR_WORK, "the shader at GPU address 0x%" PRIx64 " %s", builder->dispatch->shader,
                     builder->out_of_memory ? "uses too many constants" : "is empty");
  return 0;
}

/* The shortest clause takes a quadword. */
static int allocate(struct shader_builder *builder, size_t quadwords, size_t tuples) {
  struct bifrost_shader *shader = builder->shader;
  builder->clause_capacity = (uint32_t)quadwords;
  builder->tuple_capacity = (uint32_t)tuples;
  builder->pool_capacity = (uint32_t)(8 * quadwords < UINT16_MAX ? 8 * quadwords : UINT16_MAX);
  shader->clauses = calloc(quadwords, sizeof *shader->clauses);
  shader->tuples = calloc(tuples + 1, sizeof *shader->tuples);
  shader->pool = aligned_alloc(_Alignof(struct lanes), builder->pool_capacity * sizeof *shader->pool);
  return shader->clauses && shader->tuples && shader->pool ? 0 : -1;
}

/* Makes room for the quadwords and tuples before the padding at the program's end, or before what is no clause. */
static int allocate_for(struct shader_builder *builder, const uint8_t *code, size_t size) {
  struct clause clause;
  size_t at = 0, tuples = 0;
  for (; !is_padding(code + at, size - at) && clause_unpack(code + at, size - at, &clause, NULL) == 0;
       tuples += clause.tuple_count)
    at += (size_t)clause.quadword_count * QUADWORD_BYTES;
  return allocate(builder, at / QUADWORD_BYTES + 1, tuples);
}

/* A kernel without operations has no code: its job names address 0. It becomes one clause of no tuple that ends. */
static int build_nothing(struct shader_builder *builder, struct error *error) {
  struct bifrost_shader *shader = builder->shader;
  if (allocate(builder, 1, 0) != 0) {
    bifrost_shader_destroy(shader);
    return error_no_memory(error);
  }
  shader->clauses[shader->clause_count++] = (struct shader_clause){.header = {.flow = FLOW_END}, .target = NO_CLAUSE};
  return 0;
}

int bifrost_shader_create(const struct bifrost_dispatch *dispatch, struct bifrost_shader **out, struct error *error) {
  const struct bifrost_region *region = bifrost_memory_region(dispatch->memory, dispatch->shader, QUADWORD_BYTES);
  struct shader_builder builder = {.dispatch = dispatch, .shader = calloc(1, sizeof **out)};
  size_t offset;
  *out = builder.shader;
  if (!builder.shader)
    return error_no_memory(error);
  if (!dispatch->shader)
    return build_nothing(&builder, error);
  if (!region) {
    bifrost_shader_destroy(builder.shader);
    return error_set(error, ERROR_WORK, "the shader's GPU address 0x%" PRIx64 " is outside of memory",
                     dispatch->shader);
  }
  offset = (size_t)(dispatch->shader - region->address);
  if (allocate_for(&builder, region->data + offset, (size_t)region->bytes - offset) ||
      build(&builder, region->data + offset, (size_t)region->bytes - offset, error)) {
    bifrost_shader_destroy(builder.shader);
    return error_no_memory(error);
  }
  return 0;
}

void bifrost_shader_destroy(struct bifrost_shader *shader) {
  if (!shader)
    return;
  free(shader->clauses);
  free(shader->tuples);
  free(shader->pool);
  free(shader);
}

enum trace_op_class bifrost_slot_class(const struct bifrost_shader *shader, const struct shader_slot *slot) {
  const struct shader_operand *distance = &slot->operands[2];
  enum trace_op_class op_class = slot->instruction.operation->op_class;
  if (op_class == OP_INT_SHIFT && slot->operand_count == 3 && distance->in_pool && distance->is_plain &&
      shader->pool[distance->index].at[0] == 0)
    return OP_INT_LOGIC;
  return op_class;
}
