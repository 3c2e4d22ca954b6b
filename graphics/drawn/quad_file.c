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

/* The body: members of triangles and of quads in columns, which compress to a third of what structures do. */

enum {
  TRIANGLE_WORDS = 5, /* members before the corners: columns */
  CORNER_BYTES = 12,  /* x, y, z of a corner, which neighbours share: as they are, corner after corner */
  LEVEL = 9           /* of zstd */
};

static size_t body_bytes(const struct quad_file *f) {
  return (size_t)f->triangle_count * QUAD_FILE_TRIANGLE_BYTES +
         f->quad_count * (QUAD_FILE_QUAD_BYTES + (f->sample_count > 1 ? sizeof(struct quad_samples) : 0));
}

/* A member of structures that lie `stride` bytes apart. */
struct column {
  char *first;
  size_t stride, bytes, count; /* bytes of the member: 2 or 4 */
};

static uint32_t mask_of(const struct column *c) {
  return c->bytes == 4 ? UINT32_MAX : UINT16_MAX;
}

/* Writes the differences to the rows before, the sign in the lowest bit: first the lowest byte of all, then others. */
static char *put_column(const struct column *c, char *to) {
  const uint32_t mask = mask_of(c), sign = mask / 2 + 1;
  uint32_t before = 0;
  for (size_t i = 0; i < c->count; i++) {
    uint32_t value = 0;
    memcpy(&value, c->first + i * c->stride, c->bytes);
    const uint32_t difference = (value - before) & mask;
    const uint32_t word = (difference << 1 ^ (difference & sign ? mask : 0)) & mask;
    for (size_t k = 0; k < c->bytes; k++)
      to[k * c->count + i] = (char)(word >> 8 * k);
    before = value;
  }
  return to + c->bytes * c->count;
}

static const char *get_column(const struct column *c, const char *from) {
  const uint32_t mask = mask_of(c);
  uint32_t value = 0;
  for (size_t i = 0; i < c->count; i++) {
    uint32_t word = 0;
    for (size_t k = 0; k < c->bytes; k++)
      word |= (uint32_t)(unsigned char)from[k * c->count + i] << 8 * k;
    value = (value + (word >> 1 ^ (word & 1 ? mask : 0))) & mask;
    memcpy(c->first + i * c->stride, &value, c->bytes);
  }
  return from + c->bytes * c->count;
}

#define COLUMNS (TRIANGLE_WORDS + 3)

/* Lists the columns of triangles, then those of quads. */
static void list_columns(const struct quad_file *f, struct column columns[COLUMNS]) {
  char *quads = (char *)f->quads;
  for (size_t i = 0; i < TRIANGLE_WORDS; i++)
    columns[i] = (struct column){(char *)f->triangles + i * sizeof(uint32_t), sizeof *f->triangles, sizeof(uint32_t),
                                 f->triangle_count};
  columns[TRIANGLE_WORDS] = (struct column){quads + offsetof(struct quad, x), sizeof *f->quads, 2, f->quad_count};
  columns[TRIANGLE_WORDS + 1] = (struct column){quads + offsetof(struct quad, y), sizeof *f->quads, 2, f->quad_count};
  columns[TRIANGLE_WORDS + 2] =
      (struct column){quads + offsetof(struct quad, triangle), sizeof *f->quads, 4, f->quad_count};
}

static void put_body(const struct quad_file *f, char *to) {
  struct column columns[COLUMNS];
  list_columns(f, columns);
  for (size_t i = 0; i < COLUMNS; i++)
    to = put_column(&columns[i], to);
  for (size_t i = 0; i < f->triangle_count; i++)
    for (int k = 0; k < 3; k++, to += CORNER_BYTES) {
      memcpy(to, &f->triangles[i].x[k], 4);
      memcpy(to + 4, &f->triangles[i].y[k], 4);
      memcpy(to + 8, &f->triangles[i].z[k], 4);
    }
  for (size_t i = 0; i < f->quad_count; i++) {
    to[i] = (char)f->quads[i].coverage;
    to[f->quad_count + i] = (char)(f->quads[i].coverage ^ f->quads[i].passed);
  }
  if (f->samples)
    memcpy(to + 2 * f->quad_count, f->samples, f->quad_count * sizeof *f->samples);
}

static void get_body(struct quad_file *f, const char *from) {
  struct column columns[COLUMNS];
  list_columns(f, columns);
  for (size_t i = 0; i < COLUMNS; i++)
    from = get_column(&columns[i], from);
  for (size_t i = 0; i < f->triangle_count; i++)
    for (int k = 0; k < 3; k++, from += CORNER_BYTES) {
      memcpy(&f->triangles[i].x[k], from, 4);
      memcpy(&f->triangles[i].y[k], from + 4, 4);
      memcpy(&f->triangles[i].z[k], from + 8, 4);
    }
  for (size_t i = 0; i < f->quad_count; i++) {
    f->quads[i].coverage = (uint8_t)from[i];
    f->quads[i].passed = f->quads[i].coverage ^ (uint8_t)from[f->quad_count + i];
  }
  if (f->samples)
    memcpy(f->samples, from + 2 * f->quad_count, f->quad_count * sizeof *f->samples);
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
    put_body(f, body);
    size = ZSTD_compress(packed, room, body, length, LEVEL);
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

/* A pixel is covered, or has passed the tests, where one of its samples is or has. */
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
  const size_t size = body_bytes(f);
  if (ZSTD_getFrameContentSize(packed, length) != size)
    return damaged(name, "its length", error);
  char *body = malloc(size + 1);
  f->triangles = calloc(f->triangle_count + 1u, sizeof *f->triangles);
  f->quads = calloc(f->quad_count + 1u, sizeof *f->quads);
  f->samples = f->sample_count > 1 ? calloc(f->quad_count + 1u, sizeof *f->samples) : NULL;
  int status = body && f->triangles && f->quads && (f->sample_count <= 1 || f->samples)
                   ? 0
                   : error_set(error, ERROR_WORK, "out of memory");
  if (!status && ZSTD_decompress(body, size, packed, length) != size)
    status = damaged(name, "compression", error);
  if (!status) {
    get_body(f, body);
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
