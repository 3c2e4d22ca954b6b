/* Results and measurements that people exchange: documents of commands as a page, tables of measurements, times of
 * programs on a device, and published figures. */
#include "fuzz_target.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli/calibrate/factor_fit.h"
#include "cli/core/reference.h"
#include "cli/params/public_figures.h"
#include "cli/report/documents.h"
#include "cli/report/page_writer.h"
#include "tuner/board/board.h"

/* Reads the document and writes the page, whose end has to be there whatever the document holds. */
void fuzz_report(const uint8_t *data, size_t size) {
  const char *const path = fuzz_file(data, size);
  struct documents documents;
  FILE *page = fopen("/dev/null", "w");
  if (!page)
    abort();
  if (documents_read(&path, 1, &documents, NULL) == 0) {
    page_write(&documents, page, NULL);
    documents_clear(&documents);
  }
  fclose(page);
}

/* A table's form follows from its name: it is compressed where its bytes are those of zstd. */
void fuzz_table(const uint8_t *data, size_t size) {
  const bool compressed = size >= 4 && memcmp(data, "\x28\xb5\x2f\xfd", 4) == 0;
  const char *path = compressed ? "./fuzz-table.csv.zst" : "./fuzz-table.csv";
  struct board *board;
  fuzz_named_file(path, data, size);
  if (board_load(path, &board, NULL) == 0)
    board_destroy(board);
}

/* Fits factors to the programs of the file as if it were of a second device as well. */
static void fit(const struct program_board *board) {
  struct program_pair *pairs = calloc(board->count, sizeof *pairs);
  if (!pairs)
    abort();
  for (size_t i = 0; i < board->count; i++)
    pairs[i] = (struct program_pair){&board->items[i], &board->items[board->count - 1 - i], i % 3 != 2, 0, 0};
  factor_fit(pairs, board->count, NULL);
  factor_fit_cross_validate(pairs, board->count);
  free(pairs);
}

void fuzz_program_times(const uint8_t *data, size_t size) {
  const char *path = fuzz_file(data, size);
  struct program_board board;
  struct time_factors factors;
  if (program_board_load(path, true, &board, NULL) == 0)
    fit(&board);
  program_board_clear(&board);
  time_factors_load(path, &factors, NULL);
}

void fuzz_reference(const uint8_t *data, size_t size) {
  const char *path = fuzz_file(data, size);
  struct public_figures figures;
  struct reference reference;
  if (reference_load(path, &reference, NULL) == 0)
    reference_clear(&reference);
  if (public_figures_load(path, &figures, NULL) == 0) {
    public_figure_of(&figures, "mali-g71-mp8", "alu");
    public_figures_clear(&figures);
  }
}
