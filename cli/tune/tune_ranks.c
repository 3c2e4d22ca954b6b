#include "cli/tune/tune_ranks.h"

#include "base/process/ranks.h"
#include "base/text.h"
#include "cli/replay/view_remarks.h"
#include "cli/tune/tune_journal.h"

int tune_ranks_run(const struct options *options, int (*run)(const struct options *options, struct error *error),
                   struct error *error) {
  struct options own = *options;
  if (ranks_begin(error) != 0)
    return -1;
  own.quiet |= ranks_rank() > 0;
  own.jobs = ranks_size() > 1 && !options->jobs_given ? 1 : options->jobs;
  const int status = run(&own, error);
  tell_lacking_memory(&own);
  ranks_end(error);
  return ranks_rank() > 0 ? 0 : status;
}

int tune_ranks_agree(int status, const struct board *board, const struct gpu *gpu, const struct replay *traces,
                     const char *journal, struct error *error) {
  if (ranks_agree(status, error) != 0)
    return -1;
  uint64_t hash = tune_digest(board, gpu);
  for (size_t i = 0; i < traces->count; i++)
    hash = text_hash(hash, &traces->kernels[i].digest, sizeof traces->kernels[i].digest);
  if (!ranks_are_same(hash))
    return error_set(
        error, ERROR_INPUT,
        "processes have other traces, another board or another GPU than each other: use the same files and "
        "the same build everywhere");
  if (ranks_size() > 1 && journal)
    return error_set(error, ERROR_INPUT, "--journal: several processes (MPI) keep no journal");
  return 0;
}
