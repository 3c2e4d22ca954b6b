#include "cli/core/temporary.h"

#include "base/process/early_end.h"
#include "base/process/left_behind.h"
#include "base/text.h"

#include <dirent.h>
#include <ftw.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#define NAME "reassemble-" /* the number of the process follows */

enum { MOST_OPEN = 16 }; /* folders at a time */

static int remove_one(const char *path, const struct stat *info, int kind, struct FTW *place) {
  (void)info, (void)kind, (void)place;
  remove(path);
  return 0;
}

static void remove_all(const char *folder) {
  nftw(folder, remove_one, MOST_OPEN, FTW_DEPTH | FTW_PHYS);
}

/* Removes this user's folders of processes that were killed. */
static void remove_left(const char *parent) {
  DIR *directory = opendir(parent);
  struct stat info;
  for (const struct dirent *entry; directory != NULL && (entry = readdir(directory)) != NULL;) {
    char *path = left_behind(entry->d_name, NAME, '-') ? text_format("%s/%s", parent, entry->d_name) : NULL;
    if (path != NULL && lstat(path, &info) == 0 && S_ISDIR(info.st_mode) && info.st_uid == geteuid())
      remove_all(path);
    free(path);
  }
  if (directory != NULL)
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
  if (parent == NULL || parent[0] == '\0')
    parent = "/tmp";
  remove_left(parent);
  char *name = text_format("%s/" NAME "%ld-XXXXXX", parent, (long)getpid());
  if (name == NULL)
    return error_no_memory(error);
  if (!create_watched(name)) {
    free(name);
    return error_set(error, ERROR_WORK, "no temporary folder in %s (set TMPDIR to a writable folder)", parent);
  }
  *folder = name;
  return 0;
}

void temporary_remove(char *folder) {
  remove_all(folder);
  early_end_keeps(folder);
  free(folder);
}
