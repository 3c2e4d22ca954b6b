#include "graphics/pixel/picture.h"

#include <png.h>

int picture_write(const char *path, uint32_t width, uint32_t height, const uint8_t *rgba, struct error *error) {
  png_image image = {.version = PNG_IMAGE_VERSION, .width = width, .height = height, .format = PNG_FORMAT_RGBA};
  return png_image_write_to_file(&image, path, 0, rgba, 0, NULL)
             ? 0
             : error_at(error, ERROR_WORK, path, 0, 0, NULL, "%s", image.message);
}
