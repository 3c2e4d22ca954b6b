#include "tracegen/run/thread_pool.h"

#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define PIECE_BYTES   ((size_t)256 << 10) /* of a piece's records, about */
#define MOST_WAITING  ((size_t)16 << 20)  /* bytes of records that may wait before work-groups are claimed */
#define KEPT_BYTES    (4 * PIECE_BYTES)   /* memory of a piece that is kept for the next one */
#define FETCHED_BYTES ((size_t)16 << 10)  /* of records that are prefetched, ahead of what is taken */
#define CACHE_LINE    64
#define ALIGNMENT     ((size_t)16)      /* of records, as malloc aligns */
#define STACK_BYTES   ((size_t)8 << 20) /* kernels without barriers may use 4 MiB of it (jit.c) */

/* Work-groups that one thread has claimed, and what it recorded of them: for each the record's length, in ALIGNMENT
 * bytes, and the record. */
struct piece {
  struct piece *next;
  unsigned thread;
  bool whole;
  uint64_t first, end, ran; /* work-groups that are claimed; how many of them have run */
  struct bytes records;
  struct error error; /* of the work-group after those that have run */
};

struct pool_thread {
  _Alignas(64) struct thread_pool *all; /* a cache line of its own */
  unsigned index;
  pthread_t thread;
  struct piece *piece;
  size_t start; /* of the running group's record */
};

struct thread_pool {
  struct thread_pool_task task;
  pthread_mutex_t lock;
  pthread_cond_t room, ended;  /* fewer bytes wait; all is over, or the caller has to take a piece */
  struct piece *oldest, **end; /* claimed and not taken yet, in order of group id */
  struct piece *spare;
  uint64_t next; /* the next work-group to be claimed */
  uint64_t groups_put, bytes_put;
  size_t waiting; /* bytes of records that wait */
  bool taking;
  struct error failure;
  unsigned count, absent; /* threads; those that could not enter */
  bool pinned_start;      /* each thread begins on a processor of its own */
  cpu_set_t processors;
  struct pool_thread list[];
};

static _Thread_local struct pool_thread *self;

static int no_memory(struct error *error) {
  return error_set(error, ERROR_WORK, "out of memory for the records of work-groups");
}

/* Returns how many work-groups a thread claims: fewer towards the end, so that all threads end together, and so many
 * that their records take about PIECE_BYTES. */
static uint64_t groups_to_claim(const struct thread_pool *all) {
  if (all->groups_put == 0)
    return 1;
  const uint64_t share = (all->task.end - all->next) / (4 * (uint64_t)all->count) + 1;
  const uint64_t fitting = PIECE_BYTES / (all->bytes_put / all->groups_put + 1) + 1;
  return share < fitting ? share : fitting;
}

static struct piece *new_piece(struct thread_pool *all) {
  struct piece *p = all->spare;
  if (p)
    all->spare = p->next;
  else if (!(p = calloc(1, sizeof *p))) {
    no_memory(&all->failure);
    pthread_cond_signal(&all->ended);
    return NULL;
  }
  p->next = NULL;
  p->whole = false;
  p->ran = 0;
  return p;
}

/* Returns whether there was something left to claim. */
static bool claim(struct pool_thread *w) {
  struct thread_pool *all = w->all;
  struct piece *p = NULL;
  pthread_mutex_lock(&all->lock);
  while (all->failure.kind == ERROR_NONE && all->waiting > MOST_WAITING)
    pthread_cond_wait(&all->room, &all->lock);
  if (all->failure.kind == ERROR_NONE && all->next < all->task.end && (p = new_piece(all))) {
    p->thread = w->index;
    p->first = all->next;
    p->end = all->next += groups_to_claim(all);
    *all->end = p;
    all->end = &p->next;
  }
  pthread_mutex_unlock(&all->lock);
  w->piece = p;
  return p != NULL;
}

/* Prefetches what another processor has written: its cache lines then arrive at the same time and not one by one.
 * Returns the end of what was prefetched. */
static const unsigned char *fetch(const unsigned char *from, const unsigned char *to, const unsigned char *end) {
  for (to = to < end ? to : end; from < to; from += CACHE_LINE)
    __builtin_prefetch(from);
  return from;
}

static int take_piece(const struct thread_pool *all, struct piece *p, struct error *error) {
  const unsigned char *at = p->records.data, *end = at + p->records.length;
  const unsigned char *fetched = self && self->index == p->thread ? end : at;
  for (uint64_t i = 0; i < p->ran; i++) {
    size_t length;
    fetched = fetch(fetched, at + FETCHED_BYTES, end);
    memcpy(&length, at, sizeof length);
    if (all->task.take(all->task.user, p->thread, p->first + i, at + ALIGNMENT, error))
      return -1;
    at += ALIGNMENT + (length + ALIGNMENT - 1) / ALIGNMENT * ALIGNMENT;
  }
  if (p->error.kind == ERROR_NONE)
    return 0;
  *error = p->error;
  return -1;
}

static void put_away(struct thread_pool *all, struct piece *p) {
  all->oldest = p->next;
  if (!all->oldest)
    all->end = &all->oldest;
  all->waiting -= p->records.length;
  p->records.length = 0;
  if (p->records.capacity > KEPT_BYTES)
    bytes_clear(&p->records);
  p->next = all->spare;
  all->spare = p;
}

static bool is_over(const struct thread_pool *all) {
  return all->failure.kind != ERROR_NONE || (all->next == all->task.end && !all->oldest);
}

/* Takes all pieces that are next in order. The caller holds the lock, which is released meanwhile. */
static void take_in_order(struct thread_pool *all) {
  if (all->taking)
    return;
  all->taking = true;
  while (!is_over(all) && all->oldest && all->oldest->whole) {
    struct error error = ERROR_INIT;
    pthread_mutex_unlock(&all->lock);
    take_piece(all, all->oldest, &error); /* only this thread changes which one is the oldest */
    pthread_mutex_lock(&all->lock);
    if (error.kind != ERROR_NONE && all->failure.kind == ERROR_NONE)
      all->failure = error;
    put_away(all, all->oldest);
    pthread_cond_broadcast(&all->room);
  }
  all->taking = false;
  if (is_over(all))
    pthread_cond_signal(&all->ended);
}

static void put_down(struct pool_thread *w) {
  struct thread_pool *all = w->all;
  all->waiting += w->piece->records.length;
  all->bytes_put += w->piece->records.length;
  all->groups_put += w->piece->ran;
  w->piece->whole = true;
}

void thread_pool_fail(const struct error *error) {
  struct pool_thread *w = self;
  struct thread_pool *all = w->all;
  pthread_mutex_lock(&all->lock);
  w->piece->error = *error;
  w->piece->records.length = w->start;
  put_down(w);
  pthread_cond_signal(&all->ended); /* the caller takes the piece, because a handler's stack is small */
  pthread_mutex_unlock(&all->lock);
  for (;;)
    pause();
}

static int run_group(struct pool_thread *w, uint64_t group, struct error *error) {
  static const char nothing[ALIGNMENT];
  const struct thread_pool_task *task = &w->all->task;
  struct bytes *records = &w->piece->records;
  w->start = records->length;
  bytes_append(records, nothing, ALIGNMENT);
  if (task->run(task->user, w->index, group, records, error))
    return -1;
  if (records->failed)
    return no_memory(error);
  const size_t length = records->length - w->start - ALIGNMENT;
  memcpy(records->data + w->start, &length, sizeof length);
  bytes_append(records, nothing, (ALIGNMENT - length % ALIGNMENT) % ALIGNMENT);
  return records->failed ? no_memory(error) : 0;
}

static void stay_away(struct thread_pool *all, const struct error *error) {
  pthread_mutex_lock(&all->lock);
  if (++all->absent == all->count) {
    all->failure = *error;
    pthread_cond_signal(&all->ended);
  }
  pthread_mutex_unlock(&all->lock);
}

static void *work(void *argument) {
  struct pool_thread *w = self = argument;
  const struct thread_pool_task *task = &w->all->task;
  struct error error = ERROR_INIT;
  if (w->all->pinned_start) /* from here on it goes where there is room */
    sched_setaffinity(0, sizeof w->all->processors, &w->all->processors);
  if (task->enter(task->user, w->index, &error)) {
    stay_away(w->all, &error);
    return NULL;
  }
  while (claim(w)) {
    for (; w->piece->first + w->piece->ran < w->piece->end; w->piece->ran++)
      if (run_group(w, w->piece->first + w->piece->ran, &error))
        thread_pool_fail(&error);
    pthread_mutex_lock(&w->all->lock);
    put_down(w);
    take_in_order(w->all);
    pthread_mutex_unlock(&w->all->lock);
  }
  task->leave(task->user, w->index);
  return NULL;
}

/* Returns whether the process may use exactly one processor for each thread. Then each thread begins on its own one: a
 * launch is often over before the system notices that two threads share a processor. */
static bool one_each(const struct thread_pool *all, cpu_set_t *processors) {
  return sched_getaffinity(0, sizeof *processors, processors) == 0 && CPU_COUNT(processors) == (int)all->count;
}

static int nth(const cpu_set_t *processors, unsigned n) {
  int cpu = 0;
  for (unsigned left = n + 1; left > 0; cpu++)
    left -= CPU_ISSET(cpu, processors) ? 1 : 0;
  return cpu - 1;
}

static void begin_on(pthread_attr_t *attributes, int processor) {
  cpu_set_t only;
  CPU_ZERO(&only);
  CPU_SET(processor, &only);
  pthread_attr_setaffinity_np(attributes, sizeof only, &only);
}

/* Starts the threads and returns how many there are. The signal of timers is left to the thread that waits. */
static unsigned start(struct thread_pool *all) {
  pthread_attr_t attributes;
  sigset_t alarm, before;
  unsigned started = 0;
  all->pinned_start = one_each(all, &all->processors);
  const struct error none = {.kind = ERROR_WORK, .text = "cannot start a thread"};
  if (pthread_attr_init(&attributes) || pthread_attr_setstacksize(&attributes, STACK_BYTES))
    return 0;
  sigemptyset(&alarm);
  sigaddset(&alarm, SIGALRM);
  pthread_sigmask(SIG_BLOCK, &alarm, &before);
  for (; started < all->count; started++) {
    struct pool_thread *w = &all->list[started];
    *w = (struct pool_thread){.all = all, .index = started};
    if (all->pinned_start)
      begin_on(&attributes, nth(&all->processors, started));
    if (pthread_create(&w->thread, &attributes, work, w))
      break;
  }
  pthread_sigmask(SIG_SETMASK, &before, NULL);
  pthread_attr_destroy(&attributes);
  for (unsigned i = started; i < all->count; i++)
    stay_away(all, &none);
  return started;
}

static void release(struct thread_pool *all) {
  for (struct piece *p = all->spare, *next; p; p = next) {
    next = p->next;
    bytes_clear(&p->records);
    free(p);
  }
  pthread_cond_destroy(&all->room);
  pthread_cond_destroy(&all->ended);
  pthread_mutex_destroy(&all->lock);
  free(all);
}

int thread_pool_run(const struct thread_pool_task *task, unsigned count, struct error *error) {
  struct thread_pool *all = aligned_alloc(_Alignof(struct thread_pool), sizeof *all + count * sizeof all->list[0]);
  if (!all)
    return no_memory(error);
  *all = (struct thread_pool){.task = *task, .next = task->first, .count = count};
  all->end = &all->oldest;
  pthread_mutex_init(&all->lock, NULL);
  pthread_cond_init(&all->room, NULL);
  pthread_cond_init(&all->ended, NULL);
  const unsigned started = start(all);
  pthread_mutex_lock(&all->lock);
  for (take_in_order(all); !is_over(all) || all->taking; take_in_order(all))
    pthread_cond_wait(&all->ended, &all->lock);
  const struct error failure = all->failure;
  pthread_mutex_unlock(&all->lock);
  if (failure.kind != ERROR_NONE) {
    if (error && error->kind == ERROR_NONE)
      *error = failure;
    return -1;
  }
  for (unsigned i = 0; i < started; i++)
    pthread_join(all->list[i].thread, NULL);
  release(all);
  return 0;
}
