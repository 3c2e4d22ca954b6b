#include "model/retime/watch/memory_watch.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"

enum { HEADER_WORDS = 3 }; /* header: shared, fetched, evicted */

/* ---- memory systems ---- */

/* Returns the GPU with these caches and without queues. */
static struct gpu_spec spec_of(const struct gpu_spec *base, const struct cache_geometry *l1,
                               const struct cache_geometry *l2) {
  struct gpu_spec spec = *base;
  spec.lsu_transactions_per_cycle = spec.l1_l2_bytes_per_cycle = spec.l2_bytes_per_cycle = 0;
  spec.dram_bytes_per_cycle = spec.l2_atomics_per_cycle = spec.l2_atomic_rounds_per_cycle = 0;
  spec.l1_enabled = l1->enabled;
  spec.l1_index_hash = l1->hash;
  spec.l1_model = l1->model;
  spec.l1_bytes = (int64_t)l1->lines * spec.line_bytes;
  spec.l1_ways = l1->ways;
  spec.l2_enabled = l2->enabled;
  spec.l2_index_hash = l2->hash;
  spec.l2_model = l2->model;
  spec.l2_bytes = (int64_t)l2->lines * spec.line_bytes;
  spec.l2_ways = l2->ways;
  return spec;
}

static bool make_memories(struct memory_watch *w, const struct gpu_spec *base) {
  const struct cache_watch_variants *v = w->variants;
  struct error ignored = ERROR_INIT;
  w->memories = calloc(v->l2_count, sizeof *w->memories);
  w->memory_of = calloc(v->l1_count, sizeof *w->memory_of);
  bool done = w->memories && w->memory_of;
  for (uint32_t j = v->l2_count; j > 0 && done; j--) {
    const struct l2_variant *l2 = &v->l2[j - 1];
    const struct gpu_spec spec = spec_of(base, &v->l1[l2->l1], &l2->geometry);
    done = memory_init(&w->memories[j - 1], &spec, w->access_lines, &ignored) == 0;
    w->memory_of[l2->l1] = j - 1;
  }
  return done;
}

bool memory_watch_init(struct memory_watch *w, const struct gpu_spec *spec, const struct cache_watch_variants *variants,
                       uint32_t access_lines, struct recorded_patterns *patterns) {
  *w = (struct memory_watch){.variants = variants,
                             .patterns = patterns,
                             .core_count = (uint32_t)spec->cores,
                             .width = variants->l1_count + 2 * variants->l2_count,
                             .access_lines = access_lines};
  w->lines = calloc(memory_access_room(access_lines), sizeof *w->lines);
  w->found = calloc(memory_access_room(access_lines), sizeof *w->found);
  w->cores = calloc(w->core_count, sizeof *w->cores);
  w->heads.entries = calloc(w->core_count, sizeof *w->heads.entries);
  return w->lines && w->found && w->cores && w->heads.entries && make_memories(w, spec);
}

void memory_watch_clear(struct memory_watch *w) {
  for (uint32_t i = 0; i < w->core_count && w->cores; i++) {
    free(w->cores[i].entries);
    free(w->cores[i].outcomes);
    free(w->cores[i].words);
  }
  for (uint32_t j = 0; w->memories && j < w->variants->l2_count; j++)
    memory_clear(&w->memories[j]);
  free(w->memories);
  free(w->memory_of);
  free(w->lines);
  free(w->found);
  free(w->cores);
  free(w->heads.entries);
  *w = (struct memory_watch){0};
}

/* ---- an access is issued ---- */

/* Makes room for one more access. */
static bool make_room(const struct memory_watch *w, struct core_watch *core) {
  const size_t block = HEADER_WORDS + memory_access_room(w->access_lines);
  return array_room(&core->entries, &core->capacity, core->count + (size_t)1, sizeof *core->entries) &&
         array_room(&core->outcomes, &core->outcome_capacity, (core->count + (size_t)1) * w->width,
                    sizeof *core->outcomes) &&
         array_room(&core->words, &core->word_capacity, core->word_count + w->variants->l1_count * block,
                    sizeof *core->words);
}

static uint32_t *put(uint32_t *to, const uint32_t *from, uint32_t count) {
  if (count > 0)
    memcpy(to, from, count * sizeof *to);
  return to + count;
}

/* Writes the lines that leave an L1. */
static void write_block(struct core_watch *core, const struct memory_access *access) {
  uint32_t *block = core->words + core->word_count;
  const uint32_t carried = access->fetched + access->evicted;
  block[0] = access->shared;
  block[1] = access->fetched;
  block[2] = access->evicted;
  uint32_t *end = put(block + HEADER_WORDS, access->lines, access->shared);
  end = put(end, access->lines + access->transactions, access->op_class == OP_ATOMIC ? access->words : carried);
  core->word_count += (size_t)(end - block);
}

/* Returns the result of the access at another L1. */
static struct memory_access access_elsewhere(struct memory_watch *w, uint32_t l1, const struct watched_issue *issue) {
  if (issue->own->op_class == OP_ATOMIC)
    return *issue->own;
  struct memory_access access = {.transactions = issue->own->transactions, .lines = w->lines};
  put(w->lines, issue->lines, access.transactions);
  memory_begin(&w->memories[w->memory_of[l1]], issue->own->core, (enum trace_op_class)issue->own->op_class, NULL,
               &access);
  return access;
}

static uint32_t rounds_of(const struct memory_access *own) {
  uint32_t rounds = 0;
  for (uint32_t i = 0; own->op_class == OP_ATOMIC && i < own->transactions; i++)
    rounds += own->lines[2 * own->transactions + i];
  return rounds;
}

bool memory_watch_issue(struct memory_watch *w, const struct watched_issue *issue, bool *leaves) {
  const struct memory_access *own = issue->own;
  struct core_watch *core = &w->cores[own->core];
  if (!make_room(w, core))
    return false;
  uint16_t *outcome = core->outcomes + (size_t)core->count * w->width;
  const size_t first_word = core->word_count;
  const bool load = own->op_class == OP_LOAD;
  memset(outcome, 0, w->width * sizeof *outcome);
  *leaves = memory_goes_on(own);
  for (uint32_t l1 = 0; l1 < w->variants->l1_count; l1++) {
    const struct memory_access access = l1 > 0 ? access_elsewhere(w, l1, issue) : *own;
    outcome[l1] = load ? (uint16_t)access.shared : 0;
    *leaves |= memory_goes_on(&access);
    write_block(core, &access);
  }
  if (!*leaves) {
    core->word_count = first_word;
    return true;
  }
  core->entries[core->count++] = (struct watched_entry){.time = issue->time,
                                                        .note = issue->note,
                                                        .first_word = first_word,
                                                        .core = own->core,
                                                        .transactions = own->transactions,
                                                        .rounds = rounds_of(own),
                                                        .op_class = own->op_class,
                                                        .goes_on = memory_goes_on(own)};
  w->entry_count++;
  return true;
}

/* ---- at L2 ---- */

static uint16_t use_line(struct memory_system *memory, uint32_t line, enum l2_use use) {
  const struct l2_outcome outcome = memory_use_l2(memory, line, use, 0);
  return (uint16_t)((outcome.hit ? 0 : PATTERN_MISSES) | (outcome.fetch ? PATTERN_FETCHES : 0) |
                    (outcome.left != CACHE_NO_LINE ? PATTERN_PUSHES_OUT : 0) | (outcome.written ? PATTERN_WRITES : 0) |
                    (outcome.written && use == L2_WRITE ? PATTERN_WAITS : 0));
}

/* Looks up the lines that leave an L1 in one L2. Returns the number of the pattern, or 0 if no line leaves, or on
 * failure. */
static uint16_t use_l2(struct memory_watch *w, uint32_t l2, const struct watched_entry *entry, const uint32_t *block) {
  const uint32_t own = block[0], fetched = block[1], all = own + fetched + block[2];
  const uint32_t *lines = block + HEADER_WORDS;
  const bool atomic = entry->op_class == OP_ATOMIC;
  const enum l2_use use = atomic ? L2_UPDATE : entry->op_class == OP_STORE ? L2_WRITE : L2_READ;
  for (uint32_t i = 0; i < all; i++) {
    const enum l2_use now = i < own ? use : i < own + fetched ? L2_READ : L2_WRITE;
    w->found[i] = (struct pattern_line){.use = use_line(&w->memories[l2], lines[i], now),
                                        .operations = atomic ? (uint16_t)lines[own + i] : 0,
                                        .rounds = atomic ? (uint16_t)lines[2 * own + i] : 0};
  }
  return recorded_patterns_number(w->patterns, w->found, own, fetched, block[2]);
}

static uint32_t block_words(const struct watched_entry *entry, const uint32_t *block) {
  const uint32_t all = block[0] + block[1] + block[2];
  return HEADER_WORDS + (entry->op_class == OP_ATOMIC ? 3 * all : all);
}

/* Looks up the access in all L2s behind an L1. Returns false if a pattern has no number. */
static bool use_all_l2(struct memory_watch *w, uint32_t l1, const struct watched_entry *entry, const uint32_t *block,
                       uint16_t *outcome) {
  const struct cache_watch_variants *v = w->variants;
  for (uint32_t j = 0; j < v->l2_count; j++)
    if (v->l2[j].l1 == l1) {
      const uint16_t number = use_l2(w, j, entry, block);
      if (number == 0)
        return false;
      outcome[v->l1_count + j] = w->patterns->patterns[number].missed;
      outcome[v->l1_count + v->l2_count + j] = number;
    }
  return true;
}

bool memory_watch_served(struct memory_watch *w, uint32_t number, const struct memory_access *access) {
  struct core_watch *core = &w->cores[number];
  while (core->served < core->count && !core->entries[core->served].goes_on)
    core->served++;
  assert(core->served < core->count && core->entries[core->served].op_class == access->op_class);
  (void)access;
  const struct watched_entry *entry = &core->entries[core->served];
  return use_all_l2(w, 0, entry, core->words + entry->first_word, core->outcomes + (size_t)core->served++ * w->width);
}

/* Looks up the access in the L2s behind all L1s except the replay's own. Returns false if a pattern has no number. */
static bool use_others(struct memory_watch *w, const struct watched_entry *entry, const uint32_t *block,
                       uint16_t *outcome) {
  bool done = true;
  for (uint32_t l1 = 0; l1 < w->variants->l1_count && done; l1++) {
    if (l1 > 0 && block[0] + block[1] + block[2] > 0)
      done = use_all_l2(w, l1, entry, block, outcome);
    block += block_words(entry, block);
  }
  return done;
}

/* ---- in order of time ---- */

static void forget_first(struct core_watch *core, uint32_t width) {
  const uint32_t rest = core->count - core->ordered;
  const size_t words = rest > 0 ? core->entries[core->ordered].first_word : core->word_count;
  if (rest > 0) {
    memmove(core->entries, core->entries + core->ordered, rest * sizeof *core->entries);
    memmove(core->outcomes, core->outcomes + (size_t)core->ordered * width,
            (size_t)rest * width * sizeof *core->outcomes);
  }
  if (core->word_count > words)
    memmove(core->words, core->words + words, (core->word_count - words) * sizeof *core->words);
  for (uint32_t i = 0; i < rest; i++)
    core->entries[i].first_word -= words;
  core->served = core->served > core->ordered ? core->served - core->ordered : 0;
  core->word_count -= words;
  core->count = rest;
  core->ordered = 0;
}

/* Returns whether the core's first access that was not given back has been served or need not be. */
static bool is_served(const struct core_watch *core) {
  return core->ordered < core->served || !core->entries[core->ordered].goes_on;
}

bool memory_watch_order(struct memory_watch *w, struct time_entry limit,
                        void (*take)(void *taker, const struct watched_entry *entry, const uint16_t *outcome),
                        void *taker) {
  struct time_heap *heads = &w->heads;
  bool done = true;
  heads->count = 0;
  for (uint32_t i = 0; i < w->core_count; i++)
    if (w->cores[i].count > 0)
      time_heap_push(heads, (struct time_entry){w->cores[i].entries[0].time, i});
  while (done && heads->count > 0 && time_before(heads->entries[0], limit) &&
         is_served(&w->cores[heads->entries[0].id])) {
    struct core_watch *core = &w->cores[heads->entries[0].id];
    const struct watched_entry *entry = &core->entries[core->ordered];
    uint16_t *outcome = core->outcomes + (size_t)core->ordered++ * w->width;
    done = use_others(w, entry, core->words + entry->first_word, outcome);
    take(taker, entry, outcome);
    w->entry_count--;
    if (core->ordered < core->count)
      time_heap_replace(heads, (struct time_entry){core->entries[core->ordered].time, entry->core});
    else
      time_heap_pop(heads);
  }
  for (uint32_t i = 0; i < w->core_count; i++)
    forget_first(&w->cores[i], w->width);
  return done;
}
