#include "tracegen/program/capture/capture_stores.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "base/process/subprocess.h"
#include "base/text.h"
#include "tracegen/program/control.h"

#define MOST_IN_MEMORY (UINT64_C(1) << 30) /* bytes; assumed */
#define MEMORY_SHARE   8                   /* and at most this part of the memory that is free; assumed */

/* The layer opens the file by the descriptor of this process: it disappears with it, however it ends. */
static int make_in_memory(struct capture_control *control) {
  const long pages = sysconf(_SC_AVPHYS_PAGES), page = sysconf(_SC_PAGESIZE);
  const int file = memfd_create("reassemble-contents", MFD_CLOEXEC);
  if (file < 0 || pages <= 0)
    return file;
  const uint64_t share = (uint64_t)pages * (uint64_t)page / MEMORY_SHARE;
  snprintf(control->stores[STORE_IN_MEMORY], sizeof control->stores[0], "/proc/%ld/fd/%d", (long)getpid(), file);
  atomic_store(&control->memory_limit, share < MOST_IN_MEMORY ? share : MOST_IN_MEMORY);
  return file;
}

static int make_on_disk(const char *folder, struct capture_control *control, struct error *error) {
  char *path = text_format("%s/contents", folder);
  const int file = path ? open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0666) : -1;
  if (file < 0)
    error_at(error, ERROR_WORK, path ? path : folder, 0, 0, NULL, "cannot be made: %s", strerror(errno));
  snprintf(control->stores[STORE_ON_DISK], sizeof control->stores[0], "contents");
  free(path);
  return file;
}

int content_stores_open(const char *folder, struct capture_control *control, int stores[CONTENT_STORES],
                        struct error *error) {
  stores[STORE_IN_MEMORY] = make_in_memory(control);
  stores[STORE_ON_DISK] = make_on_disk(folder, control, error);
  for (int i = 0; i < CONTENT_STORES; i++)
    if (stores[i] >= 0)
      subprocess_keep_from_children(stores[i], true);
  return stores[STORE_ON_DISK] < 0 ? -1 : 0;
}

void content_stores_close(int stores[CONTENT_STORES]) {
  for (int i = 0; i < CONTENT_STORES; i++) {
    if (stores[i] >= 0) {
      subprocess_keep_from_children(stores[i], false);
      close(stores[i]);
    }
    stores[i] = -1;
  }
}

int content_read_bytes(const int stores[CONTENT_STORES], uint64_t number, uint64_t offset, uint64_t bytes, char *out,
                       struct error *error) {
  const int file = stores[content_store_of(number)];
  offset += content_start(number);
  while (bytes > 0) {
    const ssize_t got = pread(file, out, bytes, (off_t)offset);
    if (got < 0 && errno == EINTR)
      continue;
    if (got < 0)
      return error_set(error, ERROR_WORK, "contents %" PRIu64 " of the capture cannot be read: %s", number,
                       strerror(errno));
    if (got == 0)
      return error_set(error, ERROR_WORK,
                       "contents %" PRIu64 " of the capture end early, %" PRIu64 " bytes are missing", number, bytes);
    out += got;
    offset += (uint64_t)got;
    bytes -= (uint64_t)got;
  }
  return 0;
}

static bool fits(const struct content_header *h, uint64_t bytes) {
  return h->magic == CONTENT_MAGIC && h->bytes == bytes && h->chunk_bytes == content_chunk_bytes(bytes) &&
         h->count <= content_chunk_count(bytes) && (h->base != 0 || h->count == content_chunk_count(bytes));
}

static bool ascends(const struct content_chunk *list, uint64_t count, uint64_t end) {
  for (uint64_t i = 0; i < count; i++)
    if (list[i].index >= end || (i > 0 && list[i].index <= list[i - 1].index))
      return false;
  return true;
}

int content_read(const int stores[CONTENT_STORES], uint64_t number, uint64_t bytes, struct content_header *header,
                 struct content_chunk **chunks, struct error *error) {
  *chunks = NULL;
  if (content_read_bytes(stores, number, 0, sizeof *header, (char *)header, error))
    return -1;
  if (!fits(header, bytes))
    return error_set(error, ERROR_WORK,
                     "contents %" PRIu64 " of the capture are not those of a buffer of %" PRIu64 " bytes", number,
                     bytes);
  struct content_chunk *list = calloc(header->count + 1, sizeof *list);
  if (!list)
    return error_no_memory(error);
  int status = content_read_bytes(stores, number, sizeof *header, header->count * sizeof *list, (char *)list, error);
  if (!status && !ascends(list, header->count, content_chunk_count(bytes)))
    status = error_set(error, ERROR_WORK,
                       "contents %" PRIu64 " of the capture list chunks that no buffer of this size "
                       "has",
                       number);
  if (status)
    free(list);
  else
    *chunks = list;
  return status;
}

void content_punch(const int stores[CONTENT_STORES], uint64_t number, uint64_t offset, uint64_t bytes) {
  const int file = stores[content_store_of(number)];
  const uint64_t whole = (bytes + CONTENT_ALIGNMENT - 1) / CONTENT_ALIGNMENT * CONTENT_ALIGNMENT;
  if (file >= 0 && fallocate(file, FALLOC_FL_PUNCH_HOLE | FALLOC_FL_KEEP_SIZE, (off_t)(content_start(number) + offset),
                             (off_t)whole) != 0)
    errno = 0; /* the room is given back when the capture ends */
}
