/* Turns a captured launch into a workload in memory, emulates it and compares the results. */
#include "tracegen/program/capture/capture.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/input/json.h"
#include "base/text.h"
#include "tracegen/program/capture/capture_compare.h"
#include "tracegen/program/capture/capture_folders.h"
#include "tracegen/program/capture/capture_images.h"
#include "tracegen/program/capture/capture_results.h"

#define MOST_IDS INT64_MAX
#define PLACE    "the capture's log" /* for messages */

struct replica {
  const struct capture *capture;
  const json_t *launch;
  const char *place; /* for messages */
  struct workload workload;
  struct workload_launch range;
  double ulps;
  bool compares;
  struct capture_outcome *out;
  char **undefined;  /* by buffer: the uninitialised bytes; NULL: none */
  bool knows_writes; /* what all launches before wrote is known */
};

/* Reads from `item` of the log which contents a buffer has. */
static int read_number(const struct replica *r, const json_t *item, uint64_t *number, struct error *error) {
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
  int64_t id, bytes, number;
  struct workload_buffer *b = &r->workload.buffers[i];
  if (json_need_int(item, "id", 0, MOST_IDS, &id, r->place, error) ||
      json_need_int(item, "bytes", 0, MOST_IDS, &bytes, r->place, error) ||
      json_need_int(item, "content", 0, MOST_IDS, &number, r->place, error))
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
    return error_set(error, ERROR_WORK, "out of memory");
  return image ? capture_read_image(image, b, r->place, error) : 0;
}

static size_t bytes_of(const struct workload_buffer *b) {
  return b->count * scalar_type_bytes(b->type);
}

static int read_buffers(struct replica *r, const json_t *list, struct error *error) {
  r->workload.buffers = calloc(json_array_size(list) + 1, sizeof *r->workload.buffers);
  r->undefined = calloc(json_array_size(list) + 1, sizeof *r->undefined);
  if (!r->workload.buffers || !r->undefined)
    return error_set(error, ERROR_WORK, "out of memory");
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
    return error_set(error, ERROR_WORK, "out of memory");
  for (; r->range.argument_count < json_array_size(list); r->range.argument_count++)
    if (read_argument(r, json_array_get(list, r->range.argument_count), &r->range.arguments[r->range.argument_count],
                      error))
      return -1;
  return 0;
}

static int build(struct replica *r, const char *name, struct error *error) {
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
    return error_set(error, ERROR_WORK, "out of memory");
  if (read_range(r, error) || read_buffers(r, buffers, error) || read_arguments(r, error))
    return -1;
  return r->capture->groups ? workload_choose_groups(w, r->capture->groups, error) : 0;
}

static void clear(struct replica *r) {
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

/* The exchange of contents with the emulation, and the comparison with what OpenCL left. */

static int fill(void *user, size_t buffer, char *memory, uint64_t *held, struct error *error) {
  const struct replica *r = user;
  uint64_t number;
  return read_number(r, json_array_get(json_object_get(r->launch, "buffers"), buffer), &number, error) ||
                 contents_fill(&r->capture->contents, number, bytes_of(&r->workload.buffers[buffer]), memory, held,
                               error)
             ? -1
             : 0;
}

/* Compares by the bytes where digests have found a difference. */
static int compare_bytes(const struct replica *r, size_t buffer, uint64_t number, char *memory, struct error *error) {
  const struct workload_buffer *b = &r->workload.buffers[buffer];
  const size_t bytes = bytes_of(b);
  const json_t *item = json_array_get(json_object_get(r->launch, "after"), buffer);
  uint64_t *nothing = calloc(content_chunk_count(bytes) + 1, sizeof *nothing);
  char *expected = nothing ? malloc(bytes + 1) : NULL;
  int status = expected ? contents_fill(&r->capture->contents, number, bytes, expected, nothing, error)
                        : error_set(error, ERROR_WORK, "no memory to compare %zu bytes", bytes);
  if (!status) {
    const enum capture_agreement agreement =
        capture_compare(r->launch, json_integer_value(json_object_get(item, "id")), b, memory, expected, bytes, r->ulps,
                        r->out->difference, sizeof r->out->difference);
    r->out->agreement = agreement > r->out->agreement ? agreement : r->out->agreement;
  }
  free(expected);
  free(nothing);
  return status;
}

static int take(void *user, size_t buffer, char *memory, uint64_t *held, struct error *error) {
  const struct replica *r = user;
  const size_t bytes = bytes_of(&r->workload.buffers[buffer]);
  uint64_t number;
  if (capture_keep_result(r->capture, r->launch, buffer, memory, bytes, error))
    return -1;
  if (!r->compares || r->out->agreement == CAPTURE_DIFFERS) {
    memset(held, 0, content_chunk_count(bytes) * sizeof *held);
    return 0;
  }
  if (read_number(r, json_array_get(json_object_get(r->launch, "after"), buffer), &number, error) ||
      contents_check(&r->capture->contents, number, bytes, error))
    return -1;
  return contents_compare(&r->capture->contents, number, memory, held)
             ? 0
             : compare_bytes(r, buffer, number, memory, error);
}

/* Keeps what the launch left uninitialised: no byte where it failed. */
static int keep_uninitialised(struct capture *capture, const struct replica *r, const struct emulate_result *emulated,
                              struct error *error) {
  const json_t *list = json_object_get(r->launch, "buffers");
  for (size_t i = 0; i < r->workload.buffer_count; i++) {
    const json_t *item = json_array_get(list, i);
    const char *left = i < emulated->undefined_count ? emulated->undefined[i] : NULL;
    if (json_object_get(item, "undefined") &&
        uninitialised_keep(&capture->uninitialised, (uint64_t)json_integer_value(json_object_get(item, "id")), left,
                           bytes_of(&r->workload.buffers[i]), error))
      return -1;
  }
  return 0;
}

/* Launches that repeat an earlier one. */

static bool has_uninitialised(const struct replica *r) {
  for (size_t i = 0; i < r->workload.buffer_count; i++)
    if (r->undefined[i] && memchr(r->undefined[i], 1, bytes_of(&r->workload.buffers[i])))
      return true;
  return false;
}

/* Fills the query. Returns whether the launch may be like another one: all that its buffers hold is known. */
static bool may_repeat(const struct replica *r, uint64_t *contents, struct repeat_query *query) {
  struct error ignored = ERROR_INIT;
  const json_t *list = json_object_get(r->launch, "buffers");
  *query = (struct repeat_query){&r->workload, r->capture->groups, contents};
  for (size_t i = 0; i < r->workload.buffer_count; i++)
    if (read_number(r, json_array_get(list, i), &contents[i], &ignored))
      return false;
  return r->capture->repeats_copied && !has_uninitialised(r);
}

static bool repeat(const struct replica *r, const struct repeat_query *query, const struct emulate_options *options) {
  const struct earlier_launch *earlier = repeats_find(&r->capture->repeats, query);
  if (!earlier ||
      repeats_copy_trace(earlier, &r->workload, options->trace_directory, r->capture->pool, &r->out->emulated))
    return false;
  r->out->agreement = CAPTURE_REPEATED;
  r->out->repeats = earlier->index;
  return true;
}

/* Emulates the launch, unless it repeats an earlier one. */
static int emulate_or_repeat(struct capture *capture, const struct replica *r, size_t index,
                             const struct emulate_options *options, struct error *error) {
  struct repeat_query query;
  uint64_t *contents = calloc(r->workload.buffer_count + 1, sizeof *contents);
  const bool known = contents && may_repeat(r, contents, &query);
  int status = 0;
  if (!known || !repeat(r, &query, options)) {
    status = emulate_workload(&r->workload, options, false, &r->out->emulated, error);
    const struct emulate_launch *l = r->out->emulated.launches;
    if (!status && known && r->out->agreement != CAPTURE_DIFFERS && l->outside.count == 0)
      repeats_keep(&capture->repeats, &query, l->inputs,
                   (struct earlier_launch){index, l->trace_path, l->work_item_instructions});
  }
  free(contents);
  return status;
}

int capture_emulate(struct capture *capture, size_t index, const char *name, const struct emulate_options *options,
                    double ulps, struct capture_outcome *out, struct error *error) {
  struct emulate_options own = *options;
  struct replica r = {.capture = capture,
                      .knows_writes = options->undefined_reads != UNDEFINED_READS_NONE && capture->done == index,
                      .launch = json_array_get(capture->launches, index),
                      .place = PLACE,
                      .ulps = ulps,
                      .out = out};
  const struct buffer_exchange exchange = {.user = &r, .chunk_count = content_chunk_count, .fill = fill, .take = take};
  own.pool = options->unoptimised ? NULL : capture->pool; /* its workers have built the optimised kernel */
  own.exchange = &exchange;
  r.compares = json_object_get(r.launch, "after") && options->check;
  *out = (struct capture_outcome){.agreement = r.compares ? CAPTURE_EQUAL : CAPTURE_NOT_COMPARED};
  int status = build(&r, name, error) || emulate_or_repeat(capture, &r, index, &own, error);
  if (options->undefined_reads != UNDEFINED_READS_NONE && keep_uninitialised(capture, &r, &out->emulated, error))
    status = -1;
  if (status)
    capture_outcome_clear(out);
  clear(&r);
  return status ? -1 : 0;
}

void capture_outcome_clear(struct capture_outcome *outcome) {
  emulate_result_clear(&outcome->emulated);
  *outcome = (struct capture_outcome){0};
}
