#include "cli/core/budget.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>

#include "base/process/early_end.h"
#include "cli/core/command.h"

#define STDOUT_BYTES ((size_t)16 << 20) /* results of less are printed whole or not at all */

static struct {
  double timeout_s;
  bool timeout_given;
  int64_t memory_bytes;
  bool json;
  char resumes[512]; /* "" or a sentence */
} budget;

static void set_messages(void) {
  struct error late = ERROR_INIT;
  char at_signal[600] = "";
  error_set(&late, ERROR_WORK, "the command took more than %g s and was stopped; a higher --timeout allows more%s%s",
            budget.timeout_s, budget.resumes[0] ? ". " : "", budget.resumes);
  if (budget.resumes[0])
    snprintf(at_signal, sizeof at_signal, "reassemble: interrupted. %s\n", budget.resumes);
  char *at_time_limit = command_error_text(&late, budget.json);
  early_end_say(at_signal, at_time_limit ? at_time_limit : "");
  free(at_time_limit);
}

/* A sanitizer's own memory counts: its builds have no limit. */
static int limit_memory(int64_t bytes, struct error *error) {
  struct rlimit limit;
#ifdef REASSEMBLE_SANITIZED
  bytes = INT64_MAX;
#endif
  if (getrlimit(RLIMIT_DATA, &limit) != 0)
    return error_set(error, ERROR_WORK, "--memory: this system has no limit of a process' memory");
  if ((rlim_t)bytes < limit.rlim_cur)
    limit.rlim_cur = (rlim_t)bytes;
  return setrlimit(RLIMIT_DATA, &limit) == 0 ? 0 : error_set(error, ERROR_WORK, "--memory: cannot set the limit");
}

int budget_begin(const struct options *options, struct error *error) {
  budget.json = options->json;
  budget.timeout_s = options->timeout_s;
  budget.timeout_given = options->timeout_s > 0;
  budget.memory_bytes = options->memory_bytes;
  set_messages();
  if (options->memory_bytes > 0 && limit_memory(options->memory_bytes, error) != 0)
    return -1;
  if (options->timeout_s > 0) {
    setvbuf(stdout, malloc(STDOUT_BYTES), _IOFBF, STDOUT_BYTES);
    early_end_limit_time(options->timeout_s);
  }
  return 0;
}

void budget_end(void) {
  early_end_stop_clock();
}

void budget_default_time(double seconds) {
  if (budget.timeout_given)
    return;
  budget.timeout_s = seconds;
  set_messages();
  early_end_limit_time(seconds);
}

void budget_resumes(const char *journal, const char *command) {
  snprintf(budget.resumes, sizeof budget.resumes, "%.300s keeps the results so far: %s goes on", journal, command);
  set_messages();
}

void budget_explain(struct error *error) {
  if (budget.memory_bytes == 0 || !error_is_no_memory(error))
    return;
  char text[sizeof error->text];
  snprintf(text, sizeof text, "%.3900s; --memory allows %lld bytes", error->text, (long long)budget.memory_bytes);
  snprintf(error->text, sizeof error->text, "%s", text);
}
