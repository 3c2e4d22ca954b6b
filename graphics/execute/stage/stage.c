/* A stage of a draw: its shader as a kernel, launched over vertices or fragments by the emulator. */
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <vulkan/vulkan_core.h>

#include "graphics/execute/stage/stage_launch.h"
#include "graphics/frame/frame_memory.h"
#include "graphics/pixel/blend.h"
#include "tracegen/emulate.h"

#define LEAST_TOUCHED_BYTES 65536

int execution_shader(struct execution *e, uint32_t id, const uint32_t **words, size_t *count, struct error *error) {
  const struct frame_shader *s = frame_object(e->capture, FRAME_SHADER, id);
  if (!s)
    return error_set(error, ERROR_INPUT, "a stage has no shader");
  return kept_shaders_prepare(e->kept, (const uint32_t *)(s + 1), s->word_count, words, count, error);
}

/* The view and sampler of a texture. */
static const struct frame_view *find_view(const struct execution *e, uint32_t set, uint32_t binding, uint32_t element,
                                          const struct frame_sampler **sampler) {
  const struct frame_descriptor *d = execution_descriptor(e, set, binding, element);
  if (!d)
    return NULL;
  *sampler = frame_object(e->capture, FRAME_SAMPLER, d->sampler);
  return frame_object(e->capture, FRAME_VIEW, d->object);
}

/* Texels of these descriptors come through a texture unit; those of others are in memory. */
static bool is_sampled(uint32_t type) {
  return type <= VK_DESCRIPTOR_TYPE_SAMPLED_IMAGE || type == VK_DESCRIPTOR_TYPE_INPUT_ATTACHMENT;
}

static bool texture_of(void *user, uint32_t set, uint32_t binding, uint32_t element, struct shader_texture *out) {
  const struct execution *e = user;
  const struct frame_view *view = find_view(e, set, binding, element, &out->sampler);
  const struct frame_descriptor *d = execution_descriptor(e, set, binding, element);
  const struct frame_sampler *sampler = out->sampler;
  uint8_t *texels;
  uint64_t bytes;
  if (d && !is_sampled(d->type))
    return texels_find(e, d, out, &texels, &bytes);
  out->sampler = sampler;
  return view && texture_describe(e, view, out);
}

/* The bytes of a buffer that a descriptor shows; *contents: where they begin. 0: none is bound. */
static uint64_t shown_bytes(const struct execution *e, uint32_t set, uint32_t binding, uint32_t element,
                            uint8_t **contents) {
  const struct frame_descriptor *d = execution_descriptor(e, set, binding, element);
  uint64_t bytes = 0;
  *contents = d ? storage_buffer(&e->storage, d->object, &bytes) : NULL;
  const uint64_t offset = d ? d->offset + execution_dynamic_offset(e, set, d) : 0;
  if (!*contents || offset >= bytes)
    return 0;
  *contents += offset;
  return d->bytes < bytes - offset ? d->bytes : bytes - offset;
}

static uint64_t buffer_bytes_of(void *user, uint32_t set, uint32_t binding, uint32_t element) {
  uint8_t *contents;
  return shown_bytes(user, set, binding, element, &contents);
}

int stage_translate(struct execution *e, uint32_t stage_bit, struct stage *out, struct error *error) {
  return stage_translate_patches(e, stage_bit, 0, out, error);
}

int stage_translate_patches(struct execution *e, uint32_t stage_bit, uint32_t patch_vertices, struct stage *out,
                            struct error *error) {
  const struct frame_stage *s = stage_find(e->bound->pipeline, stage_bit);
  struct shader_request request = {.is_fragment = stage_bit == VK_SHADER_STAGE_FRAGMENT_BIT,
                                   .is_compute = stage_bit == VK_SHADER_STAGE_COMPUTE_BIT,
                                   .is_geometry = stage_bit == VK_SHADER_STAGE_GEOMETRY_BIT,
                                   .is_control = stage_bit == VK_SHADER_STAGE_TESSELLATION_CONTROL_BIT,
                                   .is_evaluation = stage_bit == VK_SHADER_STAGE_TESSELLATION_EVALUATION_BIT,
                                   .patch_vertices = patch_vertices,
                                   .draws_points = stage_draws_points(e->bound->pipeline),
                                   .target_count = e->pass ? e->pass->color_count : 0,
                                   .second_color = stage_takes_second_color(e->bound->pipeline),
                                   .mediump_half = e->options->mediump_half,
                                   .entry = s ? s->entry : "",
                                   .stage = stage_bit,
                                   .constants = frame_constants(e->bound->pipeline),
                                   .constant_count = e->bound->pipeline->constant_count,
                                   .constant_data = frame_constant_data(e->bound->pipeline),
                                   .texture = texture_of,
                                   .buffer_bytes = buffer_bytes_of,
                                   .user = e};
  *out = (struct stage){0};
  if (!s)
    return error_set(error, ERROR_INPUT, "the pipeline has no %s shader", stage_name(stage_bit));
  return execution_shader(e, s->shader, &request.words, &request.word_count, error) ||
                 kept_shaders_translate(e->kept, &request, &out->source, error)
             ? -1
             : 0;
}

uint32_t stage_round(const struct stage *stage, uint64_t items) {
  const uint64_t group = shader_group_items(&stage->source);
  return (uint32_t)((items + group - 1) / group * group);
}

static size_t add_buffer(struct launch *l, const char *name, unsigned number, const void *bytes, size_t count) {
  const size_t i = l->workload.buffer_count++;
  snprintf(l->names[i], sizeof l->names[i], "%s-%u", name, number);
  l->buffers[i] = (struct workload_buffer){
      .name = l->names[i], .type = SCALAR_UCHAR, .count = count, .init = INIT_GIVEN, .contents = bytes};
  l->owned[i] = NULL;
  l->stored[i] = NULL;
  return i;
}

static struct workload_argument *add_argument(struct launch *l, enum argument_kind kind) {
  struct workload_argument *a = &l->arguments[l->range.argument_count++];
  *a = (struct workload_argument){.kind = kind};
  return a;
}

/* Returns the number of the buffer. */
static size_t add_bytes(struct launch *l, const char *name, unsigned number, const void *bytes, size_t count) {
  const size_t i = add_buffer(l, name, number, bytes, count);
  add_argument(l, ARGUMENT_BUFFER)->buffer = i;
  return i;
}

static int add_resource_buffer(struct execution *e, struct launch *l, const struct shader_resource *r,
                               struct error *error) {
  const struct frame_descriptor *d = execution_descriptor(e, r->set, r->binding, r->element);
  uint8_t *contents;
  const uint64_t length = shown_bytes(e, r->set, r->binding, r->element, &contents);
  if (length == 0)
    return error_set(error, ERROR_INPUT, "the buffer of set %u, binding %u is not bound", r->set, r->binding);
  const size_t i = add_bytes(l, "buffer", d->object, contents, (size_t)length);
  l->stored[i] = r->writes ? contents : NULL;
  return 0;
}

static int add_texels(struct execution *e, struct launch *l, const struct shader_resource *r, struct error *error) {
  const struct frame_descriptor *d = execution_descriptor(e, r->set, r->binding, r->element);
  struct shader_texture texture;
  uint8_t *texels;
  uint64_t bytes;
  if (!d || !texels_find(e, d, &texture, &texels, &bytes))
    return error_set(error, ERROR_INPUT, "the image of set %u, binding %u is not bound", r->set, r->binding);
  const size_t i = add_bytes(l, "texels", d->object, texels, (size_t)bytes);
  l->stored[i] = r->writes ? texels : NULL;
  return 0;
}

static int add_level(struct execution *e, struct launch *l, const struct frame_view *view, uint32_t level,
                     struct error *error) {
  const bool bytes = texture_is_bytes(e, view);
  uint32_t width, height;
  void *texels;
  char name[16];
  if (texture_read(e, view, level, &texels, &width, &height, error))
    return -1;
  snprintf(name, sizeof name, "image-%u", view->image % 1000000);
  const size_t i = add_buffer(l, name, view->first_level + level, texels, (size_t)width * height * 4);
  l->owned[i] = texels;
  l->buffers[i].type = bytes ? SCALAR_UCHAR : SCALAR_FLOAT;
  l->buffers[i].width = width;
  l->buffers[i].height = height;
  l->buffers[i].format = (struct image_format){IMAGE_RGBA, bytes ? IMAGE_UNORM_INT8 : IMAGE_FLOAT};
  add_argument(l, ARGUMENT_IMAGE)->buffer = i;
  return 0;
}

static int add_texture(struct execution *e, struct launch *l, const struct shader_resource *r, struct error *error) {
  const struct frame_sampler *sampler;
  const struct frame_view *view = find_view(e, r->set, r->binding, r->element, &sampler);
  for (uint32_t level = 0; level < r->levels; level++)
    if (add_level(e, l, view, level, error))
      return -1;
  return 0;
}

static int add_resources(struct execution *e, struct launch *l, const struct shader_source *s, struct error *error) {
  int status = 0;
  for (uint32_t i = 0; !status && i < s->resource_count; i++)
    status = s->resources[i].kind == RESOURCE_BUFFER   ? add_resource_buffer(e, l, &s->resources[i], error)
             : s->resources[i].kind == RESOURCE_TEXELS ? add_texels(e, l, &s->resources[i], error)
                                                       : add_texture(e, l, &s->resources[i], error);
  return status;
}

/* Returns NULL when memory runs out. */
static struct launch *begin_launch(void) {
  struct launch *l = malloc(sizeof *l);
  if (!l)
    return NULL;
  memset(l, 0, offsetof(struct launch, buffers));
  l->workload.buffers = l->buffers;
  l->workload.launches = &l->range;
  l->workload.launch_count = 1;
  l->workload.options = (char *)"";
  l->workload.seed = 1;
  l->range.kernel = (char *)"shader";
  l->range.dimensions = 1;
  l->range.arguments = l->arguments;
  for (unsigned d = 0; d < 3; d++)
    l->range.global[d] = l->range.local[d] = 1;
  return l;
}

static int fill_launch(struct execution *e, struct launch *l, const struct stage *stage, struct error *error) {
  const struct shader_source *s = &stage->source;
  l->range.global[0] = l->inputs.count;
  l->range.local[0] = shader_group_items(s);
  add_bytes(l, "inputs", 0, NULL, stage_bytes(&l->inputs, e->options->traces));
  add_bytes(l, "outputs", 0, NULL, stage_bytes(&l->outputs, e->options->traces));
  add_bytes(l, "constants", 0, e->push, sizeof e->push);
  return add_resources(e, l, s, error);
}

/* A buffer has one chunk. For inputs and outputs the chunk's name is the number of bytes that may differ from 0, so
 * that only these are cleared. Other buffers are copied each time. */

static uint64_t one_chunk(uint64_t bytes) {
  (void)bytes;
  return 1;
}

/* Makes the pages of new memory at once, which takes less time than a fault for each. */
static void touch(char *memory, uint64_t bytes, uint64_t held) {
#ifdef MADV_POPULATE_WRITE
  if (held == held_words_of(0) && bytes >= LEAST_TOUCHED_BYTES)
    madvise(memory, bytes, MADV_POPULATE_WRITE); /* a hint, which a system may lack */
#else
  (void)memory, (void)bytes, (void)held;
#endif
}

static int fill_buffer(void *user, size_t buffer, char *memory, uint64_t *held, struct error *error) {
  struct launch *l = user;
  const struct workload_buffer *b = &l->buffers[buffer];
  (void)error;
  if (!l->exchange || buffer > OUTPUTS) {
    const size_t bytes = b->count * scalar_type_bytes(b->type);
    touch(memory, bytes, *held);
    if (l->first == 0 || *held != l->number)
      memcpy(memory, b->contents, bytes);
    *held = l->number;
    return 0;
  }
  struct stage_words words = buffer == INPUTS ? l->inputs : l->outputs;
  uint64_t filled = 0;
  words.words = (uint32_t *)(void *)memory;
  touch(memory, (uint64_t)words.count * words.slots * sizeof *words.words, *held);
  if (buffer == INPUTS)
    filled = (uint64_t)l->exchange->fill(l->exchange->user, l->first, &words) * words.slots * sizeof *words.words;
  held_words_clear_rest(memory, filled, b->count, *held);
  *held = held_words_of((uint64_t)words.count * words.slots * sizeof *words.words);
  return 0;
}

static int take_buffer(void *user, size_t buffer, char *memory, uint64_t *held, struct error *error) {
  struct launch *l = user;
  (void)held;
  if (l->stored[buffer])
    memcpy(l->stored[buffer], memory, l->buffers[buffer].count);
  if (!l->exchange || buffer != OUTPUTS)
    return 0;
  struct stage_words words = l->outputs;
  words.words = (uint32_t *)(void *)memory;
  return l->exchange->take(l->exchange->user, &words, error);
}

int stage_emulate(struct execution *e, struct launch *l, const char *name, struct stage *stage, struct error *error) {
  const struct buffer_exchange exchange = {l, held_words_of(0), one_chunk, fill_buffer, take_buffer};
  const struct emulate_options options = {.trace_directory = e->options->traces ? e->options->folder : NULL,
                                          .trace_name = name,
                                          .small_traces = true,
                                          .timeout_s = e->options->timeout_s,
                                          .memory_bytes = e->options->memory_bytes,
                                          .max_instructions = e->options->max_instructions,
                                          .undefined_reads = UNDEFINED_READS_NONE,
                                          .quiet = true,
                                          .no_print = true,
                                          .exchange = &exchange,
                                          .pool = kept_shaders_pool(e->kept)};
  struct emulate_result result;
  l->workload.name = (char *)name;
  e->stage_stopped = emulate_workload(&l->workload, &options, false, &result, error) != 0;
  if (e->stage_stopped)
    return -1;
  stage->instructions += result.launches[0].work_item_instructions;
  stage->trace_bytes = result.launches[0].trace_bytes;
  stage->run_s += result.launches[0].run_s;
  emulate_result_clear(&result);
  return e->options->traces ? kept_shaders_share_code(e->kept, stage_text_digest(&stage->source), e->options->folder,
                                                      name, &stage->trace_bytes, error)
                            : 0;
}

static void destroy(struct launch *l) {
  for (size_t i = 0; i < l->workload.buffer_count; i++)
    frame_memory_give(l->owned[i]);
  free(l->workload.source);
  free(l);
}

int stage_run(struct execution *e, struct stage *stage, const char *name, uint32_t items,
              const struct stage_exchange *exchange, struct error *error) {
  static uint64_t number = 1;
  struct launch *l = begin_launch();
  if (!l)
    return error_no_memory(error);
  l->exchange = exchange;
  l->number = ++number;
  l->inputs = (struct stage_words){.count = items, .slots = stage->source.input_count};
  l->outputs = (struct stage_words){.count = items, .slots = shader_output_words(&stage->source)};
  const uint32_t most = stage_items_at_once(e, l, &stage->source);
  l->inputs.count = l->outputs.count = most;
  int status =
      fill_launch(e, l, stage, error) || stage_write_source(e, &stage->source, &l->workload.source, error) ? -1 : 0;
  l->inputs.count = l->outputs.count = items;
  if (status == 0)
    status =
        most < items ? stage_emulate_parts(e, l, name, stage, most, error) : stage_emulate(e, l, name, stage, error);
  destroy(l);
  return status;
}

int stage_dispatch(struct execution *e, struct stage *stage, const char *name, const uint64_t global[3],
                   struct error *error) {
  struct launch *l = begin_launch();
  if (!l)
    return error_no_memory(error);
  l->range.dimensions = 3;
  for (unsigned d = 0; d < 3; d++) {
    l->range.global[d] = global[d];
    l->range.local[d] = stage->source.local[d];
  }
  add_bytes(l, "constants", 0, e->push, sizeof e->push);
  const int status = add_resources(e, l, &stage->source, error) ||
                             stage_write_source(e, &stage->source, &l->workload.source, error) ||
                             stage_emulate(e, l, name, stage, error)
                         ? -1
                         : 0;
  destroy(l);
  return status;
}
