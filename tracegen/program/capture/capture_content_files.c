#include "tracegen/program/capture/capture_content_files.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static int not_read(const char *path, struct error *error) {
  return error_at(error, ERROR_WORK, path, 0, 0, NULL, "cannot be read: %s", strerror(errno));
}

static int read_at(int file, const char *path, uint64_t offset, uint64_t bytes, void *out, struct error *error) {
  char *to = out;
  while (bytes > 0) {
    const ssize_t got = pread(file, to, bytes, (off_t)offset);
    if (got < 0 && errno == EINTR)
      continue;
    if (got < 0)
      return not_read(path, error);
    if (got == 0)
      return error_at(error, ERROR_WORK, path, 0, 0, NULL, "ends at byte %" PRIu64 ", expected %" PRIu64 " more",
                      offset, bytes);
    to += got;
    offset += (uint64_t)got;
    bytes -= (uint64_t)got;
  }
  return 0;
}

int content_file_read_bytes(const char *path, uint64_t offset, uint64_t bytes, char *out, struct error *error) {
  const int file = open(path, O_RDONLY | O_CLOEXEC);
  if (file < 0)
    return not_read(path, error);
  const int status = read_at(file, path, offset, bytes, out, error);
  close(file);
  return status;
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

static int read_list(int file, const char *path, uint64_t bytes, struct content_header *header,
                     struct content_chunk **chunks, struct error *error) {
  if (read_at(file, path, 0, sizeof *header, header, error))
    return -1;
  if (!fits(header, bytes))
    return error_at(error, ERROR_WORK, path, 0, 0, NULL, "does not hold contents of a buffer of %" PRIu64 " bytes",
                    bytes);
  *chunks = calloc(header->count + 1, sizeof **chunks);
  if (!*chunks)
    return error_set(error, ERROR_WORK, "out of memory");
  if (read_at(file, path, sizeof *header, header->count * sizeof **chunks, *chunks, error))
    return -1;
  return ascends(*chunks, header->count, content_chunk_count(bytes))
             ? 0
             : error_at(error, ERROR_WORK, path, 0, 0, NULL, "lists chunks that no buffer of this size has");
}

int content_file_read(const char *path, uint64_t bytes, struct content_header *header, struct content_chunk **chunks,
                      struct error *error) {
  const int file = open(path, O_RDONLY | O_CLOEXEC);
  *chunks = NULL;
  if (file < 0)
    return not_read(path, error);
  const int status = read_list(file, path, bytes, header, chunks, error);
  close(file);
  if (status) {
    free(*chunks);
    *chunks = NULL;
  }
  return status;
}

void content_file_punch(const char *path, uint64_t offset, uint64_t bytes) {
  const int file = open(path, O_WRONLY | O_CLOEXEC);
  if (file < 0)
    return;
  if (fallocate(file, FALLOC_FL_PUNCH_HOLE | FALLOC_FL_KEEP_SIZE, (off_t)offset, (off_t)bytes) == 0)
    errno = 0;
  close(file);
}
