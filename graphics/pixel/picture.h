/* Pictures as PNG files. */
#ifndef GRAPHICS_PICTURE_H
#define GRAPHICS_PICTURE_H

#include <stdint.h>

#include "base/error.h"

/* Writes width x height pixels of four bytes each: red, green, blue, alpha. */
int picture_write(const char *path, uint32_t width, uint32_t height, const uint8_t *rgba, struct error *error);

#endif
