/* The pictures of an executed frame as files: picture.png, expected.png, and maps of the work of each pixel. */
#ifndef CLI_DRAW_PICTURES_H
#define CLI_DRAW_PICTURES_H

#include "base/error.h"
#include "graphics/execute/frame_execute.h"

int draw_pictures_write(const char *folder, const struct frame_execution *execution, struct error *error);
/* Returns the largest number of a map; 0: there is none. */
uint32_t draw_pictures_most(const struct frame_execution *execution, const uint32_t *map);

#endif
