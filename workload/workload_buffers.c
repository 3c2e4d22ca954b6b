/* Reads the buffers in a workload's file: elements, contents, seeds. */
#include "workload/workload_read.h"

#include <stdlib.h>
#include <string.h>

#include "base/text.h"

#define EXACT_INTEGER (INT64_C(1) << 53) /* doubles represent every integer up to here exactly */

static int read_bound(const struct conf_node *node, enum scalar_type type, double *out, struct error *error) {
  if (scalar_type_is_float(type))
    return conf_real(node, -workload_float_limit(type), workload_float_limit(type), out, error);
  int64_t minimum, maximum, value;
  workload_integer_bounds(type, &minimum, &maximum);
  if (minimum < -EXACT_INTEGER)
    minimum = -EXACT_INTEGER;
  if (maximum > EXACT_INTEGER)
    maximum = EXACT_INTEGER;
  if (conf_int(node, minimum, maximum, &value, error))
    return -1;
  *out = (double)value;
  return 0;
}

static int read_range(struct workload_buffer *b, const struct conf_node *map, struct error *error) {
  const struct conf_node *low = conf_get(map, "low"), *high = conf_get(map, "high"), *value = conf_get(map, "value");
  b->high = 1;
  if (value && b->init != INIT_CONSTANT)
    return conf_error(value, error, "only `init: constant` takes a value");
  if (b->init == INIT_CONSTANT && !low && !(low = conf_need(map, "value", error)))
    return -1;
  if ((low && read_bound(low, b->type, &b->low, error)) || (high && read_bound(high, b->type, &b->high, error)))
    return -1;
  if (high && b->init != INIT_UNIFORM)
    return conf_error(high, error, "only `init: uniform` takes an upper bound");
  if (b->init == INIT_UNIFORM && !(b->low < b->high) && !(b->low == b->high && !scalar_type_is_float(b->type)))
    return conf_error(high ? high : map, error, "low is %g and high is %g; expected low < high", b->low, b->high);
  return 0;
}

/* Returns a seed that depends on the workload's seed and the buffer's name only, not on other buffers. */
static uint64_t seed_of(const struct workload *w, const char *name) {
  return text_hash(text_hash(TEXT_HASH_START, &w->seed, sizeof w->seed), name, strlen(name));
}

static int read_elements(struct workload_buffer *b, const struct conf_node *map, struct error *error) {
  const struct conf_node *type = conf_need(map, "type", error), *count = conf_get(map, "count");
  const struct conf_node *order = conf_get(map, "order"), *kind = conf_get(map, "kind");
  const char *type_text;
  unsigned elements;
  int64_t number;
  if (order || kind)
    return conf_error(order ? order : kind, error, "only an image has %s; give it a size, `image: [WIDTH, HEIGHT]`",
                      order ? "an order" : "a kind");
  if (!type || (!count && !conf_get(map, "file") && !(count = conf_need(map, "count", error))) ||
      conf_string(type, &type_text, error))
    return -1;
  if (!workload_parse_type(type_text, &b->type, &elements))
    return conf_error(type, error,
                      "\"%s\" is not an OpenCL type; expected char, uchar, short, ushort, int, uint, long, "
                      "ulong, half, float or double, or a vector of one such as float4",
                      type_text);
  const int64_t maximum = MAX_BUFFER_BYTES / (int64_t)(scalar_type_bytes(b->type) * (elements == 3 ? 4 : elements));
  if (!count)
    return 0; /* the file's size gives the count */
  if (conf_int(count, 1, maximum, &number, error))
    return -1;
  b->count = (size_t)number * (elements == 3 ? 4 : elements); /* a vector of three takes the space of four */
  return 0;
}

static int read_buffer(struct workload *w, const struct conf_node *map, struct error *error) {
  static const char *const keys[] = {"type",  "count", "image", "kind", "order", "init",
                                     "value", "low",   "high",  "file", NULL};
  const struct conf_node *file = conf_get(map, "file");
  static const char *const inits[] = {"zero", "constant", "uniform", "index", "none", NULL};
  struct workload_buffer *b = &w->buffers[w->buffer_count];
  int init = INIT_ZERO;
  if (conf_expect(map, CONF_MAP, error) || conf_check_keys(map, keys, error))
    return -1;
  if (conf_get(map, "image") ? workload_read_image(b, map, error) : read_elements(b, map, error))
    return -1;
  if (conf_get(map, "init") && conf_choice(conf_get(map, "init"), inits, &init, error))
    return -1;
  b->init = (enum buffer_init)init;
  b->line = map->line;
  b->column = map->column;
  b->name = strdup(map->key);
  b->seed = seed_of(w, map->key);
  if (!b->name)
    return error_no_memory(error);
  w->buffer_count++;
  if (!file)
    return read_range(b, map, error);
  return conf_get(map, "init") || conf_get(map, "low") || conf_get(map, "high") || conf_get(map, "value")
             ? conf_error(file, error, "the contents come from the file; expected no init, value, low and high")
             : workload_read_contents(b, file, error);
}

void workload_reseed(struct workload *workload, uint64_t seed) {
  workload->seed = seed;
  for (size_t i = 0; i < workload->buffer_count; i++)
    workload->buffers[i].seed = seed_of(workload, workload->buffers[i].name);
}

int workload_read_buffers(struct workload *w, const struct conf_node *node, struct error *error) {
  if (!node)
    return 0;
  if (conf_expect(node, CONF_MAP, error))
    return -1;
  if (node->count > MAX_BUFFERS)
    return conf_error(node, error, "has %zu buffers; at most %d are supported", node->count, MAX_BUFFERS);
  w->buffers = workload_allocate(node->count, sizeof *w->buffers, error);
  if (!w->buffers)
    return -1;
  for (size_t i = 0; i < node->count; i++)
    if (read_buffer(w, node->items[i], error))
      return -1;
  return 0;
}

int workload_find_buffer(const struct workload *w, const struct conf_node *node, size_t *out, struct error *error) {
  const char *name, *names[MAX_BUFFERS + 1];
  if (conf_string(node, &name, error))
    return -1;
  for (size_t i = 0; i < w->buffer_count; i++) {
    names[i] = w->buffers[i].name;
    if (strcmp(names[i], name) == 0) {
      *out = i;
      return 0;
    }
  }
  names[w->buffer_count] = NULL;
  return conf_error(node, error, "no buffer is named \"%s\"%s", name, text_hint(name, names, "").text);
}
