/* A program that forks before its first OpenCL call: two children and the parent launch kernels; the second child is
 * killed in the middle. */
#include "program.h"

#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

enum { COUNT = 128 };

static const char source[] = "kernel void add(global int *x, int n) { x[get_global_id(0)] += n; }\n";

static int run(int launches, int amount) {
  int values[COUNT] = {0};
  struct program p;
  program_open(&p, CL_DEVICE_TYPE_GPU, 0, source, "");
  cl_mem buffer = program_buffer(&p, CL_MEM_COPY_HOST_PTR, sizeof values, values);
  cl_kernel kernel = program_kernel(&p, "add");
  program_set(kernel, 0, sizeof buffer, &buffer);
  program_set(kernel, 1, sizeof amount, &amount);
  for (int i = 0; i < launches; i++)
    program_launch(&p, kernel, COUNT, 32);
  program_read(&p, buffer, sizeof values, values);
  return values[COUNT - 1] == launches * amount ? 0 : 1;
}

int main(void) {
  int status, wrong = 0;
  for (int child = 0; child < 2; child++) {
    const pid_t process = fork();
    if (process == 0) {
      const int failed = run(2, 10 + child);
      if (child == 1)
        raise(SIGKILL);
      _exit(failed);
    }
    if (process < 0)
      return 1;
  }
  for (int child = 0; child < 2; child++)
    wrong |= wait(&status) < 0 || (WIFEXITED(status) && WEXITSTATUS(status));
  return run(3, 1) | wrong;
}
