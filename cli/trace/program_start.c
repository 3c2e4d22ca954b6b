#include "cli/trace/program_start.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "model/params/gpu.h"

/* "3..7", "3" and "3..". */
static int read_launches(const char *text, uint64_t *first, uint64_t *last, struct error *error) {
  char *end = NULL;
  *first = 0;
  *last = UINT64_MAX;
  if (!text)
    return 0;
  if (isdigit((unsigned char)text[0])) {
    *first = *last = strtoull(text, &end, 10);
    if (strcmp(end, "..") == 0) {
      *last = UINT64_MAX;
      return 0;
    }
    if (strncmp(end, "..", 2) == 0 && isdigit((unsigned char)end[2]))
      *last = strtoull(end + 2, &end, 10);
    if (*end == '\0' && *first <= *last)
      return 0;
  }
  return error_set(error, ERROR_INPUT,
                   "--launch: found \"%.60s\", expected a number or a range, counted from 0: 3, "
                   "3..7 or 3..",
                   text);
}

static int bound_work_groups(const char *name, struct error *error) {
  struct gpu *gpu;
  if (!name)
    return 0;
  if (gpu_load(name, &gpu, error) != 0)
    return -1;
  const uint64_t most = gpu->spec.max_work_group;
  gpu_destroy(gpu);
  return most > 0 ? child_set_number("REASSEMBLE_CAPTURE_WORK_GROUP", most, error) : 0;
}

static int set_environment(const struct trace_program *r, const char *capture, struct error *error) {
  uint64_t first, last;
  if (read_launches(r->launches, &first, &last, error) || bound_work_groups(r->gpu, error) ||
      child_layer_set(capture, error) || child_set_number("REASSEMBLE_CAPTURE_FIRST", first, error) ||
      child_set_number("REASSEMBLE_CAPTURE_LAST", last, error) ||
      child_set_number("REASSEMBLE_CAPTURE_MOST", (uint64_t)r->most, error) ||
      child_set_number("REASSEMBLE_CAPTURE_BYTES", (uint64_t)r->space_bytes, error) ||
      child_set_number("REASSEMBLE_CAPTURE_AFTER", r->no_check ? 0 : 1, error))
    return -1;
  return (r->opencl_options && setenv("REASSEMBLE_CAPTURE_OPTIONS", r->opencl_options, 1)) ||
                 setenv("REASSEMBLE_CAPTURE_KERNEL", r->kernel ? r->kernel : "", 1)
             ? error_no_memory(error)
             : 0;
}

/* The program's output goes to standard error, because standard output is for the result. */
int program_start(struct program *p, const struct trace_program *request, const char *capture, struct error *error) {
  const struct options *o = p->options;
  const int status = set_environment(request, capture, error)
                         ? -1
                         : child_start(&p->child, o->arguments, o->argument_count, STDERR_FILENO, error);
  child_layer_unset();
  return status;
}

int program_judge(const struct program *p, size_t traced, struct error *error) {
  if (WIFSIGNALED(p->child.status))
    return error_set(error, ERROR_WORK,
                     "%.200s was ended by signal %d (%s); the traces of the %zu launches before are complete",
                     p->options->arguments[0], WTERMSIG(p->child.status), strsignal(WTERMSIG(p->child.status)), traced);
  if (WEXITSTATUS(p->child.status))
    return error_set(error, ERROR_WORK, "%.200s ended with exit code %d; the traces of its %zu launches are complete",
                     p->options->arguments[0], WEXITSTATUS(p->child.status), traced);
  return 0;
}

/* Returns whether the file is a program: ELF, or a script for an interpreter. */
static bool is_program(const char *path) {
  char start[4] = "";
  FILE *file = fopen(path, "rb");
  const size_t length = file ? fread(start, 1, sizeof start, file) : 0;
  if (file)
    fclose(file);
  return (length == 4 && memcmp(start,
                                "\x7f"
                                "ELF",
                                4) == 0) ||
         (length >= 2 && memcmp(start, "#!", 2) == 0);
}

int program_refuse_names(const struct options *options, struct error *error) {
  for (size_t i = 0; i < options->argument_count; i++)
    if (is_program(options->arguments[i]))
      return error_set(
          error, ERROR_INPUT,
          "\"%.200s\" is a program, expected a workload or a kernel file (*.cl); to trace a program, write "
          "-- before it: reassemble trace -- %.200s ...",
          options->arguments[i], options->arguments[i]);
  return 0;
}
