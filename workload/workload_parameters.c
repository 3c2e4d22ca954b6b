/* Reads and checks the values of parameters, and replaces `${...}` by them before a workload is read. */
#include "workload/workload_parameters.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/file.h"
#include "base/input/expression.h"
#include "base/input/template.h"
#include "base/text.h"

#define MAX_PARAMETERS 64
#define LARGEST        9007199254740992.0 /* 2^53: doubles are exact up to there */

struct parameter {
  const char *name; /* borrowed from the document */
  double value;
  bool bound; /* whether the list gave it a value */
};

struct parameters {
  struct parameter all[MAX_PARAMETERS];
  size_t count;
};

size_t workload_name_length(const char *name_or_path) {
  const char *colon = strrchr(name_or_path, ':');
  return colon && !strchr(colon, '/') && strchr(colon, '=') ? (size_t)(colon - name_or_path) : strlen(name_or_path);
}

char *workload_shipped_name(const char *name_or_path) {
  const size_t length = workload_name_length(name_or_path);
  char *path = strndup(name_or_path, length);
  char *shipped = path ? data_name(DATA_WORKLOAD, path) : NULL;
  char *name = shipped ? text_format("%s%s", shipped, &name_or_path[length]) : NULL;
  free(shipped);
  free(path);
  return name;
}

static int unknown(const struct parameters *p, const char *name, struct error *error) {
  const char *names[MAX_PARAMETERS + 1] = {NULL};
  for (size_t i = 0; i < p->count; i++)
    names[i] = p->all[i].name;
  if (p->count == 0)
    return error_set(error, ERROR_INPUT, "\"%s\" is not a parameter: the workload has none", name);
  return error_set(error, ERROR_INPUT, "\"%s\" is not a parameter of the workload%s", name,
                   text_hint(name, names, "").text);
}

static int find_parameter(const void *user, const char *name, size_t *index, struct error *error) {
  const struct parameters *p = user;
  for (*index = 0; *index < p->count; ++*index)
    if (strcmp(p->all[*index].name, name) == 0)
      return 0;
  return unknown(p, name, error);
}

static double value_of(const void *user, size_t index) {
  return ((const struct parameters *)user)->all[index].value;
}

static int read_parameters(const struct conf_node *map, struct parameters *p, struct error *error) {
  if (!map)
    return 0;
  if (conf_expect(map, CONF_MAP, error))
    return -1;
  if (map->count > MAX_PARAMETERS)
    return conf_error(map, error, "has %zu parameters; expected at most %d", map->count, MAX_PARAMETERS);
  for (; p->count < map->count; p->count++) {
    const struct conf_node *node = map->items[p->count];
    int64_t value;
    if (conf_int(node, -(int64_t)LARGEST, (int64_t)LARGEST, &value, error))
      return -1;
    p->all[p->count] = (struct parameter){node->key, (double)value, false};
  }
  return 0;
}

/* Gives a parameter the value of one "NAME=VALUE" of `length` characters. */
static int bind(struct parameters *p, const char *text, size_t length, struct error *error) {
  char item[128];
  snprintf(item, sizeof item, "%.*s", (int)length, text);
  char *equals = strchr(item, '=');
  if (!equals || length >= sizeof item)
    return error_set(error, ERROR_INPUT, "\"%s\": expected NAME=VALUE", item);
  *equals = '\0';
  size_t index;
  int64_t value;
  if (find_parameter(p, item, &index, error))
    return -1;
  const struct conf_node node = {.kind = CONF_SCALAR, .file = item, .text = equals + 1};
  if (conf_int(&node, -(int64_t)LARGEST, (int64_t)LARGEST, &value, error))
    return -1;
  if (p->all[index].bound)
    return error_set(error, ERROR_INPUT, "parameter \"%s\" has two values", item);
  p->all[index].value = (double)value;
  p->all[index].bound = true;
  return 0;
}

static int bind_list(struct parameters *p, const char *list, struct error *error) {
  while (*list) {
    const size_t length = strcspn(list, ",");
    if (bind(p, list, length, error))
      return -1;
    list += length + (list[length] == ',');
  }
  return 0;
}

static int check_requirements(const struct conf_node *list, const struct parameters *p, struct error *error) {
  const struct expression_names names = {"a parameter", find_parameter, p};
  if (list && conf_expect(list, CONF_LIST, error))
    return -1;
  for (size_t i = 0; list && i < list->count; i++) {
    const char *text;
    struct expression *condition;
    struct error cause = ERROR_INIT;
    if (conf_string(list->items[i], &text, error))
      return -1;
    if (expression_compile(text, EXPRESSION_COMPARISON, &names, &condition, &cause))
      return conf_cause(list->items[i], &cause, error);
    const bool holds = expression_value(condition, value_of, p) != 0;
    expression_destroy(condition);
    if (!holds)
      return conf_error(list->items[i], error, "the parameters break the condition %s", text);
  }
  return 0;
}

static int substitute(void *user, const struct conf_node *node, char **text, bool *quoted, struct error *error) {
  const struct expression_names names = {"a parameter", find_parameter, user};
  struct error cause = ERROR_INIT;
  if (!template_is(node->text))
    return 0;
  if (template_text(node->text, &names, value_of, user, text, &cause))
    return conf_cause(node, &cause, error);
  const char *start = strstr(node->text, "${"), *end = strchr(start, '}');
  *quoted = start != node->text || end[1] != '\0';
  return 0;
}

/* Replaces the document's `name` by the name of the bound workload. */
static int name_member(void *user, const struct conf_node *node, char **text, bool *quoted, struct error *error) {
  const struct parameters *p = user;
  size_t length;
  (void)quoted;
  if (!node->key || strcmp(node->key, "name") != 0)
    return 0;
  FILE *out = text_stream_begin(text, &length);
  if (!out)
    return error_no_memory(error);
  fputs(node->text, out);
  for (size_t i = 0; i < p->count; i++)
    if (p->all[i].bound)
      fprintf(out, "+%s%.0f", p->all[i].name, p->all[i].value);
  return text_stream_end(out, text) ? 0 : error_no_memory(error);
}

int workload_bind_parameters(struct conf_doc *doc, const char *list, struct error *error) {
  const struct conf_node *root = conf_root(doc);
  struct parameters p = {.count = 0};
  if (conf_expect(root, CONF_MAP, error) || read_parameters(conf_get(root, "parameters"), &p, error) ||
      bind_list(&p, list, error) || check_requirements(conf_get(root, "require"), &p, error))
    return -1;
  if (p.count == 0)
    return 0;
  return conf_rewrite_scalars(doc, substitute, &p, error) || conf_rewrite_scalars(doc, name_member, &p, error) ? -1 : 0;
}
