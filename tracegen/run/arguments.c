#include "tracegen/run/arguments.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tracegen/abi/collective.h"
#include "tracegen/abi/image_sample.h"

#define LOCAL_ALIGNMENT 128

static int argument_error(const struct workload *w, const struct workload_launch *launch, size_t i, struct error *error,
                          const char *kernel, const struct kernel_parameter *p, const char *found) {
  const struct workload_argument *a = &launch->arguments[i];
  return error_at(error, ERROR_INPUT, w->path ? w->path : "", a->line, a->column, "args",
                  "argument %zu of kernel %s is \"%s%s%s%s\"; found %s", i + 1, kernel,
                  !p->is_pointer               ? ""
                  : p->space == SPACE_LOCAL    ? "__local "
                  : p->space == SPACE_CONSTANT ? "__constant "
                                               : "__global ",
                  p->type_name, *p->name ? " " : "", p->name, found);
}

static enum image_kind kind_of_image(const struct workload *w, const struct workload_argument *a) {
  return a->shown_texels > 0 ? IMAGE_1D_BUFFER : (enum image_kind)w->buffers[a->buffer].image_kind;
}

static const char *describe(const struct workload *w, const struct workload_argument *a, char *text, size_t size) {
  if (a->kind == ARGUMENT_BUFFER)
    snprintf(text, size, "buffer %s (%s)", w->buffers[a->buffer].name, scalar_type_name(w->buffers[a->buffer].type));
  else if (a->kind == ARGUMENT_NULL)
    snprintf(text, size, "a null buffer");
  else if (a->kind == ARGUMENT_IMAGE)
    snprintf(text, size, "image %s (%s)", w->buffers[a->buffer].name, image_kind_name(kind_of_image(w, a)));
  else if (a->kind == ARGUMENT_SAMPLER)
    snprintf(text, size, "a sampler");
  else if (a->kind == ARGUMENT_LOCAL)
    snprintf(text, size, "%zu bytes of local memory", a->bytes);
  else if (a->elements == 0)
    snprintf(text, size, "a value of %zu bytes", a->bytes);
  else if (a->elements == 1)
    snprintf(text, size, "a value of type %s", scalar_type_name(a->type));
  else
    snprintf(text, size, "a value of type %s%u", scalar_type_name(a->type), a->elements);
  return text;
}

static bool value_fits(const struct kernel_parameter *p, const struct workload_argument *a) {
  static const uint8_t types[SCALAR_COUNT] = {
      [SCALAR_CHAR] = TYPE_I8,  [SCALAR_UCHAR] = TYPE_I8,  [SCALAR_SHORT] = TYPE_I16, [SCALAR_USHORT] = TYPE_I16,
      [SCALAR_INT] = TYPE_I32,  [SCALAR_UINT] = TYPE_I32,  [SCALAR_LONG] = TYPE_I64,  [SCALAR_ULONG] = TYPE_I64,
      [SCALAR_HALF] = TYPE_F16, [SCALAR_FLOAT] = TYPE_F32, [SCALAR_DOUBLE] = TYPE_F64};
  if (a->elements == 0) /* a vector of three takes the room of four */
    return a->bytes == p->value_bytes || (p->elements == 3 && 3 * a->bytes == 4 * (size_t)p->value_bytes);
  if (p->is_structure) /* its bytes are given as numbers of any type */
    return a->kind == ARGUMENT_SCALAR && a->elements * scalar_type_bytes(a->type) == p->value_bytes;
  return a->kind == ARGUMENT_SCALAR && types[a->type] == p->type && a->elements == p->elements;
}

static void set_pointer(struct kernel_argument *out, const char *address, uint64_t bytes) {
  const uint64_t value = (uintptr_t)address;
  memcpy(out->value, &value, sizeof value);
  out->bytes = bytes;
}

static enum argument_kind wanted_kind(const struct kernel_parameter *p) {
  if (p->is_image)
    return ARGUMENT_IMAGE;
  if (p->is_sampler)
    return ARGUMENT_SAMPLER;
  return !p->is_pointer ? ARGUMENT_SCALAR : p->space == SPACE_LOCAL ? ARGUMENT_LOCAL : ARGUMENT_BUFFER;
}

/* Returns the type that a parameter's pointer leads to, "float" of "float4*"; SCALAR_COUNT: none of OpenCL's
 * scalars. */
static enum scalar_type pointed_to(const struct kernel_parameter *p) {
  for (int t = 0; t < SCALAR_COUNT; t++) {
    const char *name = scalar_type_name((enum scalar_type)t);
    const size_t length = strlen(name);
    if (strncmp(p->type_name, name, length) == 0 &&
        strspn(p->type_name + length, "0123456789 *") == strlen(p->type_name + length))
      return (enum scalar_type)t;
  }
  return SCALAR_COUNT;
}

/* Returns whether the buffer's type may be meant for something else than this argument: in a file, where somebody wrote
 * it, or where another argument or check uses the buffer, too. */
static bool type_is_free(const struct workload *w, size_t buffer) {
  size_t uses = 0;
  for (size_t l = 0; l < w->launch_count; l++)
    for (size_t i = 0; i < w->launches[l].argument_count; i++)
      uses += w->launches[l].arguments[i].kind == ARGUMENT_BUFFER && w->launches[l].arguments[i].buffer == buffer;
  return !w->in_memory || uses > 1 || w->check_count > 0;
}

/* Returns whether a parameter may point to this buffer. Floating-point numbers of another size are a mistake, and so
 * are integers in place of floating-point numbers or the other way round in launches of the command line, unless the
 * buffer holds bytes of any kind or has its type for another use. */
static bool elements_fit(const struct workload *w, const struct kernel_parameter *p, size_t buffer) {
  const enum scalar_type wanted = pointed_to(p), found = w->buffers[buffer].type;
  if (wanted == SCALAR_COUNT || wanted == found)
    return true;
  if (scalar_type_is_float(wanted) == scalar_type_is_float(found))
    return !scalar_type_is_float(wanted);
  return scalar_type_bytes(wanted) == 1 || scalar_type_bytes(found) == 1 || type_is_free(w, buffer);
}

static bool kind_fits(enum argument_kind wanted, const struct workload *w, const struct kernel_parameter *p,
                      const struct workload_argument *a) {
  if (a->kind == ARGUMENT_NULL)
    return wanted == ARGUMENT_BUFFER;
  if (a->kind == wanted && wanted == ARGUMENT_BUFFER)
    return elements_fit(w, p, a->buffer);
  if (a->kind == wanted && wanted == ARGUMENT_IMAGE)
    return kind_of_image(w, a) == p->image_kind;
  return a->kind == wanted && (wanted != ARGUMENT_SCALAR || value_fits(p, a));
}

static void set_image(struct kernel_argument *out, const struct workload_buffer *b, char *texels) {
  const enum image_kind kind = (enum image_kind)b->image_kind;
  const uint32_t row_bytes = b->width * (uint32_t)image_texel_bytes(b->format);
  const struct image_argument image = {.texels = texels,
                                       .width = b->width,
                                       .height = b->height,
                                       .size = {b->width, b->height, b->depth, 0},
                                       .layers = kind == IMAGE_1D_ARRAY ? b->height : b->depth,
                                       .row_bytes = row_bytes,
                                       .slice_bytes = (uint64_t)row_bytes * b->height,
                                       .kind = b->image_kind,
                                       .order = image_order_number((enum image_order)b->format.order),
                                       .type = image_type_number((enum image_type)b->format.type),
                                       .texel_bytes = (uint32_t)image_texel_bytes(b->format),
                                       .format = b->format};
  memcpy(out->value, &image, sizeof image);
  out->bytes = b->count * scalar_type_bytes(b->type);
}

/* Sets an image that shows a part of a buffer. */
static void set_shown(struct kernel_argument *out, const struct workload_argument *a, char *texels) {
  const size_t bytes = a->shown_texels * image_texel_bytes(a->shown);
  const struct workload_buffer view = {.width = a->shown_texels,
                                       .height = 1,
                                       .depth = 1,
                                       .image_kind = IMAGE_1D_BUFFER,
                                       .format = a->shown,
                                       .type = SCALAR_UCHAR,
                                       .count = bytes};
  set_image(out, &view, texels + a->offset);
}

static int bind_one(const struct workload *w, const struct workload_launch *launch,
                    const struct kernel_program *program, size_t i, const struct arena *arena, uint64_t *local_used,
                    struct kernel_argument *out, struct error *error) {
  const struct workload_argument *a = &launch->arguments[i];
  const struct kernel_parameter *p = &program->parameters[i];
  const enum argument_kind wanted = wanted_kind(p);
  char found[128];
  if (!kind_fits(wanted, w, p, a))
    return argument_error(w, launch, i, error, program->name, p, describe(w, a, found, sizeof found));
  if (wanted == ARGUMENT_IMAGE && a->shown_texels > 0)
    set_shown(out, a, arena->base + arena->regions[a->buffer].offset);
  else if (wanted == ARGUMENT_IMAGE)
    set_image(out, &w->buffers[a->buffer], arena->base + arena->regions[a->buffer].offset);
  else if (wanted == ARGUMENT_SAMPLER)
    memcpy(out->value, &a->sampler, sizeof a->sampler);
  else if (a->kind == ARGUMENT_NULL)
    set_pointer(out, NULL, 0);
  else if (wanted == ARGUMENT_BUFFER)
    set_pointer(out, arena->base + arena->regions[a->buffer].offset + a->offset,
                a->span ? a->span : arena->regions[a->buffer].bytes - a->offset);
  else if (wanted == ARGUMENT_SCALAR)
    memcpy(out->value, a->value, sizeof out->value);
  else {
    *local_used = (*local_used + LOCAL_ALIGNMENT - 1) / LOCAL_ALIGNMENT * LOCAL_ALIGNMENT;
    set_pointer(out, arena->local + *local_used, a->bytes);
    *local_used += a->bytes;
  }
  return 0;
}

size_t arguments_opaque(const struct workload *workload, const struct workload_launch *launch,
                        struct kernel_opaque *opaques) {
  size_t i = 0;
  for (; i < launch->argument_count && i < KERNEL_MAX_PARAMETERS; i++) {
    const struct workload_argument *a = &launch->arguments[i];
    opaques[i].is_image = a->kind == ARGUMENT_IMAGE;
    opaques[i].is_sampler = a->kind == ARGUMENT_SAMPLER;
    if (a->kind == ARGUMENT_IMAGE)
      opaques[i].format = a->shown_texels > 0 ? a->shown : workload->buffers[a->buffer].format;
    if (a->kind == ARGUMENT_SAMPLER)
      opaques[i].sampler = a->sampler;
  }
  return i;
}

static int check_required_local(const struct workload *w, const struct workload_launch *launch,
                                const struct kernel_program *program, struct error *error) {
  const uint32_t *r = program->required_local;
  if (!r[0] || (r[0] == launch->local[0] && r[1] == launch->local[1] && r[2] == launch->local[2]))
    return 0;
  return error_at(error, ERROR_INPUT, w->path ? w->path : "", launch->line, launch->column, "local",
                  "kernel %s has __attribute__((reqd_work_group_size(%u, %u, %u))); found local size %u, %u, %u",
                  program->name, r[0], r[1], r[2], launch->local[0], launch->local[1], launch->local[2]);
}

static int check_required_sub_group(const struct workload *w, const struct workload_launch *launch,
                                    const struct kernel_program *program, struct error *error) {
  if (program->required_sub_group <= WORKLOAD_MAX_SUB_GROUP)
    return 0;
  return error_at(error, ERROR_INPUT, w->path ? w->path : "", launch->line, launch->column, "kernel",
                  "kernel %s has __attribute__((intel_reqd_sub_group_size(%u))); at most %d work-items are supported",
                  program->name, program->required_sub_group, WORKLOAD_MAX_SUB_GROUP);
}

static int check_count(const struct workload *w, const struct workload_launch *launch,
                       const struct kernel_program *program, struct error *error) {
  if (launch->argument_count == program->parameter_count)
    return 0;
  char list[512] = "";
  for (size_t i = 0, used = 0; i < program->parameter_count && used < sizeof list - 100; i++)
    used += (size_t)snprintf(list + used, sizeof list - used, "%s%.40s %.40s", i ? ", " : "",
                             program->parameters[i].type_name, program->parameters[i].name);
  return error_at(error, ERROR_INPUT, w->path ? w->path : "", launch->line, launch->column, "args",
                  "kernel %s(%s) takes %u arguments; found %zu", program->name, list, program->parameter_count,
                  launch->argument_count);
}

uint32_t launch_sub_group(const struct workload_launch *launch, const struct kernel_program *program, uint32_t other) {
  if (program->required_sub_group > 0)
    return program->required_sub_group;
  return launch->sub_group > 0 ? launch->sub_group : other > 0 ? other : SUB_GROUP_SIZE;
}

int arguments_bind(const struct workload *workload, const struct workload_launch *launch,
                   const struct kernel_program *program, struct arena *arena, struct kernel_argument **arguments,
                   uint32_t *local_bytes, struct error *error) {
  uint64_t local_used = program->local_bytes;
  if (check_count(workload, launch, program, error) || check_required_local(workload, launch, program, error) ||
      check_required_sub_group(workload, launch, program, error))
    return -1;
  const size_t size = (program->parameter_count + 1) * sizeof **arguments;
  struct kernel_argument *list = aligned_alloc(_Alignof(struct kernel_argument), size);
  if (!list)
    return error_no_memory(error);
  memset(list, 0, size);
  for (size_t i = 0; i < launch->argument_count; i++)
    if (bind_one(workload, launch, program, i, arena, &local_used, &list[i], error)) {
      free(list);
      return -1;
    }
  if (arena_local(arena, local_used, error)) {
    free(list);
    return -1;
  }
  *local_bytes = (uint32_t)local_used;
  *arguments = list;
  return 0;
}
