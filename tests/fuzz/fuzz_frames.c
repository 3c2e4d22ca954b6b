/* Frame captures. */
#include "fuzz_target.h"

#include "graphics/frame/frame_capture.h"

void fuzz_frame(const uint8_t *data, size_t size) {
  struct frame_capture *capture;
  if (frame_capture_read("fuzzed", data, size, &capture, NULL) == 0)
    frame_capture_destroy(capture);
}
