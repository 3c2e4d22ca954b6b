#include "cli/run/run_judgement.h"

#include <string.h>
#include <sys/wait.h>

static const struct prediction *first_failure(const struct predictor *p) {
  for (size_t i = 0; i < p->count; i++)
    if (p->predictions[i].failure)
      return &p->predictions[i];
  return NULL;
}

/* Returns the first launch whose results are not those of the device, or NULL. */
static const struct prediction *first_difference(const struct predictor *p) {
  for (size_t i = 0; i < p->count; i++)
    if (p->predictions[i].agreement == CAPTURE_DIFFERS)
      return &p->predictions[i];
  return NULL;
}

/* Every launch has to run on every GPU, because a time without it would make the GPU look fast. */
static int judge_fit(const struct program_run *r, struct error *error) {
  for (size_t i = 0; i < r->predictor.count; i++)
    for (size_t gpu = 1; gpu < r->wish->board_count; gpu++)
      if (r->predictor.predictions[i].unfit[gpu])
        return error_set(error, ERROR_WORK, "launch %lld (%.100s) does not run on %s: %.400s",
                         (long long)r->predictor.predictions[i].index, r->predictor.predictions[i].kernel,
                         r->wish->boards[gpu].gpu->name, r->predictor.predictions[i].unfit[gpu]);
  return 0;
}

int program_run_judge(const struct program_run *r, struct error *error) {
  const struct prediction *failed = first_failure(&r->predictor), *different = first_difference(&r->predictor);
  const char *program = r->wish->words[0];
  if (WIFSIGNALED(r->child.status))
    return error_set(error, ERROR_WORK, "%.200s was ended by signal %d (%s)", program, WTERMSIG(r->child.status),
                     strsignal(WTERMSIG(r->child.status)));
  if (WEXITSTATUS(r->child.status) && failed)
    return error_set(error, ERROR_WORK,
                     "%.200s ended with exit code %d; launch %lld (%.100s) had no prediction: %.400s", program,
                     WEXITSTATUS(r->child.status), (long long)failed->index, failed->kernel, failed->failure);
  if (WEXITSTATUS(r->child.status))
    return error_set(error, ERROR_WORK, "%.200s ended with exit code %d", program, WEXITSTATUS(r->child.status));
  if (failed)
    return error_set(error, ERROR_WORK, "launch %lld (%.100s) has no prediction and was refused: %.400s",
                     (long long)failed->index, failed->kernel, failed->failure);
  if (different)
    return error_set(error, ERROR_WORK, "launch %lld (%.100s): the emulator's result is not that of the device: %.400s",
                     (long long)different->index, different->kernel, different->difference);
  return judge_fit(r, error);
}
