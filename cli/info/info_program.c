/* Lists the kernels of a traced program with their launches, by its manifest. */
#include "cli/info/info.h"

#include <stdlib.h>
#include <string.h>

#include "base/input/json.h"
#include "cli/replay/program_traces.h"

static int64_t whole(const json_t *launch, const char *key) {
  return json_integer_value(json_object_get(launch, key));
}

static void add(json_t *row, const char *key, int64_t value) {
  json_object_set_new(row, key, json_integer(whole(row, key) + value));
}

/* Adds a launch to the row of its kernel. */
static int count_launch(json_t *rows, const json_t *launch, const char *file, struct error *error) {
  const char *kernel;
  if (json_need_string(launch, "kernel", &kernel, file, error) != 0)
    return -1;
  if (!json_object_get(rows, kernel))
    json_object_set_new(rows, kernel, json_object());
  json_t *row = json_object_get(rows, kernel);
  const char *result = json_string_value(json_object_get(launch, "result"));
  const bool traced = json_object_get(launch, "trace") != NULL;
  add(row, "launches", 1);
  add(row, "traced", traced);
  add(row, "equal", traced && result && strcmp(result, "equal") == 0);
  add(row, "work_item_instructions", whole(launch, "work_item_instructions"));
  add(row, "trace_bytes", whole(launch, "trace_bytes"));
  return 0;
}

static void show_kernels(json_t *rows, struct view *view) {
  static const struct view_column columns[] = {
      {.key = "kernel", .title = "kernel"},
      {.key = "launches", .title = "launches", .format = "%d"},
      {.key = "traced", .title = "traced", .format = "%d"},
      {.key = "equal", .title = "with equal results", .format = "%d"},
      {.key = "work_item_instructions", .title = "instructions", .format = "%d"},
      {.key = "trace_bytes", .title = "bytes of traces", .format = "%d"},
  };
  struct view_list list;
  const char *kernel;
  json_t *row;
  view_list_begin(view, "kernels", columns, sizeof columns / sizeof columns[0], &list);
  json_object_foreach(rows, kernel, row) {
    VIEW_ROW(&list, view_text(kernel), view_whole((uint64_t)whole(row, "launches")),
             view_whole((uint64_t)whole(row, "traced")), view_whole((uint64_t)whole(row, "equal")),
             view_whole((uint64_t)whole(row, "work_item_instructions")),
             view_whole((uint64_t)whole(row, "trace_bytes")));
  }
  view_list_end(&list);
}

static void show_head(const json_t *root, size_t launches, const char *file, struct view *view) {
  const json_t *program = json_object_get(root, "program"), *arguments = json_object_get(program, "arguments");
  const bool whole_capture = !json_is_false(json_object_get(root, "complete"));
  view_member(view, "file", view_text(file));
  view_member(view, "arguments", view_json(json_deep_copy(arguments)));
  view_member(view, "complete", view_truth(whole_capture));
  view_member(view, "refused", view_whole(json_array_size(json_object_get(root, "refused"))));
  view_say(view, "%s\n  program  ", file);
  for (size_t i = 0; i < json_array_size(arguments); i++) {
    const char *word = json_string_value(json_array_get(arguments, i));
    view_say(view, " %s", word ? word : "?");
  }
  view_say(view, "\n  launches  %zu%s\n\n", launches, whole_capture ? "" : "; it was stopped, and some have no trace");
}

static int show_manifest(const json_t *root, const char *path, struct view *view, struct error *error) {
  json_t *launches, *rows = json_object();
  int status = json_need_array(root, "launches", &launches, path, error);
  for (size_t i = 0; status == 0 && i < json_array_size(launches); i++)
    status = count_launch(rows, json_array_get(launches, i), path, error);
  if (status == 0) {
    view_element_begin(view, "programs");
    show_head(root, json_array_size(launches), path, view);
    show_kernels(rows, view);
    view_object_end(view);
  }
  json_decref(rows);
  return status;
}

int info_program_show(const char *input, struct view *view, struct error *error) {
  json_t *root = NULL;
  char *path = program_manifest_path(input, error);
  int status = path ? json_load_document(path, &root, error) : -1;
  if (status == 0)
    status = json_check_schema(root, "reassemble.manifest/1", path, error);
  if (status == 0)
    status = show_manifest(root, path, view, error);
  json_decref(root);
  free(path);
  return status;
}
