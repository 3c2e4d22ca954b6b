/* Random programs of a host with several queues, some out of order, with user events: the host's spans leave no gap and
 * add up to its time; a command starts when it was submitted and what it depends on has ended; an engine runs one
 * command at a time; and the actions, written and read again, give the same times. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "base/random.h"
#include "tracegen/program/timeline/timeline_actions.h"

enum { PROGRAMS = 200, ACTIONS = 120, QUEUES = 3, MOST_DEPS = 4 };

static const struct host_costs costs[] = {
    {.shared_memory = true, .link_bytes_per_ns = 4.7, .copy_bytes_per_ns = 28, .enqueue_ns = 10, .submit_ns = 400},
    {.link_bytes_per_ns = 9.6, .link_ns = 50, .enqueue_ns = 7, .submit_ns = 30, .wait_ns = 5, .query_ns = 3}};

struct program {
  struct timeline *timeline;
  struct random_state random;
  uint32_t open_events[ACTIONS], open_count;
  struct action actions[ACTIONS];
  uint32_t deps[ACTIONS][MOST_DEPS];
  uint32_t command_action[ACTIONS], command_count; /* the action that made each command */
  int64_t covered_ns;                              /* the end of the last span */
};

static uint32_t below(struct program *p, uint32_t limit) {
  return random_below(&p->random, limit);
}

static void take_span(void *user, enum host_state state, uint32_t command, int64_t from, int64_t to) {
  struct program *p = user;
  (void)command;
  assert_true(state < HOST_STATES);
  assert_int_equal(from, p->covered_ns);
  assert_true(to > from);
  p->covered_ns = to;
}

static struct action random_command(struct program *p, uint32_t *deps) {
  struct action a = {.kind = ACTION_ENQUEUE, .launch = ACTION_NO_LAUNCH};
  a.request = (struct command_request){.kind = (enum command_kind)below(p, COMMAND_USER),
                                       .queue = below(p, QUEUES),
                                       .bytes = below(p, 5000),
                                       .kernel_ns = below(p, 900),
                                       .measured = below(p, 4) == 0,
                                       .measured_ns = below(p, 700),
                                       .barrier = below(p, 10) == 0,
                                       .after_all = below(p, 10) == 0,
                                       .deps = deps};
  if (a.request.kind != COMMAND_KERNEL)
    a.request.kernel_ns = 0;
  if (p->command_count > 0)
    a.request.dep_count = below(p, MOST_DEPS);
  for (uint32_t i = 0; i < a.request.dep_count; i++)
    deps[i] = below(p, p->command_count);
  return a;
}

/* A host that waits for a command whose user event it has not set waits for ever: such waits become a pass of time. */
static struct action random_action(struct program *p, uint32_t number) {
  const uint32_t choice = below(p, 10);
  if (number < QUEUES)
    return (struct action){.kind = ACTION_QUEUE, .in_order = number != 1};
  if (choice < 5)
    return random_command(p, p->deps[number]);
  if (choice == 5)
    return (struct action){.kind = ACTION_USER_EVENT};
  if (choice == 6 && p->open_count > 0)
    return (struct action){.kind = ACTION_COMPLETE, .number = p->open_events[--p->open_count]};
  if (choice == 7 && p->command_count > 0) {
    const uint32_t command = below(p, p->command_count);
    if (timeline_is_placed(p->timeline, command))
      return (struct action){.kind = ACTION_WAIT, .number = command};
  }
  if (choice == 8)
    return (struct action){.kind = ACTION_QUERY, .number = 1};
  return (struct action){.kind = ACTION_PASS, .state = HOST_RUNS, .ns = below(p, 600)};
}

static void act(struct program *p, uint32_t number) {
  struct action *a = &p->actions[number];
  *a = random_action(p, number);
  if (a->kind == ACTION_ENQUEUE || a->kind == ACTION_USER_EVENT)
    p->command_action[p->command_count++] = number;
  if (a->kind == ACTION_USER_EVENT)
    p->open_events[p->open_count++] = p->command_count - 1;
  assert_true(action_apply(p->timeline, a));
}

static void check_command(const struct program *p, uint32_t number) {
  const struct action *a = &p->actions[p->command_action[number]];
  if (a->kind != ACTION_ENQUEUE || !timeline_is_placed(p->timeline, number))
    return;
  const struct command_times t = timeline_times(p->timeline, number);
  assert_true(t.queued <= t.submit && t.submit <= t.start && t.start <= t.end);
  for (uint32_t i = 0; i < a->request.dep_count; i++)
    assert_true(timeline_times(p->timeline, a->request.deps[i]).end <= t.start);
}

static enum command_engine engine_of(const struct program *p, uint32_t number, const struct host_costs *c) {
  const struct action *a = &p->actions[p->command_action[number]];
  return a->kind == ACTION_ENQUEUE && timeline_is_placed(p->timeline, number) ? command_engine(c, a->request.kind)
                                                                              : ENGINE_NONE;
}

static void check_pairs(const struct program *p, const struct host_costs *c) {
  for (uint32_t i = 0; i < p->command_count; i++)
    for (uint32_t j = 0; j < i; j++) {
      const struct command_times a = timeline_times(p->timeline, i), b = timeline_times(p->timeline, j);
      const bool same_engine = engine_of(p, i, c) != ENGINE_NONE && engine_of(p, i, c) == engine_of(p, j, c);
      if (same_engine && a.start < a.end && b.start < b.end)
        assert_true(a.end <= b.start || b.end <= a.start);
    }
}

/* Writes the actions as lines, reads them and applies them to a timeline of its own. */
static struct timeline *read_again(const struct program *p, const struct host_costs *c) {
  static uint32_t deps[ACTION_MOST_DEPS];
  struct timeline *t = timeline_create(c);
  for (uint32_t i = 0; i < ACTIONS; i++) {
    char *line = NULL;
    size_t bytes;
    struct action a;
    FILE *out = open_memstream(&line, &bytes);
    assert_true(action_format(&p->actions[i], out));
    fclose(out);
    assert_true(action_parse(line, &a, deps));
    a.request.kernel_ns = p->actions[i].request.kernel_ns; /* not part of the line */
    assert_true(action_apply(t, &a));
    free(line);
  }
  return t;
}

static void check_again(const struct program *p, const struct host_costs *c) {
  struct timeline *t = read_again(p, c);
  assert_int_equal(timeline_now(t), timeline_now(p->timeline));
  assert_int_equal(timeline_count(t), p->command_count);
  for (uint32_t i = 0; i < p->command_count; i++) {
    const struct command_times a = timeline_times(t, i), b = timeline_times(p->timeline, i);
    assert_memory_equal(&a, &b, sizeof a);
  }
  timeline_destroy(t);
}

static void keeps_its_rules(void **state) {
  (void)state;
  for (uint64_t seed = 1; seed <= PROGRAMS; seed++) {
    static struct program p;
    const struct host_costs *c = &costs[seed % 2];
    p = (struct program){.timeline = timeline_create(c), .random = {seed}};
    timeline_listen(p.timeline, take_span, &p);
    for (uint32_t i = 0; i < ACTIONS; i++)
      act(&p, i);
    assert_int_equal(p.covered_ns, timeline_now(p.timeline));
    for (uint32_t i = 0; i < p.command_count; i++)
      check_command(&p, i);
    check_pairs(&p, c);
    check_again(&p, c);
    timeline_destroy(p.timeline);
  }
}

/* Times by hand: a transfer runs beside a kernel of another queue, and what waits for both starts when the later
 * ends. */
static void hides_a_transfer_behind_a_kernel(void **state) {
  (void)state;
  const struct host_costs c = {.link_bytes_per_ns = 1, .enqueue_ns = 10, .submit_ns = 100, .wait_ns = 7};
  struct timeline *t = timeline_create(&c);
  const uint32_t first = timeline_queue(t, true), second = timeline_queue(t, true);
  const uint32_t kernel =
      timeline_enqueue(t, &(struct command_request){.kind = COMMAND_KERNEL, .queue = first, .kernel_ns = 500});
  const uint32_t write =
      timeline_enqueue(t, &(struct command_request){.kind = COMMAND_WRITE, .queue = second, .bytes = 200});
  const uint32_t next = timeline_enqueue(
      t, &(struct command_request){
             .kind = COMMAND_KERNEL, .queue = second, .kernel_ns = 50, .deps = &kernel, .dep_count = 1});
  assert_int_equal(timeline_times(t, kernel).start, 100);
  assert_int_equal(timeline_times(t, kernel).end, 600);
  assert_int_equal(timeline_times(t, write).start, 110);
  assert_int_equal(timeline_times(t, write).end, 310);
  assert_int_equal(timeline_times(t, next).start, 600);
  timeline_wait(t, next);
  assert_int_equal(timeline_now(t), 657);
  timeline_destroy(t);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(keeps_its_rules),
                                     cmocka_unit_test(hides_a_transfer_behind_a_kernel)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
