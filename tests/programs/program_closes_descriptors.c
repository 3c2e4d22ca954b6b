/* A program that closes descriptors which it never opened, as daemons do, opens files of its own, which get the same
 * numbers, and goes on launching. With an argument it may open nothing at all during its second launch. */
#include "program.h"

#include <fcntl.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

enum { COUNT = 128, FIRST = 3, END = 1024, OWN_FILES = 16 };

static const char source[] = "kernel void add(global int *x, int n) { x[get_global_id(0)] += n; }\n";

static void limit_descriptors(rlim_t most) {
  struct rlimit limit;
  getrlimit(RLIMIT_NOFILE, &limit);
  limit.rlim_cur = most;
  setrlimit(RLIMIT_NOFILE, &limit);
}

static void replace_descriptors(int files[OWN_FILES]) {
  char name[32];
  for (int i = FIRST; i < END; i++)
    close(i);
  for (int i = 0; i < OWN_FILES; i++) {
    snprintf(name, sizeof name, "own-%d", i);
    files[i] = open(name, O_RDWR | O_CREAT | O_TRUNC, 0666);
  }
}

static int count_touched(const int files[OWN_FILES]) {
  struct stat about;
  int touched = 0;
  for (int i = 0; i < OWN_FILES; i++)
    touched += files[i] < 0 || fstat(files[i], &about) != 0 || about.st_size != 0;
  return touched;
}

int main(int argc, char **argv) {
  (void)argv;
  int values[COUNT] = {0}, files[OWN_FILES];
  const int amount = 5;
  struct program p;
  program_open(&p, CL_DEVICE_TYPE_GPU, 0, source, "");
  cl_mem buffer = program_buffer(&p, CL_MEM_COPY_HOST_PTR, sizeof values, values);
  cl_kernel kernel = program_kernel(&p, "add");
  program_set(kernel, 0, sizeof buffer, &buffer);
  program_set(kernel, 1, sizeof amount, &amount);
  program_launch(&p, kernel, COUNT, 32);
  clFinish(p.queue);
  replace_descriptors(files);
  if (argc > 1)
    limit_descriptors(FIRST);
  program_launch(&p, kernel, COUNT, 32);
  clFinish(p.queue);
  limit_descriptors(END);
  program_launch(&p, kernel, COUNT, 32);
  program_read(&p, buffer, sizeof values, values);
  const int touched = count_touched(files);
  if (touched)
    fprintf(stderr, "%d of the program's own files were written to\n", touched);
  return touched || values[COUNT - 1] != 3 * amount;
}
