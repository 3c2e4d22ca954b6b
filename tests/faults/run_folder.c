#include "run_folder.h"

#include <errno.h>
#include <ftw.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

struct tree inputs, expected, found;

void stop(const char *text) {
  fprintf(stderr, "fail_each: %s: %s\n", text, strerror(errno));
  exit(2);
}

char *read_whole(const char *path, size_t *length) {
  FILE *in = fopen(path, "rb");
  size_t capacity = 4096, got;
  char *data = malloc(capacity + 1);
  *length = 0;
  while (in && (got = fread(data + *length, 1, capacity - *length, in)) > 0)
    if ((*length += got) == capacity)
      data = realloc(data, 1 + (capacity *= 2));
  if (in)
    fclose(in);
  data[*length] = 0;
  return data;
}

static void clear(struct tree *t) {
  for (size_t i = 0; i < t->count; i++) {
    free(t->files[i].path);
    free(t->files[i].data);
  }
  t->count = 0;
}

static int note(const char *path, const struct stat *about, int type, struct FTW *at) {
  (void)type;
  if (at->level == 0)
    return 0;
  if (found.count == MOST_FILES)
    stop("too many files");
  struct file *f = &found.files[found.count++];
  *f = (struct file){.path = strdup(path), .is_folder = S_ISDIR(about->st_mode)};
  f->data = S_ISREG(about->st_mode) ? read_whole(path, &f->length) : strdup("");
  return 0;
}

static int by_path(const void *a, const void *b) {
  return strcmp(((const struct file *)a)->path, ((const struct file *)b)->path);
}

void look(void) {
  clear(&found);
  if (nftw(".", note, 32, FTW_PHYS))
    stop("work");
  qsort(found.files, found.count, sizeof *found.files, by_path);
}

struct file *file_in(struct tree *t, const char *path) {
  const struct file key = {.path = (char *)path};
  return bsearch(&key, t->files, t->count, sizeof key, by_path);
}

bool same(const struct file *a, const struct file *b) {
  return a->is_folder == b->is_folder && a->length == b->length && memcmp(a->data, b->data, a->length) == 0;
}

void copy_inputs(void) {
  if (system("find . -mindepth 1 -delete && cp -a ../inputs/. . && mkdir -p tmp"))
    stop("inputs");
}

void restore(void) {
  bool changed = false;
  for (size_t i = 0; i < inputs.count; i++) {
    const struct file *f = file_in(&found, inputs.files[i].path);
    changed |= !f || !same(f, &inputs.files[i]);
  }
  for (size_t i = found.count; i-- > 0;)
    if (!file_in(&inputs, found.files[i].path) && remove(found.files[i].path))
      changed = true;
  if (changed)
    copy_inputs();
}
