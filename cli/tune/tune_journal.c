#include "cli/tune/tune_journal.h"

#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include "base/file_target.h"
#include "base/text.h"

enum { MOST_FACTS = 8 };

static uint64_t hash_text(uint64_t hash, const char *text) {
  return text_hash(hash, text, strlen(text) + 1);
}

static uint64_t gpu_hash(const struct gpu *gpu) {
  uint64_t hash = hash_text(TEXT_HASH_START, gpu->isa);
  for (size_t i = 0; i < gpu_params.count; i++) {
    const double value = params_get_number(&gpu_params.list[i], &gpu->spec);
    hash = text_hash(hash, &value, sizeof value);
  }
  return hash;
}

static uint64_t space_hash(const struct space *space) {
  uint64_t hash = TEXT_HASH_START;
  for (size_t i = 0; i < space->count; i++) {
    const double numbers[] = {space->axes[i].low, space->axes[i].high, space->axes[i].start};
    hash = text_hash(hash_text(hash, space->axes[i].param->key), numbers, sizeof numbers);
  }
  return hash;
}

static size_t collect(const struct tune *t, const struct board *board, const struct gpu *gpu, const char *objective,
                      struct point_journal_fact *facts) {
  const struct tune_setup *setup = &t->setup;
  size_t n = 0;
#define FACT(name, ...)                                                                                                \
  facts[n].key = (name);                                                                                               \
  snprintf(facts[n].text, sizeof facts[n].text, __VA_ARGS__);                                                          \
  n++
  FACT("tool_version", "%s", REASSEMBLE_VERSION);
  FACT("board", "%.200s, %016llx", board->name, (unsigned long long)board_hash(board));
  FACT("gpu", "%.200s, %016llx", gpu->name, (unsigned long long)gpu_hash(gpu));
  FACT("parameters", "%zu, %016llx", setup->space->count, (unsigned long long)space_hash(setup->space));
  FACT("method", "%s, at most %zu evaluations, %zu starts, tolerance %.17g", setup->method->name, setup->budget,
       setup->starts, setup->tolerance);
  FACT("objective", "%.200s, penalty %.17g", objective, setup->penalty_percent);
  FACT("seed", "%llu", (unsigned long long)setup->seed);
#undef FACT
  return n;
}

int tune_journal_open(const char *path, struct tune *tune, const struct board *board, const struct gpu *gpu,
                      const char *objective, struct point_journal **out, struct error *error) {
  struct point_journal_fact facts[MOST_FACTS];
  const size_t count = collect(tune, board, gpu, objective, facts);
  return point_journal_open(path, facts, count, &tune->evaluator, out, error);
}

char *tune_journal_beside(const char *output) {
  return output && !file_target_is_written_through(output) ? text_format("%s.journal", output) : NULL;
}

uint64_t tune_digest(const struct board *board, const struct gpu *gpu) {
  const uint64_t hashes[] = {board_hash(board), gpu_hash(gpu)};
  return text_hash(TEXT_HASH_START, hashes, sizeof hashes);
}
