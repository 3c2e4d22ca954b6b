#include "graphics/drawn/quad_file.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <zstd.h>
#include <zstd_errors.h>

#include "base/file.h"
#include "graphics/drawn/quad_follow.h"

#define MOST_BYTES ((size_t)1 << 31)
#define MOST_QUADS (UINT32_C(1) << 24)
#define MOST_SIDE  16384

struct head {
  char magic[8];
  uint32_t version, width, height, group_items, late_tests, triangle_count, quad_count, sample_count /* 0: 1 */;
  uint32_t apart_count; /* quads that do not follow those before them (quad_follow.h) */
};

/* The body: members of triangles and of quads in columns, which compress to a third of what structures do. */

enum {
  TRIANGLE_WORDS = 5, /* members before the corners: columns */
  CORNER_BYTES = 12,  /* x, y, z of a corner, which neighbours share: as they are, corner after corner */
  LEVEL = 9           /* of zstd */
};

static size_t body_bytes(const struct quad_file *f, uint32_t apart_count) {
  return (size_t)f->triangle_count * QUAD_FILE_TRIANGLE_BYTES + (size_t)apart_count * QUAD_FILE_APART_BYTES +
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

/* Columns of members of triangles, and of quads that lie apart. */

static char *put_triangles(const struct quad_file *f, char *to) {
  for (size_t i = 0; i < TRIANGLE_WORDS; i++)
    to = put_column(&(struct column){(char *)f->triangles + i * sizeof(uint32_t), sizeof *f->triangles,
                                     sizeof(uint32_t), f->triangle_count},
                    to);
  for (size_t i = 0; i < f->triangle_count; i++)
    for (int k = 0; k < 3; k++, to += CORNER_BYTES) {
      memcpy(to, &f->triangles[i].x[k], 4);
      memcpy(to + 4, &f->triangles[i].y[k], 4);
      memcpy(to + 8, &f->triangles[i].z[k], 4);
    }
  return to;
}

static const char *get_triangles(struct quad_file *f, const char *from) {
  for (size_t i = 0; i < TRIANGLE_WORDS; i++)
    from = get_column(&(struct column){(char *)f->triangles + i * sizeof(uint32_t), sizeof *f->triangles,
                                       sizeof(uint32_t), f->triangle_count},
                      from);
  for (size_t i = 0; i < f->triangle_count; i++)
    for (int k = 0; k < 3; k++, from += CORNER_BYTES) {
      memcpy(&f->triangles[i].x[k], from, 4);
      memcpy(&f->triangles[i].y[k], from + 4, 4);
      memcpy(&f->triangles[i].z[k], from + 8, 4);
    }
  return from;
}

#define APART_COLUMNS 3

static void list_columns(struct quad *apart, size_t count, struct column columns[APART_COLUMNS]) {
  char *quads = (char *)apart;
  columns[0] = (struct column){quads + offsetof(struct quad, x), sizeof *apart, 2, count};
  columns[1] = (struct column){quads + offsetof(struct quad, y), sizeof *apart, 2, count};
  columns[2] = (struct column){quads + offsetof(struct quad, triangle), sizeof *apart, 4, count};
}

static char *put_apart(struct quad *apart, size_t count, char *to) {
  struct column columns[APART_COLUMNS];
  list_columns(apart, count, columns);
  for (size_t i = 0; i < APART_COLUMNS; i++)
    to = put_column(&columns[i], to);
  for (size_t i = 0; i < count; i++)
    *to++ = (char)apart[i].coverage;
  return to;
}

static const char *get_apart(struct quad *apart, size_t count, const char *from) {
  struct column columns[APART_COLUMNS];
  list_columns(apart, count, columns);
  for (size_t i = 0; i < APART_COLUMNS; i++)
    from = get_column(&columns[i], from);
  for (size_t i = 0; i < count; i++)
    apart[i].coverage = (uint8_t)*from++;
  return from;
}

static bool is_same(const struct quad *a, const struct quad *b) {
  return a->x == b->x && a->y == b->y && a->triangle == b->triangle && a->coverage == b->coverage;
}

/* Lists the quads that do not follow the one before, and marks these with 1 in `marks`. Returns their number. */
static uint32_t find_apart(const struct quad_file *f, struct quad *apart, char *marks) {
  struct quad_follow follow = quad_follow_begin(f);
  uint32_t count = 0;
  for (uint32_t i = 0; i < f->quad_count; i++) {
    const struct quad next = quad_follow_next(&follow, i ? &f->quads[i - 1] : NULL);
    marks[i] = !is_same(&f->quads[i], &next);
    if (marks[i])
      apart[count++] = f->quads[i];
  }
  return count;
}

/* Makes the quads from those that lie apart. False: the marks are not those of these quads. */
static bool join_quads(struct quad_file *f, const struct quad *apart, uint32_t apart_count, const char *marks) {
  struct quad_follow follow = quad_follow_begin(f);
  uint32_t used = 0;
  for (uint32_t i = 0; i < f->quad_count; i++) {
    const struct quad next = quad_follow_next(&follow, i ? &f->quads[i - 1] : NULL);
    if ((marks[i] != 0 && marks[i] != 1) || (marks[i] ? used == apart_count : next.coverage == 0))
      return false;
    f->quads[i] = marks[i] ? apart[used++] : next;
  }
  return used == apart_count;
}

static size_t put_body(const struct quad_file *f, struct quad *apart, uint32_t apart_count, const char *marks,
                       char *to) {
  const char *const begin = to;
  to = put_triangles(f, to);
  memcpy(to, marks, f->quad_count);
  to = put_apart(apart, apart_count, to + f->quad_count);
  for (size_t i = 0; i < f->quad_count; i++)
    *to++ = (char)(f->quads[i].coverage ^ f->quads[i].passed);
  if (f->samples)
    memcpy(to, f->samples, f->quad_count * sizeof *f->samples);
  return (size_t)(to - begin) + (f->samples ? f->quad_count * sizeof *f->samples : 0);
}

/* False: damaged. */
static bool get_body(struct quad_file *f, struct quad *apart, uint32_t apart_count, const char *from) {
  const char *const marks = get_triangles(f, from);
  from = get_apart(apart, apart_count, marks + f->quad_count);
  if (!join_quads(f, apart, apart_count, marks))
    return false;
  for (size_t i = 0; i < f->quad_count; i++)
    f->quads[i].passed = f->quads[i].coverage ^ (uint8_t)from[i];
  if (f->samples)
    memcpy(f->samples, from + f->quad_count, f->quad_count * sizeof *f->samples);
  return true;
}

static int write_packed(const char *path, const struct quad_file *f, uint32_t apart_count, const char *packed,
                        size_t size, struct error *error) {
  const struct head head = {.magic = QUAD_FILE_MAGIC,
                            .version = QUAD_FILE_VERSION,
                            .width = f->width,
                            .height = f->height,
                            .group_items = f->group_items,
                            .late_tests = f->late_tests,
                            .triangle_count = f->triangle_count,
                            .quad_count = f->quad_count,
                            .sample_count = f->samples ? f->sample_count : 0,
                            .apart_count = apart_count};
  struct file_replace file;
  if (file_replace_begin(&file, path, error))
    return -1;
  fwrite(&head, sizeof head, 1, file.stream);
  fwrite(packed, 1, size, file.stream);
  return file_replace_commit(&file, error);
}

int quad_file_write(const char *path, const struct quad_file *f, struct error *error) {
  const size_t most = body_bytes(f, f->quad_count), room = ZSTD_compressBound(most);
  char *body = malloc(most + 1), *packed = malloc(room), *marks = malloc(f->quad_count + 1u);
  struct quad *apart = malloc((f->quad_count + 1u) * sizeof *apart);
  int status =
      body && packed && marks && apart ? 0 : error_set(error, ERROR_WORK, "out of memory for the quads of a draw");
  if (!status) {
    const uint32_t apart_count = find_apart(f, apart, marks);
    const size_t length = put_body(f, apart, apart_count, marks, body);
    const size_t size = ZSTD_compress(packed, room, body, length, LEVEL);
    status = ZSTD_isError(size) ? error_set(error, ERROR_WORK, "zstd: %s", ZSTD_getErrorName(size))
                                : write_packed(path, f, apart_count, packed, size, error);
  }
  free(body);
  free(packed);
  free(marks);
  free(apart);
  return status;
}

static int damaged(const char *name, const char *what, struct error *error) {
  return error_at(error, ERROR_INPUT, name, 0, 0, NULL, "the file of quads is damaged: %s", what);
}

static int check_head(const char *name, const struct head *h, struct error *error) {
  if (memcmp(h->magic, QUAD_FILE_MAGIC, sizeof h->magic) != 0)
    return damaged(name, "magic", error);
  if (h->version != QUAD_FILE_VERSION)
    return error_at(error, ERROR_INPUT, name, 0, 0, NULL,
                    "found version %u of files of quads, expected %d: draw the frame again", h->version,
                    QUAD_FILE_VERSION);
  if (h->triangle_count > MOST_QUADS || h->quad_count > MOST_QUADS || h->apart_count > h->quad_count ||
      h->width > MOST_SIDE || h->height > MOST_SIDE)
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

static int take_body(const char *name, const char *packed, size_t length, uint32_t apart_count, struct quad_file *f,
                     struct error *error) {
  const size_t size = body_bytes(f, apart_count);
  if (ZSTD_getFrameContentSize(packed, length) != size)
    return damaged(name, "its length", error);
  char *body = malloc(size + 1);
  f->triangles = calloc(f->triangle_count + 1u, sizeof *f->triangles);
  f->quads = calloc(f->quad_count + 1u, sizeof *f->quads);
  struct quad *apart = calloc(apart_count + 1u, sizeof *apart);
  f->samples = f->sample_count > 1 ? calloc(f->quad_count + 1u, sizeof *f->samples) : NULL;
  int status =
      body && apart && f->triangles && f->quads && (f->sample_count <= 1 || f->samples) ? 0 : error_no_memory(error);
  const size_t unpacked = status ? 0 : ZSTD_decompress(body, size, packed, length);
  if (!status && ZSTD_getErrorCode(unpacked) == ZSTD_error_memory_allocation)
    status = error_no_memory(error);
  if (!status && unpacked != size)
    status = damaged(name, "compression", error);
  if (!status && !get_body(f, apart, apart_count, body))
    status = damaged(name, "quads that do not follow each other", error);
  if (!status)
    status = check_quads(name, f, error) || check_samples(name, f, error) ? -1 : 0;
  free(apart);
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
  if (take_body(name, (const char *)bytes + sizeof h, length - sizeof h, h.apart_count, f, error) == 0)
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
