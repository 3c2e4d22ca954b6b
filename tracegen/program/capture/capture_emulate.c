/* Emulates a captured launch and compares the results. */
#include "tracegen/program/capture/capture.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/input/json.h"
#include "base/text.h"
#include "tracegen/program/capture/capture_compare.h"
#include "tracegen/program/capture/capture_replica.h"
#include "tracegen/program/capture/capture_results.h"

#define PLACE "the capture's log" /* for messages */

static size_t bytes_of(const struct workload_buffer *b) {
  return b->count * scalar_type_bytes(b->type);
}

/* The exchange of contents with the emulation, and the comparison with what OpenCL left. */

static int fill(void *user, size_t buffer, char *memory, uint64_t *held, struct error *error) {
  const struct replica *r = user;
  uint64_t number;
  return replica_content(r, json_array_get(json_object_get(r->launch, "buffers"), buffer), &number, error) ||
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

/* Returns whether the kernel may have written to the buffer: a store that is not of the kernel's code was a mistake. */
static bool may_be_stored(const struct replica *r, size_t buffer) {
  const struct workload_launch *launch = &r->range;
  const struct launch_inputs *inputs = &r->out->emulated.launches[0].inputs;
  bool stored = inputs->everything;
  for (size_t i = 0; i < launch->argument_count && i < LAUNCH_INPUTS_MOST; i++)
    stored |= launch->arguments[i].kind == ARGUMENT_BUFFER && launch->arguments[i].buffer == buffer &&
              inputs->stored >> i & 1;
  return stored;
}

/* Returns whether neither the emulation nor OpenCL has changed the buffer. */
static bool stayed(const struct replica *r, size_t buffer, uint64_t after) {
  struct error ignored = ERROR_INIT;
  uint64_t before;
  return !may_be_stored(r, buffer) &&
         replica_content(r, json_array_get(json_object_get(r->launch, "buffers"), buffer), &before, &ignored) == 0 &&
         before == after;
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
  if (replica_content(r, json_array_get(json_object_get(r->launch, "after"), buffer), &number, error) ||
      contents_check(&r->capture->contents, number, bytes, error))
    return -1;
  return stayed(r, buffer, number) || contents_compare(&r->capture->contents, number, memory, held)
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
    if (replica_content(r, json_array_get(list, i), &contents[i], &ignored))
      return false;
  return r->capture->repeats_copied && !has_uninitialised(r);
}

static bool repeat(const struct replica *r, const struct earlier_launch *earlier, const struct emulate_options *options,
                   struct error *why) {
  if (!earlier ||
      repeats_copy_trace(earlier, &r->workload, options->trace_directory, r->capture->pool, &r->out->emulated, why))
    return false;
  r->out->agreement = CAPTURE_REPEATED;
  r->out->repeats = earlier->index;
  return true;
}

static int64_t number_of(const json_t *launch) {
  return json_integer_value(json_object_get(launch, "index"));
}

static struct launch_finding describe_finding(const struct launch_inputs *in, uint64_t traced) {
  return (struct launch_finding){.traced = traced,
                                 .everything = in->everything,
                                 .values = in->values,
                                 .contents = in->contents,
                                 .stored = in->stored};
}

/* Keeps what was found out about an emulated launch. `known`: it may be repeated. */
static void keep(struct capture *capture, const struct replica *r, const struct repeat_query *query, size_t index,
                 bool known) {
  const struct emulate_launch *l = r->out->emulated.launches;
  const uint64_t number = (uint64_t)number_of(r->launch);
  const bool kept = known && r->out->agreement != CAPTURE_DIFFERS && l->outside.count == 0;
  capture->found = describe_finding(&l->inputs, kept && r->knows_writes ? number : NO_TRACED_LAUNCH);
  if (kept)
    repeats_keep(&capture->repeats, query,
                 &(struct earlier_launch){index, number, l->trace_path, l->work_item_instructions, l->inputs});
}

/* Emulates the launch, unless it repeats an earlier one. */
static int emulate_or_repeat(struct capture *capture, const struct replica *r, size_t index,
                             const struct emulate_options *options, struct error *error) {
  struct repeat_query query;
  struct error why = ERROR_INIT; /* it cannot be copied, and is emulated */
  uint64_t *contents = calloc(r->workload.buffer_count + 1, sizeof *contents);
  if (!contents)
    return error_no_memory(error);
  const bool known = !options->local_fill && may_repeat(r, contents, &query);
  const struct earlier_launch *earlier = known ? repeats_find(&capture->repeats, &query) : NULL;
  int status = 0;
  if (repeat(r, earlier, options, &why)) {
    capture->found = describe_finding(&earlier->inputs, earlier->number);
  } else if (error_is_no_memory(&why)) {
    status = error_no_memory(error);
  } else {
    status = emulate_workload(&r->workload, options, false, &r->out->emulated, error);
    if (!status)
      keep(capture, r, &query, index, known);
  }
  free(contents);
  return status;
}

/* Copies the trace for a launch of which the layer says that it repeats an earlier one. */
static int copy_repeated(const struct replica *r, const struct emulate_options *options, struct error *error) {
  const int64_t traced = json_integer_value(json_object_get(r->launch, "repeats"));
  const struct earlier_launch *earlier = repeats_find_number(&r->capture->repeats, (uint64_t)traced);
  struct error why = ERROR_INIT;
  if (!earlier) /* repeats_keep had no memory for it */
    error_no_memory(&why);
  if (repeat(r, earlier, options, &why))
    return 0;
  return error_set(error, ERROR_WORK,
                   "the trace of launch %" PRId64 ", which launch %" PRId64 " repeats, cannot be copied: %.200s",
                   traced, number_of(r->launch), why.text);
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
  int status = replica_build(&r, name, error);
  if (!status)
    status = json_object_get(r.launch, "repeats") ? copy_repeated(&r, &own, error)
                                                  : emulate_or_repeat(capture, &r, index, &own, error);
  if (options->undefined_reads != UNDEFINED_READS_NONE && keep_uninitialised(capture, &r, &out->emulated, error))
    status = -1;
  if (status)
    capture_outcome_clear(out);
  replica_clear(&r);
  return status ? -1 : 0;
}

void capture_outcome_clear(struct capture_outcome *outcome) {
  emulate_result_clear(&outcome->emulated);
  *outcome = (struct capture_outcome){0};
}
