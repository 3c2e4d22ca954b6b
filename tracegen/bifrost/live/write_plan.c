#include "tracegen/bifrost/live/write_plan.h"

#include <errno.h>
#include <inttypes.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* The driver builds no kernel with double. Kernels that check results have it, but run on the host: they are in the
 * same source, and are built without being launched. */
#define NO_DOUBLE "-Ddouble=float"
#define ALIGNMENT 128 /* of each buffer in the data file */

/* OpenCL's numbers (CL/cl.h). */
#define CL_ADDRESS_FIRST    0x1130u /* CL_ADDRESS_NONE; the others follow as in SAMPLER_ADDRESS */
#define CL_FILTER_NEAREST_0 0x1140u
#define CL_FILTER_LINEAR_0  0x1141u

size_t bifrost_buffer_bytes(const struct workload_buffer *buffer) {
  return buffer->count * scalar_type_bytes(buffer->type);
}

size_t bifrost_data_offset(const struct workload *workload, size_t index) {
  size_t offset = 0;
  for (size_t i = 0; i < index; i++)
    offset += (bifrost_buffer_bytes(&workload->buffers[i]) + ALIGNMENT - 1) / ALIGNMENT * ALIGNMENT;
  return offset;
}

static void put_buffer(FILE *out, const struct workload *w, size_t index) {
  const struct workload_buffer *b = &w->buffers[index];
  const size_t offset = bifrost_data_offset(w, index), bytes = bifrost_buffer_bytes(b);
  if (b->width)
    fprintf(out, "image %zu %zu %u %u %u %u\n", offset, bytes, b->width, b->height,
            image_order_number((enum image_order)b->format.order), image_type_number((enum image_type)b->format.type));
  else
    fprintf(out, "buffer %zu %zu\n", offset, bytes);
}

static void put_value(FILE *out, const struct workload_argument *a) {
  const size_t bytes = a->elements ? scalar_type_bytes(a->type) * (a->elements == 3 ? 4 : a->elements) : a->bytes;
  fputs("value ", out);
  for (size_t i = 0; i < bytes; i++)
    fprintf(out, "%02x", a->value[i]);
  fputc('\n', out);
}

static void put_sampler(FILE *out, uint32_t sampler) {
  fprintf(out, "sampler %d %u %u\n", (sampler & SAMPLER_NORMALISED) != 0,
          CL_ADDRESS_FIRST + (sampler & SAMPLER_ADDRESS) / 2,
          sampler & SAMPLER_LINEAR ? CL_FILTER_LINEAR_0 : CL_FILTER_NEAREST_0);
}

static void put_argument(FILE *out, const struct workload_argument *a) {
  switch (a->kind) {
  case ARGUMENT_BUFFER:
    fprintf(out, "pass %zu %zu %zu\n", a->buffer, a->offset, a->span);
    break;
  case ARGUMENT_NULL:
    fputs("null\n", out);
    break;
  case ARGUMENT_SCALAR:
    put_value(out, a);
    break;
  case ARGUMENT_LOCAL:
    fprintf(out, "local %zu\n", a->bytes);
    break;
  case ARGUMENT_IMAGE:
    fprintf(out, "picture %zu\n", a->buffer);
    break;
  case ARGUMENT_SAMPLER:
    put_sampler(out, a->sampler);
    break;
  }
}

static void put_launch(FILE *out, const struct workload_launch *l) {
  fprintf(out, "launch %u", l->dimensions);
  for (int d = 0; d < 3; d++)
    fprintf(out, " %" PRIu64, l->global[d]);
  for (int d = 0; d < 3; d++)
    fprintf(out, " %" PRIu32, l->local[d]);
  for (int d = 0; d < 3; d++)
    fprintf(out, " %" PRIu64, l->offset[d]);
  fprintf(out, " %s\n", l->kernel);
  for (size_t i = 0; i < l->argument_count; i++)
    put_argument(out, &l->arguments[i]);
}

static bool launch_has_double(const struct workload *w, const struct workload_launch *l) {
  for (size_t i = 0; i < l->argument_count; i++) {
    const struct workload_argument *a = &l->arguments[i];
    if ((a->kind == ARGUMENT_SCALAR && a->type == SCALAR_DOUBLE) ||
        (a->kind == ARGUMENT_BUFFER && w->buffers[a->buffer].type == SCALAR_DOUBLE))
      return true;
  }
  return false;
}

static int check_launches(const struct workload *w, struct error *error) {
  if (!w->launch_count)
    return error_set(error, ERROR_INPUT, "workload %s has no launches", w->name);
  for (size_t i = 0; i < w->launch_count; i++)
    if (launch_has_double(w, &w->launches[i]))
      return error_set(error, ERROR_INPUT, "kernel %s takes arguments of type double, which the GPU's driver lacks",
                       w->launches[i].kernel);
  for (size_t i = 0; i < w->buffer_count; i++)
    if (w->buffers[i].width && w->buffers[i].image_kind != IMAGE_2D)
      return error_set(error, ERROR_INPUT, "image %s is %s; jobs of Bifrost GPUs are recorded with 2d images only",
                       w->buffers[i].name, image_kind_name((enum image_kind)w->buffers[i].image_kind));
  return 0;
}

static int end_file(FILE *out, struct error *error) {
  return fflush(out) == 0 && !ferror(out) ? 0
                                          : error_set(error, ERROR_WORK, "cannot write a plan: %s", strerror(errno));
}

int bifrost_plan_write(const struct workload *workload, FILE *out, struct error *error) {
  if (check_launches(workload, error) != 0)
    return -1;
  fprintf(out, "source %s\noptions %s %s\n", workload->source, NO_DOUBLE, workload->options);
  for (size_t i = 0; i < workload->buffer_count; i++)
    put_buffer(out, workload, i);
  for (size_t i = 0; i < workload->launch_count; i++)
    put_launch(out, &workload->launches[i]);
  return end_file(out, error);
}

static int put_contents(FILE *out, const struct workload *w, size_t index, struct error *error) {
  const size_t bytes = bifrost_buffer_bytes(&w->buffers[index]);
  const size_t room = bifrost_data_offset(w, index + 1) - bifrost_data_offset(w, index);
  void *contents = calloc(1, room ? room : 1);
  if (!contents)
    return error_set(error, ERROR_WORK, "out of memory for buffer %s", w->buffers[index].name);
  if (bytes)
    workload_buffer_fill(&w->buffers[index], contents);
  fwrite(contents, 1, room, out);
  free(contents);
  return 0;
}

int bifrost_data_write(const struct workload *workload, FILE *out, struct error *error) {
  for (size_t i = 0; i < workload->buffer_count; i++)
    if (put_contents(out, workload, i, error) != 0)
      return -1;
  return end_file(out, error);
}
