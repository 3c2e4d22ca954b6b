#include "graphics/execute/draw_quads.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>

#include "graphics/drawn/quad_file.h"

static void fill_triangle(const struct raster_triangle *from, struct quad_triangle *to) {
  *to = (struct quad_triangle){.primitive = from->primitive, .is_front = from->is_front};
  for (int i = 0; i < 3; i++) {
    to->vertices[i] = from->vertices[i];
    to->x[i] = (int32_t)from->fixed_x[i];
    to->y[i] = (int32_t)from->fixed_y[i];
    to->z[i] = (float)from->z[i];
  }
}

int draw_quads_write(const char *folder, const char *name, const struct raster *r, const struct shader_source *fragment,
                     const struct raster_state *state, struct error *error) {
  struct quad_file file = {.width = (uint32_t)state->right,
                           .height = (uint32_t)state->bottom,
                           .group_items = shader_group_items(fragment),
                           .late_tests = (fragment->may_discard || fragment->writes_depth) && !fragment->early_tests,
                           .triangle_count = (uint32_t)r->triangle_count,
                           .quad_count = (uint32_t)r->quad_count,
                           .sample_count = state->samples};
  char path[PATH_MAX];
  snprintf(path, sizeof path, "%s/%s.quads", folder, name);
  file.triangles = malloc((r->triangle_count + 1) * sizeof *file.triangles);
  file.quads = malloc((r->quad_count + 1) * sizeof *file.quads);
  if (state->samples > 1)
    file.samples = malloc((r->quad_count + 1) * sizeof *file.samples);
  int status = file.triangles && file.quads && (state->samples <= 1 || file.samples) ? 0 : error_no_memory(error);
  for (size_t i = 0; !status && i < r->triangle_count; i++)
    fill_triangle(&r->triangles[i], &file.triangles[i]);
  for (size_t i = 0; !status && i < r->quad_count; i++)
    file.quads[i] =
        (struct quad){r->quads[i].x, r->quads[i].y, r->quads[i].triangle, r->quads[i].coverage, r->quads[i].passed, 0};
  for (size_t i = 0; !status && file.samples && i < r->quad_count; i++) {
    memcpy(file.samples[i].covered, r->quads[i].samples, sizeof file.samples[i].covered);
    memcpy(file.samples[i].passed, r->quads[i].passed_samples, sizeof file.samples[i].passed);
  }
  if (!status)
    status = quad_file_write(path, &file, error);
  quad_file_clear(&file);
  return status;
}
