#include "tracegen/process/worker_pool.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "trace/format/bytes.h"
#include "tracegen/process/staging.h"
#include "tracegen/process/worker_process.h"

/* A program launches some kernels in turns, and a frame draws with dozens of shaders. Workers may take a share of the
 * machine's memory, and as much again may be in their buffers; both bounds and the share are assumed. */
#define LEAST_WORKERS 8
#define MOST_WORKERS  64
#define WORKER_BYTES  (UINT64_C(50) << 20) /* of one, without its buffers; measured */
#define MEMORY_SHARE  8
#define FEW_ITEMS     16 /* times LAUNCHES_OF_PROGRAM (builds.c): what the plain tier is for */

struct idle_worker {
  struct bytes key;
  struct worker_process process; /* process.worker is 0 where there is none */
  uint64_t used_at;
};

struct worker_pool {
  struct idle_worker workers[MOST_WORKERS];
  size_t most;                    /* workers */
  uint64_t most_bytes;            /* of all their buffers */
  uint64_t now;                   /* workers given so far */
  char *staging, *staging_within; /* NULL: no traces yet */
};

struct worker_pool *worker_pool_create(void) {
  struct worker_pool *pool = calloc(1, sizeof *pool);
  const long pages = sysconf(_SC_PHYS_PAGES), page = sysconf(_SC_PAGESIZE);
  const uint64_t bytes = pages > 0 && page > 0 ? (uint64_t)pages * (uint64_t)page / MEMORY_SHARE : 0;
  const uint64_t least = LEAST_WORKERS * WORKER_BYTES;
  if (pool) {
    pool->most_bytes = bytes > least ? bytes : least;
    pool->most = pool->most_bytes < MOST_WORKERS * WORKER_BYTES ? pool->most_bytes / WORKER_BYTES : MOST_WORKERS;
  }
  return pool;
}

static void end(struct idle_worker *k) {
  bytes_clear(&k->key);
  worker_process_end(&k->process);
  *k = (struct idle_worker){0};
}

static bool exists(const struct idle_worker *k) {
  return k->process.worker > 0;
}

void worker_pool_destroy(struct worker_pool *pool) {
  for (size_t i = 0; pool && i < MOST_WORKERS; i++)
    if (exists(&pool->workers[i]))
      end(&pool->workers[i]);
  if (pool && pool->staging)
    staging_remove(pool->staging);
  if (pool) {
    free(pool->staging);
    free(pool->staging_within);
  }
  free(pool);
}

const char *worker_pool_staging(struct worker_pool *pool, const char *directory, struct error *error) {
  if (pool->staging && strcmp(pool->staging_within, directory) == 0)
    return pool->staging;
  if (pool->staging) {
    error_set(error, ERROR_WORK, "a pool of workers writes traces into one folder");
    return NULL;
  }
  pool->staging_within = strdup(directory);
  pool->staging = pool->staging_within ? staging_make(directory, error) : NULL;
  return pool->staging;
}

static uint64_t buffer_bytes(const struct workload_buffer *b) {
  return b->count * scalar_type_bytes(b->type);
}

static uint64_t bytes_of(const struct workload *w) {
  uint64_t bytes = 0;
  for (size_t i = 0; i < w->buffer_count; i++)
    bytes += buffer_bytes(&w->buffers[i]);
  return bytes;
}

bool worker_pool_accepts(const struct worker_pool *pool, const struct workload *w) {
  return pool && w->launch_count == 1 && w->check_count == 0 && bytes_of(w) <= pool->most_bytes;
}

/* The key: everything that launches of one worker must agree in. */

static void add_buffer(struct bytes *key, const struct workload_buffer *b) {
  bytes_varint(key, buffer_bytes(b));
  bytes_varint(key, b->width);
  bytes_varint(key, b->height);
  bytes_varint(key, b->width ? b->format.order : 0);
  bytes_varint(key, b->width ? b->format.type : 0);
  bytes_varint(key, b->init == INIT_NONE || b->undefined);
}

static void add_choice(struct bytes *key, const struct group_choice *choice) {
  bytes_varint(key, choice->kind);
  bytes_append(key, &choice->share, sizeof choice->share);
  bytes_varint(key, choice->list.count);
  for (size_t i = 0; i < choice->list.count; i++) {
    bytes_varint(key, choice->list.list[i].first);
    bytes_varint(key, choice->list.list[i].last);
  }
}

/* Returns whether so few work-items run that the kernel may have been built with code that is made soon and runs slowly
 * (codegen_tier.c): a launch of many gets a worker of its own. */
static bool has_few_items(const struct workload_launch *launch) {
  return launch->global[0] <= FEW_ITEMS && launch->global[0] * launch->global[1] * launch->global[2] <= FEW_ITEMS;
}

static bool is_undefined(const struct workload_buffer *b) {
  return b->init == INIT_NONE || (b->undefined && memchr(b->undefined, 1, buffer_bytes(b)));
}

/* *tracks becomes true where reads of undefined bytes of the argument are looked for. */
static void add_argument(struct bytes *key, const struct workload *w, const struct workload_argument *a, bool *tracks) {
  bytes_varint(key, a->kind);
  if (a->kind == ARGUMENT_IMAGE)
    bytes_varint(key, a->buffer);
  if (a->kind == ARGUMENT_SAMPLER)
    bytes_varint(key, a->sampler);
  *tracks |= a->kind == ARGUMENT_BUFFER && is_undefined(&w->buffers[a->buffer]);
}

static void make_key(const struct front_end *front_end, const struct workload *w, struct bytes *key) {
  const struct workload_launch *launch = &w->launches[0];
  bool tracks = false;
  bytes_text(key, front_end->version());
  bytes_text(key, w->source);
  bytes_text(key, w->options ? w->options : "");
  bytes_text(key, launch->kernel);
  bytes_varint(key, has_few_items(launch));
  add_choice(key, &launch->groups);
  bytes_varint(key, w->seed);
  bytes_varint(key, w->buffer_count);
  for (size_t i = 0; i < w->buffer_count; i++)
    add_buffer(key, &w->buffers[i]);
  bytes_varint(key, launch->argument_count);
  for (size_t i = 0; i < launch->argument_count; i++)
    add_argument(key, w, &launch->arguments[i], &tracks);
  bytes_varint(key, tracks);
}

static bool are_equal(const struct bytes *a, const struct bytes *b) {
  return a->length == b->length && memcmp(a->data, b->data, a->length) == 0;
}

static struct idle_worker *find(struct worker_pool *pool, const struct bytes *key) {
  for (size_t i = 0; !key->failed && i < MOST_WORKERS; i++)
    if (exists(&pool->workers[i]) && are_equal(&pool->workers[i].key, key))
      return &pool->workers[i];
  return NULL;
}

bool worker_pool_take(struct worker_pool *pool, const struct front_end *front_end, const struct workload *w,
                      struct worker_process *out) {
  struct bytes key = {0};
  make_key(front_end, w, &key);
  struct idle_worker *found = find(pool, &key);
  bytes_clear(&key);
  if (!found)
    return false;
  *out = found->process;
  bytes_clear(&found->key);
  *found = (struct idle_worker){0};
  return true;
}

static struct idle_worker *least_recent(struct worker_pool *pool) {
  struct idle_worker *least = NULL;
  for (size_t i = 0; i < MOST_WORKERS; i++)
    if (exists(&pool->workers[i]) && (!least || pool->workers[i].used_at < least->used_at))
      least = &pool->workers[i];
  return least;
}

/* Returns a place for a worker whose buffers take `bytes`, and ends the least recently used workers until there is one.
 * NULL: the bytes are more than the pool may take. */
static struct idle_worker *make_room(struct worker_pool *pool, uint64_t bytes) {
  for (;;) {
    struct idle_worker *place = NULL;
    uint64_t used = bytes;
    for (size_t i = 0; i < pool->most; i++)
      if (exists(&pool->workers[i]))
        used += pool->workers[i].process.arena.used;
      else
        place = &pool->workers[i];
    if (place && used <= pool->most_bytes)
      return place;
    struct idle_worker *leaving = least_recent(pool);
    if (!leaving)
      return NULL;
    end(leaving);
  }
}

void worker_pool_give(struct worker_pool *pool, const struct front_end *front_end, const struct workload *w,
                      struct worker_process *process) {
  struct idle_worker *k = process->worker > 0 && process->request ? make_room(pool, process->arena.used) : NULL;
  struct bytes key = {0};
  make_key(front_end, w, &key);
  if (k && !key.failed) {
    *k = (struct idle_worker){.key = key, .process = *process, .used_at = ++pool->now};
    *process = (struct worker_process){.socket = -1, .request_file = -1};
    return;
  }
  bytes_clear(&key);
  worker_process_end(process);
}
