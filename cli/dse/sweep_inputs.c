#include "cli/dse/sweep_inputs.h"

#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "base/input/conf.h"
#include "base/file.h"
#include "base/progress.h"
#include "base/text.h"
#include "workload/workload.h"

/* Files of single workloads and traces, each once, in the order of the sweep. */
struct paths {
  char **items;
  size_t count, capacity;
};

static int out_of_memory(struct error *error) {
  return error_no_memory(error);
}

static int add_path(struct paths *paths, const char *path, struct error *error) {
  char *real = realpath(path, NULL);
  for (size_t i = 0; real && i < paths->count; i++)
    if (strcmp(paths->items[i], real) == 0) {
      free(real);
      return 0;
    }
  if (!array_room(&paths->items, &paths->capacity, paths->count + 1, sizeof *paths->items)) {
    free(real);
    return out_of_memory(error);
  }
  paths->items[paths->count] = real ? real : strdup(path); /* opening it will say what is wrong */
  return paths->items[paths->count++] ? 0 : out_of_memory(error);
}

static bool is_trace(const char *name) {
  const size_t length = strlen(name);
  return length > 7 && strcmp(name + length - 7, ".rtrace") == 0;
}

static int add_name(const struct sweep *sweep, const char *name, struct paths *paths, struct error *error) {
  char **expanded;
  size_t count;
  char *path = sweep_resolve(sweep, name);
  if (!path)
    return out_of_memory(error);
  if (is_trace(path)) {
    const int status = add_path(paths, path, error);
    free(path);
    return status;
  }
  int status = workload_expand(path, &expanded, &count, error);
  free(path);
  if (status != 0)
    return -1;
  for (size_t i = 0; i < count && status == 0; i++)
    status = add_path(paths, expanded[i], error);
  data_list_free(expanded, count);
  return status;
}

/* A list of tags that were met, for did-you-mean. */
struct tags {
  char *names[256];
  size_t count;
};

static void remember(struct tags *tags, const char *name) {
  for (size_t i = 0; i < tags->count; i++)
    if (strcmp(tags->names[i], name) == 0)
      return;
  if (tags->count + 1 < sizeof tags->names / sizeof tags->names[0] && (tags->names[tags->count] = strdup(name)))
    tags->count++;
}

static bool has_tag(const struct conf_node *list, const char *tag) {
  const char *name;
  for (size_t i = 0; i < list->count; i++)
    if (conf_string(list->items[i], &name, NULL) == 0 && strcmp(name, tag) == 0)
      return true;
  return false;
}

static bool has_all_tags(const struct conf_node *root, const struct sweep_input *input, struct tags *met) {
  const struct conf_node *list = conf_get(root, "tags");
  const char *name;
  if (!list || list->kind != CONF_LIST || conf_get(root, "members")) /* sets are not workloads */
    return false;
  for (size_t i = 0; i < list->count; i++)
    if (conf_string(list->items[i], &name, NULL) == 0)
      remember(met, name);
  for (size_t t = 0; t < input->tag_count; t++)
    if (!has_tag(list, input->tags[t]))
      return false;
  return true;
}

static int add_if_tagged(const char *name, const struct sweep_input *input, struct tags *met, struct paths *paths,
                         struct error *error) {
  struct conf_doc *doc;
  char *path;
  if (data_find_shipped(DATA_WORKLOAD, name, &path, error) != 0)
    return -1;
  int status = conf_load_file(path, &doc, error);
  if (status == 0) {
    if (has_all_tags(conf_root(doc), input, met))
      status = add_path(paths, path, error);
    conf_destroy(doc);
  }
  free(path);
  return status;
}

static int no_such_tag(const struct sweep_input *input, const struct tags *met, struct error *error) {
  for (size_t t = 0; t < input->tag_count; t++) {
    bool known = false;
    for (size_t i = 0; i < met->count; i++)
      known = known || strcmp(met->names[i], input->tags[t]) == 0;
    if (known)
      continue;
    const char *nearest = text_nearest(input->tags[t], (const char *const *)met->names);
    return error_set(error, ERROR_INPUT, "no shipped workload has the tag \"%.100s\"%s%s%s", input->tags[t],
                     nearest ? "; did you mean \"" : "", nearest ? nearest : "", nearest ? "\"?" : "");
  }
  return error_set(error, ERROR_INPUT, "no shipped workload has all of these tags");
}

static int add_tagged(const struct sweep_input *input, struct paths *paths, struct error *error) {
  char **names;
  size_t count, found = 0;
  struct tags met = {0};
  struct paths tagged = {0};
  if (data_list(DATA_WORKLOAD, &names, &count, error) != 0)
    return -1;
  int status = 0;
  for (size_t i = 0; i < count && status == 0; i++)
    status = add_if_tagged(names[i], input, &met, &tagged, error);
  data_list_free(names, count);
  for (; found < tagged.count && status == 0; found++)
    status = add_path(paths, tagged.items[found], error);
  if (status == 0 && found == 0)
    status = no_such_tag(input, &met, error);
  data_list_free(tagged.items, tagged.count);
  for (size_t i = 0; i < met.count; i++)
    free(met.names[i]);
  return status;
}

static char *workload_name(const struct replay_kernel *kernel, size_t launches) {
  char *name = strdup(kernel->name);
  char *dot = name && launches > 1 ? strrchr(name, '.') : NULL;
  if (dot) /* "bfs.0": the number of the launch */
    *dot = '\0';
  return name;
}

/* The kernels first .. replay->count - 1 are the launches of one workload. */
static int add_workload(const struct replay *replay, size_t first, struct evaluation *out, struct error *error) {
  const size_t launches = replay->count - first;
  struct evaluation_workload *w = &out->workloads[out->workload_count];
  w->name = workload_name(&replay->kernels[first], launches);
  w->traces = calloc(launches, sizeof *w->traces);
  out->workload_count++;
  if (!w->name || !w->traces)
    return out_of_memory(error);
  w->digest = TEXT_HASH_START;
  for (size_t i = 0; i < launches; i++) {
    w->traces[w->trace_count++] = replay->kernels[first + i].trace;
    w->digest = text_hash(w->digest, &replay->kernels[first + i].digest, sizeof replay->kernels[0].digest);
  }
  for (size_t i = 0; i + 1 < out->workload_count; i++)
    if (strcmp(out->workloads[i].name, w->name) == 0)
      return error_set(error, ERROR_INPUT, "two workloads of the sweep are called \"%s\"", w->name);
  return 0;
}

static int load_all(const struct paths *paths, const struct options *options, struct replay *replay,
                    struct evaluation *out, struct error *error) {
  struct options silent = *options; /* one line of progress is enough */
  struct progress progress;
  int status = 0;
  silent.quiet = true;
  out->workloads = calloc(paths->count + 1, sizeof *out->workloads);
  if (!out->workloads)
    return out_of_memory(error);
  replay->digests = true;
  progress_start(&progress, "emulating", "workloads", paths->count, options->quiet);
  for (size_t i = 0; i < paths->count && status == 0; i++) {
    const size_t first = replay->count;
    status = replay_load(replay, paths->items[i], &silent, error);
    if (status == 0)
      status = add_workload(replay, first, out, error);
    progress_add(&progress, 1);
  }
  progress_end(&progress);
  return status;
}

/* An error in the file of a workload keeps its place; an unknown name gets its place in the file of the sweep. */
static int add_input(const struct sweep *sweep, const struct sweep_input *input, struct paths *paths,
                     struct error *error) {
  struct error cause = ERROR_INIT;
  const int status = !input->name ? add_tagged(input, paths, &cause) : add_name(sweep, input->name, paths, &cause);
  if (status == 0)
    return 0;
  if (cause.file[0] == '\0' && cause.kind == ERROR_INPUT)
    return error_at(error, cause.kind, sweep->path, input->line, input->column, "workloads", "%s", cause.text);
  return error_at(error, cause.kind, cause.file, cause.line, cause.column, cause.key, "%s", cause.text);
}

int sweep_inputs_load(const struct sweep *sweep, const struct options *options, struct replay *replay,
                      struct evaluation *out, struct error *error) {
  struct paths paths = {0};
  int status = 0;
  for (size_t i = 0; i < sweep->input_count && status == 0; i++)
    status = add_input(sweep, &sweep->inputs[i], &paths, error);
  if (status == 0)
    status = load_all(&paths, options, replay, out, error);
  data_list_free(paths.items, paths.count);
  return status;
}

void sweep_inputs_clear(struct evaluation *evaluation) {
  for (size_t i = 0; i < evaluation->workload_count; i++) {
    free(evaluation->workloads[i].name);
    free(evaluation->workloads[i].traces);
  }
  free(evaluation->workloads);
  evaluation->workloads = NULL;
  evaluation->workload_count = 0;
}
