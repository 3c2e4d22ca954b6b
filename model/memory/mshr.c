#include "model/memory/mshr.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

bool mshr_file_init(struct mshr_file *file, uint32_t most) {
  *file = (struct mshr_file){.capacity = most};
  file->lines = calloc(2 * (size_t)most, sizeof *file->lines);
  file->numbers = calloc(2 * (size_t)most, sizeof *file->numbers);
  file->comes = calloc(2 * (size_t)most, sizeof *file->comes);
  return file->lines && file->numbers && file->comes;
}

void mshr_file_clear(struct mshr_file *file) {
  free(file->lines);
  free(file->numbers);
  free(file->comes);
  *file = (struct mshr_file){0};
}

/* Moves the entries in use to the front of the arrays. This is so rare that each addition pays for at most one move. */
static void move_to_front(struct mshr_file *file) {
  memmove(file->lines, file->lines + file->first, file->count * sizeof *file->lines);
  memmove(file->numbers, file->numbers + file->first, file->count * sizeof *file->numbers);
  memmove(file->comes, file->comes + file->first, file->count * sizeof *file->comes);
  file->first = 0;
}

void mshr_file_add(struct mshr_file *file, uint32_t line, uint64_t comes) {
  assert(file->count < file->capacity);
  if (file->first + file->count == 2 * file->capacity)
    move_to_front(file);
  uint32_t at = file->first + file->count++;
  for (; at > file->first && file->comes[at - 1] > comes; at--) {
    file->lines[at] = file->lines[at - 1];
    file->numbers[at] = file->numbers[at - 1];
    file->comes[at] = file->comes[at - 1];
  }
  file->lines[at] = line;
  file->numbers[at] = file->added++;
  file->comes[at] = comes;
}

/* A line is fetched twice at a time only if accesses are not coalesced and no cache is in front. */
uint64_t mshr_file_first(const struct mshr_file *file, uint32_t line) {
  const uint32_t end = file->first + file->count;
  uint32_t found = end;
  for (uint32_t i = file->first; i < end; i++)
    if (file->lines[i] == line && (found == end || file->numbers[i] - file->added < file->numbers[found] - file->added))
      found = i;
  assert(found < end);
  return file->comes[found];
}
