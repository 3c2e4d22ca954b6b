/* Resolves the image, the sampler and the kind of coordinates of each image function. */
#include "tracegen/lower/builtins/image_calls.h"

#include <assert.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "tracegen/abi/image_sample.h"
#include "tracegen/lower/ir/builtin_names.h"
#include "tracegen/lower/ir/markers.h"

#define MAX_CALLS 4096

const struct kernel_image_call *image_call_of(const struct kernel_program *program, LLVMValueRef function) {
  if (marker_of(function) != MARKER_IMAGE)
    return NULL;
  const unsigned long index = strtoul(ir_name(function) + strlen(marker_name(MARKER_IMAGE)), NULL, 10);
  assert(index < program->image_call_count);
  return &program->image_calls[index];
}

uint32_t image_call_sampler(const struct kernel_program *program, const struct kernel_image_call *c) {
  return c->sampler_parameter != KERNEL_NO_PARAMETER ? program->opaques[c->sampler_parameter].sampler : c->sampler;
}

unsigned image_call_texels(const struct kernel_program *program, const struct kernel_image_call *c) {
  const enum image_kind kind = (enum image_kind)program->parameters[c->image].image_kind;
  return c->by_point && image_call_sampler(program, c) & SAMPLER_LINEAR ? 1u << image_kind_dimensions(kind) : 1;
}

LLVMTypeRef image_call_texel_type(struct lowering *l, const struct kernel_image_call *c) {
  const struct image_format format = l->program->opaques[c->image].format;
  const enum scalar_type storage = image_storage(format);
  const unsigned channels = image_channels(format);
  LLVMTypeRef type = storage == SCALAR_FLOAT ? LLVMFloatTypeInContext(l->context)
                     : storage == SCALAR_HALF
                         ? LLVMHalfTypeInContext(l->context)
                         : LLVMIntTypeInContext(l->context, (unsigned)scalar_type_bytes(storage) * 8);
  return channels > 1 ? LLVMVectorType(type, channels) : type;
}

/* Resolving. */

static bool parameter_of(struct lowering *l, LLVMValueRef value, uint32_t *index) {
  for (*index = 0; *index < l->program->parameter_count; ++*index)
    if (LLVMGetParam(l->kernel, *index) == value)
      return true;
  return false;
}

static bool image_function_called(LLVMValueRef instruction, char *name, size_t size) {
  LLVMValueRef callee = ir_callee(instruction);
  return callee && builtin_is_image_function(builtin_name(callee, name, size));
}

static int find_image(struct lowering *l, LLVMValueRef call, const char *name, uint32_t *image) {
  if (parameter_of(l, LLVMGetOperand(call, 0), image) && l->program->parameters[*image].is_image)
    return 0;
  return lower_error(l, call, "%s: which of the kernel's images it uses cannot be told", name);
}

static int find_sampler(struct lowering *l, LLVMValueRef call, struct kernel_image_call *c) {
  char name[64];
  LLVMValueRef sampler = LLVMGetOperand(call, 1);
  c->has_sampler = true;
  if (parameter_of(l, sampler, &c->sampler_parameter) && l->program->parameters[c->sampler_parameter].is_sampler)
    return 0;
  c->sampler_parameter = KERNEL_NO_PARAMETER;
  if (image_function_called(sampler, name, sizeof name) && strcmp(name, SAMPLER_LITERAL) == 0 &&
      LLVMIsAConstantInt(LLVMGetOperand(sampler, 0))) {
    c->sampler = (uint32_t)LLVMConstIntGetZExtValue(LLVMGetOperand(sampler, 0));
    return 0;
  }
  return lower_error(l, call, "%s: which sampler it uses cannot be told", c->name);
}

static bool is_vector_of(LLVMTypeRef type, uint32_t wanted, LLVMTypeKind kind) {
  uint32_t elements;
  LLVMTypeRef element = ir_element(type, &elements);
  return elements == wanted && LLVMGetTypeKind(element) == kind;
}

/* Reads the function, image, sampler and coordinates of a call. */
static int read_call(struct lowering *l, LLVMValueRef call, const char *name, struct kernel_image_call *c) {
  static const struct {
    char name[16];
    enum image_numbers numbers;
    bool writes;
  } rows[] = {{"read_imagef", IMAGE_FLOATS, false},    {"read_imagei", IMAGE_INTEGERS, false},
              {"read_imageui", IMAGE_UNSIGNED, false}, {"read_imageh", IMAGE_HALVES, false},
              {"write_imagef", IMAGE_FLOATS, true},    {"write_imagei", IMAGE_INTEGERS, true},
              {"write_imageui", IMAGE_UNSIGNED, true}, {"write_imageh", IMAGE_HALVES, true}};
  size_t row = 0;
  while (row < sizeof rows / sizeof *rows && strcmp(rows[row].name, name) != 0)
    row++;
  if (row == sizeof rows / sizeof *rows)
    return lower_error(l, call, "%s is not supported", name);
  *c = (struct kernel_image_call){
      .numbers = (uint8_t)rows[row].numbers, .writes = rows[row].writes, .sampler_parameter = KERNEL_NO_PARAMETER};
  memcpy(c->name, rows[row].name, sizeof c->name);
  const unsigned operands = LLVMGetNumArgOperands(call);
  if (operands < 2 || operands > 3 || find_image(l, call, name, &c->image))
    return lower_error(l, call, "%s with %u arguments is not supported", name, operands);
  if (!c->writes && operands == 3 && find_sampler(l, call, c))
    return -1;
  LLVMTypeRef coordinates = LLVMTypeOf(LLVMGetOperand(call, c->has_sampler ? 2 : 1));
  const unsigned sizes = image_kind_sizes((enum image_kind)l->program->parameters[c->image].image_kind);
  c->by_point = is_vector_of(coordinates, sizes == 3 ? 4 : sizes, LLVMFloatTypeKind);
  if (!c->by_point && !is_vector_of(coordinates, sizes == 3 ? 4 : sizes, LLVMIntegerTypeKind))
    return lower_error(l, call, "%s with coordinates of this type is not supported", name);
  return 0;
}

static int intern(struct lowering *l, LLVMValueRef call, const struct kernel_image_call *c, uint32_t *index) {
  struct kernel_program *p = l->program;
  for (*index = 0; *index < p->image_call_count; ++*index)
    if (memcmp(&p->image_calls[*index], c, sizeof *c) == 0)
      return 0;
  if (p->image_call_count == MAX_CALLS)
    return lower_error(l, call, "more than %d different uses of images", MAX_CALLS);
  if (!array_room_for_one(&p->image_calls, p->image_call_count, sizeof *p->image_calls))
    return lower_no_memory(l);
  p->image_calls[p->image_call_count++] = *c;
  return 0;
}

/* Declares the marker of a call. A read depends on its coordinates alone: no kernel may write the image that it
 * reads. */
static LLVMValueRef declare(struct lowering *l, uint32_t index, LLVMTypeRef type) {
  char name[64];
  snprintf(name, sizeof name, "%s%u.%s", marker_name(MARKER_IMAGE), index, l->program->image_calls[index].name);
  return l->program->image_calls[index].writes ? ir_declare(l, name, type) : ir_declare_pure(l, name, type);
}

static int resolve_access(struct lowering *l, LLVMBuilderRef b, LLVMValueRef call, const char *name) {
  struct kernel_image_call c;
  uint32_t index;
  if (read_call(l, call, name, &c) || intern(l, call, &c, &index))
    return -1;
  LLVMValueRef values[2] = {LLVMGetOperand(call, c.has_sampler ? 2 : 1), c.writes ? LLVMGetOperand(call, 2) : NULL};
  const unsigned count = c.writes ? 2 : 1;
  LLVMTypeRef types[2] = {LLVMTypeOf(values[0]), c.writes ? LLVMTypeOf(values[1]) : NULL};
  LLVMTypeRef type = LLVMFunctionType(LLVMTypeOf(call), types, count, false);
  LLVMValueRef resolved = LLVMBuildCall2(b, type, declare(l, index, type), values, count, "");
  LLVMReplaceAllUsesWith(call, resolved);
  return 0;
}

/* Makes a question such as get_image_width a part of the argument. */
static int resolve_question(struct lowering *l, LLVMBuilderRef b, LLVMValueRef call, const char *name) {
  uint32_t image;
  if (find_image(l, call, name, &image))
    return -1;
  const bool is_3d = l->program->parameters[image].image_kind == IMAGE_3D;
  const struct {
    const char *name;
    size_t offset;
  } rows[] = {{"get_image_width", offsetof(struct image_argument, width)},
              {"get_image_height", offsetof(struct image_argument, height)},
              {"get_image_depth", offsetof(struct image_argument, size[2])},
              {"get_image_dim", is_3d ? offsetof(struct image_argument, size) : offsetof(struct image_argument, width)},
              {"get_image_array_size", offsetof(struct image_argument, layers)},
              {"get_image_channel_order", offsetof(struct image_argument, order)},
              {"get_image_channel_data_type", offsetof(struct image_argument, type)}};
  for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
    if (strcmp(rows[i].name, name) == 0) {
      LLVMValueRef part = marker_argument_part(l, b, image, LLVMTypeOf(call), rows[i].offset);
      if (!part)
        return lower_no_memory(l);
      LLVMReplaceAllUsesWith(call, part);
      return 0;
    }
  return lower_error(l, call, "%s is not supported", name);
}

static int resolve(struct lowering *l, LLVMValueRef call, const char *name) {
  LLVMBuilderRef b = LLVMCreateBuilderInContext(l->context);
  ir_build_before(b, call);
  const bool question = strncmp(name, "get_image_", 10) == 0;
  const int status = question ? resolve_question(l, b, call, name) : resolve_access(l, b, call, name);
  LLVMDisposeBuilder(b);
  if (!status)
    LLVMInstructionEraseFromParent(call);
  return status;
}

/* Resolves the calls of reads, writes and questions or, with `samplers`, removes the unused samplers. */
static int visit(struct lowering *l, bool samplers) {
  char name[64];
  for (LLVMValueRef i = ir_first(l->kernel), next; i; i = next) {
    next = ir_next(i);
    if (!image_function_called(i, name, sizeof name))
      continue;
    const bool makes_sampler = strcmp(name, SAMPLER_LITERAL) == 0;
    if (makes_sampler && samplers && !LLVMGetFirstUse(i))
      LLVMInstructionEraseFromParent(i);
    else if (!makes_sampler && !samplers && resolve(l, i, name))
      return -1;
  }
  return 0;
}

/* Returns whether the source has a sampler of its own, which a kernel without images may have too. */
static bool has_sampler(struct lowering *l) {
  char name[64];
  for (LLVMValueRef f = LLVMGetFirstFunction(l->module); f; f = LLVMGetNextFunction(f))
    if (strcmp(builtin_name(f, name, sizeof name), SAMPLER_LITERAL) == 0)
      return true;
  return false;
}

/* Functions are inlined first, so that each call has the kernel's own parameters as arguments. */
int image_calls_resolve(struct lowering *l) {
  bool any = has_sampler(l);
  for (uint32_t i = 0; i < l->program->parameter_count; i++)
    any |= l->program->parameters[i].is_image || l->program->parameters[i].is_sampler;
  if (!any)
    return 0;
  return lower_run_passes(l, "always-inline,function(sroa)", NULL, "inline the functions that use images") ||
                 visit(l, false) || visit(l, true)
             ? -1
             : 0;
}
