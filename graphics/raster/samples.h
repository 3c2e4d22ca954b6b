/* The places of a pixel's samples: Vulkan's standard locations.
 *
 * Units: 1/16 pixel from the pixel's centre. Threads: read-only. Source: Vulkan 1.3, section 28.3 (multisampling). */
#ifndef GRAPHICS_SAMPLES_H
#define GRAPHICS_SAMPLES_H

#include <stdint.h>

struct sample_place {
  int8_t x, y;
};

/* Returns the places of so many samples; NULL: there are no standard locations for this number. */
const struct sample_place *sample_places(uint32_t samples);

#endif
