/* Frame captures, the quads of a draw, and SPIR-V: read into tables, and translated as a shader of either stage without the
 * validation that comes before it. */
#include "fuzz_target.h"

#include <stdlib.h>
#include <string.h>

#include "graphics/frame/frame_capture.h"
#include "graphics/spirv/shader_source.h"
#include "graphics/tile/quad_file.h"

void fuzz_frame(const uint8_t *data, size_t size) {
  struct frame_capture *capture;
  if (frame_capture_read("fuzzed", data, size, &capture, NULL) == 0)
    frame_capture_destroy(capture);
}

void fuzz_quads(const uint8_t *data, size_t size) {
  struct quad_file file;
  if (quad_file_read("fuzzed", data, size, &file, NULL) == 0)
    quad_file_clear(&file);
}

static bool no_texture(void *user, uint32_t set, uint32_t binding, uint32_t element, struct shader_texture *out) {
  static const struct frame_sampler sampler;
  (void)user, (void)set, (void)element;
  *out = (struct shader_texture){.sampler = &sampler, .levels = 1};
  return binding % 2 == 0;
}

void fuzz_spirv(const uint8_t *data, size_t size) {
  uint32_t *words = calloc(size / 4 + 1, sizeof *words); /* aligned */
  if (!words)
    abort();
  memcpy(words, data, size / 4 * 4);
  for (int fragment = 0; fragment < 2; fragment++) {
    const struct shader_request request = {.words = words,
                                           .word_count = size / 4,
                                           .entry = "main",
                                           .is_fragment = fragment == 1,
                                           .target_count = 1,
                                           .texture = no_texture};
    struct shader_source source;
    if (shader_source_create(&request, &source, NULL) == 0)
      shader_source_clear(&source);
  }
  free(words);
}
