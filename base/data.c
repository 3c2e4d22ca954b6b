/* This file searches for shipped data (base/file.h): it finds names under the data roots. */
#include "base/file.h"

#include "base/array.h"
#include "base/text.h"

#include <dirent.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

/* The search is bounded, because $REASSEMBLE_DATA may point to any folder. */
enum { DEEPEST = 8, MOST_ENTRIES = 100000, SHOWN_NAMES = 8 };

struct kind_of_data {
  const char *folder, *subject, *plural;
};

static const struct kind_of_data kinds[] = {
    [DATA_GPU] = {"configs/gpus", "GPU", "gpus"},
    [DATA_ISA] = {"configs/isa", "ISA profile", NULL},
    [DATA_WORKLOAD] = {"configs/workloads", "workload", "workloads"},
    [DATA_BOARD] = {"datasets/boards", "board", "boards"},
    [DATA_SWEEP] = {"configs/sweeps", "sweep", "sweeps"},
    [DATA_REFERENCE] = {"datasets/predictions", "reference", NULL},
    [DATA_FIGURES] = {"datasets/figures", "list of figures", NULL},
};

static const char *const endings[] = {".yaml", ".json"};
enum { ENDINGS = sizeof endings / sizeof endings[0], ROOTS = 3 };

static void data_roots(const char *roots[ROOTS]) {
  roots[0] = getenv("REASSEMBLE_DATA");
  roots[1] = REASSEMBLE_SOURCE_DIR;
  roots[2] = REASSEMBLE_DATA_DIR;
}

static bool is_file(const char *path) {
  struct stat info;
  return stat(path, &info) == 0 && !S_ISDIR(info.st_mode);
}

/* Returns whether the text is a name below a folder: relative, and no component is empty or begins with a dot. */
static bool is_name(const char *name) {
  while (*name != '\0') {
    size_t length = strcspn(name, "/");
    if (length == 0 || name[0] == '.')
      return false;
    name += length;
    if (*name == '/' && *++name == '\0')
      return false;
  }
  return true;
}

/* Returns 0 with *found, which is NULL where there is no such file, or -1 on an error. */
static int find_in_roots(enum data_kind kind, const char *name, char **found, struct error *error) {
  const char *roots[ROOTS];
  data_roots(roots);
  for (size_t r = 0; r < ROOTS; r++) {
    for (size_t e = 0; roots[r] && roots[r][0] != '\0' && e < ENDINGS; e++) {
      char *path = text_format("%s/%s/%s%s", roots[r], kinds[kind].folder, name, endings[e]);
      if (!path)
        return error_no_memory(error);
      if (is_file(path)) {
        *found = path;
        return 0;
      }
      free(path);
    }
  }
  return 0;
}

/* Writes "; did you mean "x"?", or the first few names if none is near. */
static void suggest(enum data_kind kind, const char *name, char *buffer, size_t size) {
  char **names = NULL;
  size_t count = 0;
  buffer[0] = '\0';
  if (data_list(kind, &names, &count, NULL) != 0)
    return;
  const char *nearest = text_nearest(name, (const char *const *)names);
  if (nearest) {
    snprintf(buffer, size, "; did you mean \"%s\"?", nearest);
  } else if (count > 0) {
    size_t used = (size_t)snprintf(buffer, size, "; shipped are ");
    for (size_t i = 0; i < count && i < SHOWN_NAMES && used < size; i++)
      used += (size_t)snprintf(buffer + used, size - used, "%s%s", i ? ", " : "", names[i]);
    if (count > SHOWN_NAMES && kinds[kind].plural && used < size)
      snprintf(buffer + used, size - used, " ... (`reassemble list %s` shows all %zu)", kinds[kind].plural, count);
  }
  data_list_free(names, count);
}

static int not_found(enum data_kind kind, const char *name, struct error *error) {
  char hint[1024];
  suggest(kind, name, hint, sizeof hint);
  return error_set(error, ERROR_INPUT, "found no %s \"%.200s\": no such file, and no shipped %s of that name%s",
                   kinds[kind].subject, name, kinds[kind].subject, hint);
}

int data_find_shipped(enum data_kind kind, const char *name, char **path, struct error *error) {
  *path = NULL;
  if (is_name(name) && name[0] != '\0' && find_in_roots(kind, name, path, error))
    return -1;
  return *path ? 0 : not_found(kind, name, error);
}

int data_find(enum data_kind kind, const char *name, char **path, struct error *error) {
  if (!is_file(name))
    return data_find_shipped(kind, name, path, error);
  *path = strdup(name);
  return *path ? 0 : error_no_memory(error);
}

struct walk {
  char **names; /* NULL-terminated, so that text_nearest can read it */
  size_t count, capacity, visited;
};

static int add_name(struct walk *walk, const char *name, size_t length) {
  char *copy =
      array_room(&walk->names, &walk->capacity, walk->count + 2, sizeof *walk->names) ? strndup(name, length) : NULL;
  if (!copy)
    return -1;
  walk->names[walk->count++] = copy;
  walk->names[walk->count] = NULL;
  return 0;
}

static int walk_folder(struct walk *walk, const char *folder, const char *prefix, int depth);

static int walk_entry(struct walk *walk, const char *folder, const char *prefix, const char *entry, int depth) {
  char *path = text_format("%s/%s", folder, entry);
  char *name = text_format("%s%s%s", prefix, prefix[0] ? "/" : "", entry);
  struct stat info;
  int status = path && name ? 0 : -1;
  if (status == 0 && lstat(path, &info) == 0 && S_ISDIR(info.st_mode)) {
    status = walk_folder(walk, path, name, depth + 1);
  } else if (status == 0 && is_file(path)) {
    size_t length = strlen(name);
    for (size_t e = 0; e < ENDINGS && status == 0; e++) {
      size_t ending = strlen(endings[e]);
      if (length > ending && strcmp(name + length - ending, endings[e]) == 0)
        status = add_name(walk, name, length - ending);
    }
  }
  free(path);
  free(name);
  return status;
}

static int walk_folder(struct walk *walk, const char *folder, const char *prefix, int depth) {
  DIR *directory = depth <= DEEPEST ? opendir(folder) : NULL;
  if (!directory) /* a root without this kind of data has none to list */
    return 0;
  int status = 0;
  const struct dirent *entry;
  while (status == 0 && walk->visited < MOST_ENTRIES && (entry = readdir(directory))) {
    walk->visited++;
    if (entry->d_name[0] != '.')
      status = walk_entry(walk, folder, prefix, entry->d_name, depth);
  }
  closedir(directory);
  return status;
}

static int by_name(const void *a, const void *b) {
  return strcmp(*(char *const *)a, *(char *const *)b);
}

static void sort_and_unite(struct walk *walk) {
  if (walk->count == 0)
    return;
  qsort(walk->names, walk->count, sizeof *walk->names, by_name);
  size_t kept = 1;
  for (size_t i = 1; i < walk->count; i++) {
    if (strcmp(walk->names[i], walk->names[kept - 1]) == 0)
      free(walk->names[i]);
    else
      walk->names[kept++] = walk->names[i];
  }
  walk->count = kept;
  walk->names[kept] = NULL;
}

int data_list(enum data_kind kind, char ***names, size_t *count, struct error *error) {
  struct walk walk = {0};
  const char *roots[ROOTS];
  data_roots(roots);
  *names = NULL;
  *count = 0;
  walk.names = calloc(1, sizeof *walk.names);
  int status = walk.names ? 0 : -1;
  for (size_t r = 0; r < ROOTS && status == 0; r++) {
    char *folder = roots[r] && roots[r][0] ? text_format("%s/%s", roots[r], kinds[kind].folder) : NULL;
    if (folder)
      status = walk_folder(&walk, folder, "", 0);
    free(folder);
  }
  if (status != 0) {
    data_list_free(walk.names, walk.count);
    return error_no_memory(error);
  }
  sort_and_unite(&walk);
  *names = walk.names;
  *count = walk.count;
  return 0;
}

/* Returns the part of `path` between `folder` and the ending; NULL if the path does not lie in the folder. */
static char *name_below(const char *folder, const char *path) {
  const size_t above = strlen(folder), length = strlen(path);
  if (strncmp(path, folder, above) != 0 || path[above] != '/')
    return NULL;
  for (size_t e = 0; e < ENDINGS; e++) {
    const size_t ending = strlen(endings[e]);
    if (length > above + 1 + ending && strcmp(path + length - ending, endings[e]) == 0)
      return strndup(path + above + 1, length - ending - above - 1);
  }
  return NULL;
}

char *data_name(enum data_kind kind, const char *path) {
  const char *roots[ROOTS];
  data_roots(roots);
  char *real = realpath(path, NULL), *name = NULL;
  for (size_t r = 0; r < ROOTS && real && !name; r++) {
    char *folder = roots[r] && roots[r][0] ? text_format("%s/%s", roots[r], kinds[kind].folder) : NULL;
    char *real_folder = folder ? realpath(folder, NULL) : NULL;
    if (real_folder)
      name = name_below(real_folder, real);
    free(folder);
    free(real_folder);
  }
  free(real);
  return name ? name : strdup(path);
}

void data_list_free(char **names, size_t count) {
  for (size_t i = 0; i < count; i++)
    free(names[i]);
  free(names);
}

char *data_cache(const char *kind) {
  const char *own = getenv("REASSEMBLE_CACHE"), *xdg = getenv("XDG_CACHE_HOME"), *home = getenv("HOME");
  if (own && *own)
    return strcmp(own, "none") == 0 ? NULL : text_format("%s/%s", own, kind);
  if (xdg && *xdg == '/')
    return text_format("%s/reassemble/%s", xdg, kind);
  return home && *home == '/' ? text_format("%s/.cache/reassemble/%s", home, kind) : NULL;
}
