#include "tracegen/process/staging.h"

#include <dirent.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/process/early_end.h"
#include "base/process/left_behind.h"
#include "base/file.h"
#include "base/file_target.h"
#include "base/text.h"

#define NAME ".reassemble-"

int staging_publish(const char *staged, const char *path, struct error *error) {
  struct stat info;
  if (lstat(staged, &info) == 0 && !S_ISREG(info.st_mode))
    return error_at(error, ERROR_WORK, path, 0, 0, NULL, "what was made in place of the trace is no file");
  return file_target_publish(staged, path, error);
}

static void remove_files(const char *folder) {
  DIR *open = opendir(folder);
  for (struct dirent *entry; open && (entry = readdir(open));)
    if (strcmp(entry->d_name, ".") != 0 && strcmp(entry->d_name, "..") != 0)
      unlinkat(dirfd(open), entry->d_name, 0);
  if (open)
    closedir(open);
}

void staging_remove(const char *staging) {
  remove_files(staging);
  rmdir(staging);
  early_end_keeps(staging);
}

static void remove_left(const char *directory) {
  DIR *open = opendir(directory);
  for (struct dirent *entry; open && (entry = readdir(open));) {
    char *path = left_behind(entry->d_name, NAME, '\0') ? text_format("%s/%s", directory, entry->d_name) : NULL;
    if (path)
      staging_remove(path);
    free(path);
  }
  if (open)
    closedir(open);
}

char *staging_make(const char *directory, struct error *error) {
  if (file_make_directories(directory, error))
    return NULL;
  remove_left(directory);
  char *staging = text_format("%s/" NAME "%ld", directory, (long)getpid());
  if (!staging) {
    error_no_memory(error);
    return NULL;
  }
  early_end_removes(staging);
  if (mkdir(staging, 0700) == 0 || errno == EEXIST)
    return staging;
  error_at(error, ERROR_WORK, directory, 0, 0, NULL, "cannot write to the folder: %s", strerror(errno));
  early_end_keeps(staging);
  free(staging);
  return NULL;
}
