#ifdef REASSEMBLE_GRAPHICS

#include "cli/frame/frame_passes.h"

#include <limits.h>
#include <stdlib.h>
#include <unistd.h>

struct loading {
  const char *folder, *scratch;
  const struct tile_options *tiles;
  bool immediate;
  struct replay *replay;
  const struct options *options;
};

/* The files of a draw in memory. */
struct draw_files {
  struct trace *before[PASS_STAGES], *fragments;
  struct quad_file quads;
};

static bool find(const struct loading *l, uint32_t number, const char *ending, char *path) {
  snprintf(path, PATH_MAX, "%s/draw-%u.%s", l->folder, number, ending);
  return access(path, R_OK) == 0;
}

static int load_draw(const struct loading *l, const struct pass_draw *draw, struct draw_files *files,
                     struct pass_input *input, struct error *error) {
  static const char *const endings[PASS_STAGES] = {"vertex.rtrace", "control.rtrace", "evaluation.rtrace",
                                                   "geometry.rtrace"};
  char path[PATH_MAX];
  *input = (struct pass_input){.draw = draw};
  for (size_t k = 0; k < PASS_STAGES; k++) {
    if (find(l, draw->number, endings[k], path) && trace_load(path, &files->before[k], error) != 0)
      return -1;
    input->before[k] = files->before[k];
  }
  if (!find(l, draw->number, "quads", path))
    return 0;
  if (quad_file_load(path, &files->quads, error) != 0)
    return -1;
  find(l, draw->number, "fragment.rtrace", path);
  if (trace_load(path, &files->fragments, error) != 0)
    return -1;
  input->quads = &files->quads;
  input->fragments = files->fragments;
  return 0;
}

static int add_launch(const struct loading *l, const char *stage, uint32_t pass, uint64_t groups, const char *path,
                      size_t *kernel, struct error *error) {
  char name[64];
  if (groups == 0)
    return 0;
  snprintf(name, sizeof name, "pass-%u.%s", pass, stage);
  *kernel = l->replay->count;
  return replay_add_trace(l->replay, path, name, NULL, l->options, error);
}

static int add_launches(const struct loading *l, struct pass_launches *launches, struct frame_pass_launches *out,
                        struct error *error) {
  char vertices[PATH_MAX], fragments[PATH_MAX];
  const struct pass_counts *counts = pass_launches_counts(launches);
  snprintf(vertices, sizeof vertices, "%s/pass-%u.vertex.rtrace", l->scratch, out->number);
  snprintf(fragments, sizeof fragments, "%s/pass-%u.fragment.rtrace", l->scratch, out->number);
  struct pass_groups groups = {0};
  if (pass_launches_vertices(launches, vertices, error) != 0 ||
      pass_launches_fragments(launches, fragments, &groups, error) != 0)
    return -1;
  out->counts = *counts;
  const int status =
      add_launch(l, "vertex", out->number, counts->vertex_groups, vertices, &out->vertex, error) != 0 ||
              add_launch(l, "fragment", out->number, counts->groups, fragments, &out->fragment, error) != 0
          ? -1
          : 0;
  if (status == 0 && out->fragment != NO_LAUNCH) {
    l->replay->kernels[out->fragment].trace->homes = groups.homes;
    l->replay->kernels[out->fragment].trace->fragments = groups.fragments;
  } else {
    free(groups.homes);
    free(groups.fragments);
  }
  return status;
}

static int load_pass(const struct loading *l, const struct pass_file *file, struct frame_pass_launches *out,
                     struct error *error) {
  struct draw_files *files = calloc(file->draw_count + 1, sizeof *files);
  struct pass_input *inputs = calloc(file->draw_count + 1, sizeof *inputs);
  struct pass_launches *launches = NULL;
  int status = files && inputs ? 0 : error_no_memory(error);
  for (size_t i = 0; status == 0 && i < file->draw_count; i++)
    if (file->draws[i].pass == out->number) {
      status = load_draw(l, &file->draws[i], &files[out->draws], &inputs[out->draws], error);
      out->draws++;
    }
  if (status == 0)
    status =
        pass_launches_create(&file->passes[out->number], inputs, out->draws, l->tiles, l->immediate, &launches, error);
  if (status == 0)
    status = add_launches(l, launches, out, error);
  pass_launches_destroy(launches);
  for (size_t i = 0; files && i < out->draws; i++) {
    for (size_t k = 0; k < PASS_STAGES; k++)
      trace_destroy(files[i].before[k]);
    trace_destroy(files[i].fragments);
    quad_file_clear(&files[i].quads);
  }
  free(files);
  free(inputs);
  return status;
}

int frame_passes_load(const char *folder, const struct tile_options *tiles, bool immediate, const char *scratch,
                      struct replay *replay, const struct options *options, struct frame_passes *passes,
                      struct error *error) {
  const struct loading l = {folder, scratch, tiles, immediate, replay, options};
  struct pass_file file;
  char path[PATH_MAX];
  *passes = (struct frame_passes){0};
  snprintf(path, sizeof path, "%s/passes.json", folder);
  if (access(path, R_OK) != 0)
    return error_at(error, ERROR_INPUT, path, 0, 0, NULL,
                    "is not there; `reassemble draw FRAME.rframe -o DIR` writes it beside the traces");
  if (pass_file_load(path, &file, error) != 0)
    return -1;
  passes->mediump_half = file.mediump_half;
  passes->list = calloc(file.pass_count + 1, sizeof *passes->list);
  int status = passes->list ? 0 : error_no_memory(error);
  for (uint32_t i = 0; status == 0 && i < file.pass_count; i++) {
    passes->list[i] = (struct frame_pass_launches){.number = i, .vertex = NO_LAUNCH, .fragment = NO_LAUNCH};
    passes->count++;
    status = load_pass(&l, &file, &passes->list[i], error);
  }
  pass_file_clear(&file);
  return status;
}

#else
typedef int without_graphics; /* a file has to declare something */
#endif
