#ifdef REASSEMBLE_GRAPHICS

#include "cli/draw/draw_pictures.h"

#include <limits.h>
#include <stdio.h>
#include <stdlib.h>

#include "graphics/pixel/picture.h"

static size_t pixels_of(const struct frame_execution *x) {
  return (size_t)x->width * x->height;
}

static int write_picture(const char *folder, const char *name, const struct frame_execution *x, const uint8_t *rgba,
                         struct error *error) {
  char path[PATH_MAX];
  uint8_t *opaque = malloc(pixels_of(x) * 4 + 1);
  if (!opaque)
    return error_no_memory(error);
  for (size_t i = 0; i < pixels_of(x) * 4; i++)
    opaque[i] = i % 4 == 3 ? 255 : rgba[i];
  snprintf(path, sizeof path, "%s/%s", folder, name);
  const int status = picture_write(path, x->width, x->height, opaque, error);
  free(opaque);
  return status;
}

/* A fragment more is 32 steps of gray. */
static int write_overdraw(const char *folder, const struct frame_execution *x, struct error *error) {
  uint8_t *gray = malloc(pixels_of(x) * 4 + 1);
  if (!gray)
    return error_no_memory(error);
  for (size_t i = 0; i < pixels_of(x) * 4; i++)
    gray[i] = x->overdraw[i / 4] < 8 ? (uint8_t)(32 * x->overdraw[i / 4]) : 255;
  const int status = write_picture(folder, "overdraw.png", x, gray, error);
  free(gray);
  return status;
}

uint32_t draw_pictures_most(const struct frame_execution *x, const uint32_t *map) {
  uint32_t most = 0;
  for (size_t i = 0; map && i < pixels_of(x); i++)
    most = map[i] > most ? map[i] : most;
  return most;
}

/* From black through blue, red and yellow to white. */
static void paint(double share, uint8_t *rgb) {
  static const double stops[][3] = {{0, 0, 0}, {40, 30, 140}, {200, 40, 60}, {250, 200, 60}, {255, 255, 255}};
  const double at = share * 4;
  const int stop = at >= 4 ? 3 : (int)at;
  for (int k = 0; k < 3; k++)
    rgb[k] = (uint8_t)(stops[stop][k] + (stops[stop + 1][k] - stops[stop][k]) * (at - stop));
}

/* White is the most of any pixel. */
static int write_heat(const char *folder, const char *name, const struct frame_execution *x, const uint32_t *map,
                      struct error *error) {
  const uint32_t most = draw_pictures_most(x, map);
  uint8_t *colors = calloc(pixels_of(x) + 1, 4);
  if (!colors)
    return error_no_memory(error);
  for (size_t i = 0; most > 0 && i < pixels_of(x); i++)
    paint((double)map[i] / most, &colors[4 * i]);
  const int status = write_picture(folder, name, x, colors, error);
  free(colors);
  return status;
}

int draw_pictures_write(const char *folder, const struct frame_execution *x, struct error *error) {
  return write_picture(folder, "picture.png", x, x->rgba, error) != 0 ||
                 write_picture(folder, "expected.png", x, x->expected, error) != 0 ||
                 (x->overdraw && write_overdraw(folder, x, error) != 0) ||
                 (x->operations && write_heat(folder, "operations.png", x, x->operations, error) != 0) ||
                 (x->texels && write_heat(folder, "texels.png", x, x->texels, error) != 0)
             ? -1
             : 0;
}

#else
typedef int without_graphics; /* a file has to declare something */
#endif
