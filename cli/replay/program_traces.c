#include "cli/replay/program_traces.h"

#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "base/file.h"
#include "base/input/json.h"
#include "base/text.h"

#define ENDING ".manifest.json"

static bool ends_in(const char *text, const char *ending) {
  const size_t length = strlen(text), tail = strlen(ending);
  return length > tail && strcmp(text + length - tail, ending) == 0;
}

bool program_traces_is(const char *input) {
  return ends_in(input, ENDING) || file_is_folder(input);
}

/* Finds the only manifest of the folder; the caller frees the path. */
static char *manifest_in(const char *folder, struct error *error) {
  DIR *directory = opendir(folder);
  char *path = NULL;
  int count = 0;
  for (const struct dirent *e = directory ? readdir(directory) : NULL; e; e = readdir(directory)) {
    if (!ends_in(e->d_name, ENDING) || count++ > 0)
      continue;
    path = text_format("%s/%s", folder, e->d_name);
  }
  if (directory)
    closedir(directory);
  if (count == 1 && path)
    return path;
  free(path);
  error_set(error, ERROR_INPUT,
            count == 0 ? "%.300s: a folder without a manifest (*" ENDING "), which `reassemble trace -- PROGRAM` writes"
                       : "%.300s: several manifests (*" ENDING "); name one of them",
            folder);
  return NULL;
}

/* The launch's trace must be a file beside the manifest: the text is not trusted. */
static int load_launch(struct replay *replay, const char *folder, const char *program, const json_t *launch,
                       const char *file, const struct options *options, struct error *error) {
  const char *trace, *kernel;
  int64_t index;
  if (json_need_string(launch, "trace", &trace, file, error) ||
      json_need_string(launch, "kernel", &kernel, file, error) ||
      json_need_int(launch, "index", 0, INT64_MAX, &index, file, error))
    return -1;
  if (strchr(trace, '/') || trace[0] == '.' || !ends_in(trace, ".rtrace"))
    return error_at(error, ERROR_INPUT, file, 0, 0, "trace", "found \"%.200s\", expected the name of a trace beside it",
                    trace);
  char *path = text_format("%s/%s", folder, trace),
       *name = text_format("%s.%lld.%s", program, (long long)index, kernel);
  const int status = path && name ? replay_add_trace(replay, path, name, NULL, options, error) : error_no_memory(error);
  if (status == 0) {
    struct replay_kernel *added = &replay->kernels[replay->count - 1];
    added->program = replay->program_count + 1;
    added->source = text_format("%s/%s", folder, added->trace->header.source_file); /* kept beside the traces */
  }
  free(path);
  free(name);
  return status;
}

/* Adds what the program took and remembers which kernels are its. */
static int load_launches(struct replay *replay, const json_t *launches, const char *path, const struct options *options,
                         struct error *error) {
  struct replay_program *program = &replay->programs[replay->program_count];
  const char *slash = strrchr(path, '/');
  char *folder = slash ? strndup(path, (size_t)(slash - path)) : strdup(".");
  int status = folder ? 0 : error_no_memory(error);
  for (size_t i = 0; i < json_array_size(launches) && status == 0; i++) {
    const json_t *launch = json_array_get(launches, i);
    program->launches++;
    program->host_ns += 1e9 * json_number_value(json_object_get(launch, "host_s"));
    if (json_object_get(launch, "trace"))
      status = load_launch(replay, folder, program->name, launch, path, options, error);
  }
  free(folder);
  return status;
}

static int load_manifest(struct replay *replay, const char *path, const struct options *options, struct error *error) {
  const size_t before = replay->count;
  json_t *root, *launches;
  if (json_load_document(path, &root, error) != 0)
    return -1;
  int status = json_check_schema(root, "reassemble.manifest/1", path, error);
  if (status == 0)
    status = json_need_array(root, "launches", &launches, path, error);
  const bool room = array_room_for_one(&replay->programs, replay->program_count, sizeof *replay->programs);
  char *stem = text_stem(path);
  if (status == 0 && (!room || !stem))
    status = error_no_memory(error);
  if (status == 0) {
    stem[strlen(stem) - strlen(".manifest")] = '\0';
    replay->programs[replay->program_count] = (struct replay_program){.name = stem};
    stem = NULL;
    status = load_launches(replay, launches, path, options, error);
    replay->program_count++;
  }
  if (status == 0 && replay->count == before)
    status = error_set(error, ERROR_INPUT, "%.300s: no launch of the program has a trace", path);
  free(stem);
  json_decref(root);
  return status;
}

char *program_manifest_path(const char *input, struct error *error) {
  if (file_is_folder(input))
    return manifest_in(input, error);
  char *path = strdup(input);
  if (!path)
    error_no_memory(error);
  return path;
}

int program_traces_load(struct replay *replay, const char *input, const struct options *options, struct error *error) {
  char *path = program_manifest_path(input, error);
  const int status = path ? load_manifest(replay, path, options, error) : -1;
  free(path);
  return status;
}

void program_traces_show(const struct replay *replay, struct view *view) {
  static const struct view_column columns[] = {
      {.key = "name", .title = "program"},
      {.key = "launches", .title = "launches", .format = "%d"},
      {.key = "replayed", .title = "replayed", .format = "%d"},
      {.key = "kernels_ns", .title = "kernels, us", .format = "%.1f", .scale = 1e-3},
      {.key = "host_ns", .title = "host between them, us", .format = "%.1f", .scale = 1e-3},
      {.key = "total_ns", .title = "sum, us", .format = "%.1f", .scale = 1e-3},
  };
  struct view_list list;
  if (replay->program_count == 0)
    return;
  view_say(view, "\n");
  view_list_begin(view, "programs", columns, sizeof columns / sizeof columns[0], &list);
  for (size_t i = 0; i < replay->program_count; i++) {
    const struct replay_program *p = &replay->programs[i];
    double kernels = 0;
    size_t replayed = 0;
    for (size_t k = 0; k < replay->count; k++)
      if (replay->kernels[k].program == i + 1) {
        kernels += replay->kernels[k].result.time_ns;
        replayed++;
      }
    VIEW_ROW(&list, view_text(p->name), view_whole(p->launches), view_whole(replayed), view_real(kernels),
             view_real(p->host_ns), view_real(kernels + p->host_ns));
  }
  view_list_end(&list);
}
