/* The shipped recordings of Bifrost jobs (datasets/bifrost/recordings), or those in the folders of
 * $REASSEMBLE_BIFROST_RECORDINGS, one after another. */
#ifndef TEST_BIFROST_RECORDINGS_H
#define TEST_BIFROST_RECORDINGS_H

#include "expect_error.h"

#include <glob.h>
#include <stdio.h>
#include <string.h>

#include "tracegen/bifrost/job/job_chain.h"
#include "tracegen/bifrost/record/job_recording.h"

/* Copies a recording's name, "g71/gemm", from its path. */
static inline void recording_name(const char *path, char *name, size_t size) {
  const char *slash = strrchr(path, '/');
  while (slash[-1] != '/')
    slash--;
  snprintf(name, size, "%.*s", (int)(strlen(slash) - strlen(".rbifrost")), slash);
}

static inline const char *recordings_of_user(void) {
  return getenv("REASSEMBLE_BIFROST_RECORDINGS");
}

/* Calls `visit` with each recording. Returns how many there are. */
static inline size_t for_each_recording(void (*visit)(const char *name, struct bifrost_recording *recording)) {
  char pattern[4096], name[256];
  glob_t found;
  size_t count;
  if (recordings_of_user())
    snprintf(pattern, sizeof pattern, "%s/*/*.rbifrost", recordings_of_user());
  else
    snprintf(pattern, sizeof pattern, "%s/datasets/bifrost/recordings/*/*.rbifrost", getenv("REASSEMBLE_DATA"));
  assert_int_equal(glob(pattern, 0, NULL, &found), 0);
  for (size_t i = 0; i < found.gl_pathc; i++) {
    struct bifrost_recording *recording;
    struct error error = ERROR_INIT;
    if (bifrost_recording_read(found.gl_pathv[i], &recording, &error))
      fail_msg("%s: %s", found.gl_pathv[i], error.text);
    recording_name(found.gl_pathv[i], name, sizeof name);
    visit(name, recording);
    bifrost_recording_destroy(recording);
  }
  count = found.gl_pathc;
  globfree(&found);
  return count;
}

#endif
