/* Executes image functions while a kernel runs: generated code calls emulation_image. */
#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "tracegen/run/diagnose/generated_numbers.h"
#include "tracegen/run/diagnose/mistakes.h"
#include "tracegen/abi/image_sample.h"
#include "workload/half.h"

struct access {
  struct item_context *item;
  const struct kernel_image_call *call;
  const struct image_argument *image;
  struct image_operands *operands;
  uint32_t sampler;
  unsigned line;
};

static void mistake(const struct access *a, const char *format, ...) __attribute__((format(printf, 2, 3)));
static void mistake(const struct access *a, const char *format, ...) {
  char text[400];
  va_list list;
  va_start(list, format);
  vsnprintf(text, sizeof text, format, list);
  va_end(list);
  group_run_mistake(a->item, a->line, text);
}

static const char *image_name(const struct access *a) {
  return a->item->run->program->parameters[a->call->image].name;
}

static bool has_halves(const struct access *a) {
  return a->call->numbers == IMAGE_HALVES;
}

/* OpenCL 1.2 leaves the results of these calls undefined (sections 6.12.14.2 to 6.12.14.4). */
static void check_function(const struct access *a) {
  static const char *const letters[] = {"f", "i", "ui"};
  const enum image_numbers wanted = image_numbers_of(a->image->format);
  const enum image_numbers found = has_halves(a) ? IMAGE_FLOATS : (enum image_numbers)a->call->numbers;
  if (found != wanted)
    mistake(a, "%s of image \"%s\", whose channels are %s: the result is undefined; use %s_image%s", a->call->name,
            image_name(a), image_type_name((enum image_type)a->image->format.type), a->call->writes ? "write" : "read",
            letters[wanted]);
}

static void check_sampler(const struct access *a) {
  const uint32_t address = a->sampler & SAMPLER_ADDRESS;
  const bool linear = a->sampler & SAMPLER_LINEAR, normalised = a->sampler & SAMPLER_NORMALISED;
  const bool repeats = address == SAMPLER_REPEAT || address == SAMPLER_MIRRORED_REPEAT;
  if (!a->call->by_point && (normalised || repeats)) /* a linear filter is allowed: programs use it and get the texel */
    mistake(a,
            "%s of image \"%s\" at integer coordinates: the sampler must be CLK_NORMALIZED_COORDS_FALSE and must not "
            "repeat",
            a->call->name, image_name(a));
  if (a->call->by_point && linear && a->call->numbers != IMAGE_FLOATS && !has_halves(a))
    mistake(a, "%s of image \"%s\": the sampler must be CLK_FILTER_NEAREST, integers are not interpolated",
            a->call->name, image_name(a));
  if (repeats && !normalised)
    mistake(a, "%s of image \"%s\": a sampler that repeats must be CLK_NORMALIZED_COORDS_TRUE", a->call->name,
            image_name(a));
}

/* Writes numbers with a separator: "8 x 8". */
static void put_numbers(const int64_t *numbers, unsigned count, const char *between, char *out, size_t size) {
  size_t used = 0;
  out[0] = 0;
  for (unsigned i = 0; i < count && used < size; i++)
    used += (size_t)snprintf(out + used, size - used, "%s%" PRId64, i ? between : "", numbers[i]);
}

/* The functions that return the sizes of an image. */
static const char *questions(enum image_kind kind) {
  switch (kind) {
  case IMAGE_1D:
  case IMAGE_1D_BUFFER:
    return "get_image_width tells";
  case IMAGE_1D_ARRAY:
    return "get_image_width and get_image_array_size tell";
  case IMAGE_2D_ARRAY:
    return "get_image_width, get_image_height and get_image_array_size tell";
  case IMAGE_3D:
    return "get_image_width, get_image_height and get_image_depth tell";
  default:
    return "get_image_width and get_image_height tell";
  }
}

static void outside(const struct access *a, const int32_t place[3]) {
  const enum image_kind kind = (enum image_kind)a->image->kind;
  const unsigned dimensions = image_kind_dimensions(kind);
  const int64_t at[] = {place[0], place[1], place[2]};
  const int64_t sizes[] = {a->image->size[0], a->image->size[1], a->image->size[2]};
  char where[64], texels[64], layers[40] = "", hint[100];
  put_numbers(at, image_kind_sizes(kind), ", ", where, sizeof where);
  put_numbers(sizes, dimensions, " x ", texels, sizeof texels);
  if (image_kind_is_array(kind))
    snprintf(layers, sizeof layers, " in %" PRIu64 " layers", a->image->layers);
  snprintf(hint, sizeof hint, "%s where the image ends", questions(kind));
  mistake(a, "%s at (%s) outside of image \"%s\" of %s texels%s%s, which OpenCL leaves undefined; %s", a->call->name,
          where, image_name(a), texels, layers, a->call->has_sampler ? " with CLK_ADDRESS_NONE" : "",
          a->call->has_sampler ? "CLK_ADDRESS_CLAMP_TO_EDGE and its kin define it" : hint);
}

static void check_texel(const struct access *a, const int32_t place[3]) {
  if (!image_inside(a->image, place))
    outside(a, place);
}

static void record(const struct access *a, const struct image_sample *s) {
  uint32_t *to = a->operands->addresses;
  for (unsigned t = 0; to && t < s->count; t++)
    to[t] = (uint32_t)(uintptr_t)image_texel(a->image, s->x[t], s->y[t], s->z[t]);
}

static void to_halves(union image_color *color) {
  uint16_t halves[4];
  for (unsigned i = 0; i < 4; i++)
    halves[i] = half_from_double((double)color->f[i]);
  memcpy(color, halves, sizeof halves);
}

static void from_halves(union image_color *color) {
  uint16_t halves[4];
  memcpy(halves, color, sizeof halves);
  for (unsigned i = 0; i < 4; i++)
    color->f[i] = (float)half_to_double(halves[i]);
}

/* Checks the texel of a read that no addressing mode brings into the image. A sampler always finds a layer. */
static void check_read(const struct access *a) {
  const struct image_operands *o = a->operands;
  const enum image_kind kind = (enum image_kind)a->image->kind;
  int32_t texel[3] = {o->at.i[0], o->at.i[1], o->at.i[2]};
  if (a->call->by_point)
    image_point_texel(a->image, a->sampler, o->at.f, texel);
  else if (a->call->has_sampler && image_kind_is_array(kind))
    texel[image_kind_dimensions(kind)] = image_nearest_layer(a->image, texel[image_kind_dimensions(kind)]);
  check_texel(a, texel);
}

static void read_image(const struct access *a) {
  struct image_operands *o = a->operands;
  if ((a->sampler & SAMPLER_ADDRESS) == SAMPLER_NONE)
    check_read(a);
  const struct image_sample s = a->call->by_point ? image_sample_point(a->image, a->sampler, o->at.f)
                                                  : image_sample_texel(a->image, a->sampler, o->at.i);
  record(a, &s);
  o->color = image_sample_color(a->image, &s);
  if (has_halves(a))
    to_halves(&o->color);
}

static void write_image(const struct access *a) {
  struct image_operands *o = a->operands;
  check_texel(a, o->at.i);
  const struct image_sample s = image_sample_texel(a->image, SAMPLER_NONE, o->at.i);
  record(a, &s);
  if (has_halves(a))
    from_halves(&o->color);
  image_store(a->image->format, image_texel(a->image, s.x[0], s.y[0], s.z[0]), &o->color);
}

void emulation_image(struct item_context *item, uint64_t call_and_line, uint64_t operands) {
  const struct kernel_program *program = item->run->program;
  const struct kernel_image_call *call =
      &program->image_calls[generated_index(item, (uint32_t)call_and_line, program->image_call_count, "image calls")];
  const struct kernel_argument *arguments = item->run->request->arguments;
  struct access a = {.item = item,
                     .call = call,
                     .image = (const void *)arguments[call->image].value,
                     .operands = (struct image_operands *)(uintptr_t)operands,
                     .sampler = call->sampler,
                     .line = (unsigned)(call_and_line >> 32)};
  if (call->sampler_parameter != KERNEL_NO_PARAMETER)
    memcpy(&a.sampler, arguments[call->sampler_parameter].value, sizeof a.sampler);
  check_function(&a);
  if (call->has_sampler)
    check_sampler(&a);
  if (call->writes)
    write_image(&a);
  else
    read_image(&a);
}
