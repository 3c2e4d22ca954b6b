#include "base/spill_file.h"

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

static int open_file(void) {
  char path[4096];
  const char *folder = getenv("TMPDIR");
  const int length = snprintf(path, sizeof path, "%s/reassemble-XXXXXX", folder && folder[0] ? folder : "/tmp");
  const int file = length > 0 && (size_t)length < sizeof path ? mkstemp(path) : -1;
  if (file < 0)
    return -1;
  unlink(path);
  fcntl(file, F_SETFD, FD_CLOEXEC);
  return file;
}

/* The bytes are reserved on the disk, so that writing to the block cannot fail later. */
void *spill_file_map(struct spill_file *spill, size_t bytes) {
  if (spill->file == 0)
    spill->file = open_file();
  if (spill->file < 0 || posix_fallocate(spill->file, (off_t)spill->bytes, (off_t)bytes) != 0)
    return NULL;
  void *block = mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_SHARED, spill->file, (off_t)spill->bytes);
  if (block == MAP_FAILED)
    return NULL;
  spill->bytes += bytes;
  return block;
}

void *spill_file_grow(struct spill_file *spill, void *block, size_t bytes) {
  if (posix_fallocate(spill->file, (off_t)spill->bytes, (off_t)(bytes - spill->bytes)) != 0)
    return NULL;
  void *larger = mremap(block, spill->bytes, bytes, MREMAP_MAYMOVE);
  if (larger == MAP_FAILED)
    return NULL;
  spill->bytes = bytes;
  return larger;
}

void spill_file_unmap(void *block, size_t bytes) {
  munmap(block, bytes);
}

void spill_file_let_go(void *block, size_t bytes) {
  madvise(block, bytes, MADV_DONTNEED);
}

void spill_file_clear(struct spill_file *spill) {
  if (spill->file > 0)
    close(spill->file);
  *spill = (struct spill_file){0};
}
