/* A workload from the command line: KERNEL.cl --kernel K --global X,Y --local X,Y --arg ...
 *
 * The options are turned into the text of a workload file, which goes through the same reader and the same checks;
 * --save keeps it. An argument is
 *   TYPE[COUNT]             a buffer of zeros; TYPE[COUNT]=CONTENTS: zero, index, uniform, or a number for all elements
 *   TYPE=VALUE              a number or vector: int=64
 *   local=BYTES             local memory
 *   image.ORDER.TYPE[WIDTH,HEIGHT], also with CONTENTS: uniform takes all values of integers
 *   sampler=WORDS           as in a workload's file: clamp,linear
 * A buffer or image is named arg0, arg1 ... by its position. */
#ifndef CLI_KERNEL_FILE_H
#define CLI_KERNEL_FILE_H

#include <stdbool.h>
#include <stdint.h>

#include "base/error.h"
#include "cli/core/options.h"
#include "workload/workload.h"

struct kernel_file {
  const char *source, *kernel, *global, *local, *build_options;
  const struct option_list *arguments;
  uint64_t seed;
};

/* The text of the workload file; the caller frees it. */
int kernel_file_yaml(const struct kernel_file *kernel, char **out, struct error *error);

/* Whether the name ends in .cl. */
bool kernel_file_is(const char *name);

#endif
