#include "dse/sweep/sweep.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/file.h"
#include "base/text.h"
#include "dse/sweep/sweep_read.h"

#define SWEEP_SCHEMA "reassemble.sweep/1"

enum { MOST_BYTES = 16 << 20, MOST_INPUTS = 10000, MOST_CONSTRAINTS = 1000, MOST_TARGETS = 100, MOST_TAGS = 16 };

const char *const sweep_objective_names[] = {
#define X(id, name, meaning) name,
    SWEEP_OBJECTIVES(X)
#undef X
        NULL};

void *sweep_allocate_list(const struct conf_node *list, size_t size, int most, const char *noun, struct error *error) {
  if (conf_expect(list, CONF_LIST, error) != 0)
    return NULL;
  if (list->count > (size_t)most) {
    conf_error(list, error, "found %zu %s, allowed at most %d", list->count, noun, most);
    return NULL;
  }
  void *elements = calloc(list->count + 1, size);
  if (!elements)
    error_no_memory(error);
  return elements;
}

static int copy_text(const struct conf_node *node, char **out, struct error *error) {
  const char *text;
  if (conf_string(node, &text, error) != 0)
    return -1;
  *out = strdup(text);
  return *out ? 0 : error_no_memory(error);
}

char *sweep_resolve(const struct sweep *sweep, const char *name) {
  const char *slash = strrchr(sweep->path, '/');
  static const char *const endings[] = {"", ".yaml"};
  for (size_t i = 0; slash && name[0] != '/' && i < 2; i++) {
    char *near = text_format("%.*s%s%s", (int)(slash - sweep->path + 1), sweep->path, name, endings[i]);
    if (!near || access(near, R_OK) == 0)
      return near;
    free(near);
  }
  return strdup(name);
}

static int read_gpu(const struct conf_node *root, struct sweep *sweep, struct error *error) {
  const struct conf_node *node = conf_need(root, "gpu", error);
  const char *name;
  if (!node || conf_string(node, &name, error) != 0)
    return -1;
  char *path = sweep_resolve(sweep, name);
  if (!path)
    return error_no_memory(error);
  struct error cause = ERROR_INIT;
  int status = gpu_load(path, &sweep->gpu, &cause);
  free(path);
  if (status == 0)
    return 0;
  if (cause.file[0] == '\0') /* not found: the place is here; a mistake inside of the file has its own place */
    return conf_cause(node, &cause, error);
  return error_at(error, cause.kind, cause.file, cause.line, cause.column, cause.key, "%s", cause.text);
}

/* Reads one tag, or a list of them. */
static int read_tags(const struct conf_node *node, struct sweep_input *input, struct error *error) {
  const bool list = node->kind == CONF_LIST;
  const size_t count = list ? node->count : 1;
  if (count == 0 || count > MOST_TAGS)
    return conf_error(node, error, "found %zu tags, allowed 1 to %d", count, MOST_TAGS);
  input->tags = calloc(count, sizeof *input->tags);
  if (!input->tags)
    return error_no_memory(error);
  for (size_t i = 0; i < count; i++)
    if (copy_text(list ? node->items[i] : node, &input->tags[input->tag_count++], error) != 0)
      return -1;
  return 0;
}

static int read_input(const struct conf_node *node, struct sweep_input *input, struct error *error) {
  static const char *const keys[] = {"tag", NULL};
  const struct conf_node *tag;
  input->line = node->line;
  input->column = node->column;
  if (node->kind == CONF_SCALAR)
    return copy_text(node, &input->name, error);
  if (conf_check_keys(node, keys, error) != 0 || !(tag = conf_need(node, "tag", error)))
    return -1;
  return read_tags(tag, input, error);
}

static int read_inputs(const struct conf_node *root, struct sweep *sweep, struct error *error) {
  const struct conf_node *list = conf_need(root, "workloads", error);
  if (!list || conf_expect(list, CONF_LIST, error) != 0)
    return -1;
  if (list->count == 0 || list->count > MOST_INPUTS)
    return conf_error(list, error, "found %zu entries, allowed 1 to %d", list->count, MOST_INPUTS);
  sweep->inputs = calloc(list->count, sizeof *sweep->inputs);
  if (!sweep->inputs)
    return error_no_memory(error);
  for (size_t i = 0; i < list->count; i++) {
    sweep->input_count++;
    if (read_input(list->items[i], &sweep->inputs[i], error) != 0)
      return -1;
  }
  return 0;
}

static int read_constraints(const struct conf_node *list, struct sweep *sweep, struct error *error) {
  if (!list)
    return 0;
  sweep->constraints = sweep_allocate_list(list, sizeof *sweep->constraints, MOST_CONSTRAINTS, "constraints", error);
  if (!sweep->constraints)
    return -1;
  for (size_t i = 0; i < list->count; i++) {
    struct error cause = ERROR_INIT;
    const char *text;
    if (conf_string(list->items[i], &text, error) != 0)
      return -1;
    if (constraint_compile(text, &sweep->constraints[i], &cause) != 0)
      return conf_cause(list->items[i], &cause, error);
    sweep->constraint_count++;
  }
  return 0;
}

/* Reads `grid`, `one_at_a_time`, `{random: N}` or `{sobol: N}`. */
static int read_sampling(const struct conf_node *node, struct sweep *sweep, struct error *error) {
  static const char *const words[] = {"grid", "one_at_a_time", NULL}, *const keys[] = {"random", "sobol", NULL};
  int64_t count;
  if (!node)
    return 0;
  if (node->kind == CONF_SCALAR) {
    int word;
    if (conf_choice(node, words, &word, error) != 0)
      return -1;
    sweep->method = word == 0 ? SWEEP_GRID : SWEEP_ONE_AT_A_TIME;
    return 0;
  }
  if (conf_check_keys(node, keys, error) != 0)
    return -1;
  if (node->count != 1)
    return conf_error(node, error, "expected one of random: and sobol:");
  if (conf_int(node->items[0], 1, INT32_MAX, &count, error) != 0)
    return -1;
  sweep->method = strcmp(node->items[0]->key, "sobol") == 0 ? SWEEP_SOBOL : SWEEP_RANDOM;
  sweep->samples = (uint64_t)count;
  return 0;
}

static int read_seed(const struct conf_node *node, struct sweep *sweep, struct error *error) {
  int64_t seed = 1;
  if (node && conf_int(node, 0, INT64_C(1) << 53, &seed, error) != 0)
    return -1;
  sweep->seed = (uint64_t)seed;
  return 0;
}

static int read_objective(const struct conf_node *node, struct sweep *sweep, struct error *error) {
  int objective = OBJECTIVE_GEOMETRIC_MEAN;
  if (node && conf_choice(node, sweep_objective_names, &objective, error) != 0)
    return -1;
  sweep->objective = (enum sweep_objective)objective;
  return 0;
}

static int read_targets(const struct conf_node *list, struct sweep *sweep, struct error *error) {
  if (!list)
    return 0;
  sweep->targets = sweep_allocate_list(list, sizeof *sweep->targets, MOST_TARGETS, "targets", error);
  if (!sweep->targets)
    return -1;
  for (size_t i = 0; i < list->count; i++)
    if (conf_real(list->items[i], 1e-6, 1e6, &sweep->targets[sweep->target_count++], error) != 0)
      return -1;
  return 0;
}

static int read_designs(const struct conf_node *root, struct sweep *sweep, struct error *error) {
  const struct conf_node *axes = conf_get(root, "axes"), *variants = conf_get(root, "variants");
  if (!axes && !variants)
    return conf_error(root, error, "has neither 'axes' nor 'variants': nothing varies");
  if (axes && sweep_read_axes(axes, sweep, error) != 0)
    return -1;
  return variants ? sweep_read_variants(variants, sweep, error) : 0;
}

static int read_root(const struct conf_node *root, struct sweep *sweep, struct error *error) {
  static const char *const keys[] = {"schema",    "name",     "about",       "gpu",      "workloads",
                                     "axes",      "variants", "constraints", "sampling", "seed",
                                     "objective", "targets",  "reference",   NULL};
  if (conf_expect(root, CONF_MAP, error) != 0 || conf_check_schema(root, SWEEP_SCHEMA, "a sweep", error) != 0 ||
      conf_check_keys(root, keys, error) != 0)
    return -1;
  const struct conf_node *name = conf_need(root, "name", error), *about = conf_get(root, "about");
  const struct conf_node *reference = conf_get(root, "reference");
  if (!name || copy_text(name, &sweep->name, error) != 0 || (about && copy_text(about, &sweep->about, error) != 0) ||
      (reference && copy_text(reference, &sweep->reference, error) != 0))
    return -1;
  if (read_gpu(root, sweep, error) != 0 || read_inputs(root, sweep, error) != 0 ||
      read_designs(root, sweep, error) != 0)
    return -1;
  return read_constraints(conf_get(root, "constraints"), sweep, error) ||
                 read_sampling(conf_get(root, "sampling"), sweep, error) ||
                 read_seed(conf_get(root, "seed"), sweep, error) ||
                 read_objective(conf_get(root, "objective"), sweep, error) ||
                 read_targets(conf_get(root, "targets"), sweep, error)
             ? -1
             : 0;
}

static int load(struct sweep *sweep, struct error *error) {
  struct conf_doc *doc;
  char *text;
  size_t length;
  if (file_read(sweep->path, MOST_BYTES, &text, &length, error) != 0)
    return -1;
  sweep->digest = text_hash(TEXT_HASH_START, text, length);
  int status = conf_load_text(sweep->path, text, length, &doc, error);
  free(text);
  if (status != 0)
    return -1;
  status = read_root(conf_root(doc), sweep, error);
  conf_destroy(doc);
  return status;
}

int sweep_load(const char *name_or_path, struct sweep **out, struct error *error) {
  *out = NULL;
  struct sweep *sweep = calloc(1, sizeof *sweep);
  if (!sweep)
    return error_no_memory(error);
  if (data_find(DATA_SWEEP, name_or_path, &sweep->path, error) != 0 || load(sweep, error) != 0) {
    sweep_destroy(sweep);
    return -1;
  }
  *out = sweep;
  return 0;
}

void sweep_destroy(struct sweep *sweep) {
  if (!sweep)
    return;
  for (size_t i = 0; i < sweep->input_count; i++) {
    free(sweep->inputs[i].name);
    for (size_t t = 0; t < sweep->inputs[i].tag_count; t++)
      free(sweep->inputs[i].tags[t]);
    free(sweep->inputs[i].tags);
  }
  for (size_t i = 0; i < sweep->axis_count; i++)
    sweep_axis_clear(&sweep->axes[i]);
  for (size_t i = 0; i < sweep->variant_count; i++)
    sweep_variant_clear(&sweep->variants[i]);
  for (size_t i = 0; i < sweep->constraint_count; i++)
    expression_destroy(sweep->constraints[i]);
  free(sweep->inputs);
  free(sweep->axes);
  free(sweep->variants);
  free(sweep->constraints);
  free(sweep->targets);
  free(sweep->path);
  free(sweep->name);
  free(sweep->about);
  free(sweep->reference);
  gpu_destroy(sweep->gpu);
  free(sweep);
}
