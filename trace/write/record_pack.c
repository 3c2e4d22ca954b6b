/* Writes descriptions of work-groups as bytes, and reads them back: a head, the streams' numbers (group_describe), the
 * numbers of the paths, the paths that are new to the writer, the shape. */
#include "trace/path/path.h"
#include "trace/write/record.h"

struct record_head {
  uint64_t instructions, shape_length, rest_length;
  uint32_t cohort_count, stream_count, first_path, new_path_count;
};

/* The head of a new path; its operations and its record follow. */
struct new_path_head {
  uint64_t hash, length;
  uint32_t number, site_count;
};

#define ALIGNMENT sizeof(uint64_t) /* of heads, counted from the start of the bytes */

static void align(struct bytes *out, size_t start) {
  static const char nothing[ALIGNMENT];
  bytes_append(out, nothing, (ALIGNMENT - (out->length - start) % ALIGNMENT) % ALIGNMENT);
}

static void pack_numbers(struct plan *const *plans, uint32_t count, struct bytes *out) {
  if (!bytes_reserve(out, count * sizeof(uint32_t)))
    return;
  for (uint32_t i = 0; i < count; i++, out->length += sizeof(uint32_t))
    memcpy(out->data + out->length, &plans[i]->number, sizeof(uint32_t));
}

static void pack_path(struct plan *plan, struct bytes *out, size_t start) {
  struct new_path_head head = {.hash = plan->hash, .number = plan->number, .site_count = plan->site_count};
  align(out, start);
  const size_t at = out->length;
  bytes_append(out, &head, sizeof head);
  bytes_append(out, plan->site_op, plan->site_count * sizeof *plan->site_op);
  const size_t record = out->length;
  path_encode(plan->path, out);
  if (out->failed)
    return;
  head.length = out->length - record;
  memcpy(out->data + at, &head, sizeof head);
  plan->announced = true;
}

int record_pack(struct group *g, uint32_t group_id, const struct path_table *paths, struct bytes *out,
                struct error *error) {
  const size_t start = out->length;
  struct record_head head = {.first_path = paths->first};
  struct group_description d;
  bytes_append(out, &head, sizeof head);
  if (group_describe(g, group_id, out, &d, error) != 0)
    return -1;
  head.instructions = d.instructions;
  head.shape_length = d.shape_length;
  head.rest_length = d.rest_length;
  head.cohort_count = d.cohort_count;
  head.stream_count = d.stream_count;
  for (uint32_t i = 0; i < d.cohort_count; i++)
    head.new_path_count += !g->plans[i]->announced;
  align(out, start);
  pack_numbers(g->plans, d.cohort_count, out);
  for (uint32_t i = 0; i < d.cohort_count && head.new_path_count > 0; i++)
    if (!g->plans[i]->announced)
      pack_path(g->plans[i], out, start);
  bytes_append(out, d.shape, d.shape_length);
  if (out->failed)
    return error_set(error, ERROR_WORK, "out of memory for a work-group's trace");
  memcpy(out->data + start, &head, sizeof head);
  return 0;
}

static const void *take(const unsigned char **at, size_t length) {
  const void *taken = *at;
  *at += length;
  return taken;
}

static void skip(const unsigned char **at, const unsigned char *start) {
  *at += (ALIGNMENT - (size_t)(*at - start) % ALIGNMENT) % ALIGNMENT;
}

static int unpack_path(const unsigned char *start, const unsigned char **at, struct path_source *source,
                       struct error *error) {
  skip(at, start);
  const struct new_path_head *head = take(at, sizeof *head);
  const uint32_t *site_op = take(at, head->site_count * sizeof *site_op);
  const struct path_record record = {head->hash, (size_t)head->length, take(at, (size_t)head->length)};
  return path_source_add(source, head->number, &record, head->site_count, site_op, error);
}

int record_unpack(const void *data, struct path_source *source, struct group_description *out, const uint32_t **numbers,
                  struct error *error) {
  const unsigned char *at = data;
  const struct record_head *head = take(&at, sizeof *head);
  *out = (struct group_description){.instructions = head->instructions,
                                    .shape_length = (size_t)head->shape_length,
                                    .rest_length = (size_t)head->rest_length,
                                    .cohort_count = head->cohort_count,
                                    .stream_count = head->stream_count};
  path_source_begin(source, head->first_path);
  out->firsts = take(&at, out->stream_count * sizeof *out->firsts);
  out->rest_lengths = take(&at, out->stream_count * sizeof *out->rest_lengths);
  out->rest = take(&at, out->rest_length);
  skip(&at, data);
  *numbers = take(&at, out->cohort_count * sizeof **numbers);
  for (uint32_t i = 0; i < head->new_path_count; i++)
    if (unpack_path(data, &at, source, error) != 0)
      return -1;
  out->shape = take(&at, out->shape_length);
  return 0;
}
