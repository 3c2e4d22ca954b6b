/* A whole trace in memory: the reader's tables, and all groups in large chunks. */
#include "trace/trace.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/array.h"
#include "trace/read/reader.h"

#define CHUNK_BYTES (4u << 20)

struct chunk {
  struct chunk *next;
  size_t used, size;
  _Alignas(16) unsigned char bytes[];
};

/* A loaded trace, which trace.memory points to. The reader owns header, code and tables. */
struct loaded {
  struct trace trace;
  struct trace_reader *reader;
  struct chunk *chunks;
  size_t bytes, limit, group_capacity;
};

/* Returns three quarters of this machine's memory, in bytes: a larger trace cannot be kept. */
static size_t memory_limit(void) {
  const long pages = sysconf(_SC_PHYS_PAGES), page = sysconf(_SC_PAGESIZE);
  return pages > 0 && page > 0 ? (size_t)pages / 4 * 3 * (size_t)page : SIZE_MAX;
}

static void *take(struct loaded *l, size_t bytes) {
  bytes = (bytes + 15) & ~(size_t)15;
  struct chunk *c = l->chunks;
  if (!c || c->size - c->used < bytes) {
    const size_t size = bytes > CHUNK_BYTES ? bytes : CHUNK_BYTES;
    if (size > l->limit - l->bytes || !(c = malloc(sizeof *c + size)))
      return NULL;
    *c = (struct chunk){.next = l->chunks, .size = size};
    l->chunks = c;
    l->bytes += size;
  }
  void *memory = c->bytes + c->used;
  c->used += bytes;
  return memory;
}

static bool room_for_group(struct loaded *l) {
  const size_t need = (size_t)l->trace.group_count + 1;
  return array_capacity(l->group_capacity, need) <= l->limit / sizeof(struct trace_group) &&
         array_room(&l->trace.groups, &l->group_capacity, need, sizeof *l->trace.groups);
}

static bool keep(struct loaded *l, const struct trace_group *group) {
  const size_t base_bytes = trace_reader_trace(l->reader)->shapes[group->shape]->stream_count * sizeof *group->base;
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
  return true;
}

static int load_groups(struct loaded *l, const char *path, struct error *error) {
  struct trace_group group;
  int result;
  trace_reader_keeps(l->reader);
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
  struct loaded *l = calloc(1, sizeof *l);
  if (!l)
    return error_set(error, ERROR_WORK, "out of memory for a trace");
  l->trace.memory = l;
  l->limit = memory_limit();
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
  *out = &l->trace;
  return 0;
}

void trace_destroy(struct trace *trace) {
  if (!trace)
    return;
  struct loaded *l = trace->memory;
  while (l->chunks) {
    struct chunk *next = l->chunks->next;
    free(l->chunks);
    l->chunks = next;
  }
  free(l->trace.groups);
  trace_reader_close(l->reader);
  free(l);
}
