/* reassemble trace -- APP ARGUMENT...: runs a program on the OpenCL layer, emulates the launches that it made, writes a
 * trace for each and a manifest (docs/capture.md). */
#ifndef CLI_TRACE_PROGRAM_H
#define CLI_TRACE_PROGRAM_H

#include <stdbool.h>
#include <stdint.h>

#include "base/error.h"
#include "tracegen/emulate.h"
#include "cli/core/options.h"

#define EXACT_ULPS 16 /* that floats may differ by where the build options do not relax arithmetic */

struct trace_program {
  const char *folder; /* of traces and manifest */
  bool no_check;
  bool every_launch; /* emulate launches, too, whose trace is that of an earlier one */
  enum undefined_reads undefined_reads;
  enum out_of_bounds out_of_bounds;
  const struct front_end *front_end;
  const char *kernel;   /* only its launches; NULL: all */
  const char *launches; /* "3..7", "3", "3.."; NULL: all */
  double stop_after_s;  /* end the program then; 0: never */
  int64_t most;         /* launches at most */
  int64_t space_bytes;  /* for captured buffers */
  double ulps;          /* that floats may differ by; negative: 16, and more for relaxed build options */
  const char *gpu;      /* OpenCL's devices admit no larger work-groups than this GPU; NULL: as large as they do */
  const char *opencl_options; /* for OpenCL's builds of the program, beside its own; NULL: none */
};

/* options->arguments is the program and its arguments. The program's own output goes to stderr. A failure of the
 * program, of an emulation or of a comparison is reported after everything else has been written. */
int trace_program_run(const struct trace_program *request, const struct options *options, struct error *error);

#endif
