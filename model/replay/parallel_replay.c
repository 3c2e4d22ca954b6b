#include "model/replay/parallel_replay.h"

#include <sched.h>
#include <stdlib.h>

#ifdef _OPENMP
#include <omp.h>
#else
static int omp_get_thread_num(void) {
  return 0;
}
#endif

/* The largest number of pauses: longer than a window usually takes, shorter than a time slice (assumed). */
enum { MOST_PAUSES = 2000 };

/* The cores that a thread runs first in a window; a thread that has run its own takes from other shares. One word holds
 * the number of the window, the index in `running` of the next core, and the end of the share, so that a late thread
 * takes no core of another window. */
struct share {
  _Alignas(64) _Atomic uint64_t word;
};

struct parallel_replay {
  struct gpu_replay *replay;
  struct l2_order *order;
  struct share *shares;          /* [threads] */
  struct warp_context *contexts; /* [threads]: each thread counts separately */
  struct warp_counts *counts;    /* [threads]: counts of all threads except the leader */
  uint32_t *live, live_count;    /* cores that are not finished */
  uint32_t *running, count;      /* [cores]: cores of this window, those of a share together */
  uint32_t threads, number;      /* number of threads with the leader; number of the window */
  _Alignas(64) atomic_uint done; /* number of running cores that have stopped */
  atomic_bool over;
};

bool parallel_replay_apply(const struct gpu_replay *replay) {
  return replay->core_count > 1 && !replay_hooks_follow_events(&replay->hooks) && !replay->hooks.stop &&
         !memory_is_queued(replay->spec) && !replay->shared_caches &&
         replay->memory.l1_ticks + replay->memory.l2_ticks > 0;
}

/* ---- functions that every thread runs ---- */

static uint64_t share_word(uint32_t number, uint32_t next, uint32_t end) {
  return (uint64_t)number << 32 | next << 16 | end;
}

/* Takes the next core of a share: sets *place to its index in windows.running. Returns false if the share has none
 * left. */
static bool share_take(struct share *share, uint32_t *place) {
  uint64_t word = atomic_load_explicit(&share->word, memory_order_relaxed);
  do {
    *place = word >> 16 & UINT16_MAX;
    if (*place == (word & UINT16_MAX))
      return false;
  } while (!atomic_compare_exchange_weak_explicit(&share->word, &word, word + (1u << 16), memory_order_acquire,
                                                  memory_order_relaxed));
  return true;
}

static void run_core(struct parallel_replay *w, uint32_t place, uint32_t thread) {
  struct core *core = &w->replay->cores[w->running[place]];
  core->context = &w->contexts[thread];
  w->replay->run(w->replay, core);
}

/* Runs cores of the present window. Returns whether there were any. */
static bool run_window(struct parallel_replay *w, uint32_t thread) {
  uint32_t ran = 0, place;
  for (uint32_t i = 0; i < w->threads; i++)
    for (struct share *share = &w->shares[(thread + i) % w->threads]; share_take(share, &place); ran++)
      run_core(w, place, thread);
  if (ran > 0)
    atomic_fetch_add_explicit(&w->done, ran, memory_order_release);
  return ran > 0;
}

/* Waits a moment before the caller tests again. Windows take microseconds; after many pauses the processor is
 * yielded. */
static void wait_briefly(uint32_t looks) {
  if (looks > MOST_PAUSES) {
    sched_yield();
    return;
  }
#if defined __x86_64__ || defined __i386__
  __builtin_ia32_pause();
#elif defined __aarch64__
  __asm__ volatile("yield");
#endif
}

static void follow(struct parallel_replay *w, uint32_t thread) {
  for (uint32_t looks = 0; !atomic_load_explicit(&w->over, memory_order_relaxed); looks++)
    if (run_window(w, thread))
      looks = 0;
    else
      wait_briefly(looks);
}

/* ---- functions that the leader runs between windows ---- */

/* Returns the position of the core that is furthest behind; replay->next_core becomes that of the second one. */
static struct time_entry find_first(struct parallel_replay *w) {
  const struct time_entry none = {UINT64_MAX, UINT32_MAX};
  struct time_entry first = none, second = none;
  for (uint32_t i = 0; i < w->live_count; i++) {
    const struct time_entry here = {w->replay->cores[w->live[i]].position, w->live[i]};
    if (time_before(here, first)) {
      second = first;
      first = here;
    } else if (time_before(here, second)) {
      second = here;
    }
  }
  w->replay->next_core = second;
  return first;
}

/* Returns whether the core has got an answer that it may have stopped for, or may take a work-group if it stopped for
 * one. */
static bool may_run(const struct gpu_replay *replay, const struct core *core) {
  if (core->stage == CORE_DISPATCH)
    return replay->order->own || dispatch_is_over(&replay->range);
  return core->lsu.served > 0;
}

/* Chooses the cores that run in the next window. */
static void choose_cores(struct parallel_replay *w, uint32_t first) {
  w->count = 0;
  for (uint32_t i = 0; i < w->live_count; i++) {
    struct core *core = &w->replay->cores[w->live[i]];
    if (core->id != first && !may_run(w->replay, core))
      continue;
    w->running[w->count++] = core->id;
  }
}

/* Divides the cores among threads. A thread gets the same cores each time, because their data are in its caches. */
static void deal_out(struct parallel_replay *w) {
  uint32_t from = 0;
  atomic_store_explicit(&w->done, 0, memory_order_relaxed);
  w->number++;
  for (uint32_t thread = 0; thread < w->threads; thread++) {
    const uint64_t end = (uint64_t)(thread + 1) * w->replay->core_count / w->threads;
    uint32_t to = from;
    while (to < w->count && w->running[to] < end)
      to++;
    atomic_store_explicit(&w->shares[thread].word, share_word(w->number, from, to), memory_order_release);
    from = to;
  }
}

/* Runs the cores of a window: the leader runs those that no thread has begun and waits for the others. */
static void run_all(struct parallel_replay *w) {
  deal_out(w);
  run_window(w, 0);
  for (uint32_t looks = 0; atomic_load_explicit(&w->done, memory_order_acquire) < w->count; looks++)
    wait_briefly(looks);
}

/* Updates the list of unfinished cores, and the keys of those with an access to be served. */
static void look_after(struct parallel_replay *w) {
  uint32_t live = 0;
  for (uint32_t i = 0; i < w->count; i++)
    l2_order_expect(w->order, &w->replay->cores[w->running[i]]);
  for (uint32_t i = 0; i < w->live_count; i++)
    if (w->replay->cores[w->live[i]].stage != CORE_FINISHED)
      w->live[live++] = w->live[i];
  w->live_count = live;
}

static void lead(struct parallel_replay *w) {
  while (w->live_count > 0 && !w->replay->too_long) {
    const struct time_entry first = find_first(w);
    l2_order_serve(w->replay, w->order, first);
    choose_cores(w, first.id);
    if (w->count == 1)
      run_core(w, 0, 0);
    else
      run_all(w);
    look_after(w);
  }
  l2_order_serve(w->replay, w->order, (struct time_entry){UINT64_MAX, 0});
  atomic_store_explicit(&w->over, true, memory_order_relaxed);
}

/* ---- the threads ---- */

static bool parallel_replay_init(struct parallel_replay *w, uint32_t threads) {
  const struct gpu_replay *replay = w->replay;
  const struct trace *trace = replay->trace;
  struct error error = ERROR_INIT;
  bool done = true;
  w->threads = threads;
  w->shares = aligned_alloc(_Alignof(struct share), threads * sizeof *w->shares);
  w->contexts = calloc(threads, sizeof *w->contexts);
  w->counts = calloc(threads, sizeof *w->counts);
  w->live = calloc(replay->core_count, sizeof *w->live);
  w->running = calloc(replay->core_count, sizeof *w->running);
  if (!w->shares || !w->contexts || !w->counts || !w->live || !w->running)
    return false;
  for (uint32_t i = 0; i < threads; i++) {
    w->shares[i] = (struct share){0};
    w->contexts[i] = *replay->context;
    if (i > 0) {
      done = done && warp_counts_init(&w->counts[i], trace, &error) == 0;
      w->contexts[i].counts = &w->counts[i];
    }
  }
  for (w->live_count = 0; w->live_count < replay->core_count; w->live_count++)
    w->live[w->live_count] = w->live_count;
  return done;
}

static void parallel_replay_clear(struct parallel_replay *w) {
  for (uint32_t i = 1; i < w->threads && w->counts; i++)
    warp_counts_clear(&w->counts[i]);
  free(w->shares);
  free(w->contexts);
  free(w->counts);
  free(w->live);
  free(w->running);
}

/* Adds up the counts of all threads. */
static void gather(struct parallel_replay *w) {
  for (uint32_t i = 1; i < w->threads; i++)
    warp_counts_add(w->replay->context->counts, &w->counts[i], w->replay->trace);
}

void parallel_replay_run(struct gpu_replay *replay, struct l2_order *order) {
  const uint32_t most = replay->threads < replay->core_count ? replay->threads : replay->core_count;
  struct parallel_replay w = {.replay = replay, .order = order};
  if (!parallel_replay_init(&w, most)) {
    replay->no_memory = true;
    parallel_replay_clear(&w);
    return;
  }
#pragma omp parallel num_threads(most) /* fewer threads also run the others' shares */
  {
    const uint32_t thread = (uint32_t)omp_get_thread_num();
    if (thread == 0)
      lead(&w);
    else
      follow(&w, thread);
  }
  gather(&w);
  parallel_replay_clear(&w);
}
