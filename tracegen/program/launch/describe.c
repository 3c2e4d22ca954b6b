#include "tracegen/program/launch/describe.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "tracegen/program/launch/log.h"
#include "tracegen/program/launch/initialised_bytes.h"

#define HEX_BYTES (2 * MAX_VALUE_BYTES + 1)

bool launch_skip(struct captured_launch *c, const char *format, ...) {
  va_list list;
  va_start(list, format);
  vsnprintf(c->reason, sizeof c->reason, format, list);
  va_end(list);
  return false;
}

struct memory_record *whole_buffer(struct memory_record *memory) {
  return memory->parent ? memory->parent : memory;
}

static json_t *triple(const size_t *values) {
  return json_pack("[I, I, I]", (json_int_t)values[0], (json_int_t)values[1], (json_int_t)values[2]);
}

void describe_sizes(const struct memory_record *r, json_t *out) {
  json_object_set_new(out, "width", json_integer((json_int_t)r->region[0]));
  json_object_set_new(out, "height", json_integer((json_int_t)r->region[1]));
  if (r->image_type == CL_MEM_OBJECT_IMAGE2D)
    return;
  json_object_set_new(out, "depth", json_integer((json_int_t)r->region[2]));
  json_object_set_new(out, "image_type", json_integer((json_int_t)r->image_type));
}

static json_t *describe_image(const struct memory_record *r) {
  json_t *image = json_object();
  describe_sizes(r, image);
  json_object_set_new(image, "order", json_integer((json_int_t)r->format.image_channel_order));
  json_object_set_new(image, "type", json_integer((json_int_t)r->format.image_channel_data_type));
  return image;
}

static json_t *describe_argument(const struct argument_record *a) {
  static const char digits[] = "0123456789abcdef";
  char hex[HEX_BYTES] = "";
  if (a->state == ARGUMENT_SAMPLER)
    return json_pack("{s:{s:b, s:I, s:I}}", "sampler", "normalized", (int)a->sampler->normalised, "addressing",
                     (json_int_t)a->sampler->addressing, "filter", (json_int_t)a->sampler->filter);
  if (a->state == ARGUMENT_MEMORY && a->memory->region[0] > 0 && a->memory->parent)
    return json_pack("{s:I, s:I, s:I, s:s, s:o}", "buffer", (json_int_t)a->memory->parent->id, "offset",
                     (json_int_t)a->memory->offset, "bytes", (json_int_t)a->memory->bytes, "type", a->type, "shown_as",
                     describe_image(a->memory));
  if (a->state == ARGUMENT_MEMORY && a->memory->region[0] > 0)
    return json_pack("{s:I, s:s}", "image", (json_int_t)a->memory->id, "type", a->type);
  if (a->state == ARGUMENT_MEMORY)
    return json_pack("{s:I, s:I, s:I, s:s}", "buffer", (json_int_t)whole_buffer(a->memory)->id, "offset",
                     (json_int_t)a->memory->offset, "bytes", (json_int_t)a->memory->bytes, "type", a->type);
  if (a->state == ARGUMENT_NULL)
    return json_pack("{s:n, s:s}", "buffer", "type", a->type);
  if (a->state == ARGUMENT_ROOM)
    return json_pack("{s:I}", "local", (json_int_t)a->size);
  for (size_t i = 0; i < a->size; i++) {
    hex[2 * i] = digits[a->value[i] >> 4];
    hex[2 * i + 1] = digits[a->value[i] & 15];
  }
  hex[2 * a->size] = '\0';
  return json_pack("{s:s}", "value", hex);
}

/* Returns the build options. OpenCL finds headers in the program's current folder; the emulator compiles a copy of the
 * source that lies elsewhere. */
static json_t *options_of(const struct captured_launch *c) {
  return json_sprintf("%s%s", c->kernel.options, strstr(c->kernel.program->source, "#include") ? " -I ." : "");
}

static json_t *describe_content(const struct memory_record *r) {
  json_t *item = json_pack("{s:I, s:I, s:I}", "id", (json_int_t)r->id, "bytes", (json_int_t)r->bytes, "content",
                           (json_int_t)r->content);
  if (item && r->region[0] > 0)
    json_object_set_new(item, "image", describe_image(r));
  return item;
}

json_t *describe_contents(const struct captured_launch *c) {
  json_t *buffers = json_array();
  for (size_t i = 0; i < c->root_count; i++)
    json_array_append_new(buffers, describe_content(c->roots[i]));
  return buffers;
}

/* Returns the contents of the buffers and the bytes of them that nothing has written. */
static json_t *describe_buffers(const struct captured_launch *c) {
  json_t *buffers = describe_contents(c);
  for (size_t i = 0; c->repeats && i < c->root_count; i++)
    json_object_del(json_array_get(buffers, i), "content");
  records_lock();
  for (size_t i = 0; i < c->root_count; i++)
    if (c->roots[i]->gap_count > 0)
      json_object_set_new(json_array_get(buffers, i), "undefined", initialised_gaps(c->roots[i]));
  records_unlock();
  return buffers;
}

static void describe_inputs(const struct captured_launch *c, json_t *line) {
  json_t *list = json_array();
  for (cl_uint i = 0; i < c->kernel.argument_count; i++)
    json_array_append_new(list, describe_argument(&c->kernel.arguments[i]));
  json_object_set_new(line, "program", json_integer((json_int_t)c->kernel.program->id));
  json_object_set_new(line, "options", options_of(c));
  if (c->kernel.folder[0])
    json_object_set_new(line, "folder", json_string(c->kernel.folder));
  json_object_set_new(line, "args", list);
  json_object_set_new(line, "buffers", describe_buffers(c));
}

bool describe_launch(const struct captured_launch *c) {
  json_t *line = json_pack("{s:s, s:I, s:s, s:f, s:f, s:I, s:o, s:o, s:o, s:b}", "event", "launch", "index",
                           (json_int_t)c->index, "kernel", c->kernel.name ? c->kernel.name : "", "at_s", c->start_s,
                           "host_s", c->start_s - c->last_end_s, "dimensions", (json_int_t)c->launch->dimensions,
                           "global", triple(c->global), "local", triple(c->local), "offset", triple(c->offset),
                           "local_chosen", c->chose_local);
  if (line && c->reason[0])
    json_object_set_new(line, "skipped", json_string(c->reason));
  else if (line)
    describe_inputs(c, line);
  if (line && c->repeats)
    json_object_set_new(line, "repeats", json_integer((json_int_t)c->traced));
  return log_line(line);
}
