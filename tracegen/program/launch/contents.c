#include "tracegen/program/launch/contents.h"

#include <errno.h>
#include <inttypes.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#include "tracegen/program/launch/launch.h"
#include "tracegen/program/launch/log.h"

#define WAIT_NS 1000000 /* between checks of how far the reader is */

/* Chunks of the buffer that differ from what was captured before. */
struct changes {
  struct content_digest *digests; /* of all chunks */
  struct content_chunk *list;
  uint64_t count, bytes;
};

static void clear(struct changes *c) {
  free(c->digests);
  free(c->list);
}

static bool find_changes(const struct memory_record *root, const char *bytes, struct changes *c) {
  const uint64_t size = content_chunk_bytes(root->bytes), count = content_chunk_count(root->bytes);
  *c = (struct changes){.digests = malloc(count * sizeof *c->digests), .list = malloc(count * sizeof *c->list)};
  if (!c->digests || !c->list)
    return false;
  for (uint64_t i = 0; i < count; i++) {
    const uint64_t length = content_chunk_size(root->bytes, i);
    c->digests[i] = content_digest(bytes + i * size, length);
    if (root->digests && content_digests_equal(root->digests[i], c->digests[i]))
      continue;
    c->list[c->count++] = (struct content_chunk){i, c->digests[i]};
    c->bytes += length;
  }
  return true;
}

/* Puts neighbouring chunks into one piece. Returns the number of pieces. */
static size_t add_pieces(const struct memory_record *root, const char *bytes, const struct changes *c,
                         struct log_piece *pieces) {
  const uint64_t size = content_chunk_bytes(root->bytes);
  size_t count = 0;
  for (uint64_t i = 0; i < c->count; i++) {
    const uint64_t index = c->list[i].index, length = content_chunk_size(root->bytes, index);
    if (i > 0 && c->list[i - 1].index + 1 == index)
      pieces[count - 1].length += length;
    else
      pieces[count++] = (struct log_piece){bytes + index * size, length};
  }
  return count;
}

/* Returns the store for `bytes` more: that in memory as long as it is small. */
static enum content_store choose_store(uint64_t bytes) {
  struct capture_control *control = log_control();
  const uint64_t freed = atomic_load(&control->memory_freed), written = atomic_load(&control->memory_written);
  return written - freed + bytes <= atomic_load(&control->memory_limit) ? STORE_IN_MEMORY : STORE_ON_DISK;
}

/* Returns the number of contents of `bytes`, which have the room to themselves. */
static uint64_t take_room(enum content_store store, uint64_t bytes) {
  const uint64_t units = (bytes + CONTENT_UNIT - 1) / CONTENT_UNIT;
  return content_number(store, atomic_fetch_add(&log_control()->units[store], units) + 1);
}

/* Returns the number of the contents; 0: they cannot be written. */
static uint64_t write_pieces(enum content_store store, uint64_t bytes, uint64_t data, const struct log_piece *pieces,
                             size_t count) {
  const uint64_t number = take_room(store, bytes);
  if (!log_store(store, content_start(number), pieces, count))
    return 0;
  atomic_fetch_add(&log_control()->written_bytes, data);
  if (store == STORE_IN_MEMORY)
    atomic_fetch_add(&log_control()->memory_written, data);
  return number;
}

static uint64_t write_changes(const struct memory_record *root, const char *bytes, const struct changes *c) {
  static const char zeros[CONTENT_ALIGNMENT];
  const struct content_header header = {CONTENT_MAGIC, root->bytes, content_chunk_bytes(root->bytes), root->content,
                                        c->count};
  const size_t list_bytes = c->count * sizeof *c->list, all = content_data_offset(c->count) + c->bytes;
  struct log_piece *pieces = malloc((3 + c->count) * sizeof *pieces);
  if (!pieces)
    return 0;
  pieces[0] = (struct log_piece){&header, sizeof header};
  pieces[1] = (struct log_piece){c->list, list_bytes};
  pieces[2] = (struct log_piece){zeros, content_data_offset(c->count) - sizeof header - list_bytes};
  const size_t count = 3 + add_pieces(root, bytes, c, pieces + 3);
  const enum content_store store = choose_store(c->bytes);
  uint64_t number = write_pieces(store, all, c->bytes, pieces, count);
  if (number == 0 && store == STORE_IN_MEMORY)
    number = write_pieces(STORE_ON_DISK, all, c->bytes, pieces, count);
  free(pieces);
  return number;
}

/* Writes what has changed, where something has. */
static bool save(struct memory_record *root, const char *bytes) {
  struct changes changes;
  bool saved = find_changes(root, bytes, &changes);
  if (saved && (changes.count > 0 || !root->digests)) {
    const uint64_t number = write_changes(root, bytes, &changes);
    saved = number > 0;
    if (saved) {
      free(root->digests);
      root->digests = changes.digests;
      root->content = number;
      changes.digests = NULL;
    }
  }
  clear(&changes);
  return saved;
}

/* The contents of a memory object: of a buffer a mapping, which OpenCL on processors makes without a copy;
 * else a copy. */
struct reading {
  void *mapped, *copy;
};

static cl_int copy_memory(const struct memory_record *root, cl_command_queue reader, void *bytes) {
  const size_t origin[3] = {0};
  if (root->region[0] > 0)
    return below->clEnqueueReadImage(reader, root->handle, CL_TRUE, origin, root->region, 0, 0, bytes, 0, NULL, NULL);
  return below->clEnqueueReadBuffer(reader, root->handle, CL_TRUE, 0, root->bytes, bytes, 0, NULL, NULL);
}

static enum content_error begin_reading(const struct memory_record *root, cl_command_queue reader, struct reading *out,
                                        cl_int *status) {
  *out = (struct reading){0};
  if (root->region[0] == 0)
    out->mapped =
        below->clEnqueueMapBuffer(reader, root->handle, CL_TRUE, CL_MAP_READ, 0, root->bytes, 0, NULL, NULL, status);
  if (out->mapped)
    return CONTENT_SAVED;
  if (!(out->copy = malloc(root->bytes ? root->bytes : 1)))
    return CONTENT_NO_MEMORY;
  *status = copy_memory(root, reader, out->copy);
  return *status == CL_SUCCESS ? CONTENT_SAVED : CONTENT_NOT_READ;
}

static void end_reading(const struct memory_record *root, cl_command_queue reader, struct reading *r) {
  if (r->mapped) {
    below->clEnqueueUnmapMemObject(reader, root->handle, r->mapped, 0, NULL, NULL);
    below->clFinish(reader);
  }
  free(r->copy);
}

bool content_is_known(const struct memory_record *root) {
  return root->digests && !root->is_shared && root->mappings == 0 && root->writes == root->writes_seen;
}

enum content_error content_save(struct memory_record *root, cl_command_queue reader, cl_int *status) {
  struct reading reading;
  enum content_error result = begin_reading(root, reader, &reading, status);
  if (result == CONTENT_SAVED && !save(root, reading.mapped ? reading.mapped : reading.copy))
    result = CONTENT_NOT_WRITTEN;
  end_reading(root, reader, &reading);
  return result;
}

static uint64_t room_left(uint64_t limit) {
  struct capture_control *control = log_control();
  const uint64_t freed = atomic_load(&control->freed_bytes), written = atomic_load(&control->written_bytes);
  return written - freed < limit ? limit - (written - freed) : 0;
}

bool reader_is_there(void) {
  const pid_t reader = (pid_t)atomic_load(&log_control()->reader);
  return reader && (kill(reader, 0) == 0 || errno == EPERM);
}

/* Returns whether the reader may still free something: it has not done with all launches. */
static bool more_will_be_freed(void) {
  const struct capture_control *control = log_control();
  return reader_is_there() && atomic_load(&control->consumed) < atomic_load(&control->ended);
}

bool room_wait(uint64_t bytes, uint64_t limit, uint64_t *left) {
  static const struct timespec pause = {.tv_nsec = WAIT_NS};
  struct capture_control *control = log_control();
  *left = room_left(limit);
  if (*left >= bytes)
    return true;
  atomic_fetch_add(&control->waiting, 1);
  for (bool more = true; more && *left < bytes; *left = room_left(limit)) {
    more = more_will_be_freed(); /* before the room is read, so that what is freed meanwhile counts */
    nanosleep(&pause, NULL);
  }
  atomic_fetch_sub(&control->waiting, 1);
  return *left >= bytes;
}
