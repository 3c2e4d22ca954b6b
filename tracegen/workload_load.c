/* Reads schema reassemble.workload/1 (docs/workloads.md). Every error names file, line, column and key. */
#include "tracegen/workload.h"

#include <ctype.h>
#include <float.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/conf.h"
#include "base/text.h"
#include "tracegen/half.h"

/* Bounds on what a file may ask for; the arena of all buffers has 32-bit offsets. */
#define MAX_BUFFERS             1024
#define MAX_BUFFER_BYTES        (INT64_C(4) << 30)
#define MAX_LAUNCHES            4096
#define MAX_LOCAL_BYTES         (INT64_C(16) << 20)
#define MAX_GLOBAL              (INT64_C(1) << 32)
#define WORKLOAD_MAX_WORK_GROUP 65536
#define EXACT_INTEGER           (INT64_C(1) << 53) /* a double holds every integer up to here */

static void *allocate(size_t count, size_t size, struct error *error) {
  void *memory = calloc(count ? count : 1, size);
  if (!memory)
    error_set(error, ERROR_WORK, "out of memory for %zu entries of a workload", count);
  return memory;
}

static int copy_string(const struct conf_node *node, char **out, struct error *error) {
  const char *text = "";
  if (node && conf_string(node, &text, error))
    return -1;
  *out = strdup(text);
  return *out ? 0 : error_set(error, ERROR_WORK, "out of memory");
}

static int need_string(const struct conf_node *map, const char *key, char **out, struct error *error) {
  const struct conf_node *node = conf_need(map, key, error);
  if (!node || copy_string(node, out, error))
    return -1;
  return **out ? 0 : conf_error(node, error, "is empty");
}

/* `text` as seen from the folder of `file`. */
static char *relative_to(const char *file, const char *text) {
  const char *slash = strrchr(file, '/');
  if (text[0] == '/' || !slash)
    return strdup(text);
  return text_format("%.*s/%s", (int)(slash - file), file, text);
}

static int read_source(const struct conf_node *node, const char *file, char **out, struct error *error) {
  const char *text;
  if (conf_string(node, &text, error))
    return -1;
  if (!*text)
    return conf_error(node, error, "is empty; expected the path of an OpenCL C file, relative to this file");
  *out = relative_to(file, text);
  return *out ? 0 : error_set(error, ERROR_WORK, "out of memory");
}

/* Lists. */

static int expect_items(const struct conf_node *node, size_t minimum, size_t maximum, struct error *error) {
  if (conf_expect(node, CONF_LIST, error))
    return -1;
  if (node->count < minimum || node->count > maximum)
    return conf_error(node, error, "has %zu items; expected %zu to %zu", node->count, minimum, maximum);
  return 0;
}

static int read_tags(struct workload *w, const struct conf_node *node, struct error *error) {
  if (!node)
    return 0;
  if (expect_items(node, 0, 64, error))
    return -1;
  w->tags = allocate(node->count, sizeof *w->tags, error);
  if (!w->tags)
    return -1;
  for (; w->tag_count < node->count; w->tag_count++)
    if (copy_string(node->items[w->tag_count], &w->tags[w->tag_count], error))
      return -1;
  return 0;
}

/* A list of up to three integers, or one integer. */
static int read_extent(const struct conf_node *node, int64_t minimum, int64_t maximum, int64_t out[3], unsigned *count,
                       struct error *error) {
  if (node->kind == CONF_SCALAR) {
    *count = 1;
    return conf_int(node, minimum, maximum, &out[0], error);
  }
  if (expect_items(node, 1, 3, error))
    return -1;
  *count = (unsigned)node->count;
  for (unsigned i = 0; i < *count; i++)
    if (conf_int(node->items[i], minimum, maximum, &out[i], error))
      return -1;
  return 0;
}

/* Types and values. */

/* "float4" -> SCALAR_FLOAT, 4. */
static bool parse_type(const char *text, enum scalar_type *type, unsigned *elements) {
  for (int t = 0; t < SCALAR_COUNT; t++) {
    const char *name = scalar_type_name((enum scalar_type)t);
    const size_t length = strlen(name);
    if (strncmp(text, name, length) != 0)
      continue;
    static const char *const widths[] = {"", "2", "3", "4", "8", "16"};
    static const unsigned counts[] = {1, 2, 3, 4, 8, 16};
    for (size_t i = 0; i < sizeof counts / sizeof *counts; i++)
      if (strcmp(text + length, widths[i]) == 0) {
        *type = (enum scalar_type)t;
        *elements = counts[i];
        return true;
      }
  }
  return false;
}

static void integer_bounds(enum scalar_type type, int64_t *minimum, int64_t *maximum) {
  const bool is_signed = type == SCALAR_CHAR || type == SCALAR_SHORT || type == SCALAR_INT || type == SCALAR_LONG;
  const unsigned bits = (unsigned)scalar_type_bytes(type) * 8 - (is_signed ? 1 : 0);
  *maximum = bits >= 63 ? INT64_MAX : (INT64_C(1) << bits) - 1;
  *minimum = is_signed ? -*maximum - 1 : 0;
}

static double float_limit(enum scalar_type type) {
  return type == SCALAR_HALF ? 65504 : type == SCALAR_FLOAT ? (double)FLT_MAX : DBL_MAX;
}

static int read_value(const struct conf_node *node, enum scalar_type type, unsigned char *out, struct error *error) {
  if (scalar_type_is_float(type)) {
    double value;
    if (conf_real(node, -float_limit(type), float_limit(type), &value, error))
      return -1;
    const uint16_t half = half_from_double(value);
    const float single = (float)value;
    memcpy(out,
           type == SCALAR_HALF    ? (const void *)&half
           : type == SCALAR_FLOAT ? (const void *)&single
                                  : &value,
           scalar_type_bytes(type));
    return 0;
  }
  int64_t minimum, maximum, value;
  integer_bounds(type, &minimum, &maximum);
  if (conf_int(node, minimum, maximum, &value, error))
    return -1;
  for (size_t i = 0; i < scalar_type_bytes(type); i++)
    out[i] = (unsigned char)((uint64_t)value >> (8 * i));
  return 0;
}

/* Buffers. */

static int read_bound(const struct conf_node *node, enum scalar_type type, double *out, struct error *error) {
  if (scalar_type_is_float(type))
    return conf_real(node, -float_limit(type), float_limit(type), out, error);
  int64_t minimum, maximum, value;
  integer_bounds(type, &minimum, &maximum);
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

static int read_buffer(struct workload *w, const struct conf_node *map, struct error *error) {
  static const char *const keys[] = {"type", "count", "init", "value", "low", "high", NULL};
  static const char *const inits[] = {"zero", "constant", "uniform", "index", NULL};
  struct workload_buffer *b = &w->buffers[w->buffer_count];
  if (conf_expect(map, CONF_MAP, error) || conf_check_keys(map, keys, error))
    return -1;
  const struct conf_node *type = conf_need(map, "type", error), *count = type ? conf_need(map, "count", error) : NULL;
  const char *type_text;
  if (!count || conf_string(type, &type_text, error))
    return -1;
  unsigned elements;
  if (!parse_type(type_text, &b->type, &elements))
    return conf_error(type, error,
                      "\"%s\" is no OpenCL type; expected char, uchar, short, ushort, int, uint, long, "
                      "ulong, half, float or double, or a vector of one such as float4",
                      type_text);
  const int64_t maximum = MAX_BUFFER_BYTES / (int64_t)(scalar_type_bytes(b->type) * (elements == 3 ? 4 : elements));
  int64_t number;
  int init = INIT_ZERO;
  if (conf_int(count, 1, maximum, &number, error))
    return -1;
  b->count = (size_t)number * (elements == 3 ? 4 : elements); /* a three-vector takes the room of four */
  if (conf_get(map, "init") && conf_choice(conf_get(map, "init"), inits, &init, error))
    return -1;
  b->init = (enum buffer_init)init;
  b->name = strdup(map->key);
  b->seed = text_hash(text_hash(TEXT_HASH_START, &w->seed, sizeof w->seed), map->key, strlen(map->key));
  if (!b->name)
    return error_set(error, ERROR_WORK, "out of memory");
  w->buffer_count++;
  return read_range(b, map, error);
}

static int read_buffers(struct workload *w, const struct conf_node *node, struct error *error) {
  if (!node)
    return 0;
  if (conf_expect(node, CONF_MAP, error))
    return -1;
  if (node->count > MAX_BUFFERS)
    return conf_error(node, error, "has %zu buffers; at most %d are supported", node->count, MAX_BUFFERS);
  w->buffers = allocate(node->count, sizeof *w->buffers, error);
  if (!w->buffers)
    return -1;
  for (size_t i = 0; i < node->count; i++)
    if (read_buffer(w, node->items[i], error))
      return -1;
  return 0;
}

static int find_buffer(const struct workload *w, const struct conf_node *node, size_t *out, struct error *error) {
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
  const char *near = text_nearest(name, names);
  return conf_error(node, error, "no buffer is named \"%s\"%s%s%s", name, near ? "; did you mean \"" : "",
                    near ? near : "", near ? "\"?" : "");
}

/* Launches. */

static int read_scalar(const struct conf_node *node, struct workload_argument *a, struct error *error) {
  const size_t bytes = scalar_type_bytes(a->type);
  if (a->elements == 1)
    return read_value(node, a->type, a->value, error);
  if (conf_expect(node, CONF_LIST, error))
    return -1;
  if (node->count != a->elements)
    return conf_error(node, error, "has %zu values; expected %u", node->count, a->elements);
  for (size_t i = 0; i < node->count; i++)
    if (read_value(node->items[i], a->type, a->value + i * bytes, error))
      return -1;
  return 0;
}

/* {buffer: A}, {local: 1024} or {<type>: <value>}. */
static int read_argument(const struct workload *w, const struct conf_node *map, struct workload_argument *a,
                         struct error *error) {
  if (conf_expect(map, CONF_MAP, error))
    return -1;
  a->line = map->line;
  a->column = map->column;
  if (map->count != 1)
    return conf_error(map, error,
                      "an argument has %zu keys; expected one: {buffer: NAME}, {local: BYTES} or "
                      "{TYPE: VALUE}",
                      map->count);
  const struct conf_node *item = map->items[0];
  if (strcmp(item->key, "buffer") == 0) {
    a->kind = ARGUMENT_BUFFER;
    return find_buffer(w, item, &a->buffer, error);
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
  if (!parse_type(item->key, &a->type, &a->elements))
    return conf_error(item, error,
                      "unknown kind of argument; expected buffer, local or an OpenCL type such as int, "
                      "float or float4");
  return read_scalar(item, a, error);
}

static int read_arguments(const struct workload *w, const struct conf_node *node, struct workload_launch *launch,
                          struct error *error) {
  if (!node)
    return 0;
  if (expect_items(node, 0, 256, error))
    return -1;
  launch->arguments = allocate(node->count, sizeof *launch->arguments, error);
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
  return workload_check_range(l, &found) ? conf_error(local, error, "%s", found.text) : 0;
}

static int read_launch(const struct workload *w, const struct conf_node *map, struct workload_launch *l,
                       struct error *error) {
  static const char *const keys[] = {"kernel", "global", "local", "offset", "args", NULL};
  if (conf_expect(map, CONF_MAP, error) || conf_check_keys(map, keys, error))
    return -1;
  l->line = map->line;
  l->column = map->column;
  if (need_string(map, "kernel", &l->kernel, error) || read_ndrange(map, l, error))
    return -1;
  return read_arguments(w, conf_get(map, "args"), l, error);
}

static int read_launches(struct workload *w, const struct conf_node *node, struct error *error) {
  if (!node || expect_items(node, 1, MAX_LAUNCHES, error))
    return -1;
  w->launches = allocate(node->count, sizeof *w->launches, error);
  if (!w->launches)
    return -1;
  w->launch_count = node->count;
  for (size_t i = 0; i < node->count; i++)
    if (read_launch(w, node->items[i], &w->launches[i], error))
      return -1;
  return 0;
}

/* Checks. */

static int read_compare(const struct workload *w, const struct conf_node *map, struct workload_compare *c,
                        struct error *error) {
  static const char *const keys[] = {"buffer", "expected", "ulps", "absolute", NULL};
  if (conf_expect(map, CONF_MAP, error) || conf_check_keys(map, keys, error))
    return -1;
  const struct conf_node *buffer = conf_need(map, "buffer", error);
  const struct conf_node *expected = buffer ? conf_need(map, "expected", error) : NULL;
  const struct conf_node *ulps = conf_get(map, "ulps"), *absolute = conf_get(map, "absolute");
  if (!expected || find_buffer(w, buffer, &c->buffer, error) || find_buffer(w, expected, &c->expected, error))
    return -1;
  if ((ulps && conf_real(ulps, 0, 0x1p63, &c->ulps, error)) ||
      (absolute && conf_real(absolute, 0, DBL_MAX, &c->absolute, error)))
    return -1;
  const struct workload_buffer *found = &w->buffers[c->buffer], *wanted = &w->buffers[c->expected];
  if (found->type != wanted->type || found->count != wanted->count)
    return conf_error(map, error, "\"%s\" holds %zu x %s and \"%s\" holds %zu x %s; expected the same", found->name,
                      found->count, scalar_type_name(found->type), wanted->name, wanted->count,
                      scalar_type_name(wanted->type));
  return 0;
}

static int read_check(struct workload *w, const struct conf_node *map, struct workload_check *c, struct error *error) {
  static const char *const keys[] = {"kernel", "source", "args", "compare", NULL};
  if (conf_expect(map, CONF_MAP, error) || conf_check_keys(map, keys, error))
    return -1;
  c->launch.line = map->line;
  c->launch.column = map->column;
  c->launch.dimensions = 1;
  for (int d = 0; d < 3; d++)
    c->launch.global[d] = c->launch.local[d] = 1;
  const struct conf_node *source = conf_get(map, "source"), *compare = conf_need(map, "compare", error);
  if (!compare || need_string(map, "kernel", &c->launch.kernel, error) ||
      read_arguments(w, conf_get(map, "args"), &c->launch, error) || expect_items(compare, 1, MAX_BUFFERS, error))
    return -1;
  if (source ? read_source(source, map->file, &c->source, error) : !(c->source = strdup(w->source)))
    return -1;
  c->compares = allocate(compare->count, sizeof *c->compares, error);
  if (!c->compares)
    return -1;
  c->compare_count = compare->count;
  for (size_t i = 0; i < compare->count; i++)
    if (read_compare(w, compare->items[i], &c->compares[i], error))
      return -1;
  return 0;
}

static int read_checks(struct workload *w, const struct conf_node *node, struct error *error) {
  if (!node)
    return 0;
  if (expect_items(node, 0, MAX_LAUNCHES, error))
    return -1;
  w->checks = allocate(node->count, sizeof *w->checks, error);
  if (!w->checks)
    return -1;
  w->check_count = node->count;
  for (size_t i = 0; i < node->count; i++)
    if (read_check(w, node->items[i], &w->checks[i], error))
      return -1;
  return 0;
}

/* The file. */

static int check_name(const struct conf_node *root, const char *name, struct error *error) {
  for (const char *c = name; *c; c++)
    if (!isalnum((unsigned char)*c) && !strchr("-_.+", *c))
      return conf_error(conf_get(root, "name"), error,
                        "\"%s\" names files; expected letters, digits, '-', '_', '.' "
                        "and '+' only",
                        name);
  return name[0] == '.' ? conf_error(conf_get(root, "name"), error, "\"%s\" starts with a dot", name) : 0;
}

static int read_head(struct workload *w, const struct conf_node *root, struct error *error) {
  const struct conf_node *seed = conf_get(root, "seed"), *source = conf_need(root, "source", error);
  int64_t seed_value = 1;
  if (!source || need_string(root, "name", &w->name, error) || check_name(root, w->name, error) ||
      copy_string(conf_get(root, "about"), &w->about, error) ||
      copy_string(conf_get(root, "options"), &w->options, error) || read_tags(w, conf_get(root, "tags"), error) ||
      read_source(source, root->file, &w->source, error))
    return -1;
  if (seed && conf_int(seed, 0, INT64_MAX, &seed_value, error))
    return -1;
  w->seed = (uint64_t)seed_value;
  return 0;
}

static int read_schema(const struct conf_node *root, struct error *error) {
  const char *text;
  const struct conf_node *schema = conf_need(root, "schema", error);
  if (!schema || conf_string(schema, &text, error))
    return -1;
  if (strcmp(text, "reassemble.workload-set/1") == 0)
    return conf_error(schema, error, "this file is a set of workloads; expected a single one (one of its members)");
  if (strcmp(text, "reassemble.workload/1") != 0)
    return conf_error(schema, error, "found \"%s\"; expected reassemble.workload/1", text);
  return 0;
}

static int read_workload(struct workload *w, const struct conf_node *root, struct error *error) {
  static const char *const keys[] = {"schema", "name",    "about",    "tags",   "source", "options",
                                     "seed",   "buffers", "launches", "checks", NULL};
  if (conf_expect(root, CONF_MAP, error) || read_schema(root, error) || conf_check_keys(root, keys, error))
    return -1;
  if (read_head(w, root, error) || read_buffers(w, conf_get(root, "buffers"), error))
    return -1;
  if (read_launches(w, conf_need(root, "launches", error), error))
    return -1;
  return read_checks(w, conf_get(root, "checks"), error);
}

static int load(const struct conf_doc *doc, const char *path, struct workload **out, struct error *error) {
  struct workload *w = allocate(1, sizeof *w, error);
  const int status = w && (w->path = strdup(path)) ? read_workload(w, conf_root(doc), error)
                                                   : error_set(error, ERROR_WORK, "out of memory");
  if (status) {
    workload_destroy(w);
    return -1;
  }
  *out = w;
  return 0;
}

int workload_load(const char *path, struct workload **out, struct error *error) {
  struct conf_doc *doc;
  *out = NULL;
  if (conf_load_file(path, &doc, error))
    return -1;
  const int status = load(doc, path, out, error);
  conf_destroy(doc);
  return status;
}

int workload_load_text(const char *name, const char *text, struct workload **out, struct error *error) {
  struct conf_doc *doc;
  *out = NULL;
  if (conf_load_text(name, text, strlen(text), &doc, error))
    return -1;
  const int status = load(doc, name, out, error);
  conf_destroy(doc);
  return status;
}
