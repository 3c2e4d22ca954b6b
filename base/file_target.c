#include "base/file_target.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/process/left_behind.h"
#include "base/text.h"

#define MOST_LINKS 40 /* the limit of Linux */
#define LINK_BYTES 4096
#define COPY_BYTES 65536

static int failed(struct error *error, const char *path, const char *what) {
  return error_at(error, ERROR_WORK, path, 0, 0, NULL, "%s: %s", what, strerror(errno));
}

/* Returns the path that the link `path` leads to, relative to the current folder. The caller frees it; NULL with
 * errno. */
static char *behind_link(const char *path) {
  char name[LINK_BYTES];
  const ssize_t length = readlink(path, name, sizeof name - 1);
  if (length < 0)
    return NULL;
  name[length] = '\0';
  const char *slash = strrchr(path, '/');
  if (name[0] == '/' || !slash)
    return strdup(name);
  return text_format("%.*s/%s", (int)(slash - path), path, name);
}

/* Returns whether the path is below a folder whose links name open files and not places. */
static bool names_open_file(const char *path) {
  return strncmp(path, "/proc/", 6) == 0 || strncmp(path, "/dev/fd/", 8) == 0;
}

/* Follows links from target->path on. The last link need not lead to something that exists. */
static int follow(struct file_target *target, const char *path, struct error *error) {
  struct stat info;
  for (unsigned links = 0; lstat(target->path, &info) == 0 && S_ISLNK(info.st_mode); links++) {
    if (names_open_file(target->path)) {
      target->is_written_through = true;
      return 0;
    }
    char *next = links < MOST_LINKS ? behind_link(target->path) : NULL;
    if (!next) {
      errno = links < MOST_LINKS ? errno : ELOOP;
      return failed(error, path, "cannot follow the symbolic link");
    }
    free(target->path);
    target->path = next;
  }
  return 0;
}

static int find(const char *path, struct file_target *target, struct error *error) {
  struct stat info;
  if (strcmp(path, "-") == 0)
    return error_at(error, ERROR_INPUT, path, 0, 0, NULL,
                    "this output cannot go to standard output, which has the results; name a file, or ./- for a file "
                    "of that name");
  target->path = strdup(path);
  if (!target->path)
    return error_no_memory(error);
  if (follow(target, path, error) != 0)
    return -1;
  if (stat(target->path, &info) != 0)
    return 0; /* the name is new; other mistakes are reported when the file is created */
  if (S_ISDIR(info.st_mode))
    return error_at(error, ERROR_INPUT, path, 0, 0, NULL, "this is a folder, expected a file");
  target->is_written_through |= !S_ISREG(info.st_mode);
  target->mode = info.st_mode & 07777;
  return 0;
}

int file_target_find(const char *path, struct file_target *target, struct error *error) {
  *target = (struct file_target){0};
  const int status = find(path, target, error);
  if (status != 0)
    file_target_clear(target);
  return status;
}

void file_target_clear(struct file_target *target) {
  free(target->path);
  *target = (struct file_target){0};
}

bool file_target_is_written_through(const char *path) {
  struct file_target target;
  struct error ignored = ERROR_INIT;
  if (file_target_find(path, &target, &ignored) != 0)
    return false;
  const bool through = target.is_written_through;
  file_target_clear(&target);
  return through;
}

static bool copy_bytes(int from, int to) {
  static char bytes[COPY_BYTES];
  ssize_t length, put;
  while ((length = read(from, bytes, sizeof bytes)) > 0)
    for (char *at = bytes; length > 0; at += put, length -= put)
      if ((put = write(to, at, (size_t)length)) < 0)
        return false;
  return length == 0;
}

static bool copy_through(const char *from, const char *to) {
  const int in = open(from, O_RDONLY | O_CLOEXEC), out = open(to, O_WRONLY | O_APPEND | O_CLOEXEC);
  bool good = in >= 0 && out >= 0 && copy_bytes(in, out);
  if (out >= 0)
    good &= close(out) == 0;
  if (in >= 0)
    close(in);
  return good;
}

int file_target_publish(const char *from, const char *path, struct error *error) {
  struct file_target target;
  if (file_target_find(path, &target, error) != 0) {
    unlink(from);
    return -1;
  }
  const bool through = target.is_written_through;
  int status = (through ? copy_through(from, target.path) : rename(from, target.path) == 0) ? 0 : -1;
  if (status != 0)
    failed(error, path, through ? "cannot write the file" : "cannot put the file in place");
  if (through || status != 0)
    unlink(from);
  file_target_clear(&target);
  return status;
}

void file_target_remove_left(const char *path) {
  const char *slash = strrchr(path, '/');
  char *folder = slash ? strndup(path, (size_t)(slash - path) + 1) : strdup(".");
  DIR *open_folder = folder ? opendir(folder) : NULL;
  char *stem = text_format("%s.tmp-", slash ? slash + 1 : path);
  free(folder);
  for (struct dirent *entry; open_folder && stem && (entry = readdir(open_folder));)
    if (left_behind(entry->d_name, stem, '\0'))
      unlinkat(dirfd(open_folder), entry->d_name, 0);
  if (open_folder)
    closedir(open_folder);
  free(stem);
}
