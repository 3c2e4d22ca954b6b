/* Files that this program writes, and reads again after a crash: journals, and the log of a capture. */
#include "fuzz_target.h"

#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include "dse/run/sweep_journal.h"
#include "tracegen/program/capture/capture.h"

enum { DESIGNS = 8, WORKLOADS = 2 };

void fuzz_sweep_journal(const uint8_t *data, size_t size) {
  const char *path = fuzz_file(data, size);
  struct outcomes outcomes;
  json_t *head;
  if (sweep_journal_read_head(path, &head, NULL) != 0)
    return;
  if (outcomes_init(&outcomes, DESIGNS, WORKLOADS, NULL) != 0)
    abort();
  sweep_journal_read(path, head, &outcomes, NULL);
  outcomes_clear(&outcomes);
  json_decref(head);
}

void fuzz_capture_log(const uint8_t *data, size_t size) {
  struct capture capture;
  bool any;
  mkdir("fuzz-capture", 0700);
  unlink("fuzz-capture/log");
  unlink("fuzz-capture/control");
  if (capture_open("fuzz-capture", &capture, NULL) != 0)
    abort();
  fuzz_named_file("fuzz-capture/log", data, size);
  if (capture_advance(&capture, &any, NULL) == 0)
    capture_end(&capture, NULL);
  capture_close(&capture);
}
