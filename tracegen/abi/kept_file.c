#include "tracegen/abi/kept_file.h"

#include <dirent.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/file.h"
#include "base/hash_index.h"
#include "base/text.h"

#define MAGIC          "reassemble kept 2"
#define MAX_FILE_BYTES ((size_t)64 << 20)
#define MAX_KIND_BYTES ((uint64_t)256 << 20)

static char *path_of(const char *folder, const void *key, size_t key_length) {
  return text_format("%s/%016" PRIx64, folder, hash_bytes(key, key_length));
}

/* The first line of a file, in front of the key and the data. */
static char *first_line(const void *key, size_t key_length, const void *data, size_t length) {
  const uint64_t hash = hash_bytes(key, key_length) * 3 + hash_bytes(data, length);
  return text_format(MAGIC " %zu %zu %016" PRIx64 "\n", key_length, length, hash);
}

/* Reads a file that this user alone can have written. */
static bool read_own(const char *path, char **memory, size_t *length) {
  struct stat info;
  const int file = open(path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK);
  bool whole = file >= 0 && fstat(file, &info) == 0 && S_ISREG(info.st_mode) && info.st_uid == geteuid() &&
               !(info.st_mode & (S_IWGRP | S_IWOTH)) && info.st_size > 0 && (size_t)info.st_size <= MAX_FILE_BYTES;
  *memory = whole ? malloc((size_t)info.st_size + 1) : NULL;
  for (*length = 0; *memory && *length < (size_t)info.st_size;) {
    const ssize_t got = read(file, *memory + *length, (size_t)info.st_size - *length);
    if (got <= 0)
      break;
    *length += (size_t)got;
  }
  whole = *memory && *length == (size_t)info.st_size;
  if (file >= 0)
    close(file);
  if (!whole)
    free(*memory);
  return whole;
}

/* Finds the data in a file; false where it is damaged or of another key. */
static bool find_data(const char *memory, size_t all, const void *key, size_t key_length, struct kept_data *out) {
  const char *end = memchr(memory, '\n', all);
  const size_t head = end ? (size_t)(end - memory) + 1 : all;
  if (all - head < key_length || memcmp(memory + head, key, key_length) != 0)
    return false;
  out->data = memory + head + key_length;
  out->length = all - head - key_length;
  char *expected = first_line(key, key_length, out->data, out->length);
  const bool fits = expected && strlen(expected) == head && memcmp(expected, memory, head) == 0;
  free(expected);
  return fits;
}

bool kept_file_find(const char *kind, const void *key, size_t key_length, struct kept_data *out) {
  char *folder = data_cache(kind), *path = folder ? path_of(folder, key, key_length) : NULL;
  size_t all;
  *out = (struct kept_data){0};
  bool found = path && read_own(path, &out->memory, &all);
  if (found && !find_data(out->memory, all, key, key_length, out)) {
    free(out->memory);
    found = false;
  }
  if (!found)
    *out = (struct kept_data){0};
  free(path);
  free(folder);
  return found;
}

/* Returns the bytes of all files of the folder, and removes them where `remove`. */
static uint64_t all_files(const char *folder, bool remove) {
  DIR *entries = opendir(folder);
  uint64_t bytes = 0;
  struct stat info;
  for (struct dirent *e; entries && (e = readdir(entries));) {
    if (e->d_name[0] == '.')
      continue;
    if (remove)
      unlinkat(dirfd(entries), e->d_name, 0);
    else if (fstatat(dirfd(entries), e->d_name, &info, AT_SYMLINK_NOFOLLOW) == 0)
      bytes += (uint64_t)info.st_size;
  }
  if (entries)
    closedir(entries);
  return bytes;
}

static bool write_file(const char *path, const void *key, size_t key_length, const void *data, size_t length) {
  unlink(path); /* left by a process of this number that did not finish */
  char *line = first_line(key, key_length, data, length);
  const int opened = line ? open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, S_IRUSR | S_IWUSR) : -1;
  FILE *file = opened >= 0 ? fdopen(opened, "wb") : NULL;
  bool whole = file && fputs(line, file) >= 0 && fwrite(key, 1, key_length, file) == key_length &&
               fwrite(data, 1, length, file) == length;
  if (file)
    whole &= fclose(file) == 0;
  else if (opened >= 0)
    close(opened);
  free(line);
  return whole;
}

void kept_file_put(const char *kind, const void *key, size_t key_length, const void *data, size_t length) {
  struct error ignored = ERROR_INIT;
  char *folder = data_cache(kind);
  char *temporary = folder ? text_format("%s/.new-%ld", folder, (long)getpid()) : NULL;
  char *path = folder ? path_of(folder, key, key_length) : NULL;
  if (temporary && path && key_length + length < MAX_FILE_BYTES / 2 && !file_make_directories(folder, &ignored)) {
    if (all_files(folder, false) + key_length + length > MAX_KIND_BYTES)
      all_files(folder, true);
    if (!write_file(temporary, key, key_length, data, length) || rename(temporary, path))
      unlink(temporary);
  }
  free(temporary);
  free(path);
  free(folder);
}
