#include "model/replay/recorded/l2_answers.h"

#include <stdlib.h>

#include "base/array.h"

#define FIRST_LINES 1024

/* ---- recording ---- */

/* Makes room for twice as many lines in the index. Returns false when out of memory. */
static bool widen(struct l2_answers *a) {
  const uint32_t most = a->most ? 2 * a->most : FIRST_LINES;
  void *memory = malloc(hash_index_bytes(most));
  if (!memory)
    return false;
  free(a->index.buckets);
  hash_index_start(&a->index, memory, most);
  a->most = most;
  for (uint32_t i = 0; i < a->line_count; i++)
    *hash_index_bucket(&a->index, a->lines[i].line) = (struct hash_bucket){a->lines[i].line, i};
  return true;
}

/* Returns the entry of a line, which is added if there is none; NULL when out of memory. */
static struct l2_line *entry_of(struct l2_answers *a, uint32_t line) {
  if (a->line_count == a->most && !widen(a))
    return NULL;
  struct hash_bucket *bucket = hash_index_bucket(&a->index, line);
  if (bucket->value == HASH_INDEX_NONE) {
    if (!array_room_u32(&a->lines, &a->line_capacity, (uint64_t)a->line_count + 1, sizeof *a->lines))
      return NULL;
    a->lines[a->line_count] = (struct l2_line){line, a->count, a->count};
    *bucket = (struct hash_bucket){line, a->line_count++};
  }
  return &a->lines[bucket->value];
}

static uint16_t at_most_16_bits(uint64_t count) {
  return count < UINT16_MAX ? (uint16_t)count : UINT16_MAX;
}

struct l2_answer l2_answer_of(struct l2_counts own, struct l2_counts all) {
  return (struct l2_answer){.missed = at_most_16_bits(own.reads),
                            .lines = at_most_16_bits(own.lines),
                            .others = at_most_16_bits(all.lines - own.lines),
                            .moved = at_most_16_bits(own.moved),
                            .others_moved = at_most_16_bits(all.moved - own.moved)};
}

bool l2_answers_add(struct l2_answers *a, uint32_t line, struct l2_answer answer) {
  if (a->count == HASH_INDEX_NONE - 1 ||
      !array_room_u32(&a->answers, &a->capacity, (uint64_t)a->count + 1, sizeof *a->answers))
    return false;
  struct l2_line *entry = entry_of(a, line);
  if (!entry)
    return false;
  answer.next = a->count;
  a->answers[a->count] = answer;
  a->answers[entry->last].next = a->count;
  entry->last = a->count++;
  return true;
}

/* Shortens an array to `count` elements, at least one. It stays as it is when out of memory. */
static void *shorten(void *array, uint32_t count, uint32_t *capacity, size_t size) {
  const uint32_t least = count > 0 ? count : 1;
  void *shorter = array && least < *capacity ? realloc(array, least * size) : NULL;
  if (!shorter)
    return array;
  *capacity = least;
  return shorter;
}

void l2_answers_fit(struct l2_answers *a) {
  a->answers = shorten(a->answers, a->count, &a->capacity, sizeof *a->answers);
  a->lines = shorten(a->lines, a->line_count, &a->line_capacity, sizeof *a->lines);
}

void l2_answers_clear(struct l2_answers *a) {
  free(a->answers);
  free(a->lines);
  free(a->index.buckets);
  *a = (struct l2_answers){0};
}

size_t l2_answers_bytes(const struct l2_answers *a) {
  return a->capacity * sizeof *a->answers + a->line_capacity * sizeof *a->lines +
         (a->most ? hash_index_bytes(a->most) : 0);
}

/* ---- queues ---- */

static uint64_t serve(struct shared_queue *queue, uint64_t spread, uint64_t ticks, uint32_t own, uint32_t others,
                      uint64_t time) {
  if (ticks == 0)
    return 0;
  const uint64_t wait = shared_queue_until(queue, time > queue->time ? time : queue->time, spread);
  shared_queue_add(queue, own * ticks, others * ticks);
  return wait;
}

uint64_t l2_fluid_serve(struct l2_fluid *f, const struct l2_answer *answer, uint64_t time) {
  const uint64_t l2 = serve(&f->l2, f->spread, f->line_ticks, answer->lines, answer->others, time);
  if (answer->moved + answer->others_moved == 0)
    return l2;
  const uint64_t dram = serve(&f->dram, f->spread, f->dram_ticks, answer->moved, answer->others_moved, time);
  return answer->missed > 0 && dram > l2 ? dram : l2;
}

/* ---- reading answers ---- */

bool l2_asked_init(struct l2_asked *asked, const struct l2_answers *answers) {
  *asked = (struct l2_asked){.answers = answers, .next = malloc((answers->line_count + 1) * sizeof *asked->next)};
  for (uint32_t i = 0; i < answers->line_count && asked->next; i++)
    asked->next[i] = answers->lines[i].first;
  return asked->next;
}

void l2_asked_clear(struct l2_asked *asked) {
  free(asked->next);
  *asked = (struct l2_asked){0};
}

struct l2_answer l2_asked_next(struct l2_asked *asked, uint32_t line) {
  const struct l2_answers *a = asked->answers;
  const uint32_t entry = a->most ? hash_index_bucket(&a->index, line)->value : HASH_INDEX_NONE;
  if (entry == HASH_INDEX_NONE)
    return asked->told;
  const uint32_t at = asked->next[entry];
  if (at == a->count) {
    asked->told = a->answers[a->lines[entry].last];
    asked->told.missed = 0;
    return asked->told;
  }
  asked->told = a->answers[at];
  asked->next[entry] = asked->told.next == at ? a->count : asked->told.next;
  return asked->told;
}
