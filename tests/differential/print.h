/* Declarations that the printers of expressions and of statements share. */
#ifndef DIFFERENTIAL_PRINT_H
#define DIFFERENTIAL_PRINT_H

#include "program.h"

struct printer {
  FILE *out;
  const struct kernel *kernel;
  const struct function *function; /* that is being printed */
  uint32_t indent;
};

const char *type_text(struct type t); /* one of eight buffers in turn */
void print_constant(struct printer *p, struct type t, uint64_t bits, double value);
void print_expression(struct printer *p, const struct node *n);
void print_variable_name(struct printer *p, uint32_t index);
void print_place(struct printer *p, const struct object *o, const struct node *index);
void print_statement(struct printer *p, const struct node *n);
void print_assigned_lanes(struct printer *p, const struct node *n);
void print_object_name(FILE *out, const struct kernel *k, uint32_t index);
/* Elements (OUTPUT: for each work-item); local arrays have one for each work-item. */
uint32_t object_elements(const struct kernel *k, const struct object *o);
/* No function of OpenCL does what this object's atomic operation does. */
bool object_has_own_atomic(const struct object *o);
/* Properties that the printed kernel depends on. */
bool object_is_buffer(const struct object *o);
bool object_is_parameter(const struct object *o);
/* The kernel gets a pointer to scalars and reads vectors with vloadN. */
bool object_is_scalar_pointer(const struct object *o);

#endif
