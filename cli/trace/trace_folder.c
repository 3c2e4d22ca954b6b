#include "cli/trace/trace_folder.h"

#include <ctype.h>
#include <dirent.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define ENDING ".rtrace"
#define SHOWN  3 /* names in a line */

enum fate { UNTOUCHED, REPLACED, LEFT_BESIDE };

static bool is_trace(const struct dirent *entry) {
  const size_t length = strlen(entry->d_name), ending = strlen(ENDING);
  return length > ending && strcmp(entry->d_name + length - ending, ENDING) == 0;
}

static int filter(const struct dirent *entry) {
  return is_trace(entry);
}

/* Names of one workload differ in the number of the launch alone: the length of what is before it. */
static size_t stem_length(const char *name) {
  size_t length = strlen(name) - strlen(ENDING), digits = length;
  while (digits > 0 && isdigit((unsigned char)name[digits - 1]))
    digits--;
  return digits > 1 && digits < length && name[digits - 1] == '.' ? digits - 1 : length;
}

static bool is_of_same_workload(const char *a, const char *b) {
  const size_t length = stem_length(a);
  return length == stem_length(b) && strncmp(a, b, length) == 0;
}

static int compare_names(const void *a, const void *b) {
  return strcmp(*(char *const *)a, *(char *const *)b);
}

void trace_folder_look(struct trace_folder *folder, const char *path) {
  struct dirent **entries;
  *folder = (struct trace_folder){.path = path};
  const int count = scandir(path, &entries, filter, NULL);
  if (count < 0)
    return;
  folder->names = calloc((size_t)count + 1, sizeof *folder->names);
  folder->fates = calloc((size_t)count + 1, 1);
  for (int i = 0; i < count; i++) {
    if (folder->names && folder->fates && (folder->names[folder->count] = strdup(entries[i]->d_name)))
      folder->count++;
    free(entries[i]);
  }
  free(entries);
  if (folder->count > 0)
    qsort(folder->names, folder->count, sizeof *folder->names, compare_names);
}

/* Names of the same workload are looked for once. */
static void find_others(struct trace_folder *folder, const char *name) {
  if (folder->last && is_of_same_workload(folder->last, name))
    return;
  free(folder->last);
  folder->last = strdup(name);
  for (size_t i = 0; i < folder->count; i++)
    if (folder->fates[i] == UNTOUCHED && is_of_same_workload(folder->names[i], name))
      folder->fates[i] = LEFT_BESIDE;
}

void trace_folder_made(struct trace_folder *folder, const char *path) {
  const char *slash = strrchr(path, '/'), *name = slash ? slash + 1 : path;
  if (folder->count == 0)
    return;
  find_others(folder, name);
  char **found = bsearch(&name, folder->names, folder->count, sizeof *folder->names, compare_names);
  if (found)
    folder->fates[found - folder->names] = REPLACED;
}

static void tell(const struct trace_folder *folder, enum fate fate, const char *what) {
  size_t count = 0;
  for (size_t i = 0; i < folder->count; i++)
    count += folder->fates[i] == (char)fate;
  if (count == 0)
    return;
  fprintf(stderr, "reassemble: %s: %s", folder->path, what);
  for (size_t i = 0, shown = 0; i < folder->count && shown < SHOWN; i++)
    if (folder->fates[i] == (char)fate)
      fprintf(stderr, "%s%s", shown++ > 0 ? ", " : " ", folder->names[i]);
  if (count > SHOWN)
    fprintf(stderr, " and %zu more", count - SHOWN);
  fputc('\n', stderr);
}

void trace_folder_tell(const struct trace_folder *folder) {
  tell(folder, REPLACED, "replaced, from an earlier run:");
  tell(folder, LEFT_BESIDE, "also there, of the same name but not made by this run:");
}

void trace_folder_clear(struct trace_folder *folder) {
  for (size_t i = 0; i < folder->count; i++)
    free(folder->names[i]);
  free(folder->names);
  free(folder->fates);
  free(folder->last);
  *folder = (struct trace_folder){0};
}
