#include "trace/format/header.h"

#include <errno.h>
#include <inttypes.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <jansson.h>

#include "base/input/json_parse.h"
#include "trace/format/header_listing.h"
#include "trace/format/header_texts.h"
#include "trace/format/limits.h"

#define READ_ZERO "read-zero" /* the member out_of_bounds */

void trace_header_clear(struct trace_header *header) {
  for (size_t i = 0; i < HEADER_TEXTS; i++)
    free(*header_text_of(header, i));
  for (uint32_t i = 0; header->buffers && i < header->buffer_count; i++)
    free(header->buffers[i].name);
  for (uint32_t i = 0; header->ir && i < header->ir_count; i++)
    free(header->ir[i]);
  free(header->buffers);
  free(header->ir);
  free(header->code_of);
  index_ranges_clear(&header->sample);
  *header = (struct trace_header){0};
}

static bool copy_ir(struct trace_header *to, const struct trace_header *from) {
  to->ir = from->ir_count ? calloc(from->ir_count, sizeof *to->ir) : NULL;
  bool ok = from->ir_count == 0 || to->ir;
  for (uint32_t i = 0; ok && i < from->ir_count; i++)
    ok = (to->ir[i] = strdup(from->ir[i]));
  return ok;
}

int header_copy(struct trace_header *to, const struct trace_header *from, struct error *error) {
  *to = *from;
  to->buffers = NULL;
  to->ir = NULL;
  to->code_of = from->code_of ? strdup(from->code_of) : NULL;
  to->sample = (struct index_ranges){0};
  bool ok = !from->code_of || to->code_of;
  for (size_t i = 0; i < HEADER_TEXTS; i++)
    ok &= (*header_text_of(to, i) = strdup(header_const_text(from, i))) != NULL;
  if (from->buffer_count) {
    to->buffers = calloc(from->buffer_count, sizeof *to->buffers);
    ok &= to->buffers != NULL;
  }
  for (uint32_t i = 0; ok && i < from->buffer_count; i++) {
    to->buffers[i] = from->buffers[i];
    to->buffers[i].name = strdup(from->buffers[i].name ? from->buffers[i].name : "");
    ok = to->buffers[i].name;
  }
  ok &= index_ranges_copy(&to->sample, &from->sample);
  ok = ok && copy_ir(to, from);
  if (ok)
    return 0;
  trace_header_clear(to);
  return error_set(error, ERROR_WORK, "out of memory for a trace header");
}

static json_t *json_three(const uint64_t v[3]) {
  return json_pack("[III]", (json_int_t)v[0], (json_int_t)v[1], (json_int_t)v[2]);
}

/* Appends the element to the list and returns the list. If memory runs out, both are freed and NULL is returned. */
static json_t *with(json_t *list, json_t *element) {
  if (json_array_append_new(list, element) == 0)
    return list;
  json_decref(list);
  return NULL;
}

static json_t *json_buffers(const struct trace_header *h) {
  json_t *list = json_array();
  for (uint32_t i = 0; i < h->buffer_count; i++) {
    const struct trace_buffer *b = &h->buffers[i];
    list =
        with(list, json_pack("{s:o, s:I, s:I, s:s}", "name", header_text(b->name ? b->name : ""), "base",
                             (json_int_t)b->base, "bytes", (json_int_t)b->bytes, "space", trace_space_name(b->space)));
  }
  return list;
}

static json_t *json_sample(const struct trace_header *h) {
  json_t *list = json_array();
  for (size_t i = 0; i < h->sample.count; i++)
    list = with(list, json_pack("[II]", (json_int_t)h->sample.list[i].first, (json_int_t)h->sample.list[i].last));
  return list;
}

/* A trace that has its code table in common with another one may have texts in common, too. */
static bool is_left_out(const struct trace_header *h, size_t i) {
  return h->code_of && !*header_text_of((struct trace_header *)h, i);
}

/* Writes the header into `root`. Returns false when memory ran out. */
static bool fill_json(const struct trace_header *h, json_t *root) {
  int lost = 0;
  for (size_t i = 0; i < HEADER_TEXTS; i++)
    if (!is_left_out(h, i))
      lost |= json_object_set_new(root, header_text_rows[i].key, header_text(header_const_text(h, i)));
  char seed[32];
  snprintf(seed, sizeof seed, "0x%" PRIx64, h->seed);
  const uint64_t local[3] = {h->local[0], h->local[1], h->local[2]};
  lost |= json_object_set_new(root, "launch", json_integer(h->launch));
  lost |= json_object_set_new(root, "dimensions", json_integer(h->dimensions));
  lost |= json_object_set_new(root, "global", json_three(h->global));
  lost |= json_object_set_new(root, "offset", json_three(h->offset));
  lost |= json_object_set_new(root, "local", json_three(local));
  if (trace_is_sampled(h))
    lost |= json_object_set_new(root, "sample", json_sample(h));
  if (h->sub_group > 0)
    lost |= json_object_set_new(root, "sub_group", json_integer(h->sub_group));
  if (h->reads_zero)
    lost |= json_object_set_new(root, "out_of_bounds", json_string(READ_ZERO));
  lost |= json_object_set_new(root, "seed", json_string(seed));
  lost |= json_object_set_new(root, "local_bytes", json_integer(h->local_bytes));
  lost |= json_object_set_new(root, "private_bytes", json_integer(h->private_bytes));
  lost |= json_object_set_new(root, "registers", json_integer(h->registers));
  if (h->early_load_registers > h->registers)
    lost |= json_object_set_new(root, "early_load_registers", json_integer(h->early_load_registers));
  lost |= json_object_set_new(root, "buffers", json_buffers(h));
  if (h->code_of)
    lost |= json_object_set_new(root, "code_of", header_text(h->code_of));
  return lost == 0;
}

/* Returns the header as JSON text; NULL when memory ran out. */
static char *to_json(const struct trace_header *h, bool with_ir) {
  json_t *root = json_object();
  char *text = fill_json(h, root) ? json_text(root, JSON_INDENT(1)) : NULL;
  json_decref(root);
  return text && with_ir && h->ir_count > 0 ? header_with_listing(h, text) : text;
}

int header_to_json(const struct trace_header *h, char **text, struct error *error) {
  for (int with_ir = 1; with_ir >= 0; with_ir--) {
    *text = to_json(h, with_ir);
    if (!*text)
      return error_set(error, ERROR_WORK, "out of memory for a trace header");
    if (strlen(*text) <= LIMIT_HEADER_BYTES)
      return 0;
    if (with_ir)
      free(*text); /* a listing that is too long is left out */
  }
  free(*text);
  *text = NULL;
  return error_set(error, ERROR_INPUT, "the trace header needs more than %u bytes: shorten the build options",
                   LIMIT_HEADER_BYTES);
}

static int missing(struct error *error, const char *key, const char *expected) {
  return error_set(error, ERROR_INPUT, "trace header: key \"%s\": expected %s", key, expected);
}

static int get_number(const json_t *object, const char *key, uint64_t maximum, uint64_t *out, struct error *error) {
  const json_t *value = json_object_get(object, key);
  if (!json_is_integer(value) || json_integer_value(value) < 0 || (uint64_t)json_integer_value(value) > maximum)
    return missing(error, key, "a whole number in range");
  *out = (uint64_t)json_integer_value(value);
  return 0;
}

static int get_u32(const json_t *object, const char *key, uint32_t *out, struct error *error) {
  uint64_t value = 0;
  const int result = get_number(object, key, UINT32_MAX, &value, error);
  *out = (uint32_t)value;
  return result;
}

static int get_text(const json_t *object, const char *key, char **out, struct error *error) {
  const char *text = json_string_value(json_object_get(object, key));
  if (!text)
    return missing(error, key, "a text");
  *out = strdup(text);
  return *out ? 0 : error_set(error, ERROR_WORK, "out of memory for a trace header");
}

static int get_three(const json_t *object, const char *key, uint64_t out[3], struct error *error) {
  const json_t *list = json_object_get(object, key);
  if (!json_is_array(list) || json_array_size(list) != 3)
    return missing(error, key, "a list of three numbers");
  for (size_t i = 0; i < 3; i++) {
    const json_t *value = json_array_get(list, i);
    if (!json_is_integer(value) || json_integer_value(value) < 0)
      return missing(error, key, "a list of three whole numbers, none negative");
    out[i] = (uint64_t)json_integer_value(value);
  }
  return 0;
}

static int get_local(const json_t *root, uint32_t local[3], struct error *error) {
  uint64_t wide[3] = {0};
  if (get_three(root, "local", wide, error) != 0)
    return -1;
  for (unsigned d = 0; d < 3; d++) {
    if (wide[d] > TRACE_MAX_LOCAL)
      return missing(error, "local", "sizes of at most 65536");
    local[d] = (uint32_t)wide[d];
  }
  return 0;
}

static int get_seed(const json_t *root, uint64_t *seed, struct error *error) {
  const char *text = json_string_value(json_object_get(root, "seed"));
  char *end = NULL;
  errno = 0;
  if (text && strncmp(text, "0x", 2) == 0)
    *seed = strtoull(text, &end, 16);
  if (!end || *end != '\0' || errno != 0)
    return missing(error, "seed", "a text like \"0x2a\"");
  return 0;
}

static int get_buffer(const json_t *json, struct trace_buffer *b, struct error *error) {
  if (get_text(json, "name", &b->name, error) != 0 || get_u32(json, "base", &b->base, error) != 0 ||
      get_u32(json, "bytes", &b->bytes, error) != 0)
    return -1;
  const char *space = json_string_value(json_object_get(json, "space"));
  if (space && strcmp(space, "global") == 0)
    b->space = SPACE_GLOBAL;
  else if (space && strcmp(space, "constant") == 0)
    b->space = SPACE_CONSTANT;
  else
    return missing(error, "space", "\"global\" or \"constant\"");
  return 0;
}

static int get_buffers(const json_t *root, struct trace_header *h, struct error *error) {
  const json_t *list = json_object_get(root, "buffers");
  const size_t count = json_array_size(list);
  if (!json_is_array(list) || count > LIMIT_BUFFERS)
    return missing(error, "buffers", "a list of at most 65536 buffers");
  if (count == 0)
    return 0;
  h->buffers = calloc(count, sizeof *h->buffers);
  if (!h->buffers)
    return error_set(error, ERROR_WORK, "out of memory for a trace header");
  h->buffer_count = (uint32_t)count;
  for (size_t i = 0; i < count; i++)
    if (get_buffer(json_array_get(list, i), &h->buffers[i], error) != 0)
      return -1;
  return 0;
}

static int get_index(const json_t *value, uint32_t *out, struct error *error) {
  if (!json_is_integer(value) || json_integer_value(value) < 0 || json_integer_value(value) >= UINT32_MAX)
    return missing(error, "sample", "pairs of work-group ids");
  *out = (uint32_t)json_integer_value(value);
  return 0;
}

static int get_sample(const json_t *root, struct trace_header *h, struct error *error) {
  const json_t *list = json_object_get(root, "sample");
  if (!list)
    return 0;
  if (!json_is_array(list) || json_array_size(list) == 0)
    return missing(error, "sample", "a list of pairs of work-group ids");
  for (size_t i = 0; i < json_array_size(list); i++) {
    const json_t *pair = json_array_get(list, i);
    uint32_t first = 0, last = 0;
    if (get_index(json_array_get(pair, 0), &first, error) != 0 || get_index(json_array_get(pair, 1), &last, error) != 0)
      return -1;
    if (last < first || (i > 0 && first <= h->sample.list[h->sample.count - 1].last))
      return missing(error, "sample", "ranges of work-group ids that ascend");
    if (!index_ranges_add(&h->sample, first, last))
      return error_set(error, ERROR_WORK, "out of memory for a trace header");
  }
  return 0;
}

/* Reads the member `out_of_bounds`. It is missing where loads from outside of buffers ended the launch. */
static int get_out_of_bounds(const json_t *root, struct trace_header *h, struct error *error) {
  const json_t *value = json_object_get(root, "out_of_bounds");
  if (!value)
    return 0;
  if (!json_is_string(value) || strcmp(json_string_value(value), READ_ZERO) != 0)
    return missing(error, "out_of_bounds", "\"" READ_ZERO "\"");
  h->reads_zero = true;
  return 0;
}

/* Reads the numbers of registers. The second member is missing where it is not above the first. */
static int get_registers(const json_t *root, struct trace_header *h, struct error *error) {
  if (get_u32(root, "registers", &h->registers, error) != 0)
    return -1;
  h->early_load_registers = h->registers;
  return json_object_get(root, "early_load_registers")
             ? get_u32(root, "early_load_registers", &h->early_load_registers, error)
             : 0;
}

/* Reads the name of the trace beside this one that has its code table. It is missing where the trace has its own. */
static int get_code_of(const json_t *root, struct trace_header *h, struct error *error) {
  const json_t *value = json_object_get(root, "code_of");
  const char *name = json_string_value(value);
  if (!value)
    return 0;
  if (!name || !*name || strlen(name) > 255 || strchr(name, '/') || name[0] == '.')
    return missing(error, "code_of", "the name of a file in the same folder");
  return get_text(root, "code_of", &h->code_of, error);
}

static int get_ir(const json_t *root, struct trace_header *h, struct error *error) {
  const json_t *list = json_object_get(root, "ir");
  const size_t count = json_array_size(list);
  if (!list)
    return 0;
  if (!json_is_array(list) || count > LIMIT_OPS)
    return missing(error, "ir", "a list of texts, one an operation");
  h->ir = calloc(count + 1, sizeof *h->ir);
  if (!h->ir)
    return error_set(error, ERROR_WORK, "out of memory for a trace header");
  for (size_t i = 0; i < count; i++) {
    const char *text = json_string_value(json_array_get(list, i));
    if (!text)
      return missing(error, "ir", "a list of texts, one an operation");
    if (!(h->ir[i] = strdup(text)))
      return error_set(error, ERROR_WORK, "out of memory for a trace header");
    h->ir_count++;
  }
  return 0;
}

static int fill(const json_t *root, struct trace_header *h, struct error *error) {
  if (!json_is_object(root))
    return error_set(error, ERROR_INPUT, "trace header: expected a JSON object");
  if (get_code_of(root, h, error) != 0)
    return -1;
  for (size_t i = 0; i < HEADER_TEXTS; i++)
    if (!(h->code_of && !json_object_get(root, header_text_rows[i].key)) &&
        get_text(root, header_text_rows[i].key, header_text_of(h, i), error) != 0)
      return -1;
  if (get_u32(root, "launch", &h->launch, error) != 0 || get_u32(root, "dimensions", &h->dimensions, error) != 0 ||
      get_three(root, "global", h->global, error) != 0 || get_three(root, "offset", h->offset, error) != 0 ||
      get_local(root, h->local, error) != 0 || get_seed(root, &h->seed, error) != 0 ||
      get_u32(root, "local_bytes", &h->local_bytes, error) != 0 ||
      get_u32(root, "private_bytes", &h->private_bytes, error) != 0 || get_registers(root, h, error) != 0 ||
      (json_object_get(root, "sub_group") && get_u32(root, "sub_group", &h->sub_group, error) != 0) ||
      get_buffers(root, h, error) != 0 || get_out_of_bounds(root, h, error) != 0 || get_sample(root, h, error) != 0 ||
      get_ir(root, h, error) != 0)
    return -1;
  if (h->code_of && h->ir)
    return missing(error, "ir", "no listing beside \"code_of\", which names the trace that has it");
  return header_check(h, error);
}

int header_from_json(const char *text, size_t length, struct trace_header *header, struct error *error) {
  *header = (struct trace_header){0};
  json_error_t problem;
  json_t *root = json_parse(text, length, JSON_REJECT_DUPLICATES, &problem);
  if (!root && json_problem_is_memory(&problem))
    return error_set(error, ERROR_WORK, "out of memory for a trace header");
  if (!root)
    return error_set(error, ERROR_INPUT, "trace header: not JSON: %s", problem.text);
  const int result = fill(root, header, error);
  json_decref(root);
  if (result != 0)
    trace_header_clear(header);
  return result;
}
