#include "tracegen/process/worker_pool.h"

#include <stdlib.h>
#include <string.h>

#include "trace/format/bytes.h"

#define MOST_CHILDREN 8 /* assumed: kernels that a program launches in turns; each takes some 50 MB */
#define MOST_BYTES    (UINT64_C(512) << 20) /* of all their buffers; assumed */

struct kept_child {
  struct bytes key;
  struct child_process process;
  uint64_t used_at;
};

struct emulate_kept {
  struct kept_child children[MOST_CHILDREN];
  uint64_t now; /* launches so far */
};

struct emulate_kept *emulate_keep(void) {
  return calloc(1, sizeof(struct emulate_kept));
}

static void end(struct kept_child *k) {
  bytes_clear(&k->key);
  child_process_end(&k->process);
  *k = (struct kept_child){0};
}

static bool is_there(const struct kept_child *k) {
  return k->process.child > 0;
}

void emulate_kept_end(struct emulate_kept *kept) {
  for (size_t i = 0; kept && i < MOST_CHILDREN; i++)
    if (is_there(&kept->children[i]))
      end(&kept->children[i]);
  free(kept);
}

static uint64_t bytes_of(const struct workload *w) {
  uint64_t bytes = 0;
  for (size_t i = 0; i < w->buffer_count; i++)
    bytes += w->buffers[i].count * scalar_type_bytes(w->buffers[i].type);
  return bytes;
}

bool kept_children_may_serve(const struct emulate_kept *kept, const struct workload *w) {
  return kept && w->launch_count == 1 && w->check_count == 0 && bytes_of(w) <= MOST_BYTES;
}

/* What launches have to agree in. */

static void add_buffer(struct bytes *key, const struct workload_buffer *b) {
  bytes_varint(key, b->count * scalar_type_bytes(b->type));
  bytes_varint(key, b->width);
  bytes_varint(key, b->height);
  bytes_varint(key, b->width ? b->format.order : 0);
  bytes_varint(key, b->width ? b->format.type : 0);
  bytes_varint(key, b->init == INIT_NONE || b->undefined != NULL);
}

static bool is_undefined(const struct workload_buffer *b) {
  return b->init == INIT_NONE ||
         (b->undefined && memchr(b->undefined, 1, b->count * scalar_type_bytes(b->type)) != NULL);
}

static void add_argument(struct bytes *key, const struct workload *w, const struct workload_argument *a, bool *tracks) {
  bytes_varint(key, a->kind);
  if (a->kind == ARGUMENT_IMAGE)
    bytes_varint(key, a->buffer);
  if (a->kind == ARGUMENT_SAMPLER)
    bytes_varint(key, a->sampler);
  *tracks |= a->kind == ARGUMENT_BUFFER && is_undefined(&w->buffers[a->buffer]);
}

static void make_key(const struct workload *w, struct bytes *key) {
  const struct workload_launch *launch = &w->launches[0];
  bool tracks = false;
  bytes_text(key, w->source);
  bytes_text(key, w->options ? w->options : "");
  bytes_text(key, launch->kernel);
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

bool kept_children_take(struct emulate_kept *kept, const struct workload *w, struct child_process *out) {
  struct bytes key = {0};
  bool found = false;
  make_key(w, &key);
  for (size_t i = 0; !key.failed && !found && i < MOST_CHILDREN; i++) {
    struct kept_child *k = &kept->children[i];
    if (!is_there(k) || !are_equal(&k->key, &key))
      continue;
    *out = k->process;
    bytes_clear(&k->key);
    *k = (struct kept_child){0};
    found = true;
  }
  bytes_clear(&key);
  return found;
}

static struct kept_child *oldest(struct emulate_kept *kept) {
  struct kept_child *oldest = NULL;
  for (size_t i = 0; i < MOST_CHILDREN; i++)
    if (is_there(&kept->children[i]) && (!oldest || kept->children[i].used_at < oldest->used_at))
      oldest = &kept->children[i];
  return oldest;
}

static struct kept_child *find_room(struct emulate_kept *kept, uint64_t bytes) {
  for (;;) {
    struct kept_child *free_one = NULL;
    uint64_t used = bytes;
    for (size_t i = 0; i < MOST_CHILDREN; i++)
      if (is_there(&kept->children[i]))
        used += kept->children[i].process.arena.used;
      else
        free_one = &kept->children[i];
    if (free_one && used <= MOST_BYTES)
      return free_one;
    struct kept_child *leaving = oldest(kept);
    if (!leaving)
      return NULL;
    end(leaving);
  }
}

void kept_children_give(struct emulate_kept *kept, const struct workload *w, struct child_process *process) {
  struct kept_child *k = process->child > 0 && process->order ? find_room(kept, process->arena.used) : NULL;
  struct bytes key = {0};
  make_key(w, &key);
  if (k && !key.failed) {
    *k = (struct kept_child){.key = key, .process = *process, .used_at = ++kept->now};
    *process = (struct child_process){.socket = -1};
    return;
  }
  bytes_clear(&key);
  child_process_end(process);
}
