/* Reads schema reassemble.workload/1 (docs/workloads.md). Every error names file, line, column and key. */
#include "workload/workload.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "workload/workload_parameters.h"
#include "workload/workload_read.h"

static int read_tags(struct workload *w, const struct conf_node *node, struct error *error) {
  if (!node)
    return 0;
  if (workload_expect_items(node, 0, 64, error))
    return -1;
  w->tags = workload_allocate(node->count, sizeof *w->tags, error);
  if (!w->tags)
    return -1;
  for (; w->tag_count < node->count; w->tag_count++)
    if (workload_copy_string(node->items[w->tag_count], &w->tags[w->tag_count], error))
      return -1;
  return 0;
}

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
  if (!source || workload_need_string(root, "name", &w->name, error) || check_name(root, w->name, error) ||
      workload_copy_string(conf_get(root, "about"), &w->about, error) ||
      workload_copy_string(conf_get(root, "options"), &w->options, error) ||
      read_tags(w, conf_get(root, "tags"), error) || workload_read_source(source, root->file, &w->source, error))
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
  return conf_check_schema(root, "reassemble.workload/1", "a workload", error);
}

static int read_workload(struct workload *w, const struct conf_node *root, struct error *error) {
  static const char *const keys[] = {"schema",  "name",     "about",  "tags",       "source",  "options", "seed",
                                     "buffers", "launches", "checks", "parameters", "require", NULL};
  if (conf_expect(root, CONF_MAP, error) || read_schema(root, error) || conf_check_keys(root, keys, error))
    return -1;
  if (read_head(w, root, error) || workload_read_buffers(w, conf_get(root, "buffers"), error))
    return -1;
  if (workload_read_launches(w, conf_need(root, "launches", error), error))
    return -1;
  return workload_read_checks(w, conf_get(root, "checks"), error);
}

static int load(const struct conf_doc *doc, const char *path, struct workload **out, struct error *error) {
  struct workload *w = workload_allocate(1, sizeof *w, error);
  const int status = w && (w->path = strdup(path)) ? read_workload(w, conf_root(doc), error) : error_no_memory(error);
  if (status) {
    workload_destroy(w);
    return -1;
  }
  *out = w;
  return 0;
}

int workload_load(const char *path, struct workload **out, struct error *error) {
  const size_t length = workload_name_length(path);
  char *file = strndup(path, length);
  struct conf_doc *doc = NULL;
  *out = NULL;
  int status = file ? conf_load_file(file, &doc, error) : error_no_memory(error);
  if (status == 0)
    status = workload_bind_parameters(doc, path[length] ? path + length + 1 : "", error);
  if (status == 0)
    status = load(doc, path, out, error);
  conf_destroy(doc);
  free(file);
  return status;
}

int workload_load_text(const char *name, const char *text, struct workload **out, struct error *error) {
  struct conf_doc *doc;
  *out = NULL;
  if (conf_load_text(name, text, strlen(text), &doc, error))
    return -1;
  const int status = workload_bind_parameters(doc, "", error) ? -1 : load(doc, name, out, error);
  conf_destroy(doc);
  if (status == 0)
    (*out)->in_memory = true;
  return status;
}
