/* Starts the program of `reassemble trace -- APP` with the OpenCL layer below it (docs/capture.md), and says how it
 * ended. */
#ifndef CLI_PROGRAM_START_H
#define CLI_PROGRAM_START_H

#include <stddef.h>

#include "base/error.h"
#include "cli/core/options.h"
#include "cli/program/child_program.h"
#include "cli/trace/trace_program.h"

struct program {
  const struct options *options;     /* options->arguments: the program and its arguments */
  const struct front_end *front_end; /* that translates its kernels */
  struct child_program child;
  double stopped_after_s; /* it was ended then, as the user asked for; 0: it was not */
};

/* `capture`: the folder for the layer. The program's output goes to stderr. */
int program_start(struct program *program, const struct trace_program *request, const char *capture,
                  struct error *error);
/* An error when it was ended by a signal or with another code than 0; `traced` launches came before. */
int program_judge(const struct program *program, size_t traced, struct error *error);

/* Refuses programs among arguments that are to name workloads or kernel files. */
int program_refuse_names(const struct options *options, struct error *error);

#endif
