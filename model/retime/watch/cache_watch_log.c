#include "model/retime/watch/cache_watch_log.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"

enum { FIRST_ROOM = 1024 };

/* ---- the watched L1s ---- */

static void add_size(struct cache_watch_log *log, const struct cache_watch_variants *v, uint32_t l1) {
  uint32_t at = log->size_count++;
  for (; at > 0 && v->l1[log->sizes[at - 1]].lines > v->l1[l1].lines; at--)
    log->sizes[at] = log->sizes[at - 1];
  log->sizes[at] = l1;
}

static bool core_log_init(const struct cache_watch_log *log, struct core_log *core,
                          const struct cache_watch_variants *v) {
  uint32_t *lines = calloc(log->size_count + 1u, sizeof *lines);
  for (uint32_t i = 0; i < log->size_count && lines; i++)
    lines[i] = v->l1[log->sizes[i]].lines;
  core->others = calloc(log->other_count, sizeof(struct cache *));
  bool done = lines && core->others;
  if (done && log->size_count > 0)
    done = (core->levels = multi_size_lru_create(lines, log->size_count));
  for (uint32_t i = 1; i < log->other_count && done; i++)
    done = cache_geometry_create(&v->l1[log->others[i]], &core->others[i]);
  free(lines);
  return done;
}

bool cache_watch_log_init(struct cache_watch_log *log, const struct cache_watch_variants *v, uint32_t cores) {
  *log = (struct cache_watch_log){.core_count = cores,
                                  .sizes = calloc(v->l1_count, sizeof *log->sizes),
                                  .others = calloc(v->l1_count, sizeof *log->others),
                                  .cores = calloc(cores, sizeof *log->cores),
                                  .heads = {calloc(cores, sizeof *log->heads.entries), 0}};
  bool done = log->sizes && log->others && log->cores && log->heads.entries;
  for (uint32_t i = 0; i < v->l1_count && done; i++)
    if (i > 0 && cache_geometry_is_lru(&v->l1[i]))
      add_size(log, v, i);
    else
      log->others[log->other_count++] = i;
  log->words = (log->other_count + 63) / 64;
  for (uint32_t i = 0; i < cores && done; i++)
    done = core_log_init(log, &log->cores[i], v);
  return done;
}

void cache_watch_log_clear(struct cache_watch_log *log) {
  for (uint32_t i = 0; i < log->core_count && log->cores; i++) {
    struct core_log *core = &log->cores[i];
    for (uint32_t k = 0; k < log->other_count && core->others; k++)
      cache_destroy(core->others[k]);
    free(core->others);
    multi_size_lru_destroy(core->levels);
    free(core->accesses);
    free(core->lines);
    free(core->missed);
  }
  free(log->sizes);
  free(log->others);
  free(log->cores);
  free(log->heads.entries);
  free(log->order);
  *log = (struct cache_watch_log){0};
}

/* ---- an access is logged ---- */

static bool grow_lines(const struct cache_watch_log *log, struct core_log *core, uint32_t more) {
  const uint64_t need = 2 * ((uint64_t)core->line_count + more) + FIRST_ROOM;
  uint32_t lines = core->line_capacity, missed = core->line_capacity;
  if (!array_room_u32(&core->lines, &lines, need, sizeof *core->lines) ||
      !array_room_u32(&core->missed, &missed, need, log->words * sizeof *core->missed))
    return false;
  core->line_capacity = lines;
  return true;
}

static bool grow_accesses(struct core_log *core) {
  const uint64_t need = 2 * (uint64_t)core->capacity + FIRST_ROOM;
  return array_room_u32(&core->accesses, &core->capacity, need, sizeof *core->accesses);
}

/* Sorts the lines, which L1 has moved, back into ascending order. Bit 0 stands for the replay's own L1. */
static void sort_lines(const struct watched_access *own, struct logged_line *lines, uint64_t *missed, uint32_t words) {
  memset(missed, 0, (size_t)own->transactions * words * sizeof *missed);
  for (uint32_t k = 0; k < own->transactions; k++) {
    uint32_t at = k;
    for (; at > 0 && lines[at - 1].line > own->lines[k]; at--) {
      lines[at] = lines[at - 1];
      missed[at * words] = missed[(at - 1) * words];
    }
    lines[at].line = own->lines[k];
    missed[at * words] = k < own->to_l2;
  }
}

/* Looks up the lines in the caches of all sizes. Returns the largest level. */
static uint32_t use_sizes(struct core_log *core, enum trace_op_class op_class, struct logged_line *lines,
                          uint32_t count, uint32_t size_count) {
  uint32_t most = 0;
  for (uint32_t k = 0; k < count; k++) {
    lines[k].level = size_count;
    if (op_class == OP_LOAD && core->levels)
      lines[k].level = multi_size_lru_access(core->levels, lines[k].line);
    else if (op_class == OP_STORE && core->levels)
      multi_size_lru_touch(core->levels, lines[k].line);
    most = lines[k].level > most ? lines[k].level : most;
  }
  return most;
}

static bool hits_other(struct cache *l1, enum trace_op_class op_class, uint32_t line) {
  if (op_class == OP_STORE && l1)
    cache_touch(l1, line);
  return op_class == OP_LOAD && l1 && cache_access(l1, line);
}

/* Looks up the lines in the other L1s. Returns whether a line misses one of them, apart from the replay's own. */
static bool use_others(struct core_log *core, enum trace_op_class op_class, const struct logged_line *lines,
                       uint32_t count, const struct cache_watch_log *log, uint64_t *missed) {
  bool any = false;
  for (uint32_t i = 1; i < log->other_count; i++)
    for (uint32_t k = 0; k < count; k++)
      if (!hits_other(core->others[i], op_class, lines[k].line)) {
        missed[k * log->words + i / 64] |= UINT64_C(1) << i % 64;
        any = true;
      }
  return any;
}

static bool make_room(const struct cache_watch_log *log, struct core_log *core, uint32_t lines) {
  return (core->line_capacity - core->line_count >= lines || grow_lines(log, core, lines)) &&
         (core->count < core->capacity || grow_accesses(core));
}

static void add_access(struct cache_watch_log *log, uint32_t number, const struct watched_access *own, uint64_t time,
                       uint64_t note, uint32_t most) {
  struct core_log *core = &log->cores[number];
  core->accesses[core->count++] = (struct logged_access){.time = time,
                                                         .note = note,
                                                         .first_line = core->line_count,
                                                         .transactions = own->transactions,
                                                         .own_to_l2 = own->to_l2,
                                                         .most = most,
                                                         .core = number,
                                                         .op_class = (uint8_t)own->op_class};
  core->line_count += own->transactions;
  log->access_count++;
}

/* Handles the usual case in short: a load of one line, with no other L1s than the replay's own and sizes. */
static bool load_line(struct cache_watch_log *log, uint32_t number, const struct watched_access *own, uint64_t time,
                      uint64_t note, bool *missing) {
  struct core_log *core = &log->cores[number];
  const uint32_t line = own->lines[0], level = core->levels ? multi_size_lru_access(core->levels, line) : 0;
  *missing = level > 0 || own->to_l2 > 0;
  if (!*missing)
    return true;
  if (!make_room(log, core, 1))
    return false;
  core->lines[core->line_count] = (struct logged_line){line, level};
  core->missed[core->line_count] = own->to_l2;
  add_access(log, number, own, time, note, level);
  return true;
}

bool cache_watch_log_access(struct cache_watch_log *log, uint32_t number, const struct watched_access *own,
                            uint64_t time, uint64_t note, bool *missing) {
  struct core_log *core = &log->cores[number];
  if (own->transactions == 1 && own->op_class == OP_LOAD && log->other_count == 1)
    return load_line(log, number, own, time, note, missing);
  if (!make_room(log, core, own->transactions))
    return false;
  struct logged_line *lines = core->lines + core->line_count;
  uint64_t *missed = core->missed + (size_t)core->line_count * log->words;
  sort_lines(own, lines, missed, log->words);
  const uint32_t most = use_sizes(core, own->op_class, lines, own->transactions, log->size_count);
  const bool others = use_others(core, own->op_class, lines, own->transactions, log, missed);
  *missing = most > 0 || others || own->to_l2 > 0;
  if (*missing)
    add_access(log, number, own, time, note, most);
  return true;
}

void cache_watch_log_served(struct cache_watch_log *log, uint32_t number, uint32_t missed) {
  struct core_log *core = &log->cores[number];
  while (core->served < core->count && core->accesses[core->served].own_to_l2 == 0)
    core->served++;
  assert(core->served < core->count);
  core->accesses[core->served++].own_missed = missed;
}

/* ---- in order of time ---- */

static bool room_for_order(struct cache_watch_log *log) {
  return array_room_u32(&log->order, &log->order_capacity, log->access_count, sizeof *log->order);
}

/* Takes the accesses of one core that come before `end`. */
static uint32_t take(struct cache_watch_log *log, struct core_log *core, struct time_entry end, uint32_t count) {
  const struct logged_access *last = core->accesses + core->count;
  struct logged_access *next = core->accesses + core->ordered;
  for (; next < last && time_before((struct time_entry){next->time, next->core}, end); next++)
    log->order[count++] = next;
  core->ordered = (uint32_t)(next - core->accesses);
  return count;
}

bool cache_watch_log_order(struct cache_watch_log *log, struct time_entry limit, uint32_t *count) {
  struct time_heap *heads = &log->heads;
  *count = heads->count = 0;
  if (!room_for_order(log))
    return false;
  for (uint32_t i = 0; i < log->core_count; i++)
    if (log->cores[i].levels && multi_size_lru_failed(log->cores[i].levels))
      return false;
  for (uint32_t i = 0; i < log->core_count; i++)
    if (log->cores[i].count > 0)
      time_heap_push(heads, (struct time_entry){log->cores[i].accesses[0].time, i});
  while (heads->count > 0 && time_before(heads->entries[0], limit)) {
    const struct time_entry second = time_heap_second(heads);
    struct core_log *core = &log->cores[heads->entries[0].id];
    *count = take(log, core, time_before(second, limit) ? second : limit, *count);
    if (core->ordered < core->count)
      time_heap_replace(heads, (struct time_entry){core->accesses[core->ordered].time, heads->entries[0].id});
    else
      time_heap_pop(heads);
  }
  return true;
}

static void forget_first(struct core_log *core, uint32_t words) {
  const uint32_t rest = core->count - core->ordered;
  const uint32_t lines = rest > 0 ? core->accesses[core->ordered].first_line : core->line_count;
  memmove(core->accesses, core->accesses + core->ordered, rest * sizeof *core->accesses);
  memmove(core->lines, core->lines + lines, (core->line_count - lines) * sizeof *core->lines);
  memmove(core->missed, core->missed + (size_t)lines * words,
          (size_t)(core->line_count - lines) * words * sizeof *core->missed);
  for (uint32_t i = 0; i < rest; i++)
    core->accesses[i].first_line -= lines;
  core->served = core->served > core->ordered ? core->served - core->ordered : 0;
  core->line_count -= lines;
  core->count = rest;
  core->ordered = 0;
}

void cache_watch_log_forget(struct cache_watch_log *log) {
  log->access_count = 0;
  for (uint32_t i = 0; i < log->core_count; i++) {
    if (log->cores[i].ordered > 0)
      forget_first(&log->cores[i], log->words);
    log->access_count += log->cores[i].count;
  }
}
