/* Reads of images in generated code, for the formats, filters and addressing modes that most reads have. The results
 * and the recorded addresses are those of emulation_image, to the bit. x and y are the lanes of one vector: only
 * two-dimensional images are read so. */
#include "tracegen/lower/instrument/inline_images.h"

#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include "tracegen/abi/image_sample.h"
#include "tracegen/lower/builtins/image_calls.h"

struct reading {
  struct instrumenter *n;
  LLVMTypeRef i32, two_ints, two_floats, four_floats;
  uint64_t argument; /* offset of the image among the arguments */
  uint32_t sampler;
  bool has_bytes;     /* a byte a channel; false: a float */
  LLVMValueRef sizes; /* width and height */
};

bool inline_images_wanted(void) {
  const char *wanted = getenv("REASSEMBLE_IMAGES"); /* "called": for tests */
  return !wanted || strcmp(wanted, "called") != 0;
}

bool inline_image_possible(const struct kernel_program *program, const struct kernel_image_call *c) {
  const struct image_format format = program->opaques[c->image].format;
  const uint32_t sampler = image_call_sampler(program, c), address = sampler & SAMPLER_ADDRESS;
  const bool known_format =
      format.order == IMAGE_RGBA && (format.type == IMAGE_UNORM_INT8 || format.type == IMAGE_FLOAT);
  if (!inline_images_wanted() || program->parameters[c->image].image_kind != IMAGE_2D || c->writes || !c->has_sampler ||
      c->numbers != IMAGE_FLOATS || !known_format)
    return false;
  if (sampler & SAMPLER_NORMALISED)
    return c->by_point && (address == SAMPLER_CLAMP_TO_EDGE || address == SAMPLER_REPEAT);
  return address == SAMPLER_CLAMP_TO_EDGE;
}

static LLVMValueRef both(LLVMValueRef value) {
  LLVMValueRef values[] = {value, value};
  return LLVMConstVector(values, 2);
}

static LLVMValueRef int_of(const struct reading *r, int32_t value) {
  return both(LLVMConstInt(r->i32, (uint64_t)(int64_t)value, true));
}

static LLVMValueRef float_of(const struct reading *r, double value) {
  return both(LLVMConstReal(LLVMFloatTypeInContext(r->n->l->context), value));
}

/* The floor, as floor_of of image_sample.c computes it: numbers of 2^23 and above are whole. */
static LLVMValueRef floor_of(const struct reading *r, LLVMValueRef value) {
  LLVMBuilderRef b = r->n->b;
  LLVMValueRef bits = LLVMBuildBitCast(b, value, r->two_ints, "");
  LLVMValueRef size = LLVMBuildBitCast(b, LLVMBuildAnd(b, bits, int_of(r, INT32_MAX), ""), r->two_floats, "");
  LLVMValueRef whole = LLVMBuildSIToFP(b, LLVMBuildFPToSI(b, value, r->two_ints, ""), r->two_floats, "");
  LLVMValueRef above = LLVMBuildFCmp(b, LLVMRealOGT, whole, value, "");
  LLVMValueRef below = LLVMBuildFSub(b, whole, float_of(r, 1), "");
  whole = LLVMBuildSelect(b, above, below, whole, "");
  return LLVMBuildSelect(b, LLVMBuildFCmp(b, LLVMRealOLT, size, float_of(r, 0x1p23), ""), whole, value, "");
}

/* A whole number as an integer, at most 2^30 from 0; -2^30 for not-a-number. */
static LLVMValueRef to_integer(const struct reading *r, LLVMValueRef whole) {
  LLVMBuilderRef b = r->n->b;
  LLVMValueRef least = float_of(r, -0x1p30), most = float_of(r, 0x1p30);
  whole = LLVMBuildSelect(b, LLVMBuildFCmp(b, LLVMRealOGT, whole, least, ""), whole, least, "");
  whole = LLVMBuildSelect(b, LLVMBuildFCmp(b, LLVMRealOLT, whole, most, ""), whole, most, "");
  return LLVMBuildFPToSI(b, whole, r->two_ints, "");
}

static LLVMValueRef smaller(const struct reading *r, LLVMValueRef x, LLVMValueRef y) {
  return LLVMBuildSelect(r->n->b, LLVMBuildICmp(r->n->b, LLVMIntSLT, x, y, ""), x, y, "");
}

static LLVMValueRef larger(const struct reading *r, LLVMValueRef x, LLVMValueRef y) {
  return LLVMBuildSelect(r->n->b, LLVMBuildICmp(r->n->b, LLVMIntSGT, x, y, ""), x, y, "");
}

/* Applies the addressing mode. */
static LLVMValueRef address(const struct reading *r, LLVMValueRef at) {
  LLVMBuilderRef b = r->n->b;
  LLVMValueRef zero = int_of(r, 0);
  if ((r->sampler & SAMPLER_ADDRESS) == SAMPLER_REPEAT) {
    LLVMValueRef before = LLVMBuildICmp(b, LLVMIntSLT, at, zero, "");
    LLVMValueRef behind = LLVMBuildICmp(b, LLVMIntSGE, at, r->sizes, "");
    LLVMValueRef up = LLVMBuildAdd(b, at, r->sizes, ""), down = LLVMBuildSub(b, at, r->sizes, "");
    at = LLVMBuildSelect(b, before, up, LLVMBuildSelect(b, behind, down, at, ""), "");
  }
  return larger(r, smaller(r, at, LLVMBuildSub(b, r->sizes, int_of(r, 1), "")), zero);
}

static LLVMValueRef unnormalised(const struct reading *r, LLVMValueRef point) {
  LLVMBuilderRef b = r->n->b;
  if (!(r->sampler & SAMPLER_NORMALISED))
    return point;
  if ((r->sampler & SAMPLER_ADDRESS) == SAMPLER_REPEAT)
    point = LLVMBuildFSub(b, point, floor_of(r, point), "");
  return LLVMBuildFMul(b, point, LLVMBuildSIToFP(b, r->sizes, r->two_floats, ""), "");
}

static LLVMValueRef part(const struct reading *r, LLVMValueRef vector, unsigned element) {
  return LLVMBuildExtractElement(r->n->b, vector, LLVMConstInt(r->i32, element, false), "");
}

static LLVMValueRef argument_part(const struct reading *r, LLVMTypeRef type, size_t offset) {
  LLVMValueRef value = instrument_load_at(r->n, type, r->n->arguments, r->argument + offset);
  LLVMSetAlignment(value, 1);
  return value;
}

/* Loads the texel in column x and row y, and records its address as the `number`-th of the block. */
static LLVMValueRef load_texel(const struct reading *r, LLVMValueRef x, LLVMValueRef y, uint32_t number) {
  struct instrumenter *n = r->n;
  LLVMValueRef row_bytes = argument_part(r, r->i32, offsetof(struct image_argument, row_bytes));
  LLVMValueRef row =
      LLVMBuildMul(n->b, LLVMBuildZExt(n->b, y, n->i64, ""), LLVMBuildZExt(n->b, row_bytes, n->i64, ""), "");
  LLVMValueRef column =
      LLVMBuildMul(n->b, LLVMBuildZExt(n->b, x, n->i64, ""), instrument_number(n, r->has_bytes ? 4 : 16), "");
  LLVMValueRef place = LLVMBuildAdd(n->b, row, column, "");
  LLVMValueRef texels = argument_part(r, n->pointer, offsetof(struct image_argument, texels));
  LLVMValueRef texel = LLVMBuildInBoundsGEP2(n->b, n->i8, texels, &place, 1, "");
  if (n->l->purpose.records) {
    LLVMValueRef to = instrument_at(n, LLVMBuildLoad2(n->b, n->pointer, n->address_slot, ""), 4 * (uint64_t)number);
    LLVMValueRef low = LLVMBuildTrunc(n->b, LLVMBuildPtrToInt(n->b, texel, n->i64, ""), r->i32, "");
    LLVMBuildStore(n->b, low, to);
  }
  LLVMValueRef loaded = LLVMBuildLoad2(n->b, r->has_bytes ? LLVMVectorType(n->i8, 4) : r->four_floats, texel, "");
  LLVMSetAlignment(loaded, r->has_bytes ? 1 : 4);
  return loaded;
}

static LLVMValueRef four_of(const struct reading *r, LLVMValueRef value) {
  LLVMValueRef one = LLVMGetUndef(r->four_floats);
  one = LLVMBuildInsertElement(r->n->b, one, value, LLVMConstInt(r->i32, 0, false), "");
  return LLVMBuildShuffleVector(r->n->b, one, LLVMGetUndef(r->four_floats), LLVMConstNull(LLVMVectorType(r->i32, 4)),
                                "");
}

static LLVMValueRef to_color(const struct reading *r, LLVMValueRef texel) {
  LLVMTypeRef type = LLVMFloatTypeInContext(r->n->l->context);
  LLVMValueRef k = LLVMConstReal(type, (double)(1.0f / 255.0f)), factors[] = {k, k, k, k};
  if (!r->has_bytes)
    return texel;
  LLVMValueRef wide = LLVMBuildZExt(r->n->b, texel, LLVMVectorType(r->i32, 4), "");
  return LLVMBuildFMul(r->n->b, LLVMBuildSIToFP(r->n->b, wide, r->four_floats, ""), LLVMConstVector(factors, 4), "");
}

/* The sum of four texels' colors with their weights, in the order of image_sample_point. */
static LLVMValueRef mix_four(const struct reading *r, LLVMValueRef point, uint32_t place) {
  LLVMBuilderRef b = r->n->b;
  LLVMValueRef shifted = LLVMBuildFSub(b, unnormalised(r, point), float_of(r, 0.5), "");
  LLVMValueRef whole = floor_of(r, shifted), share = LLVMBuildFSub(b, shifted, whole, "");
  LLVMValueRef shares[] = {LLVMBuildFSub(b, float_of(r, 1), share, ""), share};
  LLVMValueRef first = to_integer(r, whole);
  LLVMValueRef at[] = {address(r, first), address(r, LLVMBuildAdd(b, first, int_of(r, 1), ""))};
  LLVMValueRef sum = LLVMConstNull(r->four_floats);
  for (uint32_t t = 0; t < 4; t++) {
    const uint32_t i = t & 1, j = t >> 1;
    LLVMValueRef color = to_color(r, load_texel(r, part(r, at[i], 0), part(r, at[j], 1), place + t));
    LLVMValueRef weight = LLVMBuildFMul(b, part(r, shares[i], 0), part(r, shares[j], 1), "");
    sum = LLVMBuildFAdd(b, sum, LLVMBuildFMul(b, four_of(r, weight), color, ""), "");
  }
  return sum;
}

LLVMValueRef inline_image_read(struct instrumenter *n, LLVMValueRef call, const struct kernel_image_call *c,
                               uint32_t place) {
  struct reading r = {.n = n,
                      .i32 = LLVMInt32TypeInContext(n->l->context),
                      .argument = c->image * sizeof(struct kernel_argument),
                      .sampler = image_call_sampler(n->l->program, c),
                      .has_bytes = n->l->program->opaques[c->image].format.type == IMAGE_UNORM_INT8};
  LLVMValueRef at = LLVMGetOperand(call, 0);
  r.two_ints = LLVMVectorType(r.i32, 2);
  r.two_floats = LLVMVectorType(LLVMFloatTypeInContext(n->l->context), 2);
  r.four_floats = LLVMVectorType(LLVMFloatTypeInContext(n->l->context), 4);
  r.sizes = argument_part(&r, r.two_ints, offsetof(struct image_argument, width));
  if (c->by_point && r.sampler & SAMPLER_LINEAR)
    return mix_four(&r, at, place);
  if (c->by_point)
    at = to_integer(&r, floor_of(&r, unnormalised(&r, at)));
  at = address(&r, at);
  return to_color(&r, load_texel(&r, part(&r, at, 0), part(&r, at, 1), place));
}
