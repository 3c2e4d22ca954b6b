#include "workload/image_kind.h"

#include <assert.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>

static const struct {
  const char *name;
  uint32_t number;
  uint8_t dimensions;
  bool is_array;
} kinds[IMAGE_KIND_COUNT] = {
#define X(id, number, name, dimensions, is_array) [id] = {name, number, dimensions, is_array},
    IMAGE_KINDS(X)
#undef X
};

const char *image_kind_name(enum image_kind kind) {
  assert(kind < IMAGE_KIND_COUNT);
  return kinds[kind].name;
}

const char *image_kind_sizes_text(enum image_kind kind) {
  static const char *const plain[] = {"WIDTH", "WIDTH,HEIGHT", "WIDTH,HEIGHT,DEPTH"};
  static const char *const layered[] = {"WIDTH,LAYERS", "WIDTH,HEIGHT,LAYERS"};
  assert(kind < IMAGE_KIND_COUNT);
  if (kinds[kind].is_array)
    return layered[kinds[kind].dimensions - 1];
  return plain[kinds[kind].dimensions - 1];
}

unsigned image_kind_dimensions(enum image_kind kind) {
  assert(kind < IMAGE_KIND_COUNT);
  return kinds[kind].dimensions;
}

bool image_kind_is_array(enum image_kind kind) {
  assert(kind < IMAGE_KIND_COUNT);
  return kinds[kind].is_array;
}

unsigned image_kind_sizes(enum image_kind kind) {
  return image_kind_dimensions(kind) + image_kind_is_array(kind);
}

uint32_t image_kind_number(enum image_kind kind) {
  assert(kind < IMAGE_KIND_COUNT);
  return kinds[kind].number;
}

bool image_kind_from_number(uint32_t number, enum image_kind *out) {
  for (int kind = 0; kind < IMAGE_KIND_COUNT; kind++)
    if (kinds[kind].number == number) {
      *out = (enum image_kind)kind;
      return true;
    }
  return false;
}

bool image_kind_of_type(const char *type_name, enum image_kind *out) {
  char expected[32];
  for (int kind = 0; kind < IMAGE_KIND_COUNT; kind++) {
    snprintf(expected, sizeof expected, "image%s_t", kinds[kind].name);
    if (strcmp(type_name, expected) == 0) {
      *out = (enum image_kind)kind;
      return true;
    }
  }
  return false;
}
