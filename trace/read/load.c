/* Loads a whole trace: the reader's tables, and all groups in large chunks. The first chunks are plain memory; the
 * others lie in a file (spill_file.h), so that a process that reads a large trace stays small. Large tables lie in a
 * file as well. */
#include "trace/trace.h"

#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/array.h"
#include "base/spill_file.h"
#include "trace/path/path.h"
#include "trace/read/decode.h"
#include "trace/read/reader.h"

#define CHUNK_BYTES  (4u << 20)
#define MEMORY_BYTES (32u << 20) /* bytes of chunks in plain memory; tables, and the list of groups, may have as much */
#define READ_BYTES   (32u << 20) /* bytes of groups and tables that are read before pages are released */

struct chunk {
  struct chunk *next;
  size_t used, size;
  bool in_file;
  _Alignas(16) unsigned char bytes[];
};

/* A loaded trace; trace.memory points to it. The reader owns header, code and tables. */
struct loaded {
  struct trace trace;
  struct trace_reader *reader;
  struct chunk *chunks;
  size_t bytes, limit, group_capacity; /* bytes and limit of plain memory */
  size_t memory_bytes;                 /* when `bytes` exceeds it, further chunks lie in the file */
  struct spill_file spill;
  struct spill_file group_file; /* of the list of groups, its only block; no bytes: the list is plain memory */
  bool tables_in_files;
  atomic_uint_fast64_t read; /* bytes of groups and tables read since pages were last released */
};

/* Returns three quarters of this machine's memory in bytes, which a trace may not exceed. */
static size_t memory_limit(void) {
  const long pages = sysconf(_SC_PHYS_PAGES), page = sysconf(_SC_PAGESIZE);
  return pages > 0 && page > 0 ? (size_t)pages / 4 * 3 * (size_t)page : SIZE_MAX;
}

static size_t mapped_bytes(const struct chunk *c) {
  return sizeof *c + c->size;
}

/* Returns a chunk of `bytes` in the file, or NULL where none can be made. The pages of the chunk before it are
 * released. */
static struct chunk *chunk_in_file(struct loaded *l, size_t bytes) {
  const size_t page = (size_t)sysconf(_SC_PAGESIZE), all = (sizeof(struct chunk) + bytes + page - 1) / page * page;
  if (l->chunks && l->chunks->in_file)
    spill_file_let_go(l->chunks, mapped_bytes(l->chunks));
  struct chunk *c = spill_file_map(&l->spill, all);
  if (c)
    *c = (struct chunk){.size = all - sizeof *c, .in_file = true};
  return c;
}

static struct chunk *chunk_in_memory(struct loaded *l, size_t bytes) {
  struct chunk *c = bytes <= l->limit - l->bytes ? malloc(sizeof *c + bytes) : NULL;
  if (c) {
    *c = (struct chunk){.size = bytes};
    l->bytes += bytes;
  }
  return c;
}

static bool add_chunk(struct loaded *l, size_t bytes) {
  struct chunk *c = l->bytes >= l->memory_bytes ? chunk_in_file(l, bytes) : NULL;
  if (!c && !(c = chunk_in_memory(l, bytes)))
    return false;
  c->next = l->chunks;
  l->chunks = c;
  return true;
}

static void *take(struct loaded *l, size_t bytes) {
  bytes = (bytes + 15) & ~(size_t)15;
  struct chunk *c = l->chunks;
  if (!c || c->size - c->used < bytes) {
    if (!add_chunk(l, bytes > CHUNK_BYTES ? bytes : CHUNK_BYTES))
      return NULL;
    c = l->chunks;
  }
  void *memory = c->bytes + c->used;
  c->used += bytes;
  return memory;
}

/* Adds to the bytes that were read, and releases pages after each READ_BYTES. */
static void count_read(struct loaded *l, uint64_t bytes) {
  if (atomic_fetch_add(&l->read, bytes) + bytes < READ_BYTES)
    return;
  atomic_store(&l->read, 0);
  trace_reader_let_go(l->reader);
  if (l->group_file.bytes > 0)
    spill_file_let_go(l->trace.groups, l->group_file.bytes);
  for (struct chunk *c = l->chunks; c; c = c->next)
    if (c->in_file)
      spill_file_let_go(c, mapped_bytes(c));
}

/* Returns the bytes of a shape, of its paths and, approximately, of its streams. */
static uint64_t table_bytes(const struct trace *trace, uint32_t shape) {
  const struct trace_shape *s = trace->shapes[shape];
  uint64_t bytes = shape_memory(s->cohort_count, trace_local_size(&trace->header));
  for (uint32_t i = 0; i < s->cohort_count; i++) {
    const struct trace_path *path = trace->paths[s->cohorts[i].path];
    bytes += path_memory(path) + path->site_count * TRACE_STREAM_WORDS * sizeof *trace->streams;
  }
  return bytes;
}

/* Moves the list of groups to a file, or makes the file larger. Returns whether there is room for `capacity` groups. */
static bool groups_in_file(struct loaded *l, size_t capacity) {
  const size_t bytes = capacity * sizeof *l->trace.groups;
  const bool was_in_file = l->group_file.bytes > 0;
  struct trace_group *groups =
      was_in_file ? spill_file_grow(&l->group_file, l->trace.groups, bytes) : spill_file_map(&l->group_file, bytes);
  if (!groups)
    return false;
  if (!was_in_file && l->trace.groups) {
    memcpy(groups, l->trace.groups, l->trace.group_count * sizeof *groups);
    free(l->trace.groups);
  }
  l->trace.groups = groups;
  l->group_capacity = capacity;
  return true;
}

/* Puts the list of groups back into plain memory, where the file cannot grow. */
static bool groups_in_memory(struct loaded *l) {
  struct trace_group *groups = malloc(l->group_capacity * sizeof *groups);
  if (!groups)
    return false;
  memcpy(groups, l->trace.groups, l->trace.group_count * sizeof *groups);
  spill_file_unmap(l->trace.groups, l->group_file.bytes);
  spill_file_clear(&l->group_file);
  l->trace.groups = groups;
  return true;
}

static bool room_for_group(struct loaded *l) {
  const size_t need = (size_t)l->trace.group_count + 1;
  if (need <= l->group_capacity)
    return true;
  if (need * sizeof *l->trace.groups > l->memory_bytes && groups_in_file(l, 2 * need))
    return true;
  if (l->group_file.bytes > 0 && !groups_in_memory(l))
    return false;
  return array_capacity(l->group_capacity, need) <= l->limit / sizeof(struct trace_group) &&
         array_room(&l->trace.groups, &l->group_capacity, need, sizeof *l->trace.groups);
}

static bool keep(struct loaded *l, const struct trace_group *group) {
  const struct trace *read = trace_reader_trace(l->reader);
  const size_t base_bytes = read->shapes[group->shape]->stream_count * sizeof *group->base;
  const size_t value_bytes = (size_t)group->value_count * sizeof *group->values;
  uint32_t *base = take(l, base_bytes);
  uint32_t *values = base ? take(l, value_bytes) : NULL;
  if (!values || !room_for_group(l))
    return false;
  memcpy(base, group->base, base_bytes);
  memcpy(values, group->values, value_bytes);
  struct trace_group *kept = &l->trace.groups[l->trace.group_count++];
  *kept = *group;
  kept->base = base;
  kept->values = values;
  trace_reader_kept(l->reader, kept);
  if (trace_reader_is_in_files(l->reader))
    count_read(l, table_bytes(read, group->shape));
  return true;
}

static int load_groups(struct loaded *l, const char *path, struct error *error) {
  struct trace_group group;
  int result;
  trace_reader_keeps(l->reader);
  trace_reader_spills(l->reader, l->memory_bytes);
  while ((result = trace_reader_next(l->reader, &group, error)) == 1)
    if (!keep(l, &group))
      return error_at(error, ERROR_WORK, path, 0, 0, "",
                      "out of memory for the trace after work-group %u (%zu MiB taken, at most %zu MiB): trace a "
                      "smaller launch",
                      group.id, l->bytes >> 20, l->limit >> 20);
  if (result == 0)
    trace_reader_release(l->reader);
  return result;
}

int trace_load(const char *path, struct trace **out, struct error *error) {
  return trace_load_spilling(path, MEMORY_BYTES, out, error);
}

int trace_load_spilling(const char *path, size_t memory_bytes, struct trace **out, struct error *error) {
  struct loaded *l = calloc(1, sizeof *l);
  if (!l)
    return error_set(error, ERROR_WORK, "out of memory for a trace");
  l->trace.memory = l;
  l->limit = memory_limit();
  l->memory_bytes = memory_bytes;
  if (trace_reader_open(path, &l->reader, error) != 0 || load_groups(l, path, error) != 0) {
    trace_destroy(&l->trace);
    return -1;
  }
  struct trace_group *groups = l->trace.groups;
  const uint32_t group_count = l->trace.group_count;
  l->trace = *trace_reader_trace(l->reader);
  l->trace.groups = groups;
  l->trace.group_count = group_count;
  l->trace.memory = l;
  l->tables_in_files = trace_reader_is_in_files(l->reader);
  *out = &l->trace;
  return 0;
}

void trace_path_read(const struct trace *trace, uint32_t path) {
  struct loaded *l = trace->memory;
  if (l && l->tables_in_files)
    count_read(l, path_memory(trace->paths[path]));
}

void trace_shape_read(const struct trace *trace, uint32_t shape) {
  struct loaded *l = trace->memory;
  if (l && l->tables_in_files)
    count_read(l, table_bytes(trace, shape));
}

void trace_group_read(const struct trace *trace, const struct trace_group *group) {
  struct loaded *l = trace->memory;
  trace_shape_read(trace, group->shape);
  if (l && l->spill.bytes > 0)
    count_read(l, (trace->shapes[group->shape]->stream_count + group->value_count) * sizeof *group->values);
}

void trace_destroy(struct trace *trace) {
  if (!trace)
    return;
  struct loaded *l = trace->memory;
  while (l->chunks) {
    struct chunk *c = l->chunks;
    l->chunks = c->next;
    if (c->in_file)
      spill_file_unmap(c, mapped_bytes(c));
    else
      free(c);
  }
  spill_file_clear(&l->spill);
  if (l->group_file.bytes > 0)
    spill_file_unmap(l->trace.groups, l->group_file.bytes);
  else
    free(l->trace.groups);
  spill_file_clear(&l->group_file);
  free(l->trace.homes);
  free(l->trace.fragments);
  trace_reader_close(l->reader);
  free(l);
}
