#include "cli/core/temporary.h"

#include "base/process/early_end.h"
#include "base/text.h"

#include <dirent.h>
#include <stdbool.h>
#include <stdlib.h>
#include <unistd.h>

static void remove_files(const char *folder) {
  DIR *directory = opendir(folder);
  if (directory == NULL)
    return;
  for (const struct dirent *entry = readdir(directory); entry != NULL; entry = readdir(directory))
    unlinkat(dirfd(directory), entry->d_name, 0); /* fails for . and .. */
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
  char *name = text_format("%s/reassemble-XXXXXX", parent);
  if (name == NULL || !create_watched(name)) {
    free(name);
    return error_set(error, ERROR_WORK, "no temporary folder in %s (set TMPDIR to a writable folder)", parent);
  }
  *folder = name;
  return 0;
}

void temporary_remove(char *folder) {
  remove_files(folder);
  rmdir(folder);
  early_end_keeps(folder);
  free(folder);
}
