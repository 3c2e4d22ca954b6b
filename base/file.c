#include "base/file.h"

#include "base/array.h"
#include "base/process/early_end.h"
#include "base/text.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static int failed(struct error *error, const char *path, const char *what) {
  return error_at(error, ERROR_WORK, path, 0, 0, NULL, "%s: %s", what, strerror(errno));
}

static int open_new(const char *path) {
  const int flags = O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC;
  int descriptor = open(path, flags, 0666);
  if (descriptor >= 0 || errno != EEXIST)
    return descriptor;
  if (unlink(path) != 0) /* left by a crashed process that had our id */
    return -1;
  return open(path, flags, 0666);
}

/* Opens a device, pipe or descriptor for appending, so that what standard output already holds is kept. */
static int open_through(const char *path) {
  return open(path, O_WRONLY | O_APPEND | O_CLOEXEC);
}

static int open_stream(struct file_replace *f, struct error *error) {
  const bool through = f->target.is_written_through;
  if (!through) {
    file_target_remove_left(f->target.path);
    early_end_removes(f->temporary);
  }
  const int descriptor = through ? open_through(f->target.path) : open_new(f->temporary);
  if (descriptor >= 0 && f->target.mode != 0 && !through)
    fchmod(descriptor, f->target.mode);
  if (descriptor >= 0)
    f->stream = fdopen(descriptor, "w");
  if (f->stream)
    return 0;
  failed(error, f->path, through ? "cannot open the file" : "cannot create the file");
  if (descriptor >= 0) {
    close(descriptor);
    if (!through)
      unlink(f->temporary);
  }
  return -1;
}

int file_replace_begin(struct file_replace *f, const char *path, struct error *error) {
  *f = (struct file_replace){.path = strdup(path)};
  if (!f->path)
    return error_no_memory(error);
  int status = file_target_find(path, &f->target, error);
  if (status == 0 && !f->target.is_written_through &&
      !(f->temporary = text_format("%s.tmp-%ld", f->target.path, (long)getpid())))
    status = error_no_memory(error);
  if (status == 0)
    status = open_stream(f, error);
  if (status != 0)
    file_replace_abort(f);
  return status;
}

/* Returns whether everything that was written has reached the disk. Devices and pipes have been flushed already. */
static bool reaches_disk(struct file_replace *f) {
  return f->target.is_written_through || fsync(fileno(f->stream)) == 0;
}

int file_replace_commit(struct file_replace *f, struct error *error) {
  bool written = fflush(f->stream) == 0 && !ferror(f->stream) && (f->is_scratch || reaches_disk(f));
  if (!written) {
    failed(error, f->path, "cannot write the file");
    file_replace_abort(f);
    return -1;
  }
  int closed = fclose(f->stream);
  f->stream = NULL;
  if (closed != 0 || (f->temporary && rename(f->temporary, f->target.path) != 0)) {
    failed(error, f->path, "cannot put the file in place");
    if (f->temporary)
      unlink(f->temporary);
    file_replace_abort(f);
    return -1;
  }
  file_replace_abort(f); /* nothing is left to remove: only the texts are freed */
  return 0;
}

void file_replace_abort(struct file_replace *f) {
  if (f->stream) {
    fclose(f->stream);
    if (f->temporary)
      unlink(f->temporary);
  }
  if (f->temporary)
    early_end_keeps(f->temporary);
  free(f->path);
  free(f->temporary);
  file_target_clear(&f->target);
  *f = (struct file_replace){0};
}

/* Returns the bytes that a file has now; 0: a pipe or device, which does not say. */
static size_t bytes_now(int descriptor) {
  struct stat info;
  return fstat(descriptor, &info) == 0 && S_ISREG(info.st_mode) ? (size_t)info.st_size : 0;
}

/* Reads to the end of the file or just beyond the limit: a pipe has no size to ask for, and a file may grow. On failure
 * *out still belongs to the caller. */
static int read_all(int descriptor, const char *path, size_t limit, char **out, size_t *length, struct error *error) {
  enum { PART_BYTES = 4096 };
  const size_t expected = bytes_now(descriptor);
  size_t capacity = 0;
  ssize_t got = 1;
  if (expected <= limit && !array_room(out, &capacity, expected + PART_BYTES + 1, 1))
    return error_no_memory(error);
  for (*length = 0; got != 0 && *length <= limit; *length += (size_t)got) {
    if (!array_room(out, &capacity, *length + PART_BYTES + 1, 1))
      return error_no_memory(error);
    do
      got = read(descriptor, *out + *length, capacity - *length - 1);
    while (got < 0 && errno == EINTR);
    if (got < 0)
      return error_at(error, error_kind_of(errno), path, 0, 0, NULL, "cannot read the file: %s", strerror(errno));
  }
  if (*length > limit)
    return error_at(error, ERROR_INPUT, path, 0, 0, NULL, "the file is too large: allowed are %zu bytes", limit);
  (*out)[*length] = '\0';
  return 0;
}

int file_digest(const char *path, uint64_t *digest, struct error *error) {
  char part[65536];
  ssize_t got = 1;
  *digest = TEXT_HASH_START;
  const int descriptor = open(path, O_RDONLY | O_CLOEXEC);
  if (descriptor < 0)
    return error_at(error, error_kind_of(errno), path, 0, 0, NULL, "cannot open the file: %s", strerror(errno));
  while (got > 0 || (got < 0 && errno == EINTR)) {
    got = read(descriptor, part, sizeof part);
    *digest = got > 0 ? text_hash(*digest, part, (size_t)got) : *digest;
  }
  const int status =
      got == 0 ? 0
               : error_at(error, error_kind_of(errno), path, 0, 0, NULL, "cannot read the file: %s", strerror(errno));
  close(descriptor);
  return status;
}

int file_read(const char *path, size_t limit, char **out, size_t *length, struct error *error) {
  *out = NULL;
  *length = 0;
  int descriptor = open(path, O_RDONLY | O_CLOEXEC);
  if (descriptor < 0)
    return error_at(error, error_kind_of(errno), path, 0, 0, NULL, "cannot open the file: %s", strerror(errno));
  int status = read_all(descriptor, path, limit, out, length, error);
  close(descriptor);
  if (status != 0) {
    free(*out);
    *out = NULL;
    *length = 0;
  }
  return status;
}

bool file_is_folder(const char *path) {
  struct stat info;
  return stat(path, &info) == 0 && S_ISDIR(info.st_mode);
}

static int make_directory(const char *path) {
  if (mkdir(path, 0777) == 0)
    return 0;
  int reason = errno;
  if (file_is_folder(path))
    return 0;
  errno = reason == EEXIST ? ENOTDIR : reason; /* a file of that name is in the way */
  return -1;
}

int file_make_directories(const char *path, struct error *error) {
  if (strcmp(path, "-") == 0)
    return error_at(error, ERROR_INPUT, path, 0, 0, NULL, "found -, expected a folder; ./- is a folder of that name");
  char *partial = strdup(path);
  if (!partial)
    return error_no_memory(error);
  int status = 0;
  for (char *slash = partial + 1; partial[0] != '\0' && status == 0; slash++) {
    if (*slash != '/' && *slash != '\0')
      continue;
    char end = *slash;
    *slash = '\0';
    status = make_directory(partial);
    *slash = end;
    if (end == '\0')
      break;
  }
  free(partial);
  return status == 0 ? 0 : failed(error, path, "cannot make the folder");
}
