#include "tracegen/program/capture/capture_contents.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/array.h"
#include "base/text.h"
#include "tracegen/program/capture/capture_content_files.h"

#define MOST_NUMBERS ((uint64_t)1 << 32) /* a program that captures more would run for years */
#define SLOTS        4096u               /* more than a file has chunks */
#define MOST_BASES   64 /* files of which no launch told, between two of which launches told: assumed */

char *contents_path(const char *folder, uint64_t number) {
  return text_format("%s/content-%" PRIu64, folder, number);
}

/* Returns the list with room for entry `index`; new entries are zero. NULL: error, and the list is as it was. */
static void *grow(void *list, size_t *count, uint64_t index, size_t size, struct error *error) {
  if (index < *count)
    return list;
  const size_t more = (size_t)index + 1 + *count;
  char *larger = index < MOST_NUMBERS ? realloc(list, more * size) : NULL;
  if (!larger) {
    error_set(error, ERROR_WORK, "no memory for number %" PRIu64 " of the capture", index);
    return NULL;
  }
  memset(larger + *count * size, 0, (more - *count) * size);
  *count = more;
  return larger;
}

/* Removing files. */

static void remove_file(struct contents *c, uint64_t number) {
  struct content *f = &c->list[number];
  char *path = contents_path(c->folder, number);
  if (path && unlink(path) == 0 && !f->file)
    atomic_fetch_add(&c->control->freed_bytes, f->bytes);
  free(path);
  free(f->file);
  free(f->chunk_uses);
  f->file = NULL;
  f->chunk_uses = NULL;
}

/* Returns where a chunk's bytes lie in its file. */
static uint64_t offset_in_file(const struct content *f, uint64_t slot) {
  return content_data_offset(f->file_chunks) + slot * content_chunk_bytes(f->bytes);
}

static void punch(const struct contents *c, uint64_t number, uint64_t slot, uint64_t bytes) {
  char *path = contents_path(c->folder, number);
  if (path)
    content_file_punch(path, offset_in_file(&c->list[number], slot), bytes);
  free(path);
}

static void release_chunk(struct contents *c, uint64_t id) {
  const uint64_t number = id / SLOTS, slot = id % SLOTS;
  struct content *f = &c->list[number];
  if (--f->chunk_uses[slot] > 0)
    return;
  const uint64_t bytes = content_chunk_size(f->bytes, f->file[slot].index);
  atomic_fetch_add(&c->control->freed_bytes, bytes);
  if (--f->live == 0)
    remove_file(c, number);
  else
    punch(c, number, slot, bytes);
}

static void remove_contents(struct contents *c, uint64_t number) {
  struct content *content = &c->list[number];
  uint64_t *chunks = content->chunks;
  content->chunks = NULL;
  if (!chunks || content->file_chunks == 0)
    remove_file(c, number);
  for (uint64_t i = 0; chunks && i < content_chunk_count(content->bytes); i++)
    release_chunk(c, chunks[i]);
  free(chunks);
}

void contents_drop(struct contents *c, uint64_t number) {
  if (number > 0 && number < c->count && c->list[number].uses > 0 && --c->list[number].uses == 0)
    remove_contents(c, number);
}

void contents_forget(struct contents *c, uint64_t buffer) {
  if (buffer >= c->buffers)
    return;
  contents_drop(c, c->last[buffer]);
  c->last[buffer] = 0;
}

int contents_release(struct contents *c, uint64_t buffer, struct error *error) {
  if (!array_room(&c->released, &c->released_room, c->released_count + 1, sizeof *c->released))
    return error_set(error, ERROR_WORK, "out of memory");
  c->released[c->released_count++] = buffer;
  return 0;
}

void contents_forget_released(struct contents *c) {
  while (c->released_count > 0)
    contents_forget(c, c->released[--c->released_count]);
}

/* Loading. */

static int make_room(struct contents *c, uint64_t number, struct error *error) {
  struct content *list = grow(c->list, &c->count, number, sizeof *list, error);
  if (!list)
    return -1;
  c->list = list;
  return 0;
}

/* Returns the ids of the contents: the base's, but for the chunks of the file. NULL: out of memory. */
static uint64_t *merge(const struct contents *c, uint64_t number, uint64_t base, uint64_t count) {
  uint64_t *ids = calloc(count + 1, sizeof *ids);
  const struct content *f = &c->list[number];
  if (ids && base > 0)
    memcpy(ids, c->list[base].chunks, count * sizeof *ids);
  for (uint64_t slot = 0; ids && slot < f->file_chunks; slot++)
    ids[f->file[slot].index] = number * SLOTS + slot;
  return ids;
}

static void share_chunks(struct contents *c, const struct content *content) {
  for (uint64_t i = 0; i < content_chunk_count(content->bytes); i++)
    c->list[content->chunks[i] / SLOTS].chunk_uses[content->chunks[i] % SLOTS]++;
}

static int load(struct contents *c, uint64_t number, uint64_t bytes, unsigned depth, struct error *error);

/* Makes sure that the base has its ids. Contents of which no launch told, because a launch was skipped after they were
 * saved, are loaded here. */
static int load_base(struct contents *c, uint64_t number, uint64_t base, uint64_t bytes, unsigned depth,
                     struct error *error) {
  if (base >= number || depth >= MOST_BASES)
    return error_set(error, ERROR_WORK, "contents %" PRIu64 " of the capture have no base", number);
  if (c->list[base].chunks)
    return c->list[base].bytes == bytes
               ? 0
               : error_set(error, ERROR_WORK, "contents %" PRIu64 " of the capture have another size", base);
  return load(c, base, bytes, depth + 1, error);
}

static int load_file(struct contents *c, uint64_t number, const char *path, uint64_t bytes, unsigned depth,
                     struct error *error) {
  struct content_header header;
  struct content_chunk *chunks;
  if (content_file_read(path, bytes, &header, &chunks, error))
    return -1;
  struct content *content = &c->list[number];
  content->bytes = bytes;
  content->file = chunks;
  content->file_chunks = content->live = header.count;
  content->chunk_uses = calloc(header.count + 1, sizeof *content->chunk_uses);
  if (!content->chunk_uses)
    return error_set(error, ERROR_WORK, "out of memory");
  if (header.base > 0 && load_base(c, number, header.base, bytes, depth, error))
    return -1;
  content->chunks = merge(c, number, header.base, content_chunk_count(bytes));
  if (!content->chunks)
    return error_set(error, ERROR_WORK, "out of memory");
  share_chunks(c, content);
  if (header.base > 0 && c->list[header.base].uses == 0)
    remove_contents(c, header.base);
  return 0;
}

static int load(struct contents *c, uint64_t number, uint64_t bytes, unsigned depth, struct error *error) {
  char *path = contents_path(c->folder, number);
  const int status =
      path ? load_file(c, number, path, bytes, depth, error) : error_set(error, ERROR_WORK, "out of memory");
  free(path);
  if (status) {
    free(c->list[number].file);
    free(c->list[number].chunk_uses);
    c->list[number].file = NULL;
    c->list[number].chunk_uses = NULL;
  }
  return status;
}

int contents_use(struct contents *c, uint64_t buffer, uint64_t number, uint64_t bytes, struct error *error) {
  struct error unreadable = ERROR_INIT;
  if (make_room(c, number, error))
    return -1;
  uint64_t *last = grow(c->last, &c->buffers, buffer, sizeof *last, error);
  if (!last)
    return -1;
  c->last = last;
  c->list[number].bytes = bytes;
  if (number > 0 && !c->list[number].chunks)
    load(c, number, bytes, 0, &unreadable);
  c->list[number].uses++;
  if (c->last[buffer] == number)
    return 0;
  contents_drop(c, c->last[buffer]);
  c->last[buffer] = number;
  c->list[number].uses++;
  return 0;
}

void contents_clear(struct contents *c) {
  for (size_t i = 0; i < c->count; i++) {
    free(c->list[i].chunks);
    free(c->list[i].file);
    free(c->list[i].chunk_uses);
  }
  free(c->list);
  free(c->last);
  free(c->released);
  *c = (struct contents){0};
}

/* Reading and comparing. */

int contents_check(const struct contents *c, uint64_t number, uint64_t bytes, struct error *error) {
  if (number < c->count && c->list[number].chunks && c->list[number].bytes == bytes)
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
  char *path = contents_path(c->folder, id / SLOTS);
  const int status =
      path ? content_file_read_bytes(path, offset_in_file(&c->list[id / SLOTS], id % SLOTS), bytes, out, error)
           : error_set(error, ERROR_WORK, "out of memory");
  free(path);
  return status;
}

int contents_fill(const struct contents *c, uint64_t number, uint64_t bytes, char *memory, uint64_t *held,
                  struct error *error) {
  if (contents_check(c, number, bytes, error))
    return -1;
  const uint64_t *chunks = c->list[number].chunks, size = content_chunk_bytes(bytes);
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
  const struct content *content = &c->list[number];
  const uint64_t size = content_chunk_bytes(content->bytes), count = content_chunk_count(content->bytes);
  bool equal = true;
  for (uint64_t i = 0; i < count; i++) {
    const uint64_t id = content->chunks[i];
    const struct content_digest wanted = c->list[id / SLOTS].file[id % SLOTS].digest;
    const struct content_digest found = content_digest(memory + i * size, content_chunk_size(content->bytes, i));
    held[i] = content_digests_equal(found, wanted) ? id : 0;
    equal &= held[i] != 0;
  }
  return equal;
}
