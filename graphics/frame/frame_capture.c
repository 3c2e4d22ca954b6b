#include "graphics/frame/frame_capture.h"

#include <fcntl.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
#include <zstd.h>
#include <zstd_errors.h>

#include "base/array.h"
#include "base/file.h"
#include "graphics/frame/frame_check.h"
#include "graphics/frame/frame_memory.h"
#include "graphics/frame/texel_format.h"

#define MOST_SMALL_BYTES (16 << 20) /* of a file that is read into huge pages, beside what it unpacks to */

const char *frame_kind_name(uint32_t kind) {
  static const char *const names[] = {
#define X(id, name, type) name,
      FRAME_KINDS(X)
#undef X
  };
  return kind < FRAME_KIND_COUNT ? names[kind] : "unknown";
}

uint64_t frame_level_bytes(const struct frame_image *i, uint32_t aspect, uint32_t level, uint32_t layers) {
  return (uint64_t)frame_level_side(i->width, level) * frame_level_side(i->height, level) *
         frame_level_side(i->depth, level) * layers * i->samples * texel_format_bytes(i->format, aspect);
}

const void *frame_object(const struct frame_capture *c, enum frame_record_kind kind, uint32_t id) {
  const struct frame_entry *e = id < c->object_count ? c->objects[id] : NULL;
  return e && e->kind == (uint32_t)kind ? e->payload : NULL;
}

struct frame_lack frame_lack_of(const struct frame_entry *r) {
  struct frame_lack lack = {FRAME_REACH_REST, 0};
  if (r->bytes >= sizeof(struct frame_unsupported) + sizeof lack)
    memcpy(&lack, (const char *)r->payload + sizeof(struct frame_unsupported), sizeof lack);
  return lack;
}

static const char no_memory[] = "out of memory";

/* A later record of a descriptor set replaces an earlier one; other numbers are taken once. */
static const char *define(struct frame_capture *c, const struct frame_entry *r) {
  const uint32_t id = *(const uint32_t *)r->payload;
  if (id == 0 || id >= FRAME_MAX_OBJECTS)
    return id == 0 ? "the object's number is 0, which stands for none" : "the object's number is too large";
  const uint32_t count = c->object_count;
  if (!array_room_u32(&c->objects, &c->object_count, (uint64_t)id + 1, sizeof *c->objects))
    return no_memory;
  memset(c->objects + count, 0, (c->object_count - count) * sizeof *c->objects);
  if (c->objects[id] && !(c->objects[id]->kind == FRAME_SET && r->kind == FRAME_SET))
    return "the object's number is taken";
  c->objects[id] = r;
  return NULL;
}

static const char *take_record(struct frame_capture *c, const struct frame_entry *r) {
  const char *wrong = frame_check(c, r);
  if (!wrong && frame_defines(r))
    wrong = define(c, r);
  if (!wrong && r->kind == FRAME_PRESENT)
    c->picture = r->payload;
  if (!wrong && r->kind == FRAME_SUBMIT)
    c->mediump_half = c->mediump_half || ((const struct frame_submit *)r->payload)->mediump_half;
  return wrong;
}

static int count_records(const char *name, const char *bytes, size_t length, uint32_t *count, struct error *error) {
  struct frame_record_head head;
  *count = 0;
  for (size_t at = 0; at < length; at += sizeof head + head.bytes, ++*count) {
    if (length - at < sizeof head || *count == FRAME_MAX_RECORDS)
      return error_at(error, ERROR_INPUT, name, 0, 0, NULL, "record %u does not end", *count);
    memcpy(&head, bytes + at, sizeof head);
    if (head.kind >= FRAME_KIND_COUNT || head.bytes % 8 != 0 || head.bytes > length - at - sizeof head)
      return error_at(error, ERROR_INPUT, name, 0, 0, NULL, "record %u (kind %u, %u bytes) is damaged", *count,
                      head.kind, head.bytes);
  }
  return 0;
}

/* `bytes` begins at a multiple of 8. */
static int take_records(const char *name, struct frame_capture *c, size_t length, struct error *error) {
  const char *bytes = c->begin;
  uint32_t count;
  if (count_records(name, bytes, length, &count, error))
    return -1;
  c->records = calloc((size_t)count + 1, sizeof *c->records);
  if (!c->records)
    return error_no_memory(error);
  for (size_t at = 0; c->record_count < count; c->record_count++) {
    struct frame_record_head head;
    memcpy(&head, bytes + at, sizeof head);
    struct frame_entry *r = &c->records[c->record_count];
    *r = (struct frame_entry){head.kind, head.bytes, bytes + at + sizeof head};
    const char *wrong = take_record(c, r);
    if (wrong == no_memory)
      return error_no_memory(error);
    if (wrong)
      return error_at(error, ERROR_INPUT, name, 0, 0, NULL, "record %u (%s): %s", c->record_count,
                      frame_kind_name(head.kind), wrong);
    at += sizeof head + head.bytes;
  }
  return 0;
}

/* A file in memory. The head's 16 bytes leave the records at a multiple of 8. */
struct file_bytes {
  const char *name, *bytes;
  size_t length;
  char *owned; /* the same bytes, for frame_memory_give, which a capture may take; NULL: they are the caller's */
};

static int unpack(struct frame_capture *c, const struct file_bytes *f, size_t *length, struct error *error) {
  const char *packed = f->bytes + sizeof(struct frame_file_head);
  const size_t packed_length = f->length - sizeof(struct frame_file_head);
  const unsigned long long size = ZSTD_getFrameContentSize(packed, packed_length);
  if (size > FRAME_MAX_FILE)
    return error_at(error, ERROR_INPUT, f->name, 0, 0, NULL, "the records are damaged or larger than 2 GiB");
  c->memory = frame_memory_take((size_t)size + 8);
  if (!c->memory)
    return error_no_memory(error);
  c->begin = c->memory;
  *length = (size_t)size;
  const size_t unpacked = ZSTD_decompress(c->memory, (size_t)size, packed, packed_length);
  if (ZSTD_getErrorCode(unpacked) == ZSTD_error_memory_allocation)
    return error_no_memory(error);
  return unpacked == size ? 0 : error_at(error, ERROR_INPUT, f->name, 0, 0, NULL, "the compressed records are damaged");
}

/* Takes the bytes of a file that is not compressed. */
static int keep(struct frame_capture *c, struct file_bytes *f, size_t *length, struct error *error) {
  c->memory = f->owned ? f->owned : malloc(f->length + 8);
  if (!c->memory)
    return error_no_memory(error);
  if (!f->owned)
    memcpy(c->memory, f->bytes, f->length);
  f->owned = NULL;
  c->begin = (const char *)c->memory + sizeof(struct frame_file_head);
  *length = f->length - sizeof(struct frame_file_head);
  return *length <= FRAME_MAX_FILE
             ? 0
             : error_at(error, ERROR_INPUT, f->name, 0, 0, NULL, "the records are larger than 2 GiB");
}

static int read_file(struct file_bytes *f, struct frame_capture **out, struct error *error) {
  struct frame_file_head head;
  size_t length = 0;
  if (f->length < sizeof head || memcmp(f->bytes, FRAME_MAGIC, sizeof head.magic) != 0)
    return error_at(error, ERROR_INPUT, f->name, 0, 0, NULL, "this is no frame capture");
  memcpy(&head, f->bytes, sizeof head);
  if (head.version != FRAME_VERSION || head.compressed > 1)
    return error_at(error, ERROR_INPUT, f->name, 0, 0, NULL, "found version %u of frame captures, expected %d",
                    head.version, FRAME_VERSION);
  struct frame_capture *c = calloc(1, sizeof *c);
  if (!c)
    return error_no_memory(error);
  c->is_packed = head.compressed;
  if ((head.compressed ? unpack(c, f, &length, error) : keep(c, f, &length, error)) ||
      take_records(f->name, c, length, error)) {
    frame_capture_destroy(c);
    return -1;
  }
  *out = c;
  return 0;
}

int frame_capture_read(const char *name, const void *bytes, size_t length, struct frame_capture **out,
                       struct error *error) {
  struct file_bytes f = {name, bytes, length, NULL};
  *out = NULL;
  return read_file(&f, out, error);
}

/* Reads a file whose size is known into memory of frames. Returns false where it has none, or another one by now. */
static bool read_small(struct file_bytes *f) {
  const int descriptor = open(f->name, O_RDONLY | O_CLOEXEC);
  struct stat info;
  bool whole = descriptor >= 0 && fstat(descriptor, &info) == 0 && S_ISREG(info.st_mode) && info.st_size > 0 &&
               info.st_size <= MOST_SMALL_BYTES;
  f->owned = whole ? frame_memory_take((size_t)info.st_size + 1) : NULL;
  whole = f->owned && read(descriptor, f->owned, (size_t)info.st_size + 1) == info.st_size;
  f->length = whole ? (size_t)info.st_size : 0;
  if (descriptor >= 0)
    close(descriptor);
  if (!whole)
    frame_memory_give(f->owned);
  return whole;
}

int frame_capture_load(const char *path, struct frame_capture **out, struct error *error) {
  struct file_bytes f = {.name = path};
  *out = NULL;
  if (!read_small(&f) && file_read(path, FRAME_MAX_FILE, &f.owned, &f.length, error))
    return -1;
  f.bytes = f.owned;
  const int status = read_file(&f, out, error);
  frame_memory_give(f.owned);
  return status;
}

void frame_capture_destroy(struct frame_capture *c) {
  if (!c)
    return;
  free(c->records);
  free(c->objects);
  frame_memory_give(c->memory);
  free(c);
}

int frame_capture_save(const struct frame_capture *c, const char *path, struct error *error) {
  const struct frame_entry *last = c->record_count ? &c->records[c->record_count - 1] : NULL;
  const size_t length = last ? (size_t)((const char *)last->payload + last->bytes - c->begin) : 0;
  const struct frame_file_head head = {FRAME_MAGIC, FRAME_VERSION, 1};
  const size_t room = ZSTD_compressBound(length);
  void *packed = malloc(room);
  struct file_replace file;
  if (!packed)
    return error_no_memory(error);
  const size_t size = ZSTD_compress(packed, room, c->begin, length, FRAME_ZSTD_LEVEL);
  int status = ZSTD_isError(size) ? error_set(error, ERROR_WORK, "zstd: %s", ZSTD_getErrorName(size))
                                  : file_replace_begin(&file, path, error);
  if (!status) {
    fwrite(&head, sizeof head, 1, file.stream);
    fwrite(packed, 1, size, file.stream);
    status = file_replace_commit(&file, error);
  }
  free(packed);
  return status;
}
