#include "tracegen/process/worker_process.h"

#include <ctype.h>
#include <stdatomic.h>
#include <string.h>

#include "base/clock.h"

#define SHOWN_AFTER_S 1.0

/* Copies the phase without what a terminal would obey. */
static void copy_phase(const struct worker_report *report, char to[sizeof report->phase]) {
  size_t i = 0;
  for (; i + 1 < sizeof report->phase && report->phase[i]; i++)
    to[i] = isprint((unsigned char)report->phase[i]) ? report->phase[i] : '?';
  to[i] = '\0';
}

static void end_line(struct phase_progress *p) {
  if (p->started)
    progress_end(&p->line);
  p->started = false;
}

static void start_line(struct phase_progress *p, bool counts, uint64_t groups) {
  end_line(p);
  p->counts = counts;
  p->started = true;
  progress_start(&p->line, p->phase, counts ? "work-groups" : NULL, counts ? groups : 0, p->quiet);
  p->line.start_ns = (int64_t)(1e9 * p->seen_s);
}

void phase_progress_show(struct phase_progress *p, const struct worker_report *report) {
  char phase[sizeof p->phase];
  const uint64_t done = report->groups_done, groups = report->groups;
  copy_phase(report, phase);
  if (strcmp(phase, p->phase) != 0) {
    end_line(p);
    memcpy(p->phase, phase, sizeof phase);
    p->seen_s = clock_seconds();
  }
  if (p->quiet || clock_seconds() - p->seen_s < SHOWN_AFTER_S)
    return;
  if (!p->started || p->counts != (groups > 0))
    start_line(p, groups > 0, groups);
  const uint64_t before = atomic_load(&p->line.done);
  progress_add(&p->line, p->counts && done > before ? done - before : 0);
}

void phase_progress_end(struct phase_progress *p) {
  end_line(p);
}
