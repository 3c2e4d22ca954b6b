#include "model/replay/recorded/core_alone.h"

#include <stdlib.h>

#include "base/array.h"

static struct l2_fluid fluid_of(const struct memory_system *memory) {
  const uint32_t slices = memory->slices.count > 0 ? memory->slices.count : 1;
  return (struct l2_fluid){.line_ticks = memory->slices.line_ticks / slices,
                           .dram_ticks = memory->slices.dram_line_ticks / slices};
}

/* Lets lines arrive at a queue at `time`, behind those of the other cores since the last time, which came evenly.
 * Returns the ticks that they wait. */
static uint64_t arrive(struct shared_queue *queue, uint64_t ticks, uint32_t own, uint32_t others, uint64_t time) {
  if (ticks == 0)
    return 0;
  shared_queue_add(queue, others * ticks, 0);
  const uint64_t wait = shared_queue_until(queue, ticks_later(time, queue->time), 1);
  shared_queue_add(queue, own * ticks, 0);
  return wait;
}

/* Returns the ticks that a line waits in the fluid queues. */
static uint64_t fluid_wait(struct l2_fluid *fluid, const struct l2_answer *answer, uint64_t time) {
  const uint64_t l2 = arrive(&fluid->l2, fluid->line_ticks, answer->lines, answer->others, time);
  const uint64_t dram = arrive(&fluid->dram, fluid->dram_ticks, answer->moved, answer->others_moved, time);
  return answer->missed > 0 && dram > l2 ? dram : l2;
}

/* ---- recording ---- */

void core_records_clear(struct core_records *records) {
  for (uint32_t i = 0; i < records->count; i++) {
    free(records->list[i].groups);
    l2_answers_clear(&records->list[i].answers);
  }
  *records = (struct core_records){0};
}

void core_records_begin(struct core_records *records, const struct memory_system *memory) {
  for (uint32_t i = 0; i < records->count; i++) {
    records->list[i].fluid = fluid_of(memory);
    records->list[i].dram_ticks = memory->dram_ticks;
    records->list[i].most_lines = CORE_RECORDS_MOST_LINES / records->count;
  }
}

struct core_record *core_records_of(struct core_records *records, uint32_t core) {
  for (uint32_t i = 0; i < records->count; i++)
    if (records->list[i].core == core)
      return &records->list[i];
  return NULL;
}

void core_record_group(struct core_record *record, uint32_t group) {
  if (array_room_u32(&record->groups, &record->group_capacity, (uint64_t)record->group_count + 1,
                     sizeof *record->groups))
    record->groups[record->group_count++] = group;
  else
    record->incomplete = true;
}

/* Returns the lines of an access that queues for which the core waits: its own, and those that it fetches into L1. */
static uint32_t answered_lines(const struct memory_access *access) {
  return access->shared + access->fetched;
}

static uint32_t answered_line(const struct memory_access *access, uint32_t number) {
  return access->lines[number < access->shared ? number : access->transactions + number - access->shared];
}

static bool add_answer(struct core_record *record, uint32_t line, struct l2_answer answer) {
  return record->answers.count < record->most_lines && l2_answers_add(&record->answers, line, answer);
}

/* Adds the answer for a line; `answer` has the traffic that came with it. */
static void keep(struct core_record *record, uint32_t line, const struct line_served *served, uint64_t time,
                 struct l2_answer answer) {
  const uint64_t wait = served->begins - time, merged = served->merged ? served->merged - time : 0;
  answer.missed = served->read;
  const uint64_t fluid = fluid_wait(&record->fluid, &answer, time);
  answer.wait = (uint32_t)wait;
  answer.fluid = (uint32_t)fluid;
  answer.merged = (uint32_t)merged;
  answer.executed = (uint32_t)served->executed;
  record->incomplete |= (wait | merged | served->executed | fluid) > UINT32_MAX || !add_answer(record, line, answer);
}

/* Records an access where nothing queues. */
static void keep_misses(struct core_record *record, const struct memory_system *memory,
                        const struct memory_access *access) {
  for (uint32_t i = 0; i < access->shared && !record->incomplete; i++)
    record->incomplete |= !add_answer(record, access->lines[i], (struct l2_answer){.missed = memory->served[i].read});
}

void core_record_access(struct core_record *record, const struct memory_system *memory,
                        const struct memory_access *access, uint64_t time, struct l2_counts before) {
  const struct l2_counts now = l2_counts_of(&memory->shared), own = l2_counts_since(now, before);
  struct l2_answer answer = l2_answer_of(own, l2_counts_since(now, record->before));
  record->before = now;
  if (!memory->comes) {
    keep_misses(record, memory, access);
    return;
  }
  for (uint32_t i = 0; i < answered_lines(access) && !record->incomplete; i++) {
    keep(record, answered_line(access, i), &memory->served[i], time, answer);
    answer = (struct l2_answer){0}; /* the traffic counts with the first line */
  }
}

/* ---- replaying the core alone ---- */

bool core_alone_init(struct core_alone *alone, const struct core_record *record, const struct memory_system *memory,
                     bool l2_on) {
  *alone = (struct core_alone){.record = record, .l2_off = !l2_on, .fluid = fluid_of(memory)};
  return l2_asked_init(&alone->asked, &record->answers);
}

void core_alone_clear(struct core_alone *alone) {
  l2_asked_clear(&alone->asked);
}

/* Returns the ticks after its arrival at which a line comes that is being fetched already: longer or shorter with the
 * latency of memory. */
static uint64_t merged_after(const struct core_alone *alone, const struct memory_system *memory, uint32_t ticks) {
  const uint64_t before = alone->record->dram_ticks;
  if (memory->dram_ticks == before || before == 0)
    return ticks;
  return (uint64_t)((tick_sum)ticks * memory->dram_ticks / before);
}

/* Returns the service that was recorded for a line, with the waits in the queues of this replay. */
static struct line_served served_again(struct core_alone *alone, const struct memory_system *memory, uint32_t line,
                                       uint64_t time) {
  const struct l2_answer answer = l2_asked_next(&alone->asked, line);
  const uint64_t waits = answer.wait + fluid_wait(&alone->fluid, &answer, time);
  const uint64_t wait = waits > answer.fluid ? waits - answer.fluid : 0;
  const uint64_t later = answer.executed > answer.wait ? answer.executed - answer.wait : 0;
  return (struct line_served){.begins = time + wait,
                              .merged = answer.merged ? time + merged_after(alone, memory, answer.merged) : 0,
                              .executed = answer.executed ? wait + later : 0,
                              .read = answer.missed || alone->l2_off};
}

static struct memory_service finish(struct core_alone *alone, const struct memory_system *memory,
                                    struct memory_access *access) {
  uint32_t missed = 0;
  for (uint32_t i = 0; i < access->shared; i++)
    missed += l2_asked_next(&alone->asked, access->lines[i]).missed || alone->l2_off;
  access->missed = missed;
  if (access->op_class != OP_STORE)
    access->dram_ticks = memory_times_waited(memory, missed) * memory->dram_ticks;
  return (struct memory_service){0};
}

/* Adds the service of one of the access's own lines, as memory_serve does. */
static void add_own(const struct memory_system *memory, struct memory_access *access, const struct line_served *one,
                    uint64_t time, struct memory_service *all) {
  all->wait = ticks_later(all->wait, one->begins - time);
  if (access->op_class == OP_STORE)
    return;
  const uint64_t dram = one->read ? memory->dram_ticks : 0;
  access->dram_ticks = memory->overlapped ? ticks_later(access->dram_ticks, dram) : access->dram_ticks + dram;
  all->merged = ticks_later(all->merged, one->merged);
}

struct memory_service core_alone_serve(struct core_alone *alone, const struct memory_system *memory, bool queued,
                                       struct memory_access *access, uint64_t time) {
  struct memory_service all = {.comes = memory->comes};
  uint64_t executed = 0;
  if (!queued)
    return finish(alone, memory, access);
  for (uint32_t i = 0; i < answered_lines(access); i++) {
    const struct line_served one = served_again(alone, memory, answered_line(access, i), time);
    const uint64_t comes = ticks_later(one.begins + (one.read ? memory->dram_ticks : 0), one.merged) + memory->l2_ticks;
    if (i < access->shared)
      add_own(memory, access, &one, time, &all);
    memory->comes[i < access->shared ? i : i - access->shared] = comes;
    executed = ticks_later(executed, one.executed);
  }
  if (executed > all.wait)
    access->atomic_ticks += executed - all.wait;
  return all;
}
