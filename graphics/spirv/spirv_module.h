/* A SPIR-V module, read into tables by id.
 *
 * spirv-val has accepted the words (spirv_tools.h). Every id and length is checked again, and an id without a
 * definition counts as OpNop. Ownership: the words stay the caller's; spirv_module_clear frees the tables.
 * Source: SPIR-V 1.6, sections 2.3 and 3. */
#ifndef GRAPHICS_SPIRV_MODULE_H
#define GRAPHICS_SPIRV_MODULE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/error.h"

#define SPIRV_NONE      UINT32_MAX /* of a decoration: absent */
#define SPIRV_MAX_BOUND (UINT32_C(1) << 20)

struct spirv_member {
  uint32_t offset, matrix_stride, builtin, location;
  bool row_major, flat;
};

struct spirv_id {
  uint16_t opcode;
  uint16_t word_count;
  const uint32_t *words; /* of the instruction that defines the id: the first has opcode and length */
  uint32_t type;         /* id of the result's type; 0: none */
  uint32_t location, component, builtin, set, binding, array_stride, constant /* SpecId */, index;
  bool flat, no_perspective, centroid, block, buffer_block, relaxed, of_patch;
  struct spirv_member *members; /* of structures: decorations, [member_count] */
  uint32_t member_count;
};

struct spirv_module {
  const uint32_t *words;
  size_t word_count;
  uint32_t bound;
  struct spirv_id *ids;
  uint32_t glsl;            /* the id of GLSL.std.450; 0: not imported */
  uint32_t entry;           /* the function */
  const uint32_t *function; /* its first instruction */
  bool early_tests, writes_depth, uses_derivatives;
  uint32_t local_size[3]; /* of a compute shader's work-groups */
  uint32_t size_ids[3];   /* ids of constants that say so; 0: none */
  bool shades_samples;    /* an input is taken at each sample */
  /* Of a geometry shader: vertices of a primitive that it takes and, at most, of those that it emits; work-items for
   * each primitive; SpvExecutionMode of what it emits. */
  uint32_t input_vertices, most_vertices, invocations, output_mode;
  /* Of tessellation shaders, as SpvExecutionMode, 0 where the shader does not say it: the domain, the spacing, the
   * order of a triangle's corners. most_vertices is then the number of a patch that the control shader makes. */
  uint32_t domain, spacing, order;
  bool makes_points;
};

/* Finds the entry point of this name and stage (SpvExecutionModel). */
int spirv_module_read(const uint32_t *words, size_t count, const char *entry, uint32_t model, struct spirv_module *out,
                      struct error *error);
void spirv_module_clear(struct spirv_module *module);

/* Returns the entry of an id; of an unknown one an entry of OpNop. */
const struct spirv_id *spirv_id(const struct spirv_module *module, uint32_t id);
/* Returns operand `k` of the instruction that defines the id, counted from the word behind opcode and length; 0 where
 * it has fewer. */
uint32_t spirv_operand(const struct spirv_id *id, uint32_t k);
/* Returns the place of the result's id among an instruction's words: 0 none, 1 types and labels, 2 behind a type. */
unsigned spirv_result_place(uint16_t opcode);
/* Returns the next instruction; NULL at the end. */
const uint32_t *spirv_next(const struct spirv_module *module, const uint32_t *instruction);
/* Returns the value of an integer constant; `otherwise` where the id is none. */
uint32_t spirv_constant(const struct spirv_module *module, uint32_t id, uint32_t otherwise);
/* Returns the type that a pointer type points to. */
uint32_t spirv_pointee(const struct spirv_module *module, uint32_t pointer_type);

static inline uint16_t spirv_opcode(const uint32_t *instruction) {
  return (uint16_t)instruction[0];
}
static inline uint16_t spirv_length(const uint32_t *instruction) {
  return (uint16_t)(instruction[0] >> 16);
}

#endif
