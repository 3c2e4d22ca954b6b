/* Reads the launches and their arguments in a workload's file. */
#include "workload/workload_read.h"

#include <stdlib.h>
#include <string.h>

#define MAX_LAUNCHES    4096
#define MAX_LOCAL_BYTES (INT64_C(16) << 20)
#define MAX_GLOBAL      (INT64_C(1) << 32)

/* Reads a list of up to three integers, or one integer. */
static int read_extent(const struct conf_node *node, int64_t minimum, int64_t maximum, int64_t out[3], unsigned *count,
                       struct error *error) {
  if (node->kind == CONF_SCALAR) {
    *count = 1;
    return conf_int(node, minimum, maximum, &out[0], error);
  }
  if (workload_expect_items(node, 1, 3, error))
    return -1;
  *count = (unsigned)node->count;
  for (unsigned i = 0; i < *count; i++)
    if (conf_int(node->items[i], minimum, maximum, &out[i], error))
      return -1;
  return 0;
}

static int read_scalar(const struct conf_node *node, struct workload_argument *a, struct error *error) {
  const size_t bytes = scalar_type_bytes(a->type);
  if (a->elements == 1)
    return workload_read_value(node, a->type, a->value, error);
  if (conf_expect(node, CONF_LIST, error))
    return -1;
  if (node->count != a->elements)
    return conf_error(node, error, "has %zu values; expected %u", node->count, a->elements);
  for (size_t i = 0; i < node->count; i++)
    if (workload_read_value(node->items[i], a->type, a->value + i * bytes, error))
      return -1;
  return 0;
}

static int read_memory(const struct workload *w, const struct conf_node *item, struct workload_argument *a,
                       struct error *error) {
  const bool image = strcmp(item->key, "image") == 0;
  if (!image && item->kind == CONF_SCALAR && strcmp(item->text, "null") == 0) {
    a->kind = ARGUMENT_NULL;
    return 0;
  }
  a->kind = image ? ARGUMENT_IMAGE : ARGUMENT_BUFFER;
  if (workload_find_buffer(w, item, &a->buffer, error))
    return -1;
  if (image == (w->buffers[a->buffer].width > 0))
    return 0;
  return conf_error(item, error,
                    image ? "\"%s\" is not an image; expected {buffer: %s}, or `image: [WIDTH, HEIGHT]` where "
                            "it is described"
                          : "\"%s\" is an image; expected {image: %s}",
                    item->text, item->text);
}

/* Reads {buffer: A}, {buffer: null}, {image: A}, {sampler: [...]}, {local: 1024} or {<type>: <value>}. */
static int read_argument(const struct workload *w, const struct conf_node *map, struct workload_argument *a,
                         struct error *error) {
  if (conf_expect(map, CONF_MAP, error))
    return -1;
  a->line = map->line;
  a->column = map->column;
  if (map->count != 1)
    return conf_error(map, error,
                      "an argument has %zu keys; expected one: {buffer: NAME}, {image: NAME}, {sampler: [WORD, ...]}, "
                      "{local: BYTES} or {TYPE: VALUE}",
                      map->count);
  const struct conf_node *item = map->items[0];
  if (strcmp(item->key, "buffer") == 0 || strcmp(item->key, "image") == 0)
    return read_memory(w, item, a, error);
  if (strcmp(item->key, "sampler") == 0) {
    a->kind = ARGUMENT_SAMPLER;
    return workload_read_sampler(item, &a->sampler, error);
  }
  if (strcmp(item->key, "local") == 0) {
    int64_t bytes;
    a->kind = ARGUMENT_LOCAL;
    if (conf_int(item, 1, MAX_LOCAL_BYTES, &bytes, error))
      return -1;
    a->bytes = (size_t)bytes;
    return 0;
  }
  a->kind = ARGUMENT_SCALAR;
  if (!workload_parse_type(item->key, &a->type, &a->elements))
    return conf_error(item, error,
                      "unknown kind of argument; expected buffer, image, sampler, local or an OpenCL type such as int, "
                      "float or float4");
  return read_scalar(item, a, error);
}

int workload_read_arguments(const struct workload *w, const struct conf_node *node, struct workload_launch *launch,
                            struct error *error) {
  if (!node)
    return 0;
  if (workload_expect_items(node, 0, 256, error))
    return -1;
  launch->arguments = workload_allocate(node->count, sizeof *launch->arguments, error);
  if (!launch->arguments)
    return -1;
  launch->argument_count = node->count;
  for (size_t i = 0; i < node->count; i++)
    if (read_argument(w, node->items[i], &launch->arguments[i], error))
      return -1;
  return 0;
}

static int read_ndrange(const struct conf_node *map, struct workload_launch *l, struct error *error) {
  const struct conf_node *global = conf_need(map, "global", error);
  const struct conf_node *local = global ? conf_need(map, "local", error) : NULL;
  const struct conf_node *offset = conf_get(map, "offset");
  int64_t global_size[3] = {1, 1, 1}, local_size[3] = {1, 1, 1}, offset_value[3] = {0, 0, 0};
  unsigned local_count, offset_count;
  if (!local || read_extent(global, 1, MAX_GLOBAL, global_size, &l->dimensions, error) ||
      read_extent(local, 1, WORKLOAD_MAX_WORK_GROUP, local_size, &local_count, error))
    return -1;
  if (local_count != l->dimensions)
    return conf_error(local, error, "has %u dimensions, global has %u; expected the same", local_count, l->dimensions);
  if (offset && read_extent(offset, 0, MAX_GLOBAL, offset_value, &offset_count, error))
    return -1;
  if (offset && offset_count != l->dimensions)
    return conf_error(offset, error, "has %u dimensions, global has %u; expected the same", offset_count,
                      l->dimensions);
  for (unsigned d = 0; d < 3; d++) {
    l->global[d] = (uint64_t)global_size[d];
    l->local[d] = (uint32_t)local_size[d];
    l->offset[d] = (uint64_t)offset_value[d];
  }
  struct error found = ERROR_INIT;
  return workload_check_range(l, &found) ? conf_cause(local, &found, error) : 0;
}

static int read_groups(const struct conf_node *node, struct group_choice *out, struct error *error) {
  const char *text;
  struct error found = ERROR_INIT;
  if (!node)
    return 0;
  if (conf_string(node, &text, error))
    return -1;
  return group_choice_parse(text, out, &found) ? conf_cause(node, &found, error) : 0;
}

static int read_sub_group(const struct conf_node *node, uint32_t *out, struct error *error) {
  int64_t value;
  if (!node)
    return 0;
  if (conf_int(node, 1, WORKLOAD_MAX_SUB_GROUP, &value, error))
    return -1;
  *out = (uint32_t)value;
  return 0;
}

static int read_launch(const struct workload *w, const struct conf_node *map, struct workload_launch *l,
                       struct error *error) {
  static const char *const keys[] = {"kernel", "global", "local", "offset", "args", "groups", "sub_group", NULL};
  if (conf_expect(map, CONF_MAP, error) || conf_check_keys(map, keys, error))
    return -1;
  l->line = map->line;
  l->column = map->column;
  if (workload_need_string(map, "kernel", &l->kernel, error) || read_ndrange(map, l, error) ||
      read_groups(conf_get(map, "groups"), &l->groups, error) ||
      read_sub_group(conf_get(map, "sub_group"), &l->sub_group, error))
    return -1;
  return workload_read_arguments(w, conf_get(map, "args"), l, error);
}

int workload_choose_groups(struct workload *workload, const char *text, struct error *error) {
  for (size_t i = 0; i < workload->launch_count; i++) {
    group_choice_clear(&workload->launches[i].groups);
    if (group_choice_parse(text, &workload->launches[i].groups, error))
      return -1;
  }
  return 0;
}

int workload_chosen_groups(const struct workload_launch *launch, struct index_ranges *out, struct error *error) {
  uint64_t groups[3];
  for (int d = 0; d < 3; d++)
    groups[d] = launch->global[d] / launch->local[d];
  return group_choice_apply(&launch->groups, groups, out, error);
}

int workload_read_launches(struct workload *w, const struct conf_node *node, struct error *error) {
  if (!node || workload_expect_items(node, 1, MAX_LAUNCHES, error))
    return -1;
  w->launches = workload_allocate(node->count, sizeof *w->launches, error);
  if (!w->launches)
    return -1;
  w->launch_count = node->count;
  for (size_t i = 0; i < node->count; i++)
    if (read_launch(w, node->items[i], &w->launches[i], error))
      return -1;
  return 0;
}
