#include "tracegen/program/capture/capture_harmless.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/file.h"

#define MOST_TRACE_BYTES ((size_t)1 << 30)

/* Emulates the launch with local memory of bytes `fill`. Returns whether the results are OpenCL's; the trace's bytes
 * are in *trace then, which the caller frees. */
static bool emulate_filled(struct capture *capture, size_t index, const char *name, struct emulate_options options,
                           double ulps, uint8_t fill, struct capture_outcome *outcome, char **trace, size_t *length) {
  struct error ignored = ERROR_INIT;
  options.undefined_reads = UNDEFINED_READS_NONE;
  options.local_fill = fill;
  options.jobs = 1;
  options.more_follow = false;
  if (capture_emulate(capture, index, name, &options, ulps, outcome, &ignored))
    return false;
  const bool equals = outcome->agreement == CAPTURE_EQUAL || outcome->agreement == CAPTURE_CLOSE;
  if (equals && !file_read(outcome->emulated.launches[0].trace_path, MOST_TRACE_BYTES, trace, length, &ignored))
    return true;
  unlink(outcome->emulated.launches[0].trace_path);
  capture_outcome_clear(outcome);
  return false;
}

bool capture_emulate_harmless(struct capture *capture, size_t index, const char *name,
                              const struct emulate_options *options, double ulps, const struct error *failure,
                              struct capture_outcome *outcome) {
  char *first = NULL, *second = NULL;
  size_t lengths[2];
  if (!options->check || !options->trace_directory || !emulate_failed_by_local_read(failure) ||
      !emulate_filled(capture, index, name, *options, ulps, 0xa5, outcome, &first, &lengths[0]))
    return false;
  capture_outcome_clear(outcome);
  bool same = emulate_filled(capture, index, name, *options, ulps, 0x5a, outcome, &second, &lengths[1]);
  if (same && (lengths[0] != lengths[1] || memcmp(first, second, lengths[0]) != 0)) {
    unlink(outcome->emulated.launches[0].trace_path);
    capture_outcome_clear(outcome);
    same = false;
  }
  free(first);
  free(second);
  return same;
}
