/* The tessellation of a draw: a control shader with a work-item for each vertex of a patch that it makes, the fixed
 * function that divides each patch, and an evaluation shader with a work-item for each point of the division. */
#include <stdlib.h>
#include <string.h>
#include <spirv/unified1/spirv.h>
#include <vulkan/vulkan_core.h>

#include "base/array.h"
#include "graphics/execute/execution.h"
#include "graphics/execute/primitives/tessellator.h"

#define MOST_WORDS  (UINT64_C(1) << 27) /* of a shader's outputs, all work-items */
#define MOST_POINTS (UINT64_C(1) << 22)

struct work {
  const struct vertex_stream *from;
  const struct frame_patches *patches;
  struct tessellation *out;
  uint32_t *corners; /* of all patches */
  size_t corner_count;
  struct tessellator how;
  struct stage_words control;
  struct tessellated divided;
  uint32_t *patch_of;                   /* by point */
  int control_from[SHADER_MAX_SLOTS];   /* by input: the slot of the vertices' outputs; -1: none */
  int evaluated_from[SHADER_MAX_SLOTS]; /* the slot of the control shader's outputs */
};

static bool add(void *user, const uint32_t *corners, unsigned count, uint32_t provoking) {
  struct work *w = user;
  (void)provoking;
  for (unsigned k = 0; k < count; k++) {
    if (!array_room_for_one(&w->corners, w->corner_count, sizeof *w->corners))
      return false;
    w->corners[w->corner_count++] = corners[k];
  }
  return true;
}

static uint32_t patch_number(const struct work *w, uint64_t patch) {
  return (uint32_t)(patch % w->out->patches_of_instance);
}

/* The control shader. */

static uint32_t control_input(const struct work *w, uint32_t slot, uint64_t item) {
  const struct shader_source *s = &w->out->control.source;
  const struct shader_slot *in = &s->inputs[slot];
  const uint64_t patch = item / s->patch_vertices;
  switch (in->builtin) {
  case SpvBuiltInPrimitiveId:
    return patch_number(w, patch);
  case SpvBuiltInInvocationId:
    return (uint32_t)(item % s->patch_vertices);
  case SpvBuiltInPatchVertices:
    return w->patches->vertices;
  case SHADER_ACTIVE:
    return 1;
  default:
    return w->control_from[slot] < 0
               ? 0
               : *stage_word(w->from->words, w->corners[patch * w->patches->vertices + in->vertex],
                             (uint32_t)w->control_from[slot]);
  }
}

static uint32_t fill_control(void *user, uint32_t first, struct stage_words *inputs) {
  const struct work *w = user;
  for (uint32_t i = 0; i < inputs->count; i++)
    for (uint32_t slot = 0; slot < inputs->slots; slot++)
      *stage_word(inputs, i, slot) = control_input(w, slot, first + (uint64_t)i);
  return inputs->count;
}

/* Keeps a copy of outputs, which are in a process that the shader ran in. */
static int keep(const struct stage_words *outputs, struct stage_words *out, struct error *error) {
  if (stage_words_create(out, outputs->count, outputs->slots, error))
    return -1;
  memcpy(out->words, outputs->words, (size_t)outputs->count * outputs->slots * sizeof *out->words);
  return 0;
}

static int take_control(void *user, const struct stage_words *outputs, struct error *error) {
  struct work *w = user;
  return keep(outputs, &w->control, error);
}

static int run_stage(struct execution *e, struct stage *stage, const char *draw, const char *ending, uint64_t items,
                     const struct stage_exchange *exchange, struct error *error) {
  char name[64];
  snprintf(name, sizeof name, "%s.%s", draw, ending);
  if (items * shader_output_words(&stage->source) > MOST_WORDS)
    return error_set(error, ERROR_INPUT, "a tessellation shader writes more than 2^27 words");
  return stage_run(e, stage, name, stage_round(stage, items), exchange, error);
}

static int run_control(struct execution *e, struct work *w, const char *draw, struct error *error) {
  const struct stage_exchange exchange = {w, fill_control, take_control};
  const struct shader_source *s = &w->out->control.source;
  for (uint32_t i = 0; i < s->input_count; i++)
    w->control_from[i] = stage_output_slot(&w->from->stage->source, &s->inputs[i]);
  return run_stage(e, &w->out->control, draw, "control", w->out->patches * s->patch_vertices, &exchange, error);
}

/* Division. */

/* Returns a level that the control shader has written for a patch. */
static uint32_t level_of(const struct work *w, uint64_t patch, uint32_t builtin, uint32_t number) {
  const struct shader_source *s = &w->out->control.source;
  const struct shader_slot slot = {.location = SPIRV_NONE, .component = number, .builtin = builtin, .of_patch = true};
  const int from = stage_output_slot(s, &slot);
  return from < 0 ? 0 : *stage_word(&w->control, patch * s->patch_vertices, (uint32_t)from);
}

static struct tessellation_levels levels_of(const struct work *w, uint64_t patch) {
  struct tessellation_levels l;
  for (uint32_t k = 0; k < 4; k++)
    l.outer[k] = float_of(level_of(w, patch, SpvBuiltInTessLevelOuter, k));
  for (uint32_t k = 0; k < 2; k++)
    l.inner[k] = float_of(level_of(w, patch, SpvBuiltInTessLevelInner, k));
  return l;
}

/* Either shader may state how patches are divided. */
static struct tessellator tessellator_of(const struct tessellation *t, bool lower_left) {
  const struct shader_patches *a = &t->evaluation.source.patches, *b = &t->control.source.patches;
  const uint32_t domain = a->domain ? a->domain : b->domain, spacing = a->spacing ? a->spacing : b->spacing;
  const uint32_t order = a->order ? a->order : b->order;
  return (struct tessellator){.domain = domain == SpvExecutionModeQuads      ? DOMAIN_QUADS
                                        : domain == SpvExecutionModeIsolines ? DOMAIN_ISOLINES
                                                                             : DOMAIN_TRIANGLES,
                              .spacing = spacing == SpvExecutionModeSpacingFractionalEven  ? SPACING_FRACTIONAL_EVEN
                                         : spacing == SpvExecutionModeSpacingFractionalOdd ? SPACING_FRACTIONAL_ODD
                                                                                           : SPACING_EQUAL,
                              .makes_points = a->makes_points || b->makes_points,
                              .clockwise = (order == SpvExecutionModeVertexOrderCw) != lower_left};
}

static bool add_patch(struct work *w, uint64_t patch) {
  const struct tessellation_levels levels = levels_of(w, patch);
  const size_t first = w->divided.place_count;
  if (!tessellate(&w->how, &levels, &w->divided))
    return false;
  for (size_t k = first; k < w->divided.place_count; k++) {
    if (!array_room_for_one(&w->patch_of, k, sizeof *w->patch_of))
      return false;
    w->patch_of[k] = (uint32_t)patch;
  }
  return true;
}

static int divide(struct work *w, struct error *error) {
  struct tessellation *t = w->out;
  w->how = tessellator_of(t, w->patches->lower_left);
  t->topology = w->how.makes_points                ? VK_PRIMITIVE_TOPOLOGY_POINT_LIST
                : w->how.domain == DOMAIN_ISOLINES ? VK_PRIMITIVE_TOPOLOGY_LINE_LIST
                                                   : VK_PRIMITIVE_TOPOLOGY_TRIANGLE_LIST;
  for (uint64_t patch = 0; patch < t->patches; patch++) {
    if (!add_patch(w, patch))
      return error_no_memory(error);
    if (w->divided.place_count > MOST_POINTS)
      return error_set(error, ERROR_INPUT, "the patches of the draw are divided into more than 2^22 points");
  }
  t->vertices.corners = w->divided.corners;
  t->vertices.corner_count = w->divided.corner_count;
  w->divided.corners = NULL;
  return 0;
}

/* The evaluation shader. */

static uint32_t word_of(float f) {
  uint32_t word;
  memcpy(&word, &f, sizeof word);
  return word;
}

/* Returns a component of a point's place, of which triangles have three that sum up to 1. */
static uint32_t place_of(const struct work *w, uint64_t point, uint32_t component) {
  const float *uv = w->divided.places[point];
  const bool of_triangle = w->how.domain == DOMAIN_TRIANGLES;
  return component < 2 ? word_of(uv[component]) : word_of(of_triangle ? 1 - uv[0] - uv[1] : 0);
}

static uint32_t evaluated_input(const struct work *w, uint32_t slot, uint64_t point) {
  const struct shader_source *control = &w->out->control.source;
  const struct shader_slot *in = &w->out->evaluation.source.inputs[slot];
  const uint32_t patch = w->patch_of[point];
  switch (in->builtin) {
  case SpvBuiltInTessCoord:
    return place_of(w, point, in->component);
  case SpvBuiltInPrimitiveId:
    return patch_number(w, patch);
  case SpvBuiltInPatchVertices:
    return control->patch_vertices;
  case SHADER_ACTIVE:
    return 1;
  default:
    return w->evaluated_from[slot] < 0 ? 0
                                       : *stage_word(&w->control, (size_t)patch * control->patch_vertices + in->vertex,
                                                     (uint32_t)w->evaluated_from[slot]);
  }
}

static uint32_t fill_evaluation(void *user, uint32_t first, struct stage_words *inputs) {
  const struct work *w = user;
  const uint64_t left = w->divided.place_count > first ? w->divided.place_count - first : 0;
  const uint32_t count = left < inputs->count ? (uint32_t)left : inputs->count;
  for (uint32_t i = 0; i < count; i++)
    for (uint32_t slot = 0; slot < inputs->slots; slot++)
      *stage_word(inputs, i, slot) = evaluated_input(w, slot, first + (uint64_t)i);
  return count;
}

/* Of each point, the number of its patch stands in the place of the word that says whether a fragment is discarded:
 * later shaders take it for that of the primitive. */
static int take_evaluation(void *user, const struct stage_words *outputs, struct error *error) {
  struct work *w = user;
  if (keep(outputs, &w->out->words, error))
    return -1;
  w->out->words.count = (uint32_t)w->divided.place_count;
  for (uint32_t i = 0; i < w->out->words.count; i++)
    *stage_word(&w->out->words, i, outputs->slots - 1) = patch_number(w, w->patch_of[i]);
  return 0;
}

static int run_evaluation(struct execution *e, struct work *w, const char *draw, struct error *error) {
  const struct stage_exchange exchange = {w, fill_evaluation, take_evaluation};
  struct shader_source *s = &w->out->evaluation.source;
  if (w->divided.place_count == 0)
    return 0;
  for (uint32_t i = 0; i < s->input_count; i++)
    w->evaluated_from[i] = stage_output_slot(&w->out->control.source, &s->inputs[i]);
  if (run_stage(e, &w->out->evaluation, draw, "evaluation", w->divided.place_count, &exchange, error))
    return -1;
  s->outputs[s->output_count++] = (struct shader_slot){.location = SPIRV_NONE, .builtin = SpvBuiltInPrimitiveId};
  return 0;
}

/* Translates both shaders. The second takes as many vertices as the first one makes. */
static int translate(struct execution *e, struct work *w, struct error *error) {
  struct tessellation *t = w->out;
  if (stage_translate_patches(e, VK_SHADER_STAGE_TESSELLATION_CONTROL_BIT, w->patches->vertices, &t->control, error))
    return -1;
  return stage_translate_patches(e, VK_SHADER_STAGE_TESSELLATION_EVALUATION_BIT, t->control.source.patch_vertices,
                                 &t->evaluation, error);
}

static int run(struct execution *e, struct work *w, const char *draw, struct error *error) {
  struct tessellation *t = w->out;
  t->patches = w->corner_count / w->patches->vertices;
  t->patches_of_instance = t->patches / w->from->instances > 0 ? t->patches / w->from->instances : 1;
  if (t->patches == 0)
    return 0;
  return run_control(e, w, draw, error) || divide(w, error) || run_evaluation(e, w, draw, error) ? -1 : 0;
}

int tessellation_run(struct execution *e, const struct vertex_stream *from, const char *draw, struct tessellation *t,
                     struct error *error) {
  struct work w = {.from = from, .patches = frame_patches(e->bound->pipeline), .out = t};
  const struct primitive_order order = {.topology = from->topology, .patch_vertices = w.patches->vertices};
  *t = (struct tessellation){0};
  int status = translate(e, &w, error);
  if (!status)
    status = primitives_walk(&order, from->vertices, from->corners, add, &w) ? run(e, &w, draw, error)
                                                                             : error_no_memory(error);
  tessellated_clear(&w.divided);
  free(w.control.words);
  free(w.patch_of);
  free(w.corners);
  return status;
}

void tessellation_clear(struct tessellation *t) {
  shader_source_clear(&t->control.source);
  shader_source_clear(&t->evaluation.source);
  vertices_clear(&t->vertices);
  free(t->words.words);
  t->words.words = NULL;
}
