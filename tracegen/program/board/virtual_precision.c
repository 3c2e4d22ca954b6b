#include "tracegen/program/board/virtual_precision.h"

#include <stdlib.h>
#include <string.h>

#include "base/text.h"
#include "tracegen/program/board/virtual_events.h"

#define MISSING "this_device_has_no_double_precision"

/* In front of a program's text. #line keeps the lines of the program's own messages. */
static const char without_doubles[] = "#undef cl_khr_fp64\n"
                                      "#undef __opencl_c_fp64\n"
                                      "#define double " MISSING "\n"
                                      "#define double2 " MISSING "\n"
                                      "#define double3 " MISSING "\n"
                                      "#define double4 " MISSING "\n"
                                      "#define double8 " MISSING "\n"
                                      "#define double16 " MISSING "\n"
                                      "#line 1\n";

static bool has_doubles;

char *virtual_precision_options(const char *options) {
  return has_doubles ? NULL : text_format("%s -cl-single-precision-constant", options ? options : "");
}

static CL_API_ENTRY cl_program CL_API_CALL create_with_source(cl_context context, cl_uint count, const char **parts,
                                                              const size_t *lengths, cl_int *status) {
  const char **all = program_has_parts(count, parts) ? malloc((count + 1) * sizeof *all) : NULL;
  size_t *all_lengths = calloc((size_t)count + 1, sizeof *all_lengths); /* 0: the part ends with a zero byte */
  cl_program program = NULL;
  if (all && all_lengths) {
    all[0] = without_doubles;
    memcpy(all + 1, parts, count * sizeof *parts);
    if (lengths)
      memcpy(all_lengths + 1, lengths, count * sizeof *lengths);
    program = captured.clCreateProgramWithSource(context, count + 1, all, all_lengths, status);
  } else {
    program = captured.clCreateProgramWithSource(context, count, parts, lengths, status);
  }
  free(all);
  free(all_lengths);
  return program;
}

void virtual_wrap_precision(cl_icd_dispatch *table, const struct virtual_settings *settings) {
  has_doubles = settings->double_precision || !settings->described;
  if (!has_doubles)
    table->clCreateProgramWithSource = create_with_source;
}
