#include "graphics/execute/summary/frame_summary.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <vulkan/vulkan_core.h>

#include <spirv/unified1/spirv.h>

#include "base/array.h"
#include "graphics/execute/summary/resource_spans.h"
#include "graphics/execute/summary/uncaptured.h"
#include "graphics/execute/summary/shader_choices.h"
#include "graphics/execute/summary/vertex_range.h"
#include "graphics/execute/transfer/transfer.h"
#include "graphics/frame/texel_format.h"

#define SPIRV_HEAD_WORDS 5
#define MOST_DRAWS       (1u << 20)

struct summary {
  struct execution e; /* bound objects, and the contents of buffers; images have none */
  struct resource_spans spans;
  bool *device_writes;    /* by number of a buffer: a shader or an image may have written it */
  uint32_t *instructions; /* by number of a shader */
  struct uncaptured uncaptured;
  struct frame_summary *out;
};

static const char *topology_name(const struct frame_pipeline *p) {
  static const char *const names[] = {"points",
                                      "lines",
                                      "line strip",
                                      "triangles",
                                      "strip",
                                      "fan",
                                      "lines with neighbours",
                                      "line strip with neighbours",
                                      "triangles with neighbours",
                                      "strip with neighbours",
                                      "patches"};
  return p && p->topology < sizeof names / sizeof names[0] ? names[p->topology] : "unknown";
}

/* Returns the number of instructions in a module's functions, which no checker has accepted yet. */
static uint32_t count_instructions(const struct frame_shader *shader) {
  const uint32_t *words = (const uint32_t *)(shader + 1);
  bool inside = false;
  uint32_t count = 0;
  for (uint64_t at = SPIRV_HEAD_WORDS; at < shader->word_count;) {
    const uint32_t opcode = words[at] & SpvOpCodeMask, length = words[at] >> SpvWordCountShift;
    if (opcode == SpvOpFunctionEnd)
      inside = false;
    count += inside && opcode != SpvOpLabel && opcode != SpvOpLine && opcode != SpvOpNoLine &&
             opcode != SpvOpFunctionParameter && opcode != SpvOpVariable;
    if (opcode == SpvOpFunction)
      inside = true;
    if (length == 0)
      break;
    at += length;
  }
  return count;
}

static uint32_t instructions_of(const struct summary *s, const struct frame_pipeline *p, uint32_t stage) {
  uint32_t count = 0;
  for (uint32_t i = 0; i < p->stage_count; i++)
    if (frame_stages(p)[i].stage == stage)
      count += s->instructions[frame_stages(p)[i].shader];
  return count;
}

static uint32_t attribute_words(const struct frame_pipeline *p) {
  uint32_t words = 0;
  for (uint32_t i = 0; i < p->attribute_count; i++) {
    const struct texel_format *f = texel_format_find(frame_attributes(p)[i].format);
    words += f ? f->channels : 0;
  }
  return words;
}

static bool is_written(const struct summary *s, uint32_t buffer) {
  return buffer >= s->e.capture->object_count || s->device_writes[buffer];
}

/* Adds what a vertex binding has from the first to the last of its elements that the draw reads. */
static bool add_binding(struct summary *s, const struct frame_binding *b, const struct frame_draw *d,
                        const struct vertex_range *r, uint64_t *bytes) {
  const struct frame_pipeline *p = s->e.bound->pipeline;
  uint64_t element = 0;
  for (uint32_t i = 0; i < p->attribute_count; i++) {
    const struct frame_attribute *a = &frame_attributes(p)[i];
    const struct texel_format *f = texel_format_find(a->format);
    const uint64_t end = a->offset + (f ? f->bytes : 0);
    element = a->binding == b->binding && end > element ? end : element;
  }
  if (b->binding >= FRAME_MAX_VERTEX || d->instances == 0 || r->least > r->most)
    return true;
  const uint64_t first = b->per_instance ? d->first_instance : r->least;
  const uint64_t more = b->per_instance ? (b->divisor ? (d->instances - 1) / b->divisor : 0) : r->most - r->least;
  return resource_add_buffer(&s->spans, &s->e, RESOURCE_ATTRIBUTES, s->e.vertex_buffers[b->binding],
                             s->e.vertex_offsets[b->binding] + first * b->stride, more * b->stride + element, bytes);
}

static bool add_targets(struct summary *s, uint64_t *bytes) {
  const struct frame_begin_pass *pass = s->e.pass;
  for (uint32_t i = 0; i < pass->color_count; i++)
    if (!resource_add_view(&s->spans, &s->e, RESOURCE_TARGETS, pass->colors[i].view, bytes))
      return false;
  if (!resource_add_view(&s->spans, &s->e, RESOURCE_TARGETS, pass->depth.view, bytes))
    return false;
  return pass->stencil.view == pass->depth.view ||
         resource_add_view(&s->spans, &s->e, RESOURCE_TARGETS, pass->stencil.view, bytes);
}

/* Shaders may write the buffers that they store to. */
static void note_stores(struct summary *s) {
  for (uint32_t set = 0; set < FRAME_MAX_SETS; set++) {
    uint32_t count;
    const struct frame_descriptor *d = execution_descriptors(&s->e, set, &count);
    for (uint32_t i = 0; i < count; i++) {
      const struct frame_texel_buffer *t = d[i].type == VK_DESCRIPTOR_TYPE_STORAGE_TEXEL_BUFFER
                                               ? frame_object(s->e.capture, FRAME_TEXEL_BUFFER, d[i].object)
                                               : NULL;
      const bool stores =
          d[i].type == VK_DESCRIPTOR_TYPE_STORAGE_BUFFER || d[i].type == VK_DESCRIPTOR_TYPE_STORAGE_BUFFER_DYNAMIC;
      const uint32_t buffer = t ? t->buffer : stores ? d[i].object : 0;
      if (buffer > 0 && buffer < s->e.capture->object_count)
        s->device_writes[buffer] = true;
    }
  }
}

/* Adds the memory that a draw of known parameters can reach. */
static bool add_vertices(struct summary *s, const struct frame_draw *d, struct frame_draw_summary *r) {
  const struct frame_pipeline *p = s->e.bound->pipeline;
  const struct vertex_range range = vertex_range_of(&s->e, d, !is_written(s, s->e.index_buffer));
  const uint32_t size = execution_index_bytes(s->e.index_type);
  r->has_vertices = true;
  r->has_indices = range.is_known;
  r->instances = d->instances;
  r->vertices = (uint64_t)d->count * d->instances;
  r->primitives = range.primitives * d->instances;
  if (d->indexed && !resource_add_buffer(&s->spans, &s->e, RESOURCE_INDICES, s->e.index_buffer,
                                         s->e.index_offset + (uint64_t)d->first * size, (uint64_t)d->count * size,
                                         &r->bytes[RESOURCE_INDICES]))
    return false;
  for (uint32_t i = 0; range.is_known && i < p->binding_count; i++)
    if (!add_binding(s, &frame_bindings(p)[i], d, &range, &r->bytes[RESOURCE_ATTRIBUTES]))
      return false;
  return true;
}

/* d NULL: the draw's parameters are not known. */
static int add_draw(struct summary *s, const struct frame_draw *d, struct error *error) {
  struct frame_summary *out = s->out;
  const struct frame_pipeline *p = s->e.bound->pipeline;
  struct error refused = ERROR_INIT;
  if (out->draw_count == MOST_DRAWS)
    return error_set(error, ERROR_INPUT, "the frame has more than %u draws", MOST_DRAWS);
  if (!array_room_for_one(&out->draws, out->draw_count, sizeof *out->draws))
    return error_no_memory(error);
  struct frame_draw_summary *r = &out->draws[out->draw_count];
  *r = (struct frame_draw_summary){.number = (uint32_t)out->draw_count++,
                                   .record = s->e.record,
                                   .pass = s->e.pass_count ? s->e.pass_count - 1 : 0,
                                   .topology = topology_name(p)};
  if (execution_check_state(&s->e, &refused) != 0 ||
      execution_check_choices(&s->e, shader_chooses(s->e.capture, p, SpvBuiltInLayer),
                              shader_chooses(s->e.capture, p, SpvBuiltInViewportIndex), &refused) != 0)
    snprintf(r->left_out, sizeof r->left_out, "%.199s", refused.text);
  if (!p || p->is_compute || !s->e.pass)
    return 0;
  r->attribute_words = attribute_words(p);
  r->vertex_instructions = instructions_of(s, p, VK_SHADER_STAGE_VERTEX_BIT);
  r->fragment_instructions = instructions_of(s, p, VK_SHADER_STAGE_FRAGMENT_BIT);
  r->pixels = (uint64_t)s->e.pass->area.width * s->e.pass->area.height;
  if ((d && !add_vertices(s, d, r)) || !resource_add_sets(&s->spans, &s->e, r->bytes, &r->images) ||
      !add_targets(s, &r->bytes[RESOURCE_TARGETS]))
    return error_no_memory(error);
  return 0;
}

__attribute__((format(printf, 3, 4))) static bool add_gap(struct summary *s, const char *command, const char *format,
                                                          ...) {
  struct frame_summary *out = s->out;
  va_list list;
  if (!array_room_for_one(&out->gaps, out->gap_count, sizeof *out->gaps))
    return false;
  struct frame_gap *gap = &out->gaps[out->gap_count++];
  va_start(list, format);
  vsnprintf(gap->place, sizeof gap->place, format, list);
  va_end(list);
  snprintf(gap->command, sizeof gap->command, "%s", command);
  return true;
}

/* Takes the draws of a command from number `first` on. */
static int end_draws(struct summary *s, size_t first, uint32_t indirect, bool indexed, struct error *error) {
  const char *lacks = uncaptured_by(&s->uncaptured, &s->e, indirect, indexed);
  note_stores(s);
  for (size_t i = first; lacks && i < s->out->draw_count; i++)
    if (!add_gap(s, lacks, "draw-%zu", i))
      return error_no_memory(error);
  return 0;
}

static int take_draw(struct summary *s, const struct frame_draw *d, struct error *error) {
  const size_t first = s->out->draw_count;
  return add_draw(s, d, error) != 0 ? -1 : end_draws(s, first, 0, d->indexed, error);
}

/* A command that no draw lacks is shown at its place. */
static int take_command(struct summary *s, const struct frame_entry *r, struct error *error) {
  const bool is_shown = r->kind == FRAME_UNSUPPORTED && frame_lack_of(r).reach == FRAME_REACH_NONE;
  uncaptured_take(&s->uncaptured, &s->e, r);
  return !is_shown ||
                 add_gap(s, ((const struct frame_unsupported *)r->payload)->name, "before draw-%zu", s->out->draw_count)
             ? 0
             : error_no_memory(error);
}

static int take_indirect(struct summary *s, const struct frame_draw_indirect *d, struct error *error) {
  const size_t first = s->out->draw_count;
  uint32_t count = execution_indirect_count(&s->e, d);
  const bool known = !is_written(s, d->buffer) && (!d->count_buffer || !is_written(s, d->count_buffer));
  int status = 0;
  s->out->numbers_are_known &= known || (!d->count_buffer && d->most == 1);
  count = known ? count : d->count_buffer ? 1 : d->most;
  for (uint32_t k = 0; status == 0 && k < count; k++) {
    struct frame_draw draw;
    if (!known)
      status = add_draw(s, NULL, error);
    else if (execution_indirect_draw(&s->e, d, k, &draw))
      status = add_draw(s, &draw, error);
    else
      break;
  }
  return status != 0 ? -1 : end_draws(s, first, d->buffer, d->indexed, error);
}

static int take_dispatch(struct summary *s, const struct frame_dispatch *d, struct error *error) {
  uint64_t bytes[RESOURCE_COUNT] = {0};
  uint32_t images = 0;
  s->e.bound = &s->e.points[VK_PIPELINE_BIND_POINT_COMPUTE];
  const char *lacks = uncaptured_by(&s->uncaptured, &s->e, d->buffer, false);
  const bool added = resource_add_sets(&s->spans, &s->e, bytes, &images) &&
                     (!lacks || add_gap(s, lacks, "dispatch-%u", s->out->dispatch_count));
  s->out->dispatch_count++;
  note_stores(s);
  s->e.bound = &s->e.points[VK_PIPELINE_BIND_POINT_GRAPHICS];
  return added ? 0 : error_no_memory(error);
}

static void take_samples(struct summary *s, const struct frame_samples *samples) {
  if (s->out->draw_count == 0)
    return;
  struct frame_draw_summary *r = &s->out->draws[s->out->draw_count - 1];
  r->has_passed = true;
  r->passed = samples->passed;
}

/* Takes what an object or a transfer says of buffers; images have no contents here. */
static int take_contents(struct summary *s, const struct frame_entry *r, struct error *error) {
  const struct frame_copy_texels *c = r->payload;
  switch (r->kind) {
  case FRAME_BUFFER:
  case FRAME_BUFFER_BYTES:
    return storage_take(&s->e.storage, r) ? 0 : error_no_memory(error);
  case FRAME_SHADER:
    s->instructions[*(const uint32_t *)r->payload] = count_instructions(r->payload);
    return 0;
  case FRAME_COPY_BUFFER:
    s->device_writes[((const struct frame_copy_buffer *)r->payload)->target] |=
        is_written(s, ((const struct frame_copy_buffer *)r->payload)->source);
    execution_transfer(&s->e, r);
    return 0;
  case FRAME_FILL_BUFFER:
    execution_transfer(&s->e, r);
    return 0;
  case FRAME_COPY_TEXELS:
    if (c->to_buffer)
      s->device_writes[c->buffer] = true;
    return 0;
  default:
    execution_bind(&s->e, r);
    return 0;
  }
}

static int take(struct summary *s, const struct frame_entry *r, struct error *error) {
  s->out->counts[r->kind]++;
  if (take_command(s, r, error) != 0)
    return -1;
  switch (r->kind) {
  case FRAME_SET:
    s->e.set_records[*(const uint32_t *)r->payload] = r->payload;
    return 0;
  case FRAME_BEGIN_PASS:
    s->e.pass = r->payload;
    s->e.pass_count++;
    return 0;
  case FRAME_END_PASS:
    s->e.pass = NULL;
    return 0;
  case FRAME_DRAW:
    return take_draw(s, r->payload, error);
  case FRAME_DRAW_INDIRECT:
    return take_indirect(s, r->payload, error);
  case FRAME_DISPATCH:
    return take_dispatch(s, r->payload, error);
  case FRAME_SAMPLES:
    take_samples(s, r->payload);
    return 0;
  default:
    return take_contents(s, r, error);
  }
}

static bool begin(struct summary *s, const struct frame_capture *capture) {
  const size_t objects = (size_t)capture->object_count + 1;
  s->e.capture = capture;
  s->e.bound = &s->e.points[VK_PIPELINE_BIND_POINT_GRAPHICS];
  s->e.set_records = calloc(objects, sizeof *s->e.set_records);
  s->device_writes = calloc(objects, sizeof *s->device_writes);
  s->instructions = calloc(objects, sizeof *s->instructions);
  return uncaptured_begin(&s->uncaptured, capture) && storage_create(&s->e.storage, capture) && s->e.set_records &&
         s->device_writes && s->instructions;
}

int frame_summary_make(const struct frame_capture *capture, struct frame_summary *out, struct error *error) {
  struct summary *s = calloc(1, sizeof *s);
  *out = (struct frame_summary){.numbers_are_known = true};
  if (!s)
    return error_no_memory(error);
  s->out = out;
  int status = begin(s, capture) ? 0 : error_no_memory(error);
  for (s->e.record = 0; status == 0 && s->e.record < capture->record_count; s->e.record++)
    status = take(s, &capture->records[s->e.record], error);
  out->pass_count = s->e.pass_count;
  resource_spans_sum(&s->spans, out->resources);
  resource_spans_clear(&s->spans);
  uncaptured_clear(&s->uncaptured);
  storage_clear(&s->e.storage);
  free(s->e.set_records);
  free(s->device_writes);
  free(s->instructions);
  free(s);
  if (status != 0)
    frame_summary_clear(out);
  return status;
}

void frame_summary_clear(struct frame_summary *summary) {
  free(summary->draws);
  free(summary->gaps);
  *summary = (struct frame_summary){0};
}
