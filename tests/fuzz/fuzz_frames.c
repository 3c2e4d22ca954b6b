/* Frame captures and their summaries, the quads of a draw, alone and with the trace of its fragments sorted into tiles,
 * and SPIR-V: read into tables, and translated as a shader of either stage without the validation that comes before
 * it. */
#include "fuzz_target.h"

#include <stdlib.h>
#include <string.h>
#include <zstd.h>

#include "graphics/execute/summary/frame_summary.h"
#include "graphics/frame/frame_capture.h"
#include "graphics/spirv/shader_source.h"
#include "graphics/drawn/quad_file.h"
#include "graphics/tile/tile_launch.h"
#include "trace/trace.h"

#define MOST_WORK 100000 /* block executions of a trace whose fragments are sorted */

void fuzz_frame(const uint8_t *data, size_t size) {
  struct frame_capture *capture;
  struct frame_summary summary;
  if (frame_capture_read("fuzzed", data, size, &capture, NULL) != 0)
    return;
  if (frame_summary_make(capture, &summary, NULL) == 0)
    frame_summary_clear(&summary);
  frame_capture_destroy(capture);
}

/* Returns a file of quads with this list of triangles and quads, so that changes get behind the compression; the caller
 * frees it. The input: one byte each for width, height, work-group, number of triangles and share of quads that lie
 * apart, and the list. */
static uint8_t *wrap_quads(const uint8_t *data, size_t size, size_t *length) {
  const size_t body = size > 5 ? size - 5 : 0, bound = ZSTD_compressBound(body);
  const size_t most = body / QUAD_FILE_TRIANGLE_BYTES, triangles = size > 3 && data[3] < most ? data[3] : most;
  const size_t rest = body - triangles * QUAD_FILE_TRIANGLE_BYTES, sixteenths = body ? data[4] % 16 : 0;
  const size_t quads = rest * 16 / (16 * QUAD_FILE_QUAD_BYTES + sixteenths * QUAD_FILE_APART_BYTES);
  const size_t apart = quads * sixteenths / 16;
  const uint32_t head[9] = {
      QUAD_FILE_VERSION, size > 0 ? data[0] : 0, size > 1 ? data[1] : 0, size > 2 ? data[2] * 4u : 0,
      size % 2,          (uint32_t)triangles,    (uint32_t)quads,        0,
      (uint32_t)apart};
  uint8_t *file = malloc(8 + sizeof head + bound);
  if (!file)
    abort();
  memcpy(file, QUAD_FILE_MAGIC, 8);
  memcpy(file + 8, head, sizeof head);
  *length = 8 + sizeof head +
            ZSTD_compress(
                file + 8 + sizeof head, bound, body ? data + 5 : data,
                triangles * QUAD_FILE_TRIANGLE_BYTES + quads * QUAD_FILE_QUAD_BYTES + apart * QUAD_FILE_APART_BYTES, 1);
  return file;
}

/* A file of quads, or the list of one. */
static int read_quads(const uint8_t *data, size_t size, struct quad_file *quads) {
  size_t length;
  if (size >= 8 && memcmp(data, QUAD_FILE_MAGIC, 8) == 0)
    return quad_file_read("fuzzed", data, size, quads, NULL);
  uint8_t *file = wrap_quads(data, size, &length);
  const int status = quad_file_read("fuzzed", file, length, quads, NULL);
  free(file);
  return status;
}

void fuzz_quads(const uint8_t *data, size_t size) {
  struct quad_file file;
  if (read_quads(data, size, &file) == 0)
    quad_file_clear(&file);
}

static void sort_into_tiles(const struct quad_file *quads, const struct trace *fragments, uint32_t choice) {
  const struct tile_options options = {.tile_pixels = 2u << choice % 5,
                                       .group_items = 4 + choice % 16 * 4,
                                       .raster_units = 1 + choice % 3,
                                       .order = (enum tile_order)(choice % TILE_ORDER_COUNT),
                                       .early_depth = choice % 3 == 0};
  struct tile_counts counts;
  uint32_t *by_group = NULL;
  if (fragments->block_executions < MOST_WORK && fragments->work_item_instructions < MOST_WORK)
    tile_launch_write(fragments, quads, &options, "fuzz-tiles.rtrace", &counts, &by_group, NULL);
  free(by_group);
}

/* The input: two bytes length of the quads, little endian; the quads; the trace. */
void fuzz_binned(const uint8_t *data, size_t size) {
  const size_t length = size > 2 ? data[0] | (size_t)data[1] << 8 : 0;
  struct quad_file quads;
  struct trace *fragments;
  if (length == 0 || length > size - 2 || read_quads(data + 2, length, &quads) != 0)
    return;
  if (trace_load(fuzz_trace_file(data + 2 + length, size - 2 - length), &fragments, NULL) == 0) {
    sort_into_tiles(&quads, fragments, data[2 + length / 2]);
    trace_destroy(fragments);
  }
  quad_file_clear(&quads);
}

static bool no_texture(void *user, uint32_t set, uint32_t binding, uint32_t element, struct shader_texture *out) {
  static const struct frame_sampler sampler;
  (void)user, (void)set, (void)element;
  *out = (struct shader_texture){.sampler = &sampler,
                                 .format = 37 /* VK_FORMAT_R8G8B8A8_UNORM */,
                                 .levels = 1,
                                 .width = 4,
                                 .height = 4,
                                 .depth = 1,
                                 .layers = 1,
                                 .samples = 1};
  return binding % 2 == 0;
}

static uint64_t thousand_bytes(void *user, uint32_t set, uint32_t binding, uint32_t element) {
  (void)user, (void)set, (void)binding, (void)element;
  return 1000;
}

void fuzz_spirv(const uint8_t *data, size_t size) {
  uint32_t *words = calloc(size / 4 + 1, sizeof *words); /* aligned */
  if (!words)
    abort();
  memcpy(words, data, size / 4 * 4);
  for (int stage = 0; stage < 7; stage++) {
    const struct shader_request request = {.words = words,
                                           .word_count = size / 4,
                                           .entry = "main",
                                           .is_fragment = stage == 1 || stage == 3,
                                           .mediump_half = stage == 3,
                                           .is_compute = stage == 2,
                                           .is_geometry = stage == 4,
                                           .is_control = stage == 5,
                                           .is_evaluation = stage == 6,
                                           .patch_vertices = stage >= 5 ? 3 : 0,
                                           .target_count = 1,
                                           .texture = no_texture,
                                           .buffer_bytes = thousand_bytes};
    struct shader_source source;
    if (shader_source_create(&request, &source, NULL) == 0)
      shader_source_clear(&source);
  }
  free(words);
}
