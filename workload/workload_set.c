/* Expands names, files and sets of workloads to the paths of single workloads. */
#include "workload/workload.h"

#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "base/input/conf.h"
#include "base/file.h"
#include "base/text.h"
#include "workload/workload_parameters.h"

#define MAX_MEMBERS 10000
#define MAX_NESTING 8

struct path_list {
  char **paths;
  size_t count, capacity;
};

static int append(struct path_list *list, const char *path, struct error *error) {
  if (list->count >= MAX_MEMBERS)
    return error_set(error, ERROR_INPUT, "a set expands to more than %d workloads", MAX_MEMBERS);
  char *copy = array_room(&list->paths, &list->capacity, list->count + 1, sizeof *list->paths) ? strdup(path) : NULL;
  if (!copy)
    return error_no_memory(error);
  list->paths[list->count++] = copy;
  return 0;
}

/* Refuses files that users mistake for a workload, and names the commands that read them. */
static int refuse_other_files(const char *file, struct error *error) {
  static const char elf[] = "\x7f"
                            "ELF";
  char start[sizeof elf] = "";
  const char *dot = strrchr(file, '.');
  if (dot && strcmp(dot, ".rframe") == 0)
    return error_at(error, ERROR_INPUT, file, 0, 0, NULL,
                    "this is a captured frame and not a workload; `reassemble draw` executes it and writes traces");
  FILE *stream = fopen(file, "rb");
  const size_t length = stream ? fread(start, 1, sizeof elf - 1, stream) : 0;
  if (stream)
    fclose(stream);
  if (length == sizeof elf - 1 && memcmp(start, elf, length) == 0)
    return error_at(
        error, ERROR_INPUT, file, 0, 0, NULL,
        "this is a program and not a workload; `reassemble trace -o DIR -- %.200s` traces its launches, and DIR "
        "stands for them",
        file);
  return 0;
}

static int expand_file(const char *path, unsigned depth, struct path_list *list, struct error *error);

static int expand_member(const struct conf_node *member, unsigned depth, struct path_list *list, struct error *error) {
  const char *text;
  if (conf_string(member, &text, error))
    return -1;
  const char *slash = strrchr(member->file, '/'), *dot = strrchr(text, '.');
  const int folder = slash && text[0] != '/' ? (int)(slash - member->file + 1) : 0;
  const size_t length = workload_name_length(text);
  const bool ends = dot && strncmp(dot, ".yaml", 5) == 0;
  char *path = text_format("%.*s%.*s%s%s", folder, member->file, (int)length, text, ends ? "" : ".yaml", text + length);
  if (!path)
    return error_no_memory(error);
  const int status = expand_file(path, depth + 1, list, error);
  free(path);
  return status;
}

static int expand_set(const struct conf_node *root, unsigned depth, struct path_list *list, struct error *error) {
  static const char *const keys[] = {"schema", "name", "about", "tags", "members", NULL};
  if (conf_check_keys(root, keys, error))
    return -1;
  const struct conf_node *members = conf_need(root, "members", error);
  if (!members || conf_expect(members, CONF_LIST, error))
    return -1;
  if (depth >= MAX_NESTING)
    return conf_error(members, error, "sets nest deeper than %d; does a set contain itself?", MAX_NESTING);
  if (members->count == 0)
    return conf_error(members, error, "is empty; expected names of workloads");
  for (size_t i = 0; i < members->count; i++)
    if (expand_member(members->items[i], depth, list, error))
      return -1;
  return 0;
}

static int expand_file(const char *path, unsigned depth, struct path_list *list, struct error *error) {
  struct conf_doc *doc = NULL;
  char *file = strndup(path, workload_name_length(path));
  int loaded = file ? refuse_other_files(file, error) : error_no_memory(error);
  if (!loaded)
    loaded = conf_load_file(file, &doc, error);
  free(file);
  if (loaded)
    return -1;
  const struct conf_node *root = conf_root(doc), *schema = NULL;
  const char *text = "";
  int status = conf_expect(root, CONF_MAP, error);
  if (!status)
    status = (schema = conf_need(root, "schema", error)) ? conf_string(schema, &text, error) : -1;
  if (!status) {
    if (strcmp(text, "reassemble.workload-set/1") == 0)
      status = expand_set(root, depth, list, error);
    else if (strcmp(text, "reassemble.workload/1") == 0)
      status = append(list, path, error);
    else
      status =
          conf_error(schema, error, "found \"%s\"; expected reassemble.workload/1 or reassemble.workload-set/1", text);
  }
  conf_destroy(doc);
  return status;
}

int workload_expand(const char *name_or_path, char ***paths, size_t *count, struct error *error) {
  struct path_list list = {0};
  const size_t length = workload_name_length(name_or_path);
  char *name = strndup(name_or_path, length), *file = NULL, *path = NULL;
  *paths = NULL;
  *count = 0;
  int status = name ? data_find(DATA_WORKLOAD, name, &file, error) : error_no_memory(error);
  if (status == 0 && !(path = text_format("%s%s", file, name_or_path + length)))
    status = error_no_memory(error);
  if (status == 0)
    status = expand_file(path, 0, &list, error);
  free(name);
  free(file);
  free(path);
  if (status) {
    data_list_free(list.paths, list.count);
    return -1;
  }
  *paths = list.paths;
  *count = list.count;
  return 0;
}
