/* Reads what the kernel says about itself: its parameters, and the work-group size that it requires. */
#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "base/text.h"
#include "tracegen/lower/ir/instructions.h"
#include "tracegen/lower/normalise/normalise.h"
#include "tracegen/lower/normalise/structures.h"

static LLVMValueRef function_metadata(struct lowering *l, const char *kind_name) {
  const unsigned kind = LLVMGetMDKindIDInContext(l->context, kind_name, (unsigned)strlen(kind_name));
  size_t count;
  LLVMValueMetadataEntry *entries = LLVMGlobalCopyAllMetadata(l->kernel, &count);
  LLVMValueRef found = NULL;
  for (unsigned i = 0; i < count; i++)
    if (LLVMValueMetadataEntriesGetKind(entries, i) == kind)
      found = LLVMMetadataAsValue(l->context, LLVMValueMetadataEntriesGetMetadata(entries, i));
  LLVMDisposeValueMetadataEntries(entries);
  return found;
}

/* The caller frees the text; NULL: memory ran out. */
static char *metadata_text(LLVMValueRef node, unsigned i) {
  unsigned length = 0;
  const char *text = NULL;
  if (node && i < LLVMGetMDNodeNumOperands(node)) {
    LLVMValueRef *operands = calloc(LLVMGetMDNodeNumOperands(node), sizeof *operands);
    if (!operands)
      return NULL;
    LLVMGetMDNodeOperands(node, operands);
    text = LLVMGetMDString(operands[i], &length);
    free(operands);
  }
  return text_format("%.*s", text ? (int)length : 0, text ? text : "");
}

static void read_required_local(struct lowering *l) {
  LLVMValueRef node = function_metadata(l, "reqd_work_group_size"), operands[3];
  if (!node || LLVMGetMDNodeNumOperands(node) != 3)
    return;
  LLVMGetMDNodeOperands(node, operands);
  for (int d = 0; d < 3; d++)
    if (operands[d] && LLVMIsAConstantInt(operands[d]))
      l->program->required_local[d] = (uint32_t)LLVMConstIntGetZExtValue(operands[d]);
}

static void read_required_sub_group(struct lowering *l) {
  LLVMValueRef node = function_metadata(l, "intel_reqd_sub_group_size"), operand;
  if (!node || LLVMGetMDNodeNumOperands(node) != 1)
    return;
  LLVMGetMDNodeOperands(node, &operand);
  if (operand && LLVMIsAConstantInt(operand))
    l->program->required_sub_group = (uint32_t)LLVMConstIntGetZExtValue(operand);
}

/* Parameters. */

static bool is_opaque(const char *type_name) {
  return strncmp(type_name, "image", 5) == 0 || strcmp(type_name, "sampler_t") == 0 ||
         strcmp(type_name, "event_t") == 0;
}

/* Clang names a pipe by the type of its packets; its qualifiers say what it is. */
static int refuse_pipe(struct lowering *l, const struct kernel_parameter *p, unsigned i) {
  char *qualifiers = metadata_text(function_metadata(l, "kernel_arg_type_qual"), i);
  if (!qualifiers)
    return lower_no_memory(l);
  const bool is_pipe = strstr(qualifiers, "pipe") != NULL;
  free(qualifiers);
  return is_pipe ? lower_error(l, NULL, "parameter %s is a pipe, which is not supported", p->name) : 0;
}

static int describe_parameter(struct lowering *l, struct kernel_parameter *p, LLVMTypeRef type) {
  static const uint8_t spaces[] = {
      [IR_GLOBAL] = SPACE_GLOBAL, [IR_CONSTANT] = SPACE_CONSTANT, [IR_LOCAL] = SPACE_LOCAL};
  const bool pointer = LLVMGetTypeKind(type) == LLVMPointerTypeKind;
  const unsigned space = pointer ? LLVMGetPointerAddressSpace(type) : 0;
  enum image_kind kind = IMAGE_2D;
  p->is_image = image_kind_of_type(p->type_name, &kind);
  p->image_kind = (uint8_t)kind;
  p->is_sampler = strcmp(p->type_name, "sampler_t") == 0;
  if (p->is_image || p->is_sampler)
    return 0;
  if (is_opaque(p->type_name) || (pointer && (space < IR_GLOBAL || space > IR_LOCAL)) ||
      (!pointer && ir_trace_type(type, &p->type, &p->elements)))
    return lower_error(l, NULL,
                       "parameter %s of type %s is not supported; supported are pointers to global, constant "
                       "and local memory, numbers, vectors, structures, the images of OpenCL 1.2 and sampler_t",
                       p->name, p->type_name);
  if (pointer) {
    p->is_pointer = true;
    p->space = spaces[space];
    return 0;
  }
  p->value_bytes = (uint32_t)LLVMStoreSizeOfType(l->layout, type);
  assert(p->value_bytes <= sizeof((struct kernel_argument *)0)->value);
  return 0;
}

int parameters_read(struct lowering *l) {
  struct kernel_program *program = l->program;
  const unsigned count = LLVMCountParams(l->kernel);
  LLVMValueRef types = function_metadata(l, "kernel_arg_type"), names = function_metadata(l, "kernel_arg_name");
  read_required_local(l);
  read_required_sub_group(l);
  if (count > KERNEL_MAX_PARAMETERS)
    return lower_error(l, NULL, "%u parameters; at most %d are supported", count, KERNEL_MAX_PARAMETERS);
  program->parameters = calloc(count + 1, sizeof *program->parameters);
  if (!program->parameters)
    return lower_no_memory(l);
  for (unsigned i = 0; i < count; i++) {
    struct kernel_parameter *p = &program->parameters[program->parameter_count++];
    p->name = metadata_text(names, i);
    p->type_name = metadata_text(types, i);
    if (!p->name || !p->type_name)
      return lower_no_memory(l);
    if (refuse_pipe(l, p, i))
      return -1;
    if (structure_is_parameter(l, i) ? structure_parameter(l, i, p)
                                     : describe_parameter(l, p, LLVMTypeOf(LLVMGetParam(l->kernel, i))))
      return -1;
  }
  return 0;
}
