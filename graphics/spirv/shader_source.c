#include "graphics/spirv/shader_source.h"

#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <spirv/unified1/GLSL.std.450.h>
#include <spirv/unified1/spirv.h>

#include "base/text.h"
#include "graphics/spirv/shader_sample.h"

/* Words of an instruction that are read without a look at its length: more than any has that is read so. spirv-val
 * refuses shorter instructions; in a shader that it did not see, the last one may be short. */
#define FIXED_WORDS 16

#define MODEL_VERTEX     0 /* SpvExecutionModel */
#define MODEL_CONTROL    1
#define MODEL_EVALUATION 2
#define MODEL_GEOMETRY   3
#define MODEL_FRAGMENT   4
#define MODEL_COMPUTE    5

#define MOST_SOURCE_BYTES (1 << 24)

void translation_fail(struct translation *t, const char *format, ...) {
  va_list list;
  if (t->missing[0])
    return;
  va_start(list, format);
  vsnprintf(t->missing, sizeof t->missing, format, list);
  va_end(list);
}

bool translation_goes_on(struct translation *t) {
  if (!t->missing[0] && ftello(t->body) > MOST_SOURCE_BYTES)
    translation_fail(t, "more than %d bytes of OpenCL C", MOST_SOURCE_BYTES);
  return !t->missing[0];
}

static void write_parameters(FILE *file, const struct shader_source *s, bool is_compute) {
  fputs(is_compute ? "kernel void shader(global const uchar *push"
                   : "kernel void shader(global const uint *inputs, global uint *outputs, global const uchar *push",
        file);
  for (uint32_t k = 0; k < s->resource_count; k++) {
    if (s->resources[k].kind != RESOURCE_TEXTURE)
      fprintf(file, s->resources[k].writes ? ",\n    global uchar *b%u" : ",\n    global const uchar *b%u", k);
    for (uint32_t level = 0; level < s->resources[k].levels; level++)
      fprintf(file, ",\n    read_only image2d_t t%u_%u", k, level);
  }
  if (is_compute) {
    fputs(") {\n  const uint active = 1;\n", file);
    return;
  }
  fprintf(file,
          ") {\n  global const uint *in = inputs + get_global_id(0) * %u;\n"
          "  global uint *out = outputs + get_global_id(0) * %u;\n",
          s->input_count, shader_output_words(s));
}

static void write_locals(FILE *file, const struct shader_source *s) {
  if (s->in_quads)
    fputs("  local float4 quad[4];\n  const uint lane = get_local_id(0);\n", file);
  if (s->in_quads || s->resource_count)
    fputs("  float4 along_x, along_y, texel, next_texel;\n  float2 at, size;\n  float lod;\n  int level;\n", file);
  if (s->reads_texels)
    fputs("  float3 direction, axes;\n  float slice;\n  int face = 0, layer = 0;\n  int2 cell;\n  int3 there;\n", file);
  if (s->may_discard)
    fputs("  uint discarded = 0;\n", file);
  if (s->patch_vertices)
    fputs("  const uint vertex = get_local_id(0);\n", file);
  if (s->most_vertices)
    fputs("  uint emitted = 0;\n  global uint *const first = out;\n", file);
}

static char *write_function(struct translation *t) {
  char *text = NULL;
  size_t length;
  t->body = text_stream_begin(&text, &length);
  if (!t->body)
    return NULL;
  translation_function(t);
  return text_stream_end(t->body, &text) ? text : NULL;
}

static bool uses_halves(const struct spirv_module *m) {
  for (uint32_t id = 0; id < m->bound; id++) {
    const struct spirv_id *i = spirv_id(m, id);
    if ((i->opcode == SpvOpTypeFloat && spirv_operand(i, 1) == 16) || i->opcode == SpvOpQuantizeToF16 ||
        (i->opcode == SpvOpExtInst &&
         (spirv_operand(i, 3) == GLSLstd450PackHalf2x16 || spirv_operand(i, 3) == GLSLstd450UnpackHalf2x16)))
      return true;
  }
  return false;
}

static char *write_all(struct translation *t, const char *function) {
  char *text = NULL;
  size_t length;
  t->body = text_stream_begin(&text, &length);
  if (!t->body)
    return NULL;
  fputs("#pragma OPENCL FP_CONTRACT OFF\n", t->body);
  if (t->halves || uses_halves(&t->module))
    fputs("#pragma OPENCL EXTENSION cl_khr_fp16 : enable\n", t->body);
  translation_typedefs(t);
  if (t->out->reads_texels)
    sample_write_functions(t->body);
  write_parameters(t->body, t->out, t->request->is_compute);
  write_locals(t->body, t->out);
  fprintf(t->body, "%s}\n", function);
  return text_stream_end(t->body, &text) ? text : NULL;
}

static int translate(struct translation *t, struct error *error) {
  t->places = calloc((size_t)t->module.bound + 1, sizeof *t->places);
  t->goes_on_at = calloc((size_t)t->module.bound + 1, sizeof *t->goes_on_at);
  t->has_effects = translation_has_effects(t);
  if (t->request->is_compute)
    translation_work_group(t);
  if (t->request->is_geometry)
    translation_primitives(t);
  if (t->request->is_control || t->request->is_evaluation)
    translation_patches(t);
  char *function = t->places && t->goes_on_at ? write_function(t) : NULL;
  if (function)
    t->out->text = write_all(t, function);
  free(function);
  free(t->halves);
  free(t->texels);
  free(t->goes_on_at);
  t->out->early_tests = t->module.early_tests;
  t->out->writes_depth = t->module.writes_depth;
  t->out->has_halves = t->out->has_halves || uses_halves(&t->module);
  t->out->of_samples = t->module.shades_samples;
  if (t->no_memory)
    return error_no_memory(error);
  if (t->missing[0])
    return error_set(error, ERROR_INPUT, "the shader uses %s, which is not supported", t->missing);
  return t->out->text ? 0 : error_no_memory(error);
}

/* Translates the shader in `words`, behind which FIXED_WORDS words of zero lie. */
static int create(struct translation *t, const uint32_t *words, struct error *error) {
  const struct shader_request *request = t->request;
  if (spirv_module_read(words, request->word_count, request->entry,
                        request->is_compute      ? MODEL_COMPUTE
                        : request->is_fragment   ? MODEL_FRAGMENT
                        : request->is_geometry   ? MODEL_GEOMETRY
                        : request->is_control    ? MODEL_CONTROL
                        : request->is_evaluation ? MODEL_EVALUATION
                                                 : MODEL_VERTEX,
                        &t->module, error))
    return -1;
  const int status = translate(t, error);
  translation_places_clear(t);
  spirv_module_clear(&t->module);
  if (status)
    shader_source_clear(t->out);
  return status;
}

int shader_source_create(const struct shader_request *request, struct shader_source *out, struct error *error) {
  struct translation t = {.request = request, .out = out};
  uint32_t *words = calloc(request->word_count + FIXED_WORDS, sizeof *words);
  *out = (struct shader_source){0};
  if (!words)
    return error_no_memory(error);
  if (request->word_count)
    memcpy(words, request->words, request->word_count * sizeof *words);
  const int status = create(&t, words, error);
  free(words);
  return status;
}

void shader_source_clear(struct shader_source *source) {
  free(source->text);
  *source = (struct shader_source){0};
}
