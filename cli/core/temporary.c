#include "cli/core/temporary.h"

#include "base/process/early_end.h"
#include "base/process/left_behind.h"
#include "base/text.h"

#include <dirent.h>
#include <fcntl.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define NAME "reassemble-" /* the number of the process follows */

static bool is_of_folder(const char *name) {
  return strcmp(name, ".") == 0 || strcmp(name, "..") == 0;
}

/* Removes a folder and what is in it. It allocates nothing, so that a folder goes away where memory has run out. */
static void remove_all(int parent, const char *name) {
  _Alignas(struct dirent64) char entries[4096];
  const int folder = openat(parent, name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
  for (ssize_t bytes; folder >= 0 && (bytes = getdents64(folder, entries, sizeof entries)) > 0;)
    for (ssize_t at = 0; at < bytes;) {
      const struct dirent64 *entry = (const void *)(entries + at);
      at += entry->d_reclen;
      if (!is_of_folder(entry->d_name) && unlinkat(folder, entry->d_name, 0) != 0)
        remove_all(folder, entry->d_name);
    }
  if (folder >= 0)
    close(folder);
  unlinkat(parent, name, AT_REMOVEDIR);
}

/* Removes this user's folders of processes that were killed. */
static void remove_left(const char *parent) {
  DIR *directory = opendir(parent);
  struct stat info;
  for (const struct dirent *entry; directory && (entry = readdir(directory));) {
    char *path = left_behind(entry->d_name, NAME, '-') ? text_format("%s/%s", parent, entry->d_name) : NULL;
    if (path && lstat(path, &info) == 0 && S_ISDIR(info.st_mode) && info.st_uid == geteuid())
      remove_all(AT_FDCWD, path);
    free(path);
  }
  if (directory)
    closedir(directory);
}

/* No signal may come between the folder's creation, which gives it its name, and early_end_removes. */
static bool create_watched(char *name) {
  sigset_t before;
  early_end_hold(&before);
  const bool made = mkdtemp(name) != NULL;
  if (made)
    early_end_removes(name);
  early_end_let(&before);
  return made;
}

int temporary_create(char **folder, struct error *error) {
  const char *parent = getenv("TMPDIR");
  if (!parent || parent[0] == '\0')
    parent = "/tmp";
  remove_left(parent);
  char *name = text_format("%s/" NAME "%ld-XXXXXX", parent, (long)getpid());
  if (!name)
    return error_no_memory(error);
  if (!create_watched(name)) {
    free(name);
    return error_set(error, ERROR_WORK, "no temporary folder in %s (set TMPDIR to a writable folder)", parent);
  }
  *folder = name;
  return 0;
}

void temporary_remove(char *folder) {
  remove_all(AT_FDCWD, folder);
  early_end_keeps(folder);
  free(folder);
}
