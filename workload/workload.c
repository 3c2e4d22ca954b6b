/* This file fills buffers, compares them, and checks the range of a launch (workload/workload.h). */
#include "workload/workload.h"

#include <assert.h>
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/random.h"
#include "workload/half.h"

static const struct {
  const char *name;
  uint8_t bytes;
  bool is_float;
} scalar_types[SCALAR_COUNT] = {
    [SCALAR_CHAR] = {"char", 1, false},     [SCALAR_UCHAR] = {"uchar", 1, false},  [SCALAR_SHORT] = {"short", 2, false},
    [SCALAR_USHORT] = {"ushort", 2, false}, [SCALAR_INT] = {"int", 4, false},      [SCALAR_UINT] = {"uint", 4, false},
    [SCALAR_LONG] = {"long", 8, false},     [SCALAR_ULONG] = {"ulong", 8, false},  [SCALAR_HALF] = {"half", 2, true},
    [SCALAR_FLOAT] = {"float", 4, true},    [SCALAR_DOUBLE] = {"double", 8, true},
};

const char *scalar_type_name(enum scalar_type type) {
  assert(type < SCALAR_COUNT);
  return scalar_types[type].name;
}

size_t scalar_type_bytes(enum scalar_type type) {
  assert(type < SCALAR_COUNT);
  return scalar_types[type].bytes;
}

bool scalar_type_is_float(enum scalar_type type) {
  assert(type < SCALAR_COUNT);
  return scalar_types[type].is_float;
}

static void clear_launch(struct workload_launch *launch) {
  free(launch->kernel);
  free(launch->arguments);
  group_choice_clear(&launch->groups);
}

static void clear_check(struct workload_check *check) {
  free(check->source);
  clear_launch(&check->launch);
  free(check->compares);
}

void workload_destroy(struct workload *workload) {
  if (!workload)
    return;
  for (size_t i = 0; i < workload->buffer_count; i++) {
    free(workload->buffers[i].name);
    free(workload->buffers[i].owned);
  }
  for (size_t i = 0; i < workload->launch_count; i++)
    clear_launch(&workload->launches[i]);
  for (size_t i = 0; i < workload->check_count; i++)
    clear_check(&workload->checks[i]);
  for (size_t i = 0; i < workload->tag_count; i++)
    free(workload->tags[i]);
  free(workload->buffers);
  free(workload->launches);
  free(workload->checks);
  free(workload->tags);
  free(workload->path);
  free(workload->name);
  free(workload->about);
  free(workload->source);
  free(workload->options);
  free(workload);
}

/* Stores `value`, rounded to the type, as element `i`. */
static void store_float(enum scalar_type type, void *memory, size_t i, double value) {
  if (type == SCALAR_HALF)
    ((uint16_t *)memory)[i] = half_from_double(value);
  else if (type == SCALAR_FLOAT)
    ((float *)memory)[i] = (float)value;
  else
    ((double *)memory)[i] = value;
}

static double load_float(enum scalar_type type, const void *memory, size_t i) {
  if (type == SCALAR_HALF)
    return half_to_double(((const uint16_t *)memory)[i]);
  if (type == SCALAR_FLOAT)
    return (double)((const float *)memory)[i];
  return ((const double *)memory)[i];
}

/* Stores an integer as element `i`. It wraps around as in a C conversion to the unsigned type of that size. */
static void store_integer(enum scalar_type type, void *memory, size_t i, int64_t value) {
  switch (scalar_type_bytes(type)) {
  case 1:
    ((uint8_t *)memory)[i] = (uint8_t)value;
    return;
  case 2:
    ((uint16_t *)memory)[i] = (uint16_t)value;
    return;
  case 4:
    ((uint32_t *)memory)[i] = (uint32_t)value;
    return;
  default:
    ((uint64_t *)memory)[i] = (uint64_t)value;
  }
}

static void fill_floats(const struct workload_buffer *b, void *memory) {
  struct random_state random = {b->seed};
  for (size_t i = 0; i < b->count; i++) {
    double value = b->low;
    if (b->init == INIT_INDEX)
      value += (double)i;
    if (b->init == INIT_UNIFORM)
      value += (b->high - b->low) * random_unit(&random);
    store_float(b->type, memory, i, value);
    /* Rounding to the buffer's type may give `high`, which the interval does not contain. */
    if (b->init == INIT_UNIFORM && load_float(b->type, memory, i) >= b->high)
      store_float(b->type, memory, i, b->low);
  }
}

static void fill_integers(const struct workload_buffer *b, void *memory) {
  struct random_state random = {b->seed};
  const int64_t low = (int64_t)b->low;
  const uint64_t span = (uint64_t)(int64_t)b->high - (uint64_t)low + 1; /* 0: all 2^64 values */
  for (size_t i = 0; i < b->count; i++) {
    uint64_t value = (uint64_t)low;
    if (b->init == INIT_INDEX)
      value += i;
    if (b->init == INIT_UNIFORM)
      value += span ? random_next(&random) % span : random_next(&random);
    store_integer(b->type, memory, i, (int64_t)value);
  }
}

void workload_buffer_fill(const struct workload_buffer *buffer, void *memory) {
  if (buffer->init == INIT_GIVEN)
    return;
  if (buffer->init == INIT_ZERO || buffer->init == INIT_NONE)
    memset(memory, 0, buffer->count * scalar_type_bytes(buffer->type));
  else if (buffer->init == INIT_BYTES)
    memcpy(memory, buffer->contents, buffer->count * scalar_type_bytes(buffer->type));
  else if (scalar_type_is_float(buffer->type))
    fill_floats(buffer, memory);
  else
    fill_integers(buffer, memory);
}

/* Returns the number's place in the order of all representable numbers of its type; +0 and -0 have place 0. */
static int64_t float_place(enum scalar_type type, const void *memory, size_t i) {
  int64_t sign_and_magnitude, sign;
  if (type == SCALAR_HALF) {
    sign_and_magnitude = ((const uint16_t *)memory)[i];
    sign = INT64_C(1) << 15;
  } else if (type == SCALAR_FLOAT) {
    sign_and_magnitude = ((const uint32_t *)memory)[i];
    sign = INT64_C(1) << 31;
  } else {
    int64_t bits = ((const int64_t *)memory)[i];
    return bits >= 0 ? bits : -(bits & INT64_MAX);
  }
  return sign_and_magnitude & sign ? -(sign_and_magnitude & ~sign) : sign_and_magnitude;
}

static bool floats_agree(enum scalar_type type, const void *actual, const void *expected, size_t i, double ulps,
                         double absolute) {
  const double a = load_float(type, actual, i), e = load_float(type, expected, i);
  if (isnan(a) || isnan(e))
    return isnan(a) && isnan(e);
  if (a == e || fabs(a - e) <= absolute)
    return true;
  return fabs((double)float_place(type, actual, i) - (double)float_place(type, expected, i)) <= ulps;
}

ptrdiff_t workload_first_difference(enum scalar_type type, const void *actual, const void *expected, size_t count,
                                    double ulps, double absolute) {
  const size_t bytes = scalar_type_bytes(type);
  for (size_t i = 0; i < count; i++) {
    if (memcmp((const char *)actual + i * bytes, (const char *)expected + i * bytes, bytes) == 0)
      continue;
    if (!scalar_type_is_float(type) || !floats_agree(type, actual, expected, i, ulps, absolute))
      return (ptrdiff_t)i;
  }
  return -1;
}

int workload_check_range(const struct workload_launch *l, struct error *error) {
  uint64_t items = 1;
  for (unsigned d = 0; d < 3; d++) {
    items *= l->local[d];
    if (items == 0 || l->global[d] == 0 || items > WORKLOAD_MAX_WORK_GROUP)
      return error_at(error, ERROR_INPUT, NULL, 0, 0, "local", "a work-group must have 1 to %d work-items",
                      WORKLOAD_MAX_WORK_GROUP);
    if (l->global[d] % l->local[d])
      return error_at(
          error, ERROR_INPUT, NULL, 0, 0, "local",
          "local size %" PRIu32 " does not divide global size %" PRIu64 " in dimension %u. OpenCL 1.2 "
          "requires it (OpenCL 2.0's non-uniform work-groups are not supported); round the global size up to "
          "%" PRIu64 " and let the kernel skip what lies outside",
          l->local[d], l->global[d], d, (l->global[d] / l->local[d] + 1) * l->local[d]);
  }
  return 0;
}
