#ifdef REASSEMBLE_GRAPHICS

#include "cli/frame/frame_draws.h"

#include <limits.h>
#include <stdlib.h>
#include <unistd.h>

#include "base/array.h"
#include "base/file.h"
#include "cli/replay/trace_budget.h"

#define MOST_DRAWS 65536

struct loading {
  const char *folder, *scratch;
  const struct tile_options *tiles;
  struct replay *replay;
  const struct options *options;
};

static void path_of(char *path, const char *folder, uint32_t number, const char *ending) {
  snprintf(path, PATH_MAX, "%s/draw-%u.%s", folder, number, ending);
}

static int add_launch(const struct loading *l, const char *path, uint32_t number, const char *stage, size_t *kernel,
                      struct error *error) {
  char name[64];
  snprintf(name, sizeof name, "draw-%u.%s", number, stage);
  *kernel = l->replay->count;
  return replay_add_trace(l->replay, path, name, NULL, l->options, error);
}

static struct frame_shader_name name_of(const struct trace *trace) {
  struct frame_shader_name name;
  snprintf(name.file, sizeof name.file, "%s", trace->header.source_file);
  snprintf(name.digest, sizeof name.digest, "%s", trace->header.source_digest);
  return name;
}

static int bin(const struct loading *l, struct frame_draw_launches *draw, const char *tiles, uint32_t **by_group,
               struct error *error) {
  const uint32_t number = draw->number;
  char path[PATH_MAX];
  struct quad_file quads;
  struct trace *fragments;
  path_of(path, l->folder, number, "quads");
  if (quad_file_load(path, &quads, error) != 0)
    return -1;
  path_of(path, l->folder, number, "fragment.rtrace");
  int status = trace_load_within(path, l->options, &fragments, error);
  if (status == 0) {
    draw->fragment_shader = name_of(fragments);
    status = tile_launch_write(fragments, &quads, l->tiles, tiles, &draw->counts, by_group, error);
    trace_destroy(fragments);
  }
  quad_file_clear(&quads);
  return status;
}

static int load_fragments(const struct loading *l, struct frame_draw_launches *draw, struct error *error) {
  char path[PATH_MAX];
  uint32_t *by_group = NULL;
  path_of(path, l->folder, draw->number, "quads");
  if (access(path, R_OK) != 0)
    return 0;
  path_of(path, l->scratch, draw->number, "rtrace");
  if (bin(l, draw, path, &by_group, error) != 0)
    return -1;
  const bool some = draw->counts.groups > 0;
  const int status = some ? add_launch(l, path, draw->number, "fragment", &draw->fragment, error) : 0;
  if (some && status == 0)
    l->replay->kernels[draw->fragment].trace->fragments = by_group;
  else
    free(by_group);
  return status;
}

static int load_draw(const struct loading *l, struct frame_draw_launches *draw, struct error *error) {
  char path[PATH_MAX];
  path_of(path, l->folder, draw->number, "vertex.rtrace");
  if (add_launch(l, path, draw->number, "vertex", &draw->vertex, error) != 0)
    return -1;
  draw->vertex_shader = name_of(l->replay->kernels[draw->vertex].trace);
  return load_fragments(l, draw, error);
}

static int add_draw(const struct loading *l, uint32_t number, struct frame_draws *draws, struct error *error) {
  if (!array_room_for_one(&draws->list, draws->count, sizeof *draws->list))
    return error_no_memory(error);
  struct frame_draw_launches *draw = &draws->list[draws->count++];
  *draw = (struct frame_draw_launches){.number = number, .vertex = NO_LAUNCH, .fragment = NO_LAUNCH};
  return load_draw(l, draw, error);
}

static int found_none(const char *folder, struct error *error) {
  return error_at(error, ERROR_INPUT, folder, 0, 0, NULL,
                  "found no traces of draws; `reassemble draw FRAME.rframe -o DIR` writes them to DIR/<frame>");
}

int frame_draws_load(const char *folder, const struct tile_options *tiles, const char *scratch, struct replay *replay,
                     const struct options *options, struct frame_draws *draws, struct error *error) {
  const struct loading l = {folder, scratch, tiles, replay, options};
  char path[PATH_MAX];
  *draws = (struct frame_draws){0};
  if (!file_is_folder(folder))
    return found_none(folder, error);
  for (uint32_t number = 0; number < MOST_DRAWS; number++) {
    path_of(path, folder, number, "vertex.rtrace");
    if (access(path, R_OK) == 0 && add_draw(&l, number, draws, error) != 0)
      return -1;
  }
  return draws->count > 0 ? 0 : found_none(folder, error);
}

#else
typedef int without_graphics; /* a file has to declare something */
#endif
