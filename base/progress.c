#include "base/progress.h"

#include <math.h>
#include <stdio.h>
#include <unistd.h>

#include "base/clock.h"

static const int64_t interval_ns = 200000000;

void progress_start(struct progress *p, const char *label, const char *unit, uint64_t total, bool quiet) {
  p->label = label;
  p->unit = unit;
  p->total = total;
  p->at_most = false;
  p->work = 0;
  p->shown = !quiet && isatty(STDERR_FILENO);
  p->start_ns = clock_nanoseconds();
  atomic_init(&p->done, 0);
  atomic_init(&p->work_done, 0);
  atomic_init(&p->best, NAN);
  atomic_init(&p->next_ns, p->start_ns + interval_ns);
}

void progress_limit(struct progress *p, uint64_t total) {
  p->total = total;
  p->at_most = true;
}

void progress_work(struct progress *p, double work) {
  p->work = work;
}

/* Returns the seconds that the rest takes if it goes on at the present rate. */
static double seconds_to_go(const struct progress *p, uint64_t done, double seconds) {
  const double work_done = atomic_load(&p->work_done);
  if (p->work > 0 && work_done > 0)
    return work_done < p->work ? seconds * (p->work - work_done) / work_done : 0;
  return seconds * (double)(p->total - done) / (double)done;
}

/* Writes "120/400 points (30%), 41.2 points/s". The total is left out where it is unknown or only a limit. */
static void put_rate(const struct progress *p, uint64_t done, double rate, FILE *out) {
  if (p->total == 0 || done > p->total || p->at_most)
    fprintf(out, "%llu %s, %.3g %s/s", (unsigned long long)done, p->unit, rate, p->unit);
  else if (rate > 0)
    fprintf(out, "%llu/%llu %s (%.0f%%), %.3g %s/s", (unsigned long long)done, (unsigned long long)p->total, p->unit,
            100.0 * (double)done / (double)p->total, rate, p->unit);
  else
    fprintf(out, "0/%llu %s", (unsigned long long)p->total, p->unit);
}

const char *progress_format(const struct progress *p, int64_t elapsed_ns, char *buffer, size_t size) {
  const uint64_t done = atomic_load(&p->done);
  const double seconds = (double)elapsed_ns * 1e-9, best = atomic_load(&p->best);
  const double rate = seconds > 0 ? (double)done / seconds : 0;
  FILE *out = fmemopen(buffer, size, "w");
  buffer[0] = '\0';
  if (!out)
    return buffer;
  fprintf(out, "%s: ", p->label);
  if (!p->unit)
    fprintf(out, "%.0f s", seconds);
  else
    put_rate(p, done, rate, out);
  if (p->unit && done <= p->total && rate > 0)
    fprintf(out, ", %s%.0f s to go", p->at_most ? "at most " : "", seconds_to_go(p, done, seconds));
  if (!isnan(best))
    fprintf(out, ", best %.4g %%", best);
  fclose(out);
  return buffer;
}

void progress_best(struct progress *p, double percent) {
  atomic_store(&p->best, percent);
}

void progress_add(struct progress *p, uint64_t amount) {
  atomic_fetch_add(&p->done, amount);
  if (!p->shown)
    return;
  int64_t now = clock_nanoseconds(), due = atomic_load(&p->next_ns);
  if (now < due || !atomic_compare_exchange_strong(&p->next_ns, &due, now + interval_ns))
    return; /* the line is not due, or another thread writes it */
  char line[200];
  fprintf(stderr, "\r\033[K%s", progress_format(p, now - p->start_ns, line, sizeof line));
  fflush(stderr);
}

void progress_add_work(struct progress *p, uint64_t amount, double work) {
  atomic_store(&p->work_done, atomic_load(&p->work_done) + work);
  progress_add(p, amount);
}

void progress_end(struct progress *p) {
  if (!p->shown)
    return;
  fputs("\r\033[K", stderr);
  fflush(stderr);
}
