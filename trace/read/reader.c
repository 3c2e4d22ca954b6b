#include "trace/read/reader.h"

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "trace/format/code_codec.h"
#include "trace/read/decode.h"
#include "trace/format/frame.h"
#include "trace/format/header.h"
#include "trace/format/shared_code.h"

struct trace_reader {
  struct trace trace;
  char *name;
  FILE *stream;
  struct frame_reader frames;
  struct frame frame; /* the groups frame being read */
  struct byte_reader records;
  uint32_t records_left;
  struct tables tables;
  struct numbers numbers;
  uint32_t next_group, group_total, previous_shape;
  uint32_t *sampled; /* ids of the work-groups of a sampled launch; NULL: ids count from 0 */
  uint64_t items;
  bool ended;
  struct error failure; /* the first error, which later calls return again */
};

static int cut_off(struct trace_reader *r) {
  const uint64_t place = r->frames.offset;
  if (r->group_total == 0)
    return error_at(&r->failure, ERROR_INPUT, r->name, 0, 0, "",
                    "trace cut off at byte %" PRIu64 ", before the first work-group: write it again", place);
  if (r->next_group == 0)
    return error_at(&r->failure, ERROR_INPUT, r->name, 0, 0, "",
                    "trace cut off at byte %" PRIu64 ", before the first whole work-group of %" PRIu32
                    ": write it again",
                    place, r->group_total);
  return error_at(&r->failure, ERROR_INPUT, r->name, 0, 0, "",
                  "trace cut off at byte %" PRIu64 ", after work-group %" PRIu32 " (the last whole one of %" PRIu32
                  "): write it again",
                  place, r->next_group - 1, r->group_total);
}

/* Adds file, frame and offset to an error without a place. */
static int damaged(struct trace_reader *r, const struct frame *f, const struct error *inner) {
  return error_at(&r->failure, inner->kind, r->name, 0, 0, "", "%sframe %" PRIu32 " at byte %" PRIu64 ": %.3000s",
                  inner->kind == ERROR_INPUT ? "damaged trace: " : "", f->sequence, f->offset, inner->text);
}

static int damage(struct trace_reader *r, const struct frame *f, const char *what) {
  struct error inner = ERROR_INIT;
  error_set(&inner, ERROR_INPUT, "%s", what);
  return damaged(r, f, &inner);
}

static int next_frame(struct trace_reader *r, struct frame *f) {
  const int result = frame_read(&r->frames, f, &r->failure);
  return result == 0 ? cut_off(r) : result;
}

static int read_header(struct trace_reader *r) {
  struct frame f;
  struct error inner = ERROR_INIT;
  if (next_frame(r, &f) < 0)
    return -1;
  if (f.kind != FRAME_HEADER)
    return damage(r, &f, "expected the header");
  if (header_from_json((const char *)f.raw, f.length, &r->trace.header, &inner) != 0)
    return damaged(r, &f, &inner);
  r->group_total = header_groups(&r->trace.header);
  if (trace_is_sampled(&r->trace.header) && !(r->sampled = index_ranges_expand(&r->trace.header.sample)))
    return error_set(&r->failure, ERROR_WORK, "out of memory for a trace");
  return 0;
}

/* Reads the code table of the trace that the header names. Its listing is counted there. */
static int read_shared_code(struct trace_reader *r, const struct frame *f) {
  if (r->stream == stdin)
    return damage(r, f, "its code table is in another trace beside it, which standard input does not have");
  if (f->length != SHARED_CODE_BYTES)
    return damage(r, f, "expected the digest of another trace's code table");
  return shared_code_read(r->name, f->raw, &r->trace.header, &r->trace.code, &r->failure);
}

static int read_code(struct trace_reader *r) {
  struct frame f;
  struct error inner = ERROR_INIT;
  if (next_frame(r, &f) < 0)
    return -1;
  if (f.kind != FRAME_CODE)
    return damage(r, &f, "expected the code table");
  if (r->trace.header.code_of)
    return read_shared_code(r, &f);
  if (code_decode(f.raw, f.length, &r->trace.code, &inner) != 0)
    return damaged(r, &f, &inner);
  if (r->trace.header.ir_count > 0 && r->trace.header.ir_count != r->trace.code.op_count)
    return damage(r, &f, "the header's list \"ir\" has not one text for each operation");
  return 0;
}

static int start(struct trace_reader *r, const char *path) {
  const bool from_stdin = strcmp(path, "-") == 0;
  r->tables.trace = &r->trace;
  r->name = strdup(from_stdin ? "standard input" : path);
  if (!r->name)
    return error_set(&r->failure, ERROR_WORK, "out of memory for a trace");
  r->stream = from_stdin ? stdin : fopen(path, "rb");
  if (!r->stream)
    return error_at(&r->failure, error_kind_of(errno), path, 0, 0, "", "cannot open the trace: %s", strerror(errno));
  if (frame_reader_begin(&r->frames, r->stream, r->name, &r->failure) != 0 || read_header(r) != 0)
    return -1;
  r->tables.version = r->frames.version;
  return read_code(r);
}

static int give_failure(const struct trace_reader *r, struct error *error) {
  if (error && error->kind == ERROR_NONE)
    *error = r->failure;
  return -1;
}

int trace_reader_open(const char *path, struct trace_reader **out, struct error *error) {
  struct trace_reader *r = calloc(1, sizeof *r);
  if (!r)
    return error_set(error, ERROR_WORK, "out of memory for a trace reader");
  if (start(r, path) != 0) {
    give_failure(r, error);
    trace_reader_close(r);
    return -1;
  }
  *out = r;
  return 0;
}

const struct trace *trace_reader_trace(const struct trace_reader *reader) {
  return &reader->trace;
}

/* Reads a frame of paths or shapes, whose records have ids from `defined` on. */
static int read_definitions(struct trace_reader *r, const struct frame *f, uint32_t defined,
                            int (*decode)(struct tables *, struct byte_reader *, struct error *)) {
  struct byte_reader records = {.at = f->raw, .end = f->raw + f->length};
  struct error inner = ERROR_INIT;
  const uint64_t first = take_varint(&records), count = take_varint(&records);
  if (records.bad || first != defined || count > reader_left(&records))
    return damage(r, f, "definitions do not go on where the last ones ended");
  for (uint64_t i = 0; i < count; i++)
    if (decode(&r->tables, &records, &inner) != 0)
      return damaged(r, f, &inner);
  return reader_left(&records) == 0 ? 0 : damage(r, f, "bytes behind the last definition");
}

static int begin_groups(struct trace_reader *r, const struct frame *f) {
  r->frame = *f;
  r->records = (struct byte_reader){.at = f->raw, .end = f->raw + f->length};
  const uint64_t first = take_varint(&r->records), count = take_varint(&r->records);
  if (r->records.bad || first != r->next_group)
    return damage(r, f, "work-groups do not go on where the last ones ended");
  if (count == 0 || count > r->group_total - r->next_group)
    return damage(r, f, "more work-groups than the launch has, or none");
  r->records_left = (uint32_t)count;
  return 0;
}

static int read_end(struct trace_reader *r, const struct frame *f) {
  struct byte_reader records = {.at = f->raw, .end = f->raw + f->length};
  const struct trace *t = &r->trace;
  const uint64_t expected[] = {r->next_group, r->items, t->work_item_instructions, t->path_count, t->shape_count};
  static const char *const what[] = {"work-groups", "work-items", "work-item instructions", "paths", "shapes"};
  if (r->next_group != r->group_total)
    return damage(r, f, "the trace ends before its last work-group");
  for (size_t i = 0; i < sizeof expected / sizeof expected[0]; i++)
    if (take_varint(&records) != expected[i] || records.bad) {
      struct error inner = ERROR_INIT;
      error_set(&inner, ERROR_INPUT, "the total of %s does not fit the %" PRIu64 " that were read", what[i],
                expected[i]);
      return damaged(r, f, &inner);
    }
  if (t->header.reads_zero)
    r->trace.outside_loads = take_varint(&records);
  if (records.bad || reader_left(&records) != 0)
    return damage(r, f, records.bad ? "no number of loads that gave zeros" : "bytes behind the totals");
  const int at_end = frame_reader_at_end(&r->frames, &r->failure);
  if (at_end == 0)
    return damage(r, f, "bytes behind the last frame");
  r->ended = at_end == 1;
  r->trace.file_bytes = r->frames.offset;
  return at_end == 1 ? 0 : -1;
}

static int read_frame(struct trace_reader *r) {
  struct frame f;
  if (next_frame(r, &f) < 0)
    return -1;
  switch (f.kind) {
  case FRAME_PATHS:
    return read_definitions(r, &f, r->trace.path_count, decode_path);
  case FRAME_SHAPES:
    return read_definitions(r, &f, r->trace.shape_count, decode_shape);
  case FRAME_GROUPS:
    return begin_groups(r, &f);
  case FRAME_END:
    return read_end(r, &f);
  case FRAME_HEADER:
  case FRAME_CODE:
    break;
  }
  return damage(r, &f, "a second header or code table");
}

static int read_group(struct trace_reader *r, struct trace_group *group) {
  struct error inner = ERROR_INIT;
  if (decode_group(&r->tables, &r->records, &r->numbers, &r->previous_shape, group, &inner) != 0)
    return damaged(r, &r->frame, &inner);
  if (--r->records_left == 0 && reader_left(&r->records) != 0)
    return damage(r, &r->frame, "bytes behind the last work-group");
  const struct shape_facts *facts = shape_facts_of(&r->tables, group->shape);
  uint64_t *sum = &r->trace.work_item_instructions;
  if (__builtin_add_overflow(*sum, facts->instructions, sum))
    return damage(r, &r->frame, "more than 2^64 work-item instructions");
  uint64_t *blocks = &r->trace.block_executions;
  if (__builtin_add_overflow(*blocks, facts->block_executions, blocks))
    *blocks = UINT64_MAX;
  group->id = r->sampled ? r->sampled[r->next_group] : r->next_group;
  r->next_group++;
  r->items += trace_local_size(&r->trace.header);
  return 0;
}

int trace_reader_next(struct trace_reader *r, struct trace_group *group, struct error *error) {
  while (r->failure.kind == ERROR_NONE && !r->ended && r->records_left == 0)
    read_frame(r);
  if (r->failure.kind == ERROR_NONE && !r->ended && read_group(r, group) == 0)
    return 1;
  return r->failure.kind == ERROR_NONE ? 0 : give_failure(r, error);
}

void trace_reader_keeps(struct trace_reader *r) {
  r->tables.kept = true;
}

void trace_reader_kept(struct trace_reader *r, const struct trace_group *group) {
  decode_kept(&r->tables, group);
}

void trace_reader_spills(struct trace_reader *r, size_t memory_bytes) {
  tables_spill(&r->tables, memory_bytes);
}

bool trace_reader_is_in_files(const struct trace_reader *r) {
  return tables_are_in_files(&r->tables);
}

void trace_reader_let_go(const struct trace_reader *r) {
  tables_let_go(&r->tables);
}

void trace_reader_release(struct trace_reader *r) {
  tables_release(&r->tables);
  frame_reader_clear(&r->frames);
  free(r->numbers.base);
  free(r->numbers.values);
  free(r->sampled);
  r->sampled = NULL;
  r->numbers = (struct numbers){0};
  if (r->stream && r->stream != stdin)
    fclose(r->stream);
  r->stream = NULL;
}

void trace_reader_close(struct trace_reader *r) {
  if (!r)
    return;
  trace_reader_release(r);
  tables_clear(&r->tables);
  trace_header_clear(&r->trace.header);
  trace_code_clear(&r->trace.code);
  free(r->name);
  free(r);
}
