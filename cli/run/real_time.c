#include "cli/run/real_time.h"

#include <stdio.h>

#include "tracegen/program/clock/counter_probe.h"
#include "tracegen/program/clock/simulated_clock.h"

void real_time_tell_blindness(const struct options *options) {
  if (!options->quiet && !counter_can_be_caught())
    fprintf(stderr,
            "reassemble: this machine lets no read of the processor's counter be caught (its hypervisor or processor "
            "ignores the trap), so --watch-counter cannot say whether %s reads it\n",
            options->arguments[0]);
}

void real_time_tell_binary(const struct program_run *r) {
  static const char *const kinds[] = {
      [BINARY_STATIC] = "is statically linked, so no simulated clock and no OpenCL layer can be loaded into it",
      [BINARY_GO] = "is made by Go, whose programs ask Linux itself for the time"};
  if (r->binary.found != BINARY_SHARED && !r->wish->options->quiet)
    fprintf(stderr, "reassemble: %s %s: its clocks and its sleeping are those of this machine, not simulated time\n",
            r->binary.path, kinds[r->binary.found]);
}

void real_time_tell(const struct program_run *r) {
  static const char *const calls[UNCOVERED_COUNT] = {
      [UNCOVERED_TIMER] = "sets a timer (setitimer, alarm, timer_settime, timerfd_settime), which ends",
      [UNCOVERED_PROCESSOR_TIME] = "asks for processor time (getrusage, times), which is counted",
      [UNCOVERED_SYSCALL] = "calls syscall for a clock, a sleep or a futex with a time limit, which runs"};
  if (r->wish->options->quiet)
    return;
  if (r->counter_is_read)
    fprintf(stderr,
            "reassemble: %s reads the processor's counter (rdtsc), which tells the time of this machine; what it "
            "measures by that is not simulated\n",
            r->wish->words[0]);
  for (unsigned call = 0; call < UNCOVERED_COUNT; call++)
    if (r->uncovered_calls & 1u << call)
      fprintf(stderr, "reassemble: %s %s by the time of this machine, not by simulated time\n", r->wish->words[0],
              calls[call]);
}
