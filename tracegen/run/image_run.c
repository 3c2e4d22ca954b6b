/* Executes image functions while a kernel runs: generated code calls emulation_image. */
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "tracegen/run/diagnose/generated_numbers.h"
#include "tracegen/run/diagnose/mistakes.h"
#include "tracegen/abi/image_sample.h"

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

/* OpenCL 1.2 leaves the results of these calls undefined (sections 6.12.14.2 to 6.12.14.4). */
static void check_function(const struct access *a) {
  static const char *const letters[] = {"f", "i", "ui"};
  const enum image_numbers wanted = image_numbers_of(a->image->format);
  if (a->call->numbers != wanted)
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
  if (a->call->by_point && linear && a->call->numbers != IMAGE_FLOATS)
    mistake(a, "%s of image \"%s\": the sampler must be CLK_FILTER_NEAREST, integers are not interpolated",
            a->call->name, image_name(a));
  if (repeats && !normalised)
    mistake(a, "%s of image \"%s\": a sampler that repeats must be CLK_NORMALIZED_COORDS_TRUE", a->call->name,
            image_name(a));
}

static void check_texel(const struct access *a, int32_t x, int32_t y) {
  if (!image_inside(a->image, x, y))
    mistake(a, "%s at (%d, %d) outside of image \"%s\" of %u x %u texels%s, which OpenCL leaves undefined; %s",
            a->call->name, x, y, image_name(a), a->image->width, a->image->height,
            a->call->has_sampler ? " with CLK_ADDRESS_NONE" : "",
            a->call->has_sampler ? "CLK_ADDRESS_CLAMP_TO_EDGE and its kin define it"
                                 : "get_image_width and get_image_height tell where the image ends");
}

static void record(const struct access *a, const struct image_sample *s) {
  uint32_t *to = a->operands->addresses;
  for (unsigned t = 0; to && t < s->count; t++)
    to[t] = (uint32_t)(uintptr_t)image_texel(a->image, s->x[t], s->y[t]);
}

static void read_image(const struct access *a) {
  struct image_operands *o = a->operands;
  int32_t texel[2] = {o->at.i[0], o->at.i[1]};
  if ((a->sampler & SAMPLER_ADDRESS) == SAMPLER_NONE) {
    if (a->call->by_point)
      image_point_texel(a->image, a->sampler, o->at.f[0], o->at.f[1], texel);
    check_texel(a, texel[0], texel[1]);
  }
  const struct image_sample s = a->call->by_point ? image_sample_point(a->image, a->sampler, o->at.f[0], o->at.f[1])
                                                  : image_sample_texel(a->image, a->sampler, texel[0], texel[1]);
  record(a, &s);
  o->color = image_sample_color(a->image, &s);
}

static void write_image(const struct access *a) {
  const struct image_operands *o = a->operands;
  check_texel(a, o->at.i[0], o->at.i[1]);
  const struct image_sample s = {.count = 1, .x = {o->at.i[0]}, .y = {o->at.i[1]}};
  record(a, &s);
  image_store(a->image->format, image_texel(a->image, s.x[0], s.y[0]), &o->color);
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
