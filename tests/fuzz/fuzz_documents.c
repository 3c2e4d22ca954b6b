/* Files that people write: YAML and JSON, and what is described in them. */
#include "fuzz_target.h"

#include <stdlib.h>

#include <jansson.h>

#include "base/input/conf.h"
#include "base/input/json.h"
#include "dse/sweep/sweep.h"
#include "model/isa/isa.h"
#include "model/params/gpu.h"
#include "tuner/board/board.h"
#include "workload/workload.h"

void fuzz_yaml(const uint8_t *data, size_t size) {
  struct conf_doc *document;
  if (conf_load_text("fuzz", (const char *)data, size, &document, NULL) == 0)
    conf_destroy(document);
}

void fuzz_workload(const uint8_t *data, size_t size) {
  struct workload *workload;
  char *text = fuzz_text(data, size);
  if (workload_load_text("fuzz", text, &workload, NULL) == 0)
    workload_destroy(workload);
  free(text);
}

/* The reader asks for the file's real path, so that it needs a name. */
void fuzz_gpu(const uint8_t *data, size_t size) {
  struct gpu *gpu;
  fuzz_named_file("./fuzz-gpu.yaml", data, size);
  if (gpu_load("./fuzz-gpu.yaml", &gpu, NULL) == 0)
    gpu_destroy(gpu);
}

void fuzz_isa(const uint8_t *data, size_t size) {
  struct isa_profile *isa;
  if (isa_load(fuzz_file(data, size), &isa, NULL) == 0)
    isa_destroy(isa);
}

void fuzz_sweep(const uint8_t *data, size_t size) {
  struct sweep *sweep;
  if (sweep_load(fuzz_file(data, size), &sweep, NULL) == 0)
    sweep_destroy(sweep);
}

/* A board may name the table "points.csv". */
void fuzz_board(const uint8_t *data, size_t size) {
  static const char points[] = "x,y,ms\n1,1,3.5\n1,4,7.25\n4,4,1.5\n8,1,2\n";
  struct board *board;
  fuzz_named_file("./points.csv", (const uint8_t *)points, sizeof points - 1);
  fuzz_named_file("./fuzz-board.json", data, size);
  if (board_load("./fuzz-board.json", &board, NULL) == 0)
    board_destroy(board);
}

void fuzz_json(const uint8_t *data, size_t size) {
  json_t *document;
  if (json_load_document(fuzz_file(data, size), &document, NULL) == 0)
    json_decref(document);
}
