/* A read of a texture. Private to graphics/spirv.
 *
 * The device's own filters (read_imagef with a sampler) serve two-dimensional textures. All others are read texel by
 * texel, and filtered in the shader: cubes, arrays, volumes, comparisons, gathers, offsets, and samplers that OpenCL
 * does not have. */
#ifndef GRAPHICS_SHADER_SAMPLE_H
#define GRAPHICS_SHADER_SAMPLE_H

#include "graphics/spirv/translation.h"

struct sample {
  uint32_t resource, result, coordinates; /* ids, as the following ones; 0: none */
  uint32_t lod, bias, along_x, along_y, offset, reference, sample;
  struct shader_texture texture;
  uint32_t dimension; /* SpvDim */
  bool is_array, is_multisampled, is_integer, projects, gathers;
  unsigned channel; /* that is gathered */
};

/* Finds the texture that an image or a sampled image is. Returns false where the translation has failed. */
bool sample_find_texture(struct translation *t, uint32_t id, struct sample *sample);
/* Writes "lod = the level of detail" before its limits, of the place that sample_write_place has written. */
void sample_write_lod(struct translation *t, const struct sample *sample);
/* Returns whether the texture is read texel by texel. */
bool sample_reads_texels(const struct sample *sample);
/* Writes where the coordinates lie: `at`, `slice` and `layer`. */
void sample_write_place(struct translation *t, const struct sample *sample);
/* Writes `along_x` and `along_y` of a cube's face, from those of its direction. */
void sample_write_cube_changes(struct translation *t);
/* Writes "<name> = the filtered texel of the level that the variable `level` names". */
void sample_write_texels(struct translation *t, const struct sample *sample, const char *name, bool linear);
/* Writes "<name> = the texel", of a level, for places that are expressions. */
void sample_write_texel(struct translation *t, const struct sample *sample, const char *name, const char *x,
                        const char *y);
/* Writes the sizes w, h and d of the level, and the first row of a stacked one. */
void sample_write_sizes(struct translation *t, const struct sample *sample);
/* Writes "const int <to> = place <from> + <more> on an axis of <size> texels": with its offset, and -1 on the
 * border. */
void sample_write_axis(struct translation *t, const struct sample *sample, const char *to, const char *from,
                       const char *size, unsigned axis, int more);
/* Writes "<name> = the texel of the level's layer `z`", at places that may be -1, the border. */
void sample_write_at(struct translation *t, const struct sample *sample, const char *name, const char *x, const char *y,
                     const char *z);
/* Returns whether the read has the filter of sample_write_anisotropic, which needs `along_x`, `along_y`, `size` and
 * `level`. */
bool sample_is_anisotropic(const struct sample *sample);
void sample_write_anisotropic(struct translation *t, const struct sample *sample, const char *name);
/* Writes the functions that the shader's reads of texels call. */
void sample_write_functions(FILE *file);

#endif
