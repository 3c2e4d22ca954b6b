/* Emulates the workloads that a trace store does not have yet, in several processes. */
#include "cli/replay/trace_store.h"

#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "base/process/ranks.h"
#include "base/progress.h"
#include "base/process/subprocess.h"
#include "tracegen/emulate.h"

/* The state that the processes share. */
struct shared {
  atomic_size_t next, done; /* of `missing` */
  atomic_bool failed;
  atomic_bool has_error;
  struct error error; /* of the first that failed, complete when has_error is set */
};

struct making {
  const struct trace_store *store;
  const struct options *options;
  size_t *missing; /* indices of workloads */
  size_t count;
  struct shared *shared;
};

static void keep_error(struct shared *shared, const struct error *error) {
  bool expected = false;
  if (!atomic_compare_exchange_strong(&shared->failed, &expected, true))
    return;
  shared->error = *error;
  atomic_store(&shared->has_error, true);
}

/* Takes workloads until none is left or one has failed. */
static void make_some(const struct making *making) {
  struct shared *shared = making->shared;
  for (size_t i; !atomic_load(&shared->failed) && (i = atomic_fetch_add(&shared->next, 1)) < making->count;) {
    const struct stored_workload *stored = &making->store->workloads[making->missing[i]];
    struct error error = ERROR_INIT;
    const bool more_follow = atomic_load(&shared->next) < making->count;
    if (trace_store_emulate(making->store, stored, more_follow, making->options, &error) != 0) {
      error_set(&error, ERROR_WORK, "%s: no trace", stored->name);
      keep_error(shared, &error);
    }
    atomic_fetch_add(&shared->done, 1);
  }
}

static pid_t start_maker(const struct making *making) {
  const pid_t process = fork();
  if (process != 0)
    return process;
  subprocess_end_with_parent();
  make_some(making);
  _exit(0);
}

/* Shows progress until all processes have ended. Returns whether all of them ended by themselves. */
static bool watch(const struct making *making, const pid_t *processes, int count) {
  struct progress progress;
  size_t shown = 0;
  bool good = true;
  progress_start(&progress, "emulating", "kernels", making->count, making->options->quiet);
  for (int i = 0; i < count; i++) {
    int status;
    for (pid_t ended; (ended = waitpid(processes[i], &status, WNOHANG)) != processes[i];) {
      if (ended < 0)
        return false;
      const size_t done = atomic_load(&making->shared->done);
      progress_add(&progress, done - shown);
      shown = done;
      nanosleep(&(struct timespec){.tv_nsec = 20000000}, NULL);
    }
    good = good && WIFEXITED(status) && WEXITSTATUS(status) == 0;
  }
  progress_end(&progress);
  return good;
}

static int run_makers(const struct making *making, struct error *error) {
  const size_t jobs = (size_t)making->options->jobs;
  const int wanted = (int)(jobs < making->count ? jobs : making->count);
  pid_t *processes = calloc((size_t)wanted, sizeof *processes);
  int started = 0;
  if (!processes)
    return error_no_memory(error);
  while (started < wanted && (processes[started] = start_maker(making)) > 0)
    started++;
  const bool good = watch(making, processes, started);
  free(processes);
  if (atomic_load(&making->shared->has_error)) {
    *error = making->shared->error;
    return -1;
  }
  return good && atomic_load(&making->shared->done) == making->count
             ? 0
             : error_set(error, ERROR_WORK, "a process that makes traces ended before its work was done");
}

/* Lists what this process makes: its share, unless no other process sees the folder. */
static size_t list_missing(const struct trace_store *store, size_t *missing) {
  size_t count = 0, all = 0;
  for (size_t i = 0; i < store->count; i++)
    if (!store->workloads[i].is_there && (ranks_owns(all++) || store->is_temporary))
      missing[count++] = i;
  return count;
}

int trace_store_make(struct trace_store *store, const struct options *options, struct error *error) {
  struct making making = {.store = store, .options = options, .missing = calloc(store->count + 1, sizeof(size_t))};
  int status = ranks_agree(making.missing ? 0 : error_no_memory(error), error);
  if (status == 0)
    making.count = list_missing(store, making.missing);
  if (making.count > 0) {
    making.shared = subprocess_shared_memory(sizeof *making.shared);
    status = making.shared ? run_makers(&making, error)
                           : error_set(error, ERROR_WORK, "cannot share memory with the emulating processes");
    if (making.shared)
      munmap(making.shared, sizeof *making.shared);
  }
  free(making.missing);
  return ranks_agree(status, error);
}
