#include "tracegen/program/answers.h"

#include <fcntl.h>
#include <stdio.h>
#include <limits.h>
#include <sys/mman.h>
#include <unistd.h>

#define ANSWERS_BYTES (ANSWER_COUNT * sizeof(struct launch_answer))

struct launch_answer *answers_map(const char *folder) {
  char path[PATH_MAX];
  snprintf(path, sizeof path, "%s/answers", folder);
  const int file = open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0666);
  if (file < 0)
    return NULL;
  void *map = MAP_FAILED;
  if (ftruncate(file, (off_t)ANSWERS_BYTES) == 0)
    map = mmap(NULL, ANSWERS_BYTES, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
  close(file);
  return map == MAP_FAILED ? NULL : map;
}

void answers_unmap(struct launch_answer *answers) {
  if (answers)
    munmap(answers, ANSWERS_BYTES);
}
