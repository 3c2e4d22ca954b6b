/* Builds in another folder than the one that it was started in: headers are looked for there, in the current folder and
 * in a relative one that an option names. Then it goes back. */
#include "program.h"

#include <sys/stat.h>
#include <unistd.h>

enum { COUNT = 64 };

static const char source[] = "#include \"here.h\"\n"
                             "#include \"there.h\"\n"
                             "kernel void add(global int *a) { a[get_global_id(0)] += HERE + THERE + MORE; }\n";

static void write_text(const char *name, const char *text) {
  FILE *file = fopen(name, "w");
  if (!file || fputs(text, file) < 0 || fclose(file) != 0)
    must(1, name);
}

int main(void) {
  int values[COUNT] = {0};
  struct program p;
  if (mkdir("a folder", 0777) || chdir("a folder") || mkdir("part", 0777))
    return 1;
  write_text("here.h", "#define HERE 1\n");
  write_text("part/there.h", "#define THERE 2\n");
  program_open(&p, CL_DEVICE_TYPE_ALL, 0, source, "-I part -DMORE=4 -g");
  if (chdir(".."))
    return 1;
  cl_mem a = program_buffer(&p, CL_MEM_COPY_HOST_PTR, sizeof values, values);
  cl_kernel add = program_kernel(&p, "add");
  program_set(add, 0, sizeof a, &a);
  program_launch(&p, add, COUNT, 8);
  program_read(&p, a, sizeof values, values);
  return values[COUNT - 1] == 7 ? 0 : 1;
}
