/* Recordings of Bifrost jobs, through to the code tables of their shaders. An input that does not start with a
 * recording's magic is taken as the contents of one, so that changes get behind the compression. */
#include "fuzz_target.h"

#include <stdlib.h>
#include <string.h>
#include <zstd.h>

#include "tracegen/bifrost/job/job_chain.h"
#include "tracegen/bifrost/record/job_recording.h"
#include "tracegen/bifrost/trace/machine_code.h"

#define MAGIC      "RBIFR001"
#define HEAD_BYTES 16

/* Decodes the shader and makes a code table of it, which has to be sound whatever the code is. */
static int look(void *context, const struct bifrost_dispatch *dispatch, struct error *error) {
  struct bifrost_shader *shader;
  struct machine_code code;
  (void)context, (void)error;
  if (bifrost_shader_create(dispatch, &shader, NULL) != 0)
    return 0;
  if (machine_code_create(dispatch, shader, &code, NULL) == 0) {
    if (trace_code_check(&code.code, NULL) != 0)
      abort();
    machine_code_clear(&code);
  }
  bifrost_shader_destroy(shader);
  return 0;
}

/* Returns a recording with these contents; the caller frees it. */
static uint8_t *wrap(const uint8_t *data, size_t size, size_t *length) {
  const size_t bound = ZSTD_compressBound(size);
  const uint64_t bytes = size;
  uint8_t *file = malloc(HEAD_BYTES + bound);
  if (!file)
    abort();
  memcpy(file, MAGIC, 8);
  memcpy(file + 8, &bytes, 8);
  *length = HEAD_BYTES + ZSTD_compress(file + HEAD_BYTES, bound, data, size, 1);
  return file;
}

static void run(const uint8_t *data, size_t size) {
  const struct bifrost_job_handler handler = {.dispatch = look, .context = NULL};
  struct bifrost_recording *recording;
  if (bifrost_recording_parse("fuzz", data, size, &recording, NULL) != 0)
    return;
  bifrost_job_chain_run(&recording->before, recording->product, recording->job_chain, &handler, NULL);
  bifrost_recording_destroy(recording);
}

void fuzz_bifrost(const uint8_t *data, size_t size) {
  size_t length;
  uint8_t *file;
  if (size >= 8 && memcmp(data, MAGIC, 8) == 0) {
    run(data, size);
    return;
  }
  file = wrap(data, size, &length);
  run(file, length);
  free(file);
}
