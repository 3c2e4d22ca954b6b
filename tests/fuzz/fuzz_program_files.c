/* Files about a traced program: its manifest, beside which a trace lies, and the description of a virtual board. */
#include "fuzz_target.h"

#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/text.h"
#include "cli/replay/program_traces.h"
#include "tracegen/program/board/virtual_settings.h"

/* Gives the manifest a trace to name. */
static void place_trace(void) {
  const char *source = getenv("REASSEMBLE_DATA");
  char *golden = text_format("%s/tests/golden/gemm-4-version-2.rtrace", source ? source : ".");
  mkdir("fuzz-program", 0700);
  if (!golden || (access("fuzz-program/p.0.rtrace", F_OK) != 0 && symlink(golden, "fuzz-program/p.0.rtrace") != 0))
    abort();
  free(golden);
}

void fuzz_manifest(const uint8_t *data, size_t size) {
  static const struct options options = {.quiet = true};
  struct replay replay = {0};
  place_trace();
  fuzz_named_file("fuzz-program/p.manifest.json", data, size);
  program_traces_load(&replay, "fuzz-program/p.manifest.json", &options, NULL);
  replay_clear(&replay);
}

void fuzz_virtual_board(const uint8_t *data, size_t size) {
  struct virtual_settings settings;
  virtual_settings_read(fuzz_file(data, size), &settings, NULL);
}
