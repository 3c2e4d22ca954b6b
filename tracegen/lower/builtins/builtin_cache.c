/* Packs of the cache: files with a line that says what they are made from, followed by bitcode. */
#include "tracegen/lower/builtins/builtin_cache.h"

#include <dirent.h>
#include <inttypes.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/file.h"
#include "base/text.h"
#include "tracegen/abi/kernel_abi.h"

#define PACK_VERSION    "reassemble built-ins 1" /* changes with the way packs are made */
#define MAX_PACK_BYTES  ((size_t)16 << 20)
#define MAX_CACHE_BYTES ((uint64_t)64 << 20)
#define MAX_NAME        200 /* a function with a longer mangled name is not kept */

/* Returns what a pack is made from, the first line of a pack without its checksum; NULL where it is unknown. */
static char *origin(void) {
  struct stat library;
  if (stat(REASSEMBLE_POCL_LIBRARY, &library))
    return NULL;
  return text_format("%s, LLVM %s, %s, %" PRIu64 " bytes, changed %" PRIu64 ".%09ld", PACK_VERSION,
                     REASSEMBLE_LLVM_VERSION, REASSEMBLE_POCL_LIBRARY, (uint64_t)library.st_size,
                     (uint64_t)library.st_mtim.tv_sec, library.st_mtim.tv_nsec);
}

static char *first_line(const char *bitcode, size_t length) {
  char *from = origin();
  char *line = from ? text_format("%s, %016" PRIx64 "\n", from, text_hash(TEXT_HASH_START, bitcode, length)) : NULL;
  free(from);
  return line;
}

static char *pack_name(const char *folder, const char *function) {
  const size_t plain = strspn(function, "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_");
  if (plain == 0 || plain > MAX_NAME || function[plain] != '\0')
    return NULL;
  return text_format("%s/%s.bc", folder, function);
}

static bool read_pack(const char *path, char **memory, const char **bitcode, size_t *length) {
  struct error ignored = ERROR_INIT;
  size_t all;
  if (access(path, R_OK) || file_read(path, MAX_PACK_BYTES, memory, &all, &ignored))
    return false;
  const char *end = memchr(*memory, '\n', all);
  const size_t head = end ? (size_t)(end - *memory) + 1 : all;
  char *expected = first_line(*memory + head, all - head);
  const bool fits = end && expected && strlen(expected) == head && memcmp(expected, *memory, head) == 0;
  free(expected);
  if (!fits) {
    free(*memory);
    return false;
  }
  *bitcode = *memory + head;
  *length = all - head;
  return true;
}

bool builtin_cache_find(const char *function, char **memory, const char **bitcode, size_t *length) {
  char *folder = data_cache("builtins"), *path = folder ? pack_name(folder, function) : NULL;
  const bool found = path && read_pack(path, memory, bitcode, length);
  free(path);
  free(folder);
  return found;
}

/* Calls `each` for every file of the folder. */
static void for_files(const char *folder, void (*each)(const char *path, void *user), void *user) {
  DIR *entries = opendir(folder);
  for (struct dirent *e; entries && (e = readdir(entries)) != NULL;) {
    char *path = e->d_name[0] == '.' ? NULL : text_format("%s/%s", folder, e->d_name);
    if (path)
      each(path, user);
    free(path);
  }
  if (entries)
    closedir(entries);
}

static void add_size(const char *path, void *user) {
  struct stat s;
  if (lstat(path, &s) == 0 && s.st_nlink > 0)
    *(uint64_t *)user += (uint64_t)s.st_size / s.st_nlink;
}

static void delete_pack(const char *path, void *user) {
  (void)user;
  unlink(path);
}

static void make_room(const char *folder, size_t length) {
  uint64_t bytes = length;
  for_files(folder, add_size, &bytes);
  if (bytes > MAX_CACHE_BYTES)
    for_files(folder, delete_pack, NULL);
}

static bool write_pack(const char *path, const char *bitcode, size_t length) {
  unlink(path); /* left by a process of this number that did not finish */
  char *line = first_line(bitcode, length);
  FILE *file = line ? fopen(path, "wbx") : NULL;
  bool whole = file && fputs(line, file) >= 0 && fwrite(bitcode, 1, length, file) == length;
  if (file && fclose(file))
    whole = false;
  free(line);
  return whole;
}

/* Links a pack under the name of a function, in place of one that did not fit. */
static void link_pack(const char *folder, const char *temporary, const char *function) {
  char *path = pack_name(folder, function);
  if (path) {
    unlink(path);
    if (link(temporary, path))
      unlink(path);
  }
  free(path);
}

void builtin_cache_keep(const char *const *functions, size_t count, const char *bitcode, size_t length) {
  struct error ignored = ERROR_INIT;
  char *folder = data_cache("builtins"),
       *temporary = folder ? text_format("%s/.new-%ld", folder, (long)getpid()) : NULL;
  if (temporary && length < MAX_PACK_BYTES / 2 && file_make_directories(folder, &ignored) == 0) {
    make_room(folder, length);
    if (write_pack(temporary, bitcode, length))
      for (size_t i = 0; i < count; i++)
        link_pack(folder, temporary, functions[i]);
    unlink(temporary);
  }
  free(temporary);
  free(folder);
}

const char *const *kernel_program_files(void) {
  static const char *files[3] = {REASSEMBLE_POCL_LIBRARY};
  if (!files[1])
    files[1] = data_cache("builtins");
  return files;
}
