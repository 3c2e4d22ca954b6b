/* The journal of a tuning. */
#include <setjmp.h>
#include <stdarg.h>

#include "fuzz_target.h"

#include <stdlib.h>

#include <cmocka.h>

#include "tune_fixture.h"
#include "tuner/evaluate/point_journal.h"

void fuzz_tune_journal(const uint8_t *data, size_t size) {
  static const struct point_journal_fact facts[] = {{.key = "board", .text = "b"}};
  struct tune_fixture fixture;
  struct point_journal *journal;
  const struct tune_setup setup = tune_fixture_setup(&fixture, "arith,store", "mape", "binary");
  if (tune_init(&fixture.tune, &setup, NULL) != 0)
    abort();
  if (point_journal_open(fuzz_file(data, size), facts, 1, &fixture.tune.evaluator, &journal, NULL) == 0)
    point_journal_close(journal, NULL);
  tune_clear(&fixture.tune);
}
