/* Reads variants of a sweep: designs that are written out, each with a name. */
#include "dse/sweep/sweep_read.h"

#include <stdlib.h>
#include <string.h>

enum { MOST_VARIANTS = 1000000, LONGEST_NAME = 200 };

/* Checks the name of a variant, which stands in CSV files, tables and in --diff A,B. */
static int check_name(const struct conf_node *node, const char *name, struct error *error) {
  const size_t length = strlen(name);
  if (length == 0 || length > LONGEST_NAME)
    return conf_error(node, error, "found %zu characters, allowed 1 to %d", length, LONGEST_NAME);
  for (const char *c = name; *c; c++)
    if ((unsigned char)*c < ' ' || *c == 0x7f || *c == ',' || *c == '"')
      return conf_error(node, error, "found a comma, quote or control character; names go without");
  if (strcmp(name, "base") == 0)
    return conf_error(node, error, "\"base\" is the name of the base GPU's point; choose another one");
  return 0;
}

static int read_parameters(const struct conf_node *map, const struct gpu_spec *base, struct sweep_variant *variant,
                           struct error *error) {
  for (size_t i = 0; i < map->count; i++) {
    const struct conf_node *node = map->items[i];
    if (strcmp(node->key, "name") == 0)
      continue;
    const struct param *param = sweep_read_key(node, error);
    if (!param || sweep_read_value(param, node, base, &variant->values[variant->count], error) != 0)
      return -1;
    variant->params[variant->count++] = param;
  }
  return 0;
}

static int read_variant(const struct conf_node *map, const struct gpu_spec *base, struct sweep_variant *variant,
                        struct error *error) {
  const char *name;
  if (conf_expect(map, CONF_MAP, error) != 0)
    return -1;
  const struct conf_node *node = conf_need(map, "name", error);
  if (!node || conf_string(node, &name, error) != 0 || check_name(node, name, error) != 0)
    return -1;
  variant->name = strdup(name);
  variant->params = calloc(map->count, sizeof *variant->params);
  variant->values = calloc(map->count, sizeof *variant->values);
  if (!variant->name || !variant->params || !variant->values)
    return error_no_memory(error);
  return read_parameters(map, base, variant, error);
}

static int by_name(const void *a, const void *b) {
  return strcmp(*(char *const *)a, *(char *const *)b);
}

static int check_distinct(const struct conf_node *list, const struct sweep *sweep, struct error *error) {
  char **names = calloc(sweep->variant_count + 1, sizeof *names);
  if (!names)
    return error_no_memory(error);
  for (size_t i = 0; i < sweep->variant_count; i++)
    names[i] = sweep->variants[i].name;
  qsort(names, sweep->variant_count, sizeof *names, by_name);
  int status = 0;
  for (size_t i = 1; i < sweep->variant_count && status == 0; i++)
    if (strcmp(names[i - 1], names[i]) == 0)
      status = conf_error(list, error, "two variants are called \"%s\"", names[i]);
  free(names);
  return status;
}

int sweep_read_variants(const struct conf_node *list, struct sweep *sweep, struct error *error) {
  sweep->variants = sweep_allocate_list(list, sizeof *sweep->variants, MOST_VARIANTS, "variants", error);
  if (!sweep->variants)
    return -1;
  for (size_t i = 0; i < list->count; i++) {
    sweep->variant_count++;
    if (read_variant(list->items[i], &sweep->gpu->spec, &sweep->variants[i], error) != 0)
      return -1;
  }
  return check_distinct(list, sweep, error);
}

void sweep_variant_clear(struct sweep_variant *variant) {
  free(variant->name);
  free(variant->params);
  free(variant->values);
  *variant = (struct sweep_variant){0};
}
