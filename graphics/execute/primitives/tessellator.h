/* The fixed function between two shaders of patches: divides the domain of a patch into points, lines or triangles.
 *
 * Places are those of llvmpipe, bit by bit: it divides as Direct3D 11 does, in 1/65536, and so are triangles.
 * Sources: Vulkan 1.3, chapter 23; Direct3D 11.3 functional specification, section 12; Mesa's tessellator for the
 * diagonals and the order of triangles, which these leave open.
 * Ownership: tessellated_clear frees. Cost: a patch has at most 4225 points and 8192 triangles. */
#ifndef GRAPHICS_TESSELLATOR_H
#define GRAPHICS_TESSELLATOR_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum tessellator_domain { DOMAIN_TRIANGLES, DOMAIN_QUADS, DOMAIN_ISOLINES };
enum tessellator_spacing { SPACING_EQUAL, SPACING_FRACTIONAL_EVEN, SPACING_FRACTIONAL_ODD };

struct tessellator {
  enum tessellator_domain domain;
  enum tessellator_spacing spacing;
  bool makes_points; /* instead of lines or triangles */
  bool clockwise;    /* triangles, where u goes right and v down */
};

struct tessellation_levels {
  float outer[4], inner[2]; /* as a control shader has written them: any bits */
};

/* Of several patches, one behind the other. */
struct tessellated {
  float (*places)[2]; /* u and v of each point */
  size_t place_count;
  uint32_t *corners; /* numbers of points: one, two or three for each primitive */
  size_t corner_count;
};

/* Adds the points and primitives of a patch; those of a patch whose outer levels are not all above 0 are none. Returns
 * false where memory runs out. */
bool tessellate(const struct tessellator *how, const struct tessellation_levels *levels, struct tessellated *out);
void tessellated_clear(struct tessellated *points);

/* Private to the tessellator. */

/* How an edge of the domain is divided. */
struct division {
  bool odd;
  uint32_t half;                         /* points of its first half, without one in the middle */
  uint32_t points;                       /* of the whole edge */
  uint32_t split;                        /* the point of the finer division that the coarser one lacks */
  uint32_t fraction;                     /* between the coarser and the finer division */
  uint32_t coarse_segment, fine_segment; /* their lengths */
};

/* tessellator_stitch.c: what lies between two rows of points becomes triangles. */
struct stitch {
  const struct tessellator *how;
  struct tessellated *out;
  bool failed;
};
/* A clockwise triangle, a line, and a point, in a patch of points that alone. */
void stitch_triangle(struct stitch *s, uint32_t a, uint32_t b, uint32_t c);
void stitch_line(struct stitch *s, uint32_t a, uint32_t b);
void stitch_point(struct stitch *s, uint32_t point);
/* Between the outermost ring and the next one, whose edges are divided by themselves. */
void stitch_transition(struct stitch *s, const uint32_t *inside, const struct division *inner, const uint32_t *outside,
                       const struct division *outer);
/* Between two edges of rings that have the same division; the outside has two points more. */
void stitch_rings(struct stitch *s, const uint32_t *inside, uint32_t count, const uint32_t *outside);
/* Between two rows of `count` points each; `turned`: the diagonals but for that in the middle go the other way. */
void stitch_rows(struct stitch *s, const uint32_t *inside, uint32_t count, const uint32_t *outside, bool turned);

#endif
