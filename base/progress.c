#include "base/progress.h"

#include <stdio.h>
#include <time.h>
#include <unistd.h>

static const int64_t interval_ns = 200000000;

static int64_t now_ns(void) {
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return (int64_t)t.tv_sec * 1000000000 + t.tv_nsec;
}

void progress_start(struct progress *p, const char *label, const char *unit, uint64_t total, bool quiet) {
  p->label = label;
  p->unit = unit;
  p->total = total;
  p->shown = !quiet && isatty(STDERR_FILENO);
  p->start_ns = now_ns();
  atomic_init(&p->done, 0);
  atomic_init(&p->next_ns, p->start_ns + interval_ns);
}

const char *progress_format(const struct progress *p, int64_t elapsed_ns, char *buffer, size_t size) {
  uint64_t done = atomic_load(&p->done);
  double seconds = (double)elapsed_ns * 1e-9;
  double rate = seconds > 0 ? (double)done / seconds : 0;
  if (p->total == 0 || done > p->total)
    snprintf(buffer, size, "%s: %llu %s, %.3g %s/s", p->label, (unsigned long long)done, p->unit, rate, p->unit);
  else if (rate > 0)
    snprintf(buffer, size, "%s: %llu/%llu %s (%.0f%%), %.3g %s/s, %.0f s to go", p->label, (unsigned long long)done,
             (unsigned long long)p->total, p->unit, 100.0 * (double)done / (double)p->total, rate, p->unit,
             (double)(p->total - done) / rate);
  else
    snprintf(buffer, size, "%s: 0/%llu %s", p->label, (unsigned long long)p->total, p->unit);
  return buffer;
}

void progress_add(struct progress *p, uint64_t amount) {
  atomic_fetch_add(&p->done, amount);
  if (!p->shown)
    return;
  int64_t now = now_ns(), due = atomic_load(&p->next_ns);
  if (now < due || !atomic_compare_exchange_strong(&p->next_ns, &due, now + interval_ns))
    return; /* not due, or another thread writes it */
  char line[200];
  fprintf(stderr, "\r\033[K%s", progress_format(p, now - p->start_ns, line, sizeof line));
  fflush(stderr);
}

void progress_end(struct progress *p) {
  if (!p->shown)
    return;
  fputs("\r\033[K", stderr);
  fflush(stderr);
}
