#include "trace/write/writer.h"

#include <errno.h>
#include <inttypes.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "base/file.h"
#include "base/spill.h"
#include "trace/format/code_codec.h"
#include "trace/write/cohort.h"
#include "trace/format/frame.h"
#include "trace/write/group.h"
#include "trace/format/header.h"
#include "trace/format/limits.h"
#include "trace/path/path.h"
#include "trace/write/record.h"
#include "trace/write/work_limit.h"

struct trace_writer {
  struct trace_header header;
  struct trace_code code;
  struct file_replace file;
  bool to_stdout, file_open;
  struct frame_writer frames;
  struct path_table paths; /* of work-items that are recorded without an encoder */
  struct path_names names;
  struct shape_table shapes;
  struct group group;
  bool in_group;
  uint32_t group_id, group_total, groups_done;
  uint32_t *sampled; /* ids of the work-groups of a sampled launch; NULL: ids count from 0 */
  struct group_before before;
  struct path_source *sources; /* by encoder */
  size_t source_capacity;
  const struct path_name **group_paths; /* of the present group */
  size_t group_path_capacity;
  struct bytes numbers, scratch;                   /* of a group recorded without an encoder; of one of its paths */
  uint64_t items, instructions, most_instructions; /* the last is a limit; 0: unlimited */
  struct bytes records;                            /* group records that no frame holds yet */
  uint32_t record_count;
  uint64_t outside_loads;
  uint64_t *bytes_to;   /* where close writes the length of the trace, or NULL */
  struct error failure; /* the first error, which every later call returns again */
};

static int fail(struct trace_writer *w, struct error *error) {
  if (w->failure.kind == ERROR_NONE)
    error_set(&w->failure, ERROR_WORK, "trace writer: unknown failure");
  if (error && error->kind == ERROR_NONE)
    *error = w->failure;
  return -1;
}

static void writer_free(struct trace_writer *w) {
  if (w->file_open)
    file_replace_abort(&w->file);
  frame_writer_clear(&w->frames);
  path_table_clear(&w->paths);
  path_names_clear(&w->names);
  shape_table_clear(&w->shapes);
  group_clear(&w->group);
  for (size_t i = 0; i < w->source_capacity; i++)
    path_source_clear(&w->sources[i]);
  free(w->sources);
  free(w->group_paths);
  free(w->sampled);
  bytes_clear(&w->numbers);
  bytes_clear(&w->scratch);
  free(w->before.last);
  bytes_clear(&w->before.record);
  bytes_clear(&w->records);
  trace_header_clear(&w->header);
  trace_code_clear(&w->code);
  free(w);
}

static int write_header(struct trace_writer *w, const struct trace_header *header, struct error *error) {
  char *text = NULL;
  if (header_to_json(header, &text, error) != 0)
    return -1;
  const int result = frame_write(&w->frames, FRAME_HEADER, text, strlen(text), error);
  free(text);
  return result;
}

/* Keeps a copy of the code table, which is what a reader gets of it, and writes it. */
static int write_code(struct trace_writer *w, const struct trace_code *code, struct error *error) {
  struct bytes b = {0};
  int result = code_copy(&w->code, code, &b, error);
  if (result == 0 && b.length > LIMIT_CODE_BYTES)
    result = error_set(error, ERROR_WORK, "the kernel's code table is too large for a trace");
  if (result == 0)
    result = frame_write(&w->frames, FRAME_CODE, b.data, b.length, error);
  bytes_clear(&b);
  return result;
}

/* Chooses the folder for arrays that are too large for memory: the folder of the trace. */
static void spill_beside(const char *path) {
  char folder[PATH_MAX] = ".";
  const char *slash = strrchr(path, '/'), *temporary = getenv("TMPDIR");
  if (strcmp(path, "-") == 0)
    snprintf(folder, sizeof folder, "%s", temporary ? temporary : "/tmp");
  else if (slash)
    snprintf(folder, sizeof folder, "%.*s", slash > path ? (int)(slash - path) : 1, path);
  spill_into(folder);
}

static int writer_start(struct trace_writer *w, const char *path, const struct trace_header *header,
                        const struct trace_code *code, bool small, struct error *error) {
  struct trace_header without_listing = *header; /* which is long, and nobody asks the writer for */
  without_listing.ir = NULL;
  without_listing.ir_count = 0;
  if (header_copy(&w->header, &without_listing, error) != 0 || header_check(&w->header, error) != 0 ||
      trace_code_check(code, error) != 0 || group_init(&w->group, &w->header, error) != 0)
    return -1;
  w->before.last = calloc((size_t)code->op_count + 1, sizeof *w->before.last);
  if (!w->before.last)
    return error_set(error, ERROR_WORK, "out of memory for a trace writer");
  w->group_total = header_groups(&w->header);
  if (trace_is_sampled(&w->header) && !(w->sampled = index_ranges_expand(&w->header.sample)))
    return error_set(error, ERROR_WORK, "out of memory for a trace writer");
  w->to_stdout = strcmp(path, "-") == 0;
  if (!w->to_stdout && file_replace_begin(&w->file, path, error) != 0)
    return -1;
  w->file_open = !w->to_stdout;
  spill_beside(path);
  if (frame_writer_begin(&w->frames, w->to_stdout ? stdout : w->file.stream, error) != 0)
    return -1;
  if (small)
    frame_writer_pack_small(&w->frames);
  return write_header(w, header, error) != 0 ? -1 : write_code(w, code, error);
}

int trace_writer_open_packed(const char *path, const struct trace_header *header, const struct trace_code *code,
                             bool small, struct trace_writer **out, struct error *error) {
  struct trace_writer *w = calloc(1, sizeof *w);
  if (!w)
    return error_set(error, ERROR_WORK, "out of memory for a trace writer");
  if (writer_start(w, path, header, code, small, error) != 0) {
    writer_free(w);
    return -1;
  }
  *out = w;
  return 0;
}

/* Returns the id of the next work-group, or UINT32_MAX if there is none. */
static uint32_t next_id(const struct trace_writer *w) {
  if (w->groups_done >= w->group_total)
    return UINT32_MAX;
  return w->sampled ? w->sampled[w->groups_done] : w->groups_done;
}

int trace_writer_group_begin(struct trace_writer *w, uint32_t group_id) {
  if (w->failure.kind != ERROR_NONE)
    return -1;
  if (w->in_group || group_id != next_id(w))
    return error_set(&w->failure, ERROR_WORK, "trace writer: found work-group %u, expected %s%u of %u", group_id,
                     w->in_group ? "the end of " : "", next_id(w), w->group_total);
  path_table_trim(&w->paths);
  path_names_trim(&w->names);
  shape_table_trim(&w->shapes);
  group_reset(&w->group);
  w->group_id = group_id;
  w->in_group = true;
  return 0;
}

static int add_items(struct trace_writer *w, const struct trace_items *items) {
  if (!w->in_group)
    return error_set(&w->failure, ERROR_WORK, "trace writer: a work-item outside a work-group");
  return record_items(&w->group, &w->paths, &w->code, w->group_id, items, &w->failure);
}

int trace_writer_items(struct trace_writer *w, const struct trace_items *items, struct error *error) {
  return w->failure.kind == ERROR_NONE && add_items(w, items) == 0 ? 0 : fail(w, error);
}

int trace_writer_item(struct trace_writer *w, uint32_t local_id, const uint16_t *blocks, size_t block_count,
                      const uint32_t *addresses, size_t address_count, struct error *error) {
  const struct trace_item_end end = {blocks + block_count, addresses + address_count};
  return trace_writer_items(w, &(struct trace_items){local_id, 1, blocks, addresses, &end}, error);
}

static int add_affine(struct trace_writer *w, const struct trace_affine_items *items) {
  if (!w->in_group)
    return error_set(&w->failure, ERROR_WORK, "trace writer: affine work-items outside a work-group");
  return record_affine(&w->group, &w->paths, &w->code, w->group_id, items, &w->failure);
}

int trace_writer_affine(struct trace_writer *w, const struct trace_affine_items *items, struct error *error) {
  return w->failure.kind == ERROR_NONE && add_affine(w, items) == 0 ? 0 : fail(w, error);
}

/* Writes a frame with the records, if there are any, and the id of the first one. */
static int write_table(struct trace_writer *w, enum frame_kind kind, uint32_t first, uint32_t *count,
                       struct bytes *records) {
  if (*count == 0)
    return 0;
  struct bytes payload = {0};
  bytes_varint(&payload, first);
  bytes_varint(&payload, *count);
  bytes_append(&payload, records->data, records->length);
  int result;
  if (payload.failed || records->failed)
    result = error_set(&w->failure, ERROR_WORK, "out of memory for a frame");
  else
    result = frame_write(&w->frames, kind, payload.data, payload.length, &w->failure);
  bytes_clear(&payload);
  *count = 0;
  if (records->capacity > 16 * FRAME_TARGET_BYTES)
    bytes_clear(records);
  records->length = 0;
  return result;
}

static int flush(struct trace_writer *w) {
  struct path_names *p = &w->names;
  struct shape_table *s = &w->shapes;
  if (write_table(w, FRAME_PATHS, p->next_id - p->fresh_count, &p->fresh_count, &p->fresh) != 0 ||
      write_table(w, FRAME_SHAPES, s->next_id - s->fresh_count, &s->fresh_count, &s->fresh) != 0)
    return -1;
  return write_table(w, FRAME_GROUPS, w->groups_done - w->record_count, &w->record_count, &w->records);
}

static int put_group(struct trace_writer *w, const struct group_description *d) {
  if (__builtin_add_overflow(w->instructions, d->instructions, &w->instructions))
    return error_set(&w->failure, ERROR_WORK, "trace writer: more than 2^64 instructions");
  if (work_limit_check(w->instructions, w->most_instructions, &w->failure))
    return -1;
  if (group_write(d, w->group_paths, &w->shapes, &w->before, &w->records, &w->failure) != 0)
    return -1;
  w->in_group = false;
  w->items += w->group.local_size;
  w->groups_done++;
  w->record_count++;
  const bool full = w->records.length >= FRAME_TARGET_BYTES || w->names.fresh.length >= FRAME_TARGET_BYTES ||
                    w->shapes.fresh.length >= FRAME_TARGET_BYTES;
  return full ? flush(w) : 0;
}

static int no_memory(struct trace_writer *w) {
  return error_set(&w->failure, ERROR_WORK, "out of memory for a trace writer");
}

/* Makes room for the names of a group's paths. */
static bool room_for_names(struct trace_writer *w, uint32_t count) {
  return array_room(&w->group_paths, &w->group_path_capacity, count, sizeof *w->group_paths);
}

/* Names a path that was recorded without an encoder. */
static int name_own(struct trace_writer *w, struct plan *plan) {
  if (plan->named && plan->emptied == w->names.emptied)
    return 0;
  w->scratch.length = 0;
  path_encode(plan->path, &w->scratch);
  const struct path_record record = {plan->hash, w->scratch.length, w->scratch.data};
  plan->name = (struct path_name){.site_count = plan->site_count, .site_op = plan->site_op};
  plan->emptied = w->names.emptied;
  plan->named = true;
  return w->scratch.failed ? no_memory(w) : path_names_id(&w->names, &record, &plan->name.id, &w->failure);
}

static int put_own(struct trace_writer *w, const struct group_description *d) {
  if (!room_for_names(w, d->cohort_count))
    return no_memory(w);
  for (uint32_t i = 0; i < d->cohort_count; i++) {
    if (name_own(w, w->group.plans[i]) != 0)
      return -1;
    w->group_paths[i] = &w->group.plans[i]->name;
  }
  return put_group(w, d);
}

static int end_group(struct trace_writer *w) {
  struct group *g = &w->group;
  struct group_description description;
  if (!w->in_group || g->item_count != g->local_size)
    return error_set(&w->failure, ERROR_WORK, "trace writer: end of work-group %u: found %u work-items, expected %u",
                     w->groups_done, w->in_group ? g->item_count : 0, g->local_size);
  w->numbers.length = 0;
  return group_describe(g, w->group_id, &w->numbers, &description, &w->failure) != 0 ? -1 : put_own(w, &description);
}

int trace_writer_group_end(struct trace_writer *w, struct error *error) {
  return w->failure.kind == ERROR_NONE && end_group(w) == 0 ? 0 : fail(w, error);
}

static struct path_source *source_of(struct trace_writer *w, unsigned encoder) {
  const size_t before = w->source_capacity;
  if (!array_room(&w->sources, &w->source_capacity, (size_t)encoder + 1, sizeof *w->sources))
    return NULL;
  if (w->source_capacity > before)
    memset(w->sources + before, 0, (w->source_capacity - before) * sizeof *w->sources);
  return &w->sources[encoder];
}

static int put_recorded(struct trace_writer *w, unsigned encoder, uint32_t group_id, const void *data) {
  struct group_description description;
  const uint32_t *numbers;
  struct path_source *source = source_of(w, encoder);
  if (trace_writer_group_begin(w, group_id) != 0)
    return -1;
  if (!source)
    return no_memory(w);
  if (record_unpack(data, source, &description, &numbers, &w->failure) != 0)
    return -1;
  if (!room_for_names(w, description.cohort_count))
    return no_memory(w);
  for (uint32_t i = 0; i < description.cohort_count; i++)
    if (!(w->group_paths[i] = path_source_name(source, numbers[i], &w->names, &w->failure)))
      return -1;
  return put_group(w, &description);
}

int trace_writer_group(struct trace_writer *w, unsigned encoder, uint32_t group_id, const void *data,
                       struct error *error) {
  return w->failure.kind == ERROR_NONE && put_recorded(w, encoder, group_id, data) == 0 ? 0 : fail(w, error);
}

static int finish(struct trace_writer *w) {
  if (w->in_group || w->groups_done != w->group_total)
    return error_set(&w->failure, ERROR_WORK, "trace writer: closed after %u of %u work-groups", w->groups_done,
                     w->group_total);
  if (flush(w) != 0)
    return -1;
  struct bytes end = {0};
  const uint64_t totals[] = {w->groups_done,   w->items,          w->instructions,
                             w->names.next_id, w->shapes.next_id, w->outside_loads};
  for (size_t i = 0; i < sizeof totals / sizeof totals[0] - !w->header.reads_zero; i++)
    bytes_varint(&end, totals[i]);
  int result = end.failed ? error_set(&w->failure, ERROR_WORK, "out of memory for the last frame")
                          : frame_write(&w->frames, FRAME_END, end.data, end.length, &w->failure);
  bytes_clear(&end);
  if (result == 0 && w->to_stdout && fflush(stdout) != 0)
    result = error_set(&w->failure, ERROR_WORK, "cannot write the trace to standard output: %s", strerror(errno));
  if (result == 0 && w->file_open) {
    w->file_open = false; /* the file was committed or, on failure, aborted */
    result = file_replace_commit(&w->file, &w->failure);
  }
  return result;
}

void trace_writer_limit_instructions(struct trace_writer *w, uint64_t most) {
  w->most_instructions = most;
}

uint64_t trace_writer_instructions(const struct trace_writer *w) {
  return w->instructions;
}

const struct trace_header *trace_writer_header(const struct trace_writer *w) {
  return &w->header;
}

void trace_writer_outside_loads(struct trace_writer *w, uint64_t count) {
  w->outside_loads = count;
}

void trace_writer_count_bytes(struct trace_writer *w, uint64_t *bytes) {
  w->bytes_to = bytes;
}

int trace_writer_close(struct trace_writer *w, struct error *error) {
  const int result = w->failure.kind != ERROR_NONE || finish(w) != 0 ? fail(w, error) : 0;
  if (w->bytes_to)
    *w->bytes_to = w->frames.bytes;
  writer_free(w);
  return result;
}

void trace_writer_abort(struct trace_writer *w) {
  if (w)
    writer_free(w);
}
