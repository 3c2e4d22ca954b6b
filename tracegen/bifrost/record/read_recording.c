#include "tracegen/bifrost/record/job_recording.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <zstd.h>
#include <zstd_errors.h>

#include "base/array.h"
#include "base/file.h"
#include "tracegen/bifrost/record/recording_layout.h"

struct reader {
  const char *name; /* of the file */
  const char *next, *end;
  uint64_t region_bytes; /* of all regions so far */
  struct bifrost_recording *recording;
  struct error *error;
};

static int refuse(const struct reader *r, const char *what) {
  return error_at(r->error, ERROR_INPUT, r->name, 0, 0, NULL, "the recording is damaged: %s", what);
}

/* Takes `count` bytes; NULL: there are not as many. */
static const void *take(struct reader *r, uint64_t count) {
  const char *taken = r->next;
  if (count > (uint64_t)(r->end - r->next))
    return NULL;
  r->next += count;
  return taken;
}

static bool take_struct(struct reader *r, void *out, size_t bytes) {
  const void *from = take(r, bytes);
  if (from)
    memcpy(out, from, bytes);
  return from != NULL;
}

static int read_job(struct reader *r) {
  struct job_section job;
  if (!take_struct(r, &job, sizeof job))
    return refuse(r, "its description of the job ends early");
  r->recording->product = job.product;
  r->recording->job_chain = job.job_chain;
  return 0;
}

static int read_text(struct reader *r, char **out) {
  free(*out);
  *out = strndup(r->next, (size_t)(r->end - r->next));
  return *out ? 0 : error_set(r->error, ERROR_WORK, "out of memory for a recording");
}

static int read_run(struct reader *r, const struct bifrost_region *region) {
  struct page_run run;
  uint64_t start, bytes;
  const void *from;
  if (!take_struct(r, &run, sizeof run))
    return refuse(r, "a run of pages ends early");
  start = (uint64_t)run.first * RECORDING_PAGE_BYTES;
  if (start >= region->bytes || !run.count)
    return refuse(r, "a run of pages lies outside of its region");
  bytes = (uint64_t)run.count * RECORDING_PAGE_BYTES;
  if (bytes > region->bytes - start) {
    if (bytes - (region->bytes - start) >= RECORDING_PAGE_BYTES)
      return refuse(r, "a run of pages lies outside of its region");
    bytes = region->bytes - start;
  }
  from = take(r, bytes);
  if (!from)
    return refuse(r, "a run of pages ends early");
  memcpy(region->data + start, from, (size_t)bytes);
  return 0;
}

/* Regions are in ascending order and do not overlap. */
static int check_place(const struct reader *r, const struct bifrost_memory *memory, const struct region_head *head) {
  const struct bifrost_region *last = memory->count ? &memory->regions[memory->count - 1] : NULL;
  if (!head->bytes || head->bytes > RECORDING_MAX_BYTES - r->region_bytes || head->address > UINT64_MAX - head->bytes)
    return refuse(r, "a region of memory is empty or too large");
  if (last && head->address < last->address + last->bytes)
    return refuse(r, "its regions of memory overlap or are not in order");
  return memory->count < RECORDING_MAX_REGIONS ? 0 : refuse(r, "it has too many regions of memory");
}

static int add_region(struct reader *r, struct bifrost_memory *memory, const struct region_head *head) {
  struct bifrost_region *region;
  if (!array_room_for_one(&memory->regions, memory->count, sizeof *memory->regions))
    return error_set(r->error, ERROR_WORK, "out of memory for a recording");
  region = &memory->regions[memory->count];
  *region = (struct bifrost_region){head->address, head->bytes, calloc(1, (size_t)head->bytes),
                                    (head->flags & REGION_EXECUTABLE) != 0};
  if (!region->data)
    return error_set(r->error, ERROR_WORK, "out of memory for a recording");
  memory->count++;
  r->region_bytes += head->bytes;
  return 0;
}

static int read_region(struct reader *r, struct bifrost_memory *memory) {
  struct region_head head;
  if (!take_struct(r, &head, sizeof head))
    return refuse(r, "the description of a region ends early");
  if (check_place(r, memory, &head) != 0 || add_region(r, memory, &head) != 0)
    return -1;
  while (r->next < r->end)
    if (read_run(r, &memory->regions[memory->count - 1]) != 0)
      return -1;
  return 0;
}

static int read_section(struct reader *r, uint32_t kind) {
  switch (kind) {
  case SECTION_JOB:
    return read_job(r);
  case SECTION_BEFORE:
    return read_region(r, &r->recording->before);
  case SECTION_AFTER:
    return read_region(r, &r->recording->after);
  case SECTION_LAUNCHES:
    return read_text(r, &r->recording->launches);
  case SECTION_DISASSEMBLY:
    return read_text(r, &r->recording->disassembly);
  default:
    return 0;
  }
}

static int read_sections(struct reader *r) {
  while (r->next < r->end) {
    struct reader part = *r;
    struct section head;
    if (!take_struct(r, &head, sizeof head))
      return refuse(r, "the head of a section ends early");
    part.next = r->next;
    if (!take(r, head.bytes))
      return refuse(r, "a section ends early");
    part.end = r->next;
    if (read_section(&part, head.kind) != 0)
      return -1;
    r->region_bytes = part.region_bytes;
  }
  return r->recording->before.count ? 0 : refuse(r, "it holds no memory");
}

/* Returns the payload, which the caller frees; NULL with an error. */
static char *decompress(const struct reader *r, const char *bytes, size_t length, size_t *out) {
  uint64_t size;
  char *payload;
  if (length < RECORDING_HEAD_BYTES || memcmp(bytes, RECORDING_MAGIC, RECORDING_MAGIC_BYTES) != 0) {
    error_at(r->error, ERROR_INPUT, r->name, 0, 0, NULL, "this is not a recording of Bifrost jobs");
    return NULL;
  }
  memcpy(&size, bytes + RECORDING_MAGIC_BYTES, sizeof size);
  if (size > RECORDING_MAX_BYTES ||
      ZSTD_getFrameContentSize(bytes + RECORDING_HEAD_BYTES, length - RECORDING_HEAD_BYTES) != size) {
    refuse(r, "its contents do not have the size that it states, or are larger than 1 GiB");
    return NULL;
  }
  payload = malloc(size ? (size_t)size : 1);
  if (!payload) {
    error_set(r->error, ERROR_WORK, "out of memory for a recording");
    return NULL;
  }
  *out = ZSTD_decompress(payload, (size_t)size, bytes + RECORDING_HEAD_BYTES, length - RECORDING_HEAD_BYTES);
  if (ZSTD_isError(*out) || *out != size) {
    free(payload);
    if (ZSTD_getErrorCode(*out) == ZSTD_error_memory_allocation)
      error_set(r->error, ERROR_WORK, "out of memory for a recording");
    else
      refuse(r, "its contents do not decompress");
    return NULL;
  }
  return payload;
}

int bifrost_recording_parse(const char *name, const void *bytes, size_t length, struct bifrost_recording **out,
                            struct error *error) {
  struct reader r = {.name = name, .error = error};
  size_t payload_bytes = 0;
  char *payload = decompress(&r, bytes, length, &payload_bytes);
  int status;
  if (!payload)
    return -1;
  r.recording = calloc(1, sizeof *r.recording);
  r.next = payload;
  r.end = payload + payload_bytes;
  status = r.recording && (r.recording->launches = strdup("")) && (r.recording->disassembly = strdup(""))
               ? read_sections(&r)
               : error_set(error, ERROR_WORK, "out of memory for a recording");
  free(payload);
  if (status != 0)
    bifrost_recording_destroy(r.recording);
  else
    *out = r.recording;
  return status;
}

int bifrost_recording_read(const char *path, struct bifrost_recording **out, struct error *error) {
  char *bytes;
  size_t length;
  int status = file_read(path, (size_t)RECORDING_MAX_BYTES, &bytes, &length, error);
  if (status == 0) {
    status = bifrost_recording_parse(path, bytes, length, out, error);
    free(bytes);
  }
  return status;
}

static void clear_memory(struct bifrost_memory *memory) {
  for (size_t i = 0; i < memory->count; i++)
    free(memory->regions[i].data);
  free(memory->regions);
}

void bifrost_recording_destroy(struct bifrost_recording *recording) {
  if (!recording)
    return;
  clear_memory(&recording->before);
  clear_memory(&recording->after);
  free(recording->launches);
  free(recording->disassembly);
  free(recording);
}
