/* opencl_compare WORKLOAD.yaml [GPU_ID FOLDER]: emulates the workload with its checks, runs it with its checks on the
 * first OpenCL device, and compares what the launches left in every buffer. Exit code 0 when all agree. With the name
 * of a Bifrost GPU ("g71") its machine code is emulated; traces and recordings of its jobs go to FOLDER.
 *
 * Bounds between the two: none, bit by bit, because both compile the same source without contraction and neither may
 * reorder floating-point arithmetic. A workload tagged "builtin" calls math functions that the two may round
 * differently: each is within its check's bound of the exact value, so both are within twice that of each other. The
 * driver of a Bifrost GPU has functions and divisions of its own and fuses products and sums, so the same holds there
 * for all workloads; a buffer that no check compares has the bound of the first check. */
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "opencl_run.h"
#include "tracegen/emulate.h"
#include "workload/workload.h"

struct bound {
  double ulps, absolute;
};

static bool is_machine_code;
static size_t equal_buffers, compared_buffers;

static bool has_tag(const struct workload *w, const char *tag) {
  for (size_t i = 0; i < w->tag_count; i++)
    if (strcmp(w->tags[i], tag) == 0)
      return true;
  return false;
}

static const struct workload_compare *compare_of(const struct workload *w, size_t buffer) {
  for (size_t c = 0; c < w->check_count; c++)
    for (size_t i = 0; i < w->checks[c].compare_count; i++)
      if (w->checks[c].compares[i].buffer == buffer)
        return &w->checks[c].compares[i];
  return NULL;
}

static struct bound bound_between(const struct workload *w, size_t buffer) {
  const struct workload_compare *compare = compare_of(w, buffer);
  if (!compare && is_machine_code && w->check_count && w->checks[0].compare_count)
    compare = &w->checks[0].compares[0];
  if (!compare || !(has_tag(w, "builtin") || is_machine_code))
    return (struct bound){0, 0};
  return (struct bound){2 * compare->ulps, 2 * compare->absolute};
}

/* The checks write the buffers they expect; all others are the launches'. */
static bool is_written_by_checks(const struct workload *w, size_t buffer) {
  for (size_t c = 0; c < w->check_count; c++)
    for (size_t i = 0; i < w->checks[c].compare_count; i++)
      if (w->checks[c].compares[i].expected == buffer)
        return true;
  return false;
}

static void print_value(char *out, size_t size, enum scalar_type type, const void *memory, size_t i) {
  const size_t bytes = scalar_type_bytes(type);
  const unsigned char *at = (const unsigned char *)memory + i * bytes;
  int used = 0;
  if (type == SCALAR_FLOAT) {
    float value;
    memcpy(&value, at, sizeof value);
    used = snprintf(out, size, "%.9g = ", (double)value);
  }
  used += snprintf(out + used, size - (size_t)used, "0x");
  for (size_t b = bytes; b-- > 0;)
    used += snprintf(out + used, size - (size_t)used, "%02x", at[b]);
}

/* 0 when `actual` and `expected` agree within the bound. */
static int compare_contents(const struct workload_buffer *b, const void *actual, const char *actual_name,
                            const void *expected, const char *expected_name, struct bound bound, struct error *error) {
  const ptrdiff_t at = workload_first_difference(b->type, actual, expected, b->count, bound.ulps, bound.absolute);
  if (at < 0)
    return 0;
  char found[64], wanted[64];
  print_value(found, sizeof found, b->type, actual, (size_t)at);
  print_value(wanted, sizeof wanted, b->type, expected, (size_t)at);
  return error_set(error, ERROR_WORK, "buffer %s, element %td: %s in %s, %s in %s; allowed are %g ULPs or %g", b->name,
                   at, found, actual_name, wanted, expected_name, bound.ulps, bound.absolute);
}

static bool is_equal(const struct workload_buffer *b, const void *actual, const void *expected) {
  return memcmp(actual, expected, b->count * scalar_type_bytes(b->type)) == 0;
}

static void *read_buffer(const struct workload *w, struct opencl_session *s, size_t buffer, struct error *error) {
  const struct workload_buffer *b = &w->buffers[buffer];
  void *memory = malloc(b->count * scalar_type_bytes(b->type));
  if (!memory)
    error_set(error, ERROR_WORK, "out of memory for buffer %s", b->name);
  else if (opencl_session_read(s, buffer, memory, error)) {
    free(memory);
    return NULL;
  }
  return memory;
}

static int compare_with_emulation(const struct workload *w, struct opencl_session *s,
                                  const struct emulate_result *emulated, struct error *error) {
  if (emulated->buffer_count != w->buffer_count)
    return error_set(error, ERROR_WORK, "the emulator returned %zu buffers; the workload has %zu",
                     emulated->buffer_count, w->buffer_count);
  for (size_t i = 0; i < w->buffer_count; i++) {
    if (is_written_by_checks(w, i))
      continue;
    void *memory = read_buffer(w, s, i, error);
    const int status = memory ? compare_contents(&w->buffers[i], emulated->buffers[i], "the emulation", memory,
                                                 "OpenCL", bound_between(w, i), error)
                              : -1;
    compared_buffers++;
    equal_buffers += status == 0 && is_equal(&w->buffers[i], emulated->buffers[i], memory);
    free(memory);
    if (status)
      return -1;
  }
  return 0;
}

static int compare_with_check(const struct workload *w, struct opencl_session *s,
                              const struct workload_compare *compare, struct error *error) {
  void *actual = read_buffer(w, s, compare->buffer, error), *expected = read_buffer(w, s, compare->expected, error);
  const struct bound bound = {compare->ulps, compare->absolute};
  const int status = actual && expected ? compare_contents(&w->buffers[compare->buffer], actual, "OpenCL", expected,
                                                           "its check", bound, error)
                                        : -1;
  free(actual);
  free(expected);
  return status;
}

static int run_checks(const struct workload *w, struct opencl_session *s, struct error *error) {
  for (size_t c = 0; c < w->check_count; c++) {
    if (opencl_session_run(s, w->checks[c].source, &w->checks[c].launch, error))
      return -1;
    for (size_t i = 0; i < w->checks[c].compare_count; i++)
      if (compare_with_check(w, s, &w->checks[c].compares[i], error))
        return -1;
  }
  return 0;
}

static int compare_workload(const struct workload *w, const struct emulate_result *emulated, struct error *error) {
  struct opencl_session *s;
  if (opencl_session_open(w, &s, error))
    return -1;
  printf("OpenCL device: %s\n", opencl_session_device(s));
  int status = 0;
  for (size_t i = 0; i < w->launch_count && !status; i++)
    status = opencl_session_run(s, w->source, &w->launches[i], error);
  if (!status)
    status = compare_with_emulation(w, s, emulated, error) || run_checks(w, s, error) ? -1 : 0;
  opencl_session_close(s);
  return status;
}

/* The emulation comes first: it forks, and a process that has opened an OpenCL device has threads. */
static int emulate_and_compare(const struct workload *w, const struct emulate_options *choices, struct error *error) {
  struct emulate_options options = *choices;
  struct emulate_result emulated = {0};
  options.check = options.quiet = true;
  if (emulate_workload(w, &options, true, &emulated, error))
    return -1;
  int status = 0;
  if (emulated.checks_passed != w->check_count)
    status =
        error_set(error, ERROR_WORK, "the emulator passed %zu of %zu checks", emulated.checks_passed, w->check_count);
  if (!status)
    status = compare_workload(w, &emulated, error);
  emulate_result_clear(&emulated);
  return status;
}

/* The front end of machine code. */
static const struct front_end *find_machine_code(void) {
  size_t i = 0;
  while (front_ends[i] && !front_ends[i]->emulate)
    i++;
  return front_ends[i];
}

int main(int argc, char **argv) {
  struct error error = ERROR_INIT;
  struct emulate_options options = {0};
  struct workload *workload;
  if (argc != 2 && argc != 4) {
    fprintf(stderr, "usage: opencl_compare WORKLOAD.yaml [GPU_ID FOLDER]\n");
    return 2;
  }
  is_machine_code = argc == 4;
  if (is_machine_code)
    options = (struct emulate_options){
        .front_end = find_machine_code(), .gpu_id = argv[2], .trace_directory = argv[3], .record_jobs = true};
  int status = workload_load(argv[1], &workload, &error);
  if (!status)
    status = emulate_and_compare(workload, &options, &error);
  if (status)
    error_print(&error, stderr);
  else
    printf("%s: %zu launches, %zu checks: emulation and OpenCL agree; %zu of %zu buffers are equal to the bit\n",
           workload->name, workload->launch_count, workload->check_count, equal_buffers, compared_buffers);
  workload_destroy(workload);
  return status ? error_exit_code(&error) : 0;
}
