#include "tracegen/program/capture/capture_replica.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/input/json.h"
#include "base/text.h"
#include "tracegen/program/capture/capture_folders.h"
#include "tracegen/program/capture/capture_images.h"

#define MOST_IDS INT64_MAX

int replica_content(const struct replica *r, const json_t *item, uint64_t *number, struct error *error) {
  int64_t found;
  if (json_need_int(item, "content", 0, MOST_IDS, &found, r->place, error))
    return -1;
  *number = (uint64_t)found;
  return 0;
}

static int read_triple(const struct replica *r, const char *key, int64_t minimum, int64_t maximum, int64_t out[3],
                       struct error *error) {
  json_t *list;
  if (json_need_array(r->launch, key, &list, r->place, error))
    return -1;
  for (size_t d = 0; d < 3; d++) {
    out[d] = json_integer_value(json_array_get(list, d));
    if (json_array_size(list) != 3 || out[d] < minimum || out[d] > maximum)
      return error_at(error, ERROR_INPUT, r->place, 0, 0, key, "found %lld in dimension %zu, allowed are %lld to %lld",
                      (long long)out[d], d, (long long)minimum, (long long)maximum);
  }
  return 0;
}

static int read_range(struct replica *r, struct error *error) {
  int64_t global[3], local[3], offset[3], dimensions;
  if (json_need_int(r->launch, "dimensions", 1, 3, &dimensions, r->place, error) ||
      read_triple(r, "global", 1, INT64_C(1) << 32, global, error) ||
      read_triple(r, "local", 1, WORKLOAD_MAX_WORK_GROUP, local, error) ||
      read_triple(r, "offset", 0, INT64_C(1) << 32, offset, error))
    return -1;
  r->range.dimensions = (unsigned)dimensions;
  for (unsigned d = 0; d < 3; d++) {
    r->range.global[d] = (uint64_t)global[d];
    r->range.local[d] = (uint32_t)local[d];
    r->range.offset[d] = (uint64_t)offset[d];
  }
  return 0;
}

static int read_buffer(struct replica *r, size_t i, const json_t *item, struct error *error) {
  int64_t id, bytes;
  struct workload_buffer *b = &r->workload.buffers[i];
  if (json_need_int(item, "id", 0, MOST_IDS, &id, r->place, error) ||
      json_need_int(item, "bytes", 0, MOST_IDS, &bytes, r->place, error))
    return -1;
  const json_t *image = json_object_get(item, "image");
  *b = (struct workload_buffer){.name = text_format(image ? "image-%" PRId64 : "buffer-%" PRId64, id),
                                .type = SCALAR_UCHAR,
                                .count = (size_t)bytes,
                                .init = INIT_GIVEN};
  r->workload.buffer_count++;
  if (r->knows_writes &&
      uninitialised_find(&r->capture->uninitialised, (uint64_t)id, json_object_get(item, "undefined"), (size_t)bytes,
                         r->place, &r->undefined[i], error))
    return -1;
  b->undefined = r->undefined[i];
  if (!b->name)
    return error_no_memory(error);
  return image ? capture_read_image(image, b, r->place, error) : 0;
}

static size_t bytes_of(const struct workload_buffer *b) {
  return b->count * scalar_type_bytes(b->type);
}

static int read_buffers(struct replica *r, const json_t *list, struct error *error) {
  r->workload.buffers = calloc(json_array_size(list) + 1, sizeof *r->workload.buffers);
  r->undefined = calloc(json_array_size(list) + 1, sizeof *r->undefined);
  if (!r->workload.buffers || !r->undefined)
    return error_no_memory(error);
  for (size_t i = 0; i < json_array_size(list); i++)
    if (read_buffer(r, i, json_array_get(list, i), error))
      return -1;
  return 0;
}

/* Returns which of the launch's buffers and images has this id; buffer_count: none. */
static size_t find_memory(const struct replica *r, int64_t id) {
  const json_t *list = json_object_get(r->launch, "buffers");
  size_t i = 0;
  while (i < r->workload.buffer_count && json_integer_value(json_object_get(json_array_get(list, i), "id")) != id)
    i++;
  return i;
}

static int read_image(const struct replica *r, const json_t *item, struct workload_argument *a, struct error *error) {
  int64_t id;
  if (json_need_int(item, "image", 0, MOST_IDS, &id, r->place, error))
    return -1;
  a->kind = ARGUMENT_IMAGE;
  a->buffer = find_memory(r, id);
  if (a->buffer == r->workload.buffer_count || r->workload.buffers[a->buffer].width == 0)
    return error_at(error, ERROR_WORK, r->place, 0, 0, "args", "image %lld is not there", (long long)id);
  return 0;
}

static int read_part(const struct replica *r, const json_t *item, struct workload_argument *a, struct error *error) {
  int64_t id, offset, bytes;
  if (json_need_int(item, "buffer", 0, MOST_IDS, &id, r->place, error) ||
      json_need_int(item, "offset", 0, MOST_IDS, &offset, r->place, error) ||
      json_need_int(item, "bytes", 1, MOST_IDS, &bytes, r->place, error))
    return -1;
  a->kind = ARGUMENT_BUFFER;
  a->offset = (size_t)offset;
  a->span = (size_t)bytes;
  a->buffer = find_memory(r, id);
  if (a->buffer == r->workload.buffer_count || a->offset > bytes_of(&r->workload.buffers[a->buffer]) ||
      a->span > bytes_of(&r->workload.buffers[a->buffer]) - a->offset)
    return error_at(error, ERROR_WORK, r->place, 0, 0, "args", "bytes %lld to %lld of buffer %lld are not there",
                    (long long)offset, (long long)(offset + bytes), (long long)id);
  return 0;
}

/* Reads an image that shows a part of a buffer. */
static int read_shown(const struct replica *r, const json_t *item, struct workload_argument *a, struct error *error) {
  struct workload_buffer texels = {.name = (char *)"an image of a buffer"};
  if (read_part(r, item, a, error))
    return -1;
  texels.count = a->span;
  if (capture_read_image(json_object_get(item, "shown_as"), &texels, r->place, error))
    return -1;
  if (texels.image_kind != IMAGE_1D_BUFFER)
    return error_at(error, ERROR_WORK, r->place, 0, 0, "args", "a %s image shows a buffer",
                    image_kind_name((enum image_kind)texels.image_kind));
  a->kind = ARGUMENT_IMAGE;
  a->shown = texels.format;
  a->shown_texels = texels.width;
  return 0;
}

static int read_value(const struct replica *r, const char *hex, struct workload_argument *a, struct error *error) {
  const size_t length = strlen(hex);
  if (length % 2 || length / 2 > sizeof a->value || strspn(hex, "0123456789abcdef") != length)
    return error_at(error, ERROR_WORK, r->place, 0, 0, "value", "found \"%.60s\", expected up to %zu bytes in hex", hex,
                    sizeof a->value);
  a->kind = ARGUMENT_SCALAR;
  a->bytes = length / 2;
  for (size_t i = 0; i < a->bytes; i++) {
    const char digits[] = {hex[2 * i], hex[2 * i + 1], '\0'};
    a->value[i] = (unsigned char)strtoul(digits, NULL, 16);
  }
  return 0;
}

static int read_argument(const struct replica *r, const json_t *item, struct workload_argument *a,
                         struct error *error) {
  int64_t bytes;
  const char *hex = json_string_value(json_object_get(item, "value"));
  if (hex)
    return read_value(r, hex, a, error);
  if (json_object_get(item, "image"))
    return read_image(r, item, a, error);
  if (json_object_get(item, "shown_as"))
    return read_shown(r, item, a, error);
  const json_t *sampler = json_object_get(item, "sampler");
  if (sampler) {
    a->kind = ARGUMENT_SAMPLER;
    return capture_read_sampler(sampler, &a->sampler, r->place, error);
  }
  if (json_is_null(json_object_get(item, "buffer"))) {
    a->kind = ARGUMENT_NULL;
    return 0;
  }
  if (!json_object_get(item, "local"))
    return read_part(r, item, a, error);
  if (json_need_int(item, "local", 1, INT64_C(16) << 20, &bytes, r->place, error))
    return -1;
  a->kind = ARGUMENT_LOCAL;
  a->bytes = (size_t)bytes;
  return 0;
}

static int read_arguments(struct replica *r, struct error *error) {
  json_t *list;
  if (json_need_array(r->launch, "args", &list, r->place, error))
    return -1;
  r->range.arguments = calloc(json_array_size(list) + 1, sizeof *r->range.arguments);
  if (!r->range.arguments)
    return error_no_memory(error);
  for (; r->range.argument_count < json_array_size(list); r->range.argument_count++)
    if (read_argument(r, json_array_get(list, r->range.argument_count), &r->range.arguments[r->range.argument_count],
                      error))
      return -1;
  return 0;
}

int replica_build(struct replica *r, const char *name, struct error *error) {
  const char *kernel, *options;
  int64_t program;
  json_t *buffers;
  struct workload *w = &r->workload;
  if (json_need_string(r->launch, "kernel", &kernel, r->place, error) ||
      json_need_string(r->launch, "options", &options, r->place, error) ||
      json_need_int(r->launch, "program", 0, MOST_IDS, &program, r->place, error) ||
      json_need_array(r->launch, "buffers", &buffers, r->place, error))
    return -1;
  w->name = strdup(name);
  if (capture_absolute_folders(options, json_string_value(json_object_get(r->launch, "folder")), &w->options, error))
    return -1;
  w->source = text_format("%s/program-%" PRId64 ".cl", r->capture->folder, program);
  w->seed = 1;
  w->launches = &r->range;
  w->launch_count = 1;
  r->range.kernel = strdup(kernel);
  if (!w->name || !w->source || !r->range.kernel)
    return error_no_memory(error);
  if (read_range(r, error) || read_buffers(r, buffers, error) || read_arguments(r, error))
    return -1;
  return r->capture->groups ? workload_choose_groups(w, r->capture->groups, error) : 0;
}

void replica_clear(struct replica *r) {
  struct workload *w = &r->workload;
  for (size_t i = 0; i < w->buffer_count; i++)
    free(w->buffers[i].name);
  for (size_t i = 0; r->undefined && i < w->buffer_count; i++)
    free(r->undefined[i]);
  free(r->undefined);
  free(w->buffers);
  free(w->name);
  free(w->options);
  free(w->source);
  group_choice_clear(&r->range.groups);
  free(r->range.kernel);
  free(r->range.arguments);
}
