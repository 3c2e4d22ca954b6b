#include "graphics/drawn/quad_file.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <zstd.h>

#include "base/file.h"

#define MOST_BYTES ((size_t)1 << 31)
#define MOST_QUADS (UINT32_C(1) << 24)
#define MOST_SIDE  16384

struct head {
  char magic[8];
  uint32_t version, width, height, group_items, late_tests, triangle_count, quad_count, sample_count /* 0: 1 */;
};

static size_t body_bytes(const struct quad_file *f) {
  return f->triangle_count * sizeof(struct quad_triangle) +
         f->quad_count * (sizeof(struct quad) + (f->sample_count > 1 ? sizeof(struct quad_samples) : 0));
}

int quad_file_write(const char *path, const struct quad_file *f, struct error *error) {
  const struct head head = {QUAD_FILE_MAGIC,   QUAD_FILE_VERSION, f->width,
                            f->height,         f->group_items,    f->late_tests,
                            f->triangle_count, f->quad_count,     f->samples ? f->sample_count : 0};
  const size_t length = body_bytes(f), room = ZSTD_compressBound(length);
  char *body = malloc(length + 1), *packed = malloc(room);
  struct file_replace file;
  int status = body && packed ? 0 : error_set(error, ERROR_WORK, "out of memory");
  size_t size = 0;
  if (!status) {
    const size_t triangles = f->triangle_count * sizeof *f->triangles;
    memcpy(body, f->triangles, triangles);
    memcpy(body + triangles, f->quads, f->quad_count * sizeof *f->quads);
    if (f->samples)
      memcpy(body + triangles + f->quad_count * sizeof *f->quads, f->samples, f->quad_count * sizeof *f->samples);
    size = ZSTD_compress(packed, room, body, length, 3);
    status = ZSTD_isError(size) ? error_set(error, ERROR_WORK, "zstd: %s", ZSTD_getErrorName(size))
                                : file_replace_begin(&file, path, error);
  }
  if (!status) {
    fwrite(&head, sizeof head, 1, file.stream);
    fwrite(packed, 1, size, file.stream);
    status = file_replace_commit(&file, error);
  }
  free(body);
  free(packed);
  return status;
}

static int damaged(const char *name, const char *what, struct error *error) {
  return error_at(error, ERROR_INPUT, name, 0, 0, NULL, "the file of quads is damaged: %s", what);
}

static int check_head(const char *name, const struct head *h, struct error *error) {
  if (memcmp(h->magic, QUAD_FILE_MAGIC, sizeof h->magic) != 0 || h->version != QUAD_FILE_VERSION)
    return damaged(name, "magic or version", error);
  if (h->triangle_count > MOST_QUADS || h->quad_count > MOST_QUADS || h->width > MOST_SIDE || h->height > MOST_SIDE)
    return damaged(name, "a count or a size is out of bounds", error);
  if (h->sample_count > 16)
    return damaged(name, "samples of a pixel", error);
  return h->group_items < 4 || h->group_items > 65536 || h->group_items % 4 ? damaged(name, "work-group size", error)
                                                                            : 0;
}

static int check_quads(const char *name, const struct quad_file *f, struct error *error) {
  for (uint32_t i = 0; i < f->quad_count; i++) {
    const struct quad *q = &f->quads[i];
    if (q->triangle >= f->triangle_count || q->x < 0 || q->y < 0 || (uint32_t)q->x >= f->width ||
        (uint32_t)q->y >= f->height || q->coverage > 15 || (q->passed & ~q->coverage))
      return damaged(name, "a quad is out of bounds", error);
  }
  return 0;
}

/* A pixel is covered, or has passed, where one of its samples has. */
static int check_samples(const char *name, const struct quad_file *f, struct error *error) {
  for (uint32_t i = 0; f->samples && i < f->quad_count; i++)
    for (int pixel = 0; pixel < 4; pixel++) {
      const uint16_t covered = f->samples[i].covered[pixel], passed = f->samples[i].passed[pixel];
      const bool is_covered = f->quads[i].coverage >> pixel & 1, has_passed = f->quads[i].passed >> pixel & 1;
      if (covered >> f->sample_count || (passed & ~covered) || is_covered != (covered != 0) ||
          has_passed != (passed != 0))
        return damaged(name, "samples that are not those of their pixels", error);
    }
  return 0;
}

static int take_body(const char *name, const char *packed, size_t length, struct quad_file *f, struct error *error) {
  const size_t triangles = f->triangle_count * sizeof *f->triangles;
  const size_t size = body_bytes(f), quads = f->quad_count * sizeof *f->quads;
  if (ZSTD_getFrameContentSize(packed, length) != size)
    return damaged(name, "its length", error);
  char *body = malloc(size + 1);
  f->triangles = malloc(triangles + 1);
  f->quads = malloc(quads + 1);
  f->samples = f->sample_count > 1 ? malloc(size - triangles - quads + 1) : NULL;
  int status = body && f->triangles && f->quads && (f->sample_count <= 1 || f->samples)
                   ? 0
                   : error_set(error, ERROR_WORK, "out of memory");
  if (!status && ZSTD_decompress(body, size, packed, length) != size)
    status = damaged(name, "compression", error);
  if (!status) {
    memcpy(f->triangles, body, triangles);
    memcpy(f->quads, body + triangles, quads);
    if (f->samples)
      memcpy(f->samples, body + triangles + quads, size - triangles - quads);
    status = check_quads(name, f, error) || check_samples(name, f, error) ? -1 : 0;
  }
  free(body);
  return status;
}

int quad_file_read(const char *name, const void *bytes, size_t length, struct quad_file *f, struct error *error) {
  struct head h;
  *f = (struct quad_file){0};
  if (length < sizeof h)
    return damaged(name, "it is too short", error);
  memcpy(&h, bytes, sizeof h);
  if (check_head(name, &h, error))
    return -1;
  *f = (struct quad_file){.width = h.width,
                          .height = h.height,
                          .group_items = h.group_items,
                          .late_tests = h.late_tests,
                          .triangle_count = h.triangle_count,
                          .quad_count = h.quad_count,
                          .sample_count = h.sample_count ? h.sample_count : 1};
  if (take_body(name, (const char *)bytes + sizeof h, length - sizeof h, f, error) == 0)
    return 0;
  quad_file_clear(f);
  return -1;
}

int quad_file_load(const char *path, struct quad_file *f, struct error *error) {
  char *bytes;
  size_t length;
  *f = (struct quad_file){0};
  if (file_read(path, MOST_BYTES, &bytes, &length, error))
    return -1;
  const int status = quad_file_read(path, bytes, length, f, error);
  free(bytes);
  return status;
}

void quad_file_clear(struct quad_file *f) {
  free(f->triangles);
  free(f->quads);
  free(f->samples);
  *f = (struct quad_file){0};
}
