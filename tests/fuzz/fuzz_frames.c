/* Frame captures, and the quads of a draw. */
#include "fuzz_target.h"

#include "graphics/frame/frame_capture.h"
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
