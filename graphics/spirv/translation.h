/* The state of one translation from SPIR-V to OpenCL C. Private to graphics/spirv.
 *
 * An id becomes the C variable v<id>, a type the name that translation_type writes. A pointer has no variable: it is a
 * place, a C expression for what it points to, or an offset into a resource's bytes. */
#ifndef GRAPHICS_TRANSLATION_H
#define GRAPHICS_TRANSLATION_H

#include <stdio.h>

#include "graphics/spirv/shader_source.h"

enum place_kind { PLACE_NONE, PLACE_VARIABLE, PLACE_BYTES, PLACE_TEXTURE };

struct place {
  enum place_kind kind;
  char *text;        /* PLACE_VARIABLE: the expression; PLACE_BYTES: the offset; PLACE_TEXTURE: unused */
  uint32_t type;     /* id of the type that lies there */
  uint32_t resource; /* PLACE_BYTES: index into resources, or PUSH; PLACE_TEXTURE: index */
  uint32_t matrix_stride;
  bool row_major;
  bool is_shared; /* PLACE_VARIABLE: of a work-group */
  bool is_half;   /* PLACE_VARIABLE: of halves, though its type is one of floats */
};

#define RESOURCE_PUSH UINT32_MAX

/* By id: the read of an image whose texel, or part of one, it is; and of a read, whether its floats are used. */
struct texel_use {
  uint32_t read; /* id of its result; 0: none */
  bool is_float;
};

struct translation {
  const struct shader_request *request;
  struct spirv_module module;
  struct shader_source *out;
  struct place *places; /* by id */
  FILE *body;           /* the text that is written now */
  char missing[96];     /* the first thing that is not supported; "" */
  bool no_memory;       /* memory ran out: nothing is known about what is supported */
  uint32_t nesting;     /* constants inside of each other */
  uint32_t types_looked_at;
  uint32_t constants_written; /* and their parts */
  uint32_t label;             /* of the block that is written */
  uint32_t line;
  uint32_t *goes_on_at;     /* by label: where a fragment that is discarded there goes on as a helper; 0: it ends */
  bool lanes_help;          /* fragments take derivatives */
  bool has_effects;         /* `active` is there */
  bool *halves;             /* by id: the value has a variable h<id>; NULL: none has */
  struct texel_use *texels; /* by id; NULL: nothing is converted to halves */
  bool in_halves;           /* the instruction that is written takes floats as halves */
};

/* Records an unsupported construct; the first one is kept. */
void translation_fail(struct translation *t, const char *format, ...) __attribute__((format(printf, 2, 3)));
/* Returns whether nothing has failed; text that has become too long fails here. Every loop over parts of a type must
 * call it: a type of a few words can have 2^32 parts, and nested constants can have exponentially many. */
bool translation_goes_on(struct translation *t);

/* shader_types.c */
void translation_type(struct translation *t, uint32_t type); /* writes the C name of a type */
void translation_typedefs(struct translation *t);            /* writes matrices, arrays and structures */
uint32_t translation_components(const struct translation *t, uint32_t type); /* of a vector; 1 for a scalar */
uint32_t translation_scalar(const struct translation *t, uint32_t type);     /* the type of a component */
bool translation_is_float(const struct translation *t, uint32_t type);
bool translation_is_bool(const struct translation *t, uint32_t type);
bool translation_is_short(const struct translation *t, uint32_t type); /* integers and floats of 16 bits */
/* Writes the name of OpenCL's type for vectors of `base` ("int") with so many components as `type`. */
void translation_shaped(struct translation *t, const char *base, uint32_t type);
/* The type of member or element `index`. */
uint32_t translation_part(const struct translation *t, uint32_t type, uint32_t index);
uint32_t translation_parts(const struct translation *t, uint32_t type);
void translation_constant(struct translation *t, uint32_t id);       /* writes the value of a constant */
uint32_t translation_word(const struct translation *t, uint32_t id); /* of a scalar constant, specialised */

/* shader_halves.c */
void translation_find_halves(struct translation *t); /* sets `halves` */
bool translation_has_half(const struct translation *t, uint32_t id);
/* Before and behind an instruction: sets in_halves, under which types and operands of 32-bit floats are written as
 * halves; writes the float of a result that is a half. */
void translation_begin_halves(struct translation *t, const uint32_t *i);
void translation_end_halves(struct translation *t, const uint32_t *i);
void translation_declare_half(struct translation *t, uint32_t type, uint32_t id, bool merges);
void translation_half_constant(struct translation *t, uint32_t type, uint32_t id);
void translation_operand(struct translation *t, uint32_t id); /* writes the value of an operand */
void translation_result(struct translation *t, uint32_t id);  /* writes the variable of a result */

/* shader_cut_texels.c */
void translation_find_cut_texels(struct translation *t); /* sets `texels` */
/* Returns whether an instruction is a conversion to halves that rounds to zero. */
bool translation_cuts(const struct translation *t, const uint32_t *i);

/* shader_memory.c */
void translation_variable(struct translation *t, uint32_t id); /* an OpVariable's place and declaration */
void translation_access_chain(struct translation *t, const uint32_t *i);
void translation_load(struct translation *t, const uint32_t *i);
void translation_store(struct translation *t, const uint32_t *i);
void translation_places_clear(struct translation *t);

const struct place *translation_place(const struct translation *t, uint32_t id); /* of a pointer */
/* Lets the id name bytes of a resource; the text becomes the place's. */
void translation_place_bytes(struct translation *t, uint32_t id, uint32_t resource, char *text);
void translation_enter_texels(struct translation *t,
                              uint32_t id); /* makes the resource of a variable that is an image */
void translation_array_length(struct translation *t, const uint32_t *i);

/* shader_effects.c */
bool translation_has_effects(const struct translation *t); /* whether the shader may store */
bool translation_effect(struct translation *t, const uint32_t *i);
void translation_compute_inputs(struct translation *t);
void translation_work_group(struct translation *t); /* finds its sizes */

/* shader_texel_memory.c; returns whether the instruction is one of these. */
bool translation_texels(struct translation *t, const uint32_t *i);

/* shader_geometry.c */
void translation_primitives(struct translation *t);                  /* takes over what the module says */
bool translation_vertices(struct translation *t, const uint32_t *i); /* returns whether the instruction emits or ends */
void translation_count_vertices(struct translation *t);              /* at the end of the shader */

/* shader_tessellation.c */
void translation_patches(struct translation *t); /* takes over what the module says */
/* Returns whether all work-items of a patch share the variable, an output of a control shader; *of_patch: it has no
 * elements by vertex. */
bool translation_is_shared_output(const struct translation *t, uint32_t id, bool *of_patch);

/* shader_slots.c */
void translation_inputs(struct translation *t);  /* writes the inputs' words into their variables */
void translation_outputs(struct translation *t); /* writes the outputs' variables into their words */

/* shader_operations.c; returns whether the instruction is one of these. */
bool translation_operation(struct translation *t, const uint32_t *i);
/* shader_products.c; returns whether the instruction is one of these. */
bool translation_product(struct translation *t, const uint32_t *i);
/* shader_glsl.c */
void translation_glsl(struct translation *t, const uint32_t *i);
/* shader_images.c; returns whether the instruction is one of these. */
bool translation_image(struct translation *t, const uint32_t *i);
/* shader_image_queries.c; returns whether the instruction is one of these. */
bool translation_image_query(struct translation *t, const uint32_t *i);

/* shader_flow.c */
void translation_function(struct translation *t);

#endif
