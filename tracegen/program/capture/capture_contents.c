#include "tracegen/program/capture/capture_contents.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "tracegen/program/capture/capture_stores.h"

#define MOST_NUMBERS ((uint64_t)1 << 32) /* a program that captures more would run for years */
#define SLOTS        4096u               /* more than contents have chunks */
#define MOST_BASES   64 /* contents of which no launch told, between two of which launches told: assumed */

/* Makes room for entry `index` in the list that `*(T **)list` points to, and returns 0. New entries are zero. */
static int grow(void *list, size_t *count, uint64_t index, size_t size, struct error *error) {
  const size_t before = *count;
  char *entries;
  if (index >= MOST_NUMBERS || !array_room(list, count, (size_t)index + 1, size))
    return error_set(error, ERROR_WORK, "no memory for number %" PRIu64 " of the capture", index);
  memcpy(&entries, list, sizeof entries);
  memset(entries + before * size, 0, (*count - before) * size);
  return 0;
}

/* Returns the contents; NULL: they are not known. */
static struct content *find(const struct contents *c, uint64_t number) {
  return number < c->count ? c->list[number] : NULL;
}

/* Returns the contents, new ones where they are not known; NULL: error. */
static struct content *find_or_add(struct contents *c, uint64_t number, uint64_t bytes, struct error *error) {
  if (grow(&c->list, &c->count, number, sizeof *c->list, error))
    return NULL;
  struct content **list = c->list;
  if (!list[number] && !(list[number] = calloc(1, sizeof **list))) {
    error_no_memory(error);
    return NULL;
  }
  list[number]->number = number;
  list[number]->bytes = bytes;
  return list[number];
}

static void forget_own(struct content *content) {
  free(content->own);
  free(content->own_uses);
  content->own = NULL;
  content->own_uses = NULL;
}

static void free_content(struct content *content) {
  if (!content)
    return;
  forget_own(content);
  free(content->chunks);
  free(content);
}

/* Giving room back. */

static uint64_t offset_of(const struct content *f, uint64_t slot) {
  return content_data_offset(f->own_count) + slot * content_chunk_bytes(f->bytes);
}

static void count_freed(struct contents *c, uint64_t number, uint64_t bytes) {
  atomic_fetch_add(&c->control->freed_bytes, bytes);
  if (content_store_of(number) == STORE_IN_MEMORY)
    atomic_fetch_add(&c->control->memory_freed, bytes);
}

/* Forgets contents that nothing needs. */
static void forget_unneeded(struct contents *c, struct content *content) {
  if (content->uses > 0 || content->chunks || content->live > 0)
    return;
  if (content->own)
    content_punch(c->stores, content->number, 0, content_data_offset(content->own_count));
  c->list[content->number] = NULL;
  free_content(content);
}

static void release_chunk(struct contents *c, uint64_t id) {
  const uint64_t slot = id % SLOTS;
  struct content *f = find(c, id / SLOTS);
  if (--f->own_uses[slot] > 0)
    return;
  const uint64_t bytes = content_chunk_size(f->bytes, f->own[slot].index);
  content_punch(c->stores, f->number, offset_of(f, slot), bytes);
  count_freed(c, f->number, bytes);
  f->live--;
  forget_unneeded(c, f);
}

static void remove_contents(struct contents *c, struct content *content) {
  const uint64_t count = content_chunk_count(content->bytes);
  uint64_t *chunks = content->chunks;
  content->chunks = NULL;
  if (!chunks || count == 0)
    forget_unneeded(c, content);
  for (uint64_t i = 0; chunks && i < count; i++)
    release_chunk(c, chunks[i]);
  free(chunks);
}

void contents_drop(struct contents *c, uint64_t number) {
  struct content *content = find(c, number);
  if (content && content->uses > 0 && --content->uses == 0)
    remove_contents(c, content);
}

void contents_forget(struct contents *c, uint64_t buffer) {
  if (buffer >= c->buffers)
    return;
  contents_drop(c, c->last[buffer]);
  c->last[buffer] = 0;
}

int contents_release(struct contents *c, uint64_t buffer, struct error *error) {
  if (!array_room(&c->released, &c->released_room, c->released_count + 1, sizeof *c->released))
    return error_no_memory(error);
  c->released[c->released_count++] = buffer;
  return 0;
}

void contents_forget_released(struct contents *c) {
  while (c->released_count > 0)
    contents_forget(c, c->released[--c->released_count]);
}

/* Loading. */

/* Returns the ids of the contents: the base's, but for the chunks that are their own. NULL: out of memory. */
static uint64_t *merge(const struct content *content, const struct content *base) {
  const uint64_t count = content_chunk_count(content->bytes);
  uint64_t *ids = calloc(count + 1, sizeof *ids);
  if (ids && base)
    memcpy(ids, base->chunks, count * sizeof *ids);
  for (uint64_t slot = 0; ids && slot < content->own_count; slot++)
    ids[content->own[slot].index] = content->number * SLOTS + slot;
  return ids;
}

static void share_chunks(const struct contents *c, const struct content *content) {
  for (uint64_t i = 0; i < content_chunk_count(content->bytes); i++)
    find(c, content->chunks[i] / SLOTS)->own_uses[content->chunks[i] % SLOTS]++;
}

static int load(struct contents *c, uint64_t number, uint64_t bytes, unsigned depth, struct error *error);

/* Finds the base with its ids. Contents of which no launch told, because a launch was skipped after they were saved,
 * are loaded here. */
static int load_base(struct contents *c, uint64_t number, uint64_t bytes, unsigned depth, struct content **base,
                     struct error *error) {
  struct content *known = find(c, number);
  if (depth >= MOST_BASES)
    return error_set(error, ERROR_WORK, "contents %" PRIu64 " of the capture have no base", number);
  if (!known || !known->chunks) {
    if (load(c, number, bytes, depth + 1, error))
      return -1;
    known = find(c, number);
  }
  *base = known;
  return known->bytes == bytes
             ? 0
             : error_set(error, ERROR_WORK, "contents %" PRIu64 " of the capture have another size", number);
}

static int load_chunks(struct contents *c, struct content *content, unsigned depth, struct error *error) {
  struct content_header header;
  struct content *base = NULL;
  if (content->own) /* this call is for a base of theirs */
    return error_set(error, ERROR_WORK, "contents %" PRIu64 " of the capture have no base", content->number);
  if (content_read(c->stores, content->number, content->bytes, &header, &content->own, error))
    return -1;
  content->own_count = content->live = header.count;
  content->own_uses = calloc(header.count + 1, sizeof *content->own_uses);
  if (!content->own_uses)
    return error_no_memory(error);
  if (header.base > 0 && load_base(c, header.base, content->bytes, depth, &base, error))
    return -1;
  content->chunks = merge(content, base);
  if (!content->chunks)
    return error_no_memory(error);
  share_chunks(c, content);
  if (base && base->uses == 0)
    remove_contents(c, base);
  return 0;
}

static int load(struct contents *c, uint64_t number, uint64_t bytes, unsigned depth, struct error *error) {
  struct content *content = find_or_add(c, number, bytes, error);
  if (!content)
    return -1;
  const int status = load_chunks(c, content, depth, error);
  if (status) {
    forget_own(content);
    content->own_count = content->live = 0;
  }
  return status;
}

int contents_use(struct contents *c, uint64_t buffer, uint64_t number, uint64_t bytes, struct error *error) {
  struct error unreadable = ERROR_INIT;
  if (grow(&c->last, &c->buffers, buffer, sizeof *c->last, error))
    return -1;
  struct content *content = find_or_add(c, number, bytes, error);
  if (!content)
    return -1;
  if (number > 0 && !content->chunks && load(c, number, bytes, 0, &unreadable) && error_is_no_memory(&unreadable)) {
    *error = unreadable;
    return -1;
  }
  content->uses++;
  if (c->last[buffer] == number)
    return 0;
  contents_drop(c, c->last[buffer]);
  c->last[buffer] = number;
  content->uses++;
  return 0;
}

void contents_clear(struct contents *c) {
  for (size_t i = 0; i < c->count; i++)
    free_content(c->list[i]);
  free(c->list);
  free(c->last);
  free(c->released);
  c->list = NULL;
  c->last = c->released = NULL;
  c->count = c->buffers = c->released_count = c->released_room = 0;
}

/* Reading and comparing. */

int contents_check(const struct contents *c, uint64_t number, uint64_t bytes, struct error *error) {
  const struct content *content = find(c, number);
  if (content && content->chunks && content->bytes == bytes)
    return 0;
  return error_set(error, ERROR_WORK, "contents %" PRIu64 " of the capture, of %" PRIu64 " bytes, cannot be read",
                   number, bytes);
}

/* Returns how many chunks from `first` on are not held and lie one after the other in one file. */
static uint64_t run_length(const uint64_t *chunks, const uint64_t *held, uint64_t first, uint64_t count) {
  uint64_t length = 0;
  while (first + length < count && chunks[first + length] == chunks[first] + length &&
         held[first + length] != chunks[first + length])
    length++;
  return length;
}

static int read_run(const struct contents *c, uint64_t id, uint64_t bytes, char *out, struct error *error) {
  const struct content *content = find(c, id / SLOTS);
  return content_read_bytes(c->stores, content->number, offset_of(content, id % SLOTS), bytes, out, error);
}

int contents_fill(const struct contents *c, uint64_t number, uint64_t bytes, char *memory, uint64_t *held,
                  struct error *error) {
  if (contents_check(c, number, bytes, error))
    return -1;
  const uint64_t *chunks = c->list[number]->chunks, size = content_chunk_bytes(bytes);
  const uint64_t count = content_chunk_count(bytes);
  for (uint64_t i = 0, length; i < count; i += length ? length : 1) {
    length = run_length(chunks, held, i, count);
    const uint64_t end = (i + length) * size < bytes ? (i + length) * size : bytes;
    if (length > 0 && read_run(c, chunks[i], end - i * size, memory + i * size, error))
      return -1;
    memcpy(held + i, chunks + i, length * sizeof *held);
  }
  return 0;
}

bool contents_compare(const struct contents *c, uint64_t number, const char *memory, uint64_t *held) {
  const struct content *content = c->list[number];
  const uint64_t size = content_chunk_bytes(content->bytes), count = content_chunk_count(content->bytes);
  bool equal = true;
  for (uint64_t i = 0; i < count; i++) {
    const uint64_t id = content->chunks[i];
    const struct content_digest wanted = c->list[id / SLOTS]->own[id % SLOTS].digest;
    const struct content_digest found = content_digest(memory + i * size, content_chunk_size(content->bytes, i));
    held[i] = content_digests_equal(found, wanted) ? id : 0;
    equal &= held[i] != 0;
  }
  return equal;
}
