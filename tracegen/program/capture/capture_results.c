#include "tracegen/program/capture/capture_results.h"

#include <errno.h>
#include <inttypes.h>
#include <string.h>

#include "tracegen/program/launch_result.h"

int capture_keep_result(const struct capture *capture, const json_t *launch, size_t buffer, const char *memory,
                        size_t bytes, struct error *error) {
  const json_t *item = json_array_get(json_object_get(launch, "buffers"), buffer);
  const uint64_t index = (uint64_t)json_integer_value(json_object_get(launch, "index"));
  const uint64_t id = (uint64_t)json_integer_value(json_object_get(item, "id"));
  if (!capture->keeps_results || launch_result_write(capture->folder, index, id, memory, bytes))
    return 0;
  return error_set(error, ERROR_WORK, "the result of buffer %" PRIu64 " cannot be written: %s", id, strerror(errno));
}
