#include "tracegen/bifrost/record/job_recording.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <zstd.h>

#include "base/array.h"
#include "base/file.h"
#include "tracegen/bifrost/record/recording_layout.h"

#define LEVEL 19 /* recordings are written once, and are shipped */

struct payload {
  char *bytes;
  size_t length, capacity;
  bool failed;
};

static void put(struct payload *p, const void *bytes, size_t count) {
  if (p->failed || !array_room(&p->bytes, &p->capacity, p->length + count, 1)) {
    p->failed = true;
    return;
  }
  memcpy(p->bytes + p->length, bytes, count);
  p->length += count;
}

static void put_section(struct payload *p, enum section_kind kind, uint64_t bytes) {
  const struct section head = {.kind = kind, .bytes = bytes};
  put(p, &head, sizeof head);
}

static void put_text(struct payload *p, enum section_kind kind, const char *text) {
  if (!text || !*text)
    return;
  put_section(p, kind, strlen(text));
  put(p, text, strlen(text));
}

static size_t page_bytes(const struct bifrost_region *r, uint64_t page) {
  const uint64_t left = r->bytes - page * RECORDING_PAGE_BYTES;
  return left < RECORDING_PAGE_BYTES ? (size_t)left : RECORDING_PAGE_BYTES;
}

static bool page_is_zero(const struct bifrost_region *r, uint64_t page) {
  const uint8_t *data = r->data + page * RECORDING_PAGE_BYTES;
  const size_t bytes = page_bytes(r, page);
  return !data[0] && memcmp(data, data + 1, bytes - 1) == 0;
}

/* Puts the run of pages from `first` on that hold something. Returns the page behind it. */
static uint64_t put_run(struct payload *p, const struct bifrost_region *r, uint64_t first, uint64_t pages) {
  uint64_t end = first, bytes = 0;
  for (; end < pages && !page_is_zero(r, end); end++)
    bytes += page_bytes(r, end);
  put(p, &(struct page_run){(uint32_t)first, (uint32_t)(end - first)}, sizeof(struct page_run));
  put(p, r->data + first * RECORDING_PAGE_BYTES, (size_t)bytes);
  return end;
}

static void put_region(struct payload *p, enum section_kind kind, const struct bifrost_region *r) {
  const struct region_head head = {r->address, r->bytes, r->executable ? REGION_EXECUTABLE : 0, 0};
  const uint64_t pages = (r->bytes + RECORDING_PAGE_BYTES - 1) / RECORDING_PAGE_BYTES;
  const size_t start = p->length;
  uint64_t bytes;
  put_section(p, kind, 0);
  put(p, &head, sizeof head);
  for (uint64_t page = 0; page < pages;)
    page = page_is_zero(r, page) ? page + 1 : put_run(p, r, page, pages);
  bytes = p->length - start - sizeof(struct section);
  if (!p->failed)
    memcpy(p->bytes + start + offsetof(struct section, bytes), &bytes, sizeof bytes);
}

static void put_memory(struct payload *p, enum section_kind kind, const struct bifrost_memory *memory) {
  for (size_t i = 0; i < memory->count; i++)
    put_region(p, kind, &memory->regions[i]);
}

static int write_compressed(FILE *out, const struct payload *p) {
  const uint64_t bytes = p->length;
  const size_t bound = ZSTD_compressBound(p->length);
  ZSTD_CCtx *context = ZSTD_createCCtx();
  char *frame = malloc(bound);
  size_t length = 0;
  if (context && frame) {
    ZSTD_CCtx_setParameter(context, ZSTD_c_compressionLevel, LEVEL);
    ZSTD_CCtx_setParameter(context, ZSTD_c_checksumFlag, 1);
    length = ZSTD_compress2(context, frame, bound, p->bytes, p->length);
    fwrite(RECORDING_MAGIC, 1, RECORDING_MAGIC_BYTES, out);
    fwrite(&bytes, sizeof bytes, 1, out);
    if (!ZSTD_isError(length))
      fwrite(frame, 1, length, out);
  }
  ZSTD_freeCCtx(context);
  free(frame);
  return length && !ZSTD_isError(length) ? 0 : -1;
}

int bifrost_recording_write(const char *path, const struct bifrost_recording *recording, struct error *error) {
  const struct job_section job = {.product = recording->product, .job_chain = recording->job_chain};
  struct payload p = {0};
  struct file_replace file;
  int status;
  put_section(&p, SECTION_JOB, sizeof job);
  put(&p, &job, sizeof job);
  put_text(&p, SECTION_LAUNCHES, recording->launches);
  put_memory(&p, SECTION_BEFORE, &recording->before);
  put_memory(&p, SECTION_AFTER, &recording->after);
  put_text(&p, SECTION_DISASSEMBLY, recording->disassembly);
  status =
      p.failed ? error_set(error, ERROR_WORK, "out of memory for a recording") : file_replace_begin(&file, path, error);
  if (status == 0 && write_compressed(file.stream, &p) != 0) {
    file_replace_abort(&file);
    status = error_set(error, ERROR_WORK, "out of memory for a recording");
  } else if (status == 0)
    status = file_replace_commit(&file, error);
  free(p.bytes);
  return status;
}
