/* A shader that is being decoded. Private to exec/. */
#ifndef TRACEGEN_BIFROST_SHADER_BUILDER_H
#define TRACEGEN_BIFROST_SHADER_BUILDER_H

#include "tracegen/bifrost/exec/shader.h"

struct shader_builder {
  const struct bifrost_dispatch *dispatch;
  struct bifrost_shader *shader;
  uint32_t clause_capacity, tuple_capacity, pool_capacity;
  /* The clause and tuple at hand. */
  const struct clause *clause;
  uint64_t clause_address;
  unsigned tuple;
  struct register_block registers;
  bool out_of_memory;
};

/* Fills the operands of a slot whose instruction is decoded. */
void shader_build_operands(struct shader_builder *builder, struct shader_slot *slot);

#endif
