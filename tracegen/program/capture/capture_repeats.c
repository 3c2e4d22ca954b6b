#include "tracegen/program/capture/capture_repeats.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "base/text.h"
#include "trace/format/bytes.h"
#include "trace/write/renamed_trace.h"
#include "tracegen/process/staging.h"

/* The facts in which launches of one kernel agree: their sizes, and the places of their buffers. */

static void put_argument(struct bytes *key, const struct workload_argument *a) {
  bytes_varint(key, a->kind);
  bytes_varint(key, a->buffer);
  bytes_varint(key, a->offset);
  bytes_varint(key, a->span);
  bytes_varint(key, a->bytes);
  bytes_varint(key, a->sampler);
}

static void put_launch(struct bytes *key, const struct workload_launch *launch) {
  bytes_text(key, launch->kernel);
  bytes_varint(key, launch->dimensions);
  for (int d = 0; d < 3; d++) {
    bytes_varint(key, launch->global[d]);
    bytes_varint(key, launch->local[d]);
    bytes_varint(key, launch->offset[d]);
  }
  bytes_varint(key, launch->argument_count);
  for (size_t i = 0; i < launch->argument_count; i++)
    put_argument(key, &launch->arguments[i]);
}

static void put_kernel(const struct repeat_query *q, struct bytes *key) {
  const struct workload *w = q->workload;
  bytes_text(key, w->source);
  bytes_text(key, w->options ? w->options : "");
  bytes_text(key, q->groups ? q->groups : "");
  bytes_varint(key, w->buffer_count);
  for (size_t i = 0; i < w->buffer_count; i++)
    bytes_varint(key, w->buffers[i].count * scalar_type_bytes(w->buffers[i].type));
  put_launch(key, &w->launches[0]);
}

/* The inputs that decide the trace. */

static bool has(uint64_t set, size_t parameter) {
  return set >> parameter & 1;
}

static void put_decisive(struct bytes *key, const struct repeat_query *q, struct launch_inputs inputs) {
  const struct workload_launch *launch = &q->workload->launches[0];
  for (size_t i = 0; i < launch->argument_count && i < LAUNCH_INPUTS_MOST; i++) {
    const struct workload_argument *a = &launch->arguments[i];
    if (has(inputs.values, i) && a->kind == ARGUMENT_SCALAR)
      bytes_append(key, a->value, a->bytes);
    if (has(inputs.contents, i) && a->kind == ARGUMENT_BUFFER)
      bytes_varint(key, q->contents[a->buffer]);
  }
}

/* Returns whether two arguments are the same buffer, so that what is stored through one is loaded through another. */
static bool shares_buffers(const struct workload_launch *launch) {
  for (size_t i = 0; i < launch->argument_count; i++)
    for (size_t k = 0; k < i; k++)
      if (launch->arguments[i].kind == ARGUMENT_BUFFER && launch->arguments[k].kind == ARGUMENT_BUFFER &&
          launch->arguments[i].buffer == launch->arguments[k].buffer)
        return true;
  return false;
}

static bool is_known(const struct repeat_query *q, struct launch_inputs inputs) {
  return !inputs.everything && !(inputs.contents && shares_buffers(&q->workload->launches[0]));
}

/* Tables of keys. */

/* Returns the key's bytes as hexadecimal digits, which the caller frees, and frees the bytes; NULL: memory ran out. */
static char *key_text(struct bytes *key) {
  char *text = key->failed ? NULL : malloc(2 * key->length + 1);
  for (size_t i = 0; text && i < key->length; i++)
    snprintf(text + 2 * i, 3, "%02x", key->data[i]);
  bytes_clear(key);
  return text;
}

/* Returns the number that the table has for the key, or SIZE_MAX. */
static size_t number_of(const json_t *table, const char *key) {
  const json_t *number = key ? json_object_get(table, key) : NULL;
  return number ? (size_t)json_integer_value(number) : SIZE_MAX;
}

/* Gives the key the next number, `count`. Returns false where memory ran out. */
static bool add_number(json_t **table, const char *key, size_t count) {
  if (!*table)
    *table = json_object();
  return key && json_object_set_new(*table, key, json_integer((json_int_t)count)) == 0;
}

static char *kernel_key(const struct repeat_query *q) {
  struct bytes key = {0};
  put_kernel(q, &key);
  return key_text(&key);
}

/* Returns the key of a launch of kernel number `kernel`; NULL: it is like no other one, or memory ran out. */
static char *launch_key(const struct repeats *r, size_t kernel, const struct repeat_query *q) {
  struct bytes key = {0};
  if (kernel == SIZE_MAX || !is_known(q, r->inputs[kernel]))
    return NULL;
  bytes_varint(&key, kernel);
  put_decisive(&key, q, r->inputs[kernel]);
  return key_text(&key);
}

const struct earlier_launch *repeats_find(const struct repeats *r, const struct repeat_query *q) {
  char *kernel = kernel_key(q), *key = launch_key(r, number_of(r->kernels, kernel), q);
  const size_t number = number_of(r->known, key);
  free(kernel);
  free(key);
  return number < r->launch_count ? &r->launches[number] : NULL;
}

static void number_key(uint64_t number, char key[32]) {
  snprintf(key, 32, "#%" PRIu64, number);
}

const struct earlier_launch *repeats_find_number(const struct repeats *r, uint64_t number) {
  char key[32];
  number_key(number, key);
  const size_t place = number_of(r->known, key);
  return place < r->launch_count ? &r->launches[place] : NULL;
}

/* Returns the kernel's number; SIZE_MAX: memory ran out. */
static size_t keep_kernel(struct repeats *r, const struct repeat_query *q, struct launch_inputs inputs) {
  char *key = kernel_key(q);
  size_t number = number_of(r->kernels, key);
  if (number == SIZE_MAX && array_room_for_one(&r->inputs, r->kernel_count, sizeof *r->inputs) &&
      add_number(&r->kernels, key, r->kernel_count)) {
    number = r->kernel_count++;
    r->inputs[number] = inputs;
  }
  free(key);
  return number;
}

void repeats_keep(struct repeats *r, const struct repeat_query *q, const struct earlier_launch *kept) {
  struct earlier_launch launch = *kept;
  char *key = launch_key(r, keep_kernel(r, q, launch.inputs), q), by_number[32];
  number_key(launch.number, by_number);
  if (key && number_of(r->known, key) == SIZE_MAX && (launch.trace_path = strdup(launch.trace_path))) {
    if (array_room_for_one(&r->launches, r->launch_count, sizeof *r->launches) &&
        add_number(&r->known, key, r->launch_count) && add_number(&r->known, by_number, r->launch_count))
      r->launches[r->launch_count++] = launch;
    else
      free(launch.trace_path);
  }
  free(key);
}

/* Copies of traces. */

/* Names the trace and its buffers as the workload does, in a file of the pool's staging folder, then moves it to
 * `path`. */
static int copy_to(const char *path, const struct earlier_launch *earlier, const struct workload *w,
                   const char *staging, uint64_t *bytes, struct error *error) {
  const char **names = calloc(w->buffer_count + 1, sizeof *names);
  char *staged = text_format("%s/repeat.rtrace", staging);
  const struct trace_names all = {w->name, names, w->buffer_count};
  for (size_t i = 0; names && i < w->buffer_count; i++)
    names[i] = w->buffers[i].name;
  int status = names && staged ? 0 : error_no_memory(error);
  if (!status)
    status = trace_copy_renamed(earlier->trace_path, staged, &all, bytes, error) || staging_publish(staged, path, error)
                 ? -1
                 : 0;
  free(names);
  free(staged);
  return status;
}

int repeats_copy_trace(const struct earlier_launch *earlier, const struct workload *w, const char *directory,
                       struct worker_pool *pool, struct emulate_result *out, struct error *error) {
  const char *staging = pool ? worker_pool_staging(pool, directory, error) : NULL;
  *out = (struct emulate_result){.launches = calloc(1, sizeof *out->launches), .launch_count = 1};
  struct emulate_launch *l = out->launches;
  int status = l ? 0 : error_no_memory(error);
  if (!status) {
    l->work_item_instructions = earlier->work_item_instructions;
    l->kernel = strdup(w->launches[0].kernel);
    l->trace_path = text_format("%s/%s.rtrace", directory, w->name);
    status = l->kernel && l->trace_path ? 0 : error_no_memory(error);
  }
  if (!status && staging && copy_to(l->trace_path, earlier, w, staging, &l->trace_bytes, error) == 0)
    return 0;
  if (!pool)
    error_set(error, ERROR_WORK, "there are no workers, for which memory may be missing");
  out->launch_count = out->launches ? 1 : 0;
  emulate_result_clear(out);
  return -1;
}

void repeats_clear(struct repeats *r) {
  for (size_t i = 0; i < r->launch_count; i++)
    free(r->launches[i].trace_path);
  free(r->inputs);
  free(r->launches);
  json_decref(r->kernels);
  json_decref(r->known);
  *r = (struct repeats){0};
}
