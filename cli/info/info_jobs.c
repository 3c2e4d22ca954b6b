#include "cli/info/info_jobs.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "cli/core/view.h"
#include "tracegen/bifrost/isa/operations.h"
#include "tracegen/bifrost/job/products.h"
#include "tracegen/bifrost/statistics/job_statistics.h"

#define ENDING ".rbifrost"

bool info_jobs_is(const char *file) {
  const size_t length = strlen(file), ending = strlen(ENDING);
  return length > ending && strcmp(file + length - ending, ENDING) == 0;
}

static double percent(uint64_t part, uint64_t whole) {
  return whole ? 100.0 * (double)part / (double)whole : 0;
}

static void show_number(struct view *view, const char *key, const char *words, uint64_t value) {
  view_member(view, key, view_whole(value));
  view_say(view, "  %-28s %12" PRIu64 "\n", words, value);
}

static void show_share(struct view *view, const char *key, const char *words, uint64_t part, uint64_t whole) {
  view_member(view, key, view_whole(part));
  view_say(view, "  %-28s %12" PRIu64 "  %5.1f %%\n", words, part, percent(part, whole));
}

static void show_run(struct view *view, const struct bifrost_statistics *s) {
  show_number(view, "jobs", "jobs", s->jobs);
  show_number(view, "work_groups", "work-groups", s->groups);
  show_number(view, "warps", "warps", s->warps);
  show_number(view, "work_items", "work-items", s->work_items);
  show_number(view, "code_clauses", "clauses of the code", s->code_clauses);
  show_number(view, "code_bytes", "bytes of the code", s->code_bytes);
  show_number(view, "clauses", "clauses executed by warps", s->clauses);
  show_number(view, "tuples", "tuples executed by warps", s->tuples);
  show_share(view, "empty_fma_slots", "empty FMA slots", s->empty_slots[UNIT_FMA], s->slots[UNIT_FMA]);
  show_share(view, "empty_add_slots", "empty ADD slots", s->empty_slots[UNIT_ADD], s->slots[UNIT_ADD]);
  show_share(view, "active_lanes", "active lanes", s->active_lanes, s->lanes);
  show_share(view, "divergent_branches", "branches that diverge", s->divergent_branches, s->branches);
  show_share(view, "waits", "clauses behind which it waits", s->waits, s->clauses);
  show_number(view, "pages", "pages of 4 KiB accessed", s->pages);
}

static void show_sizes(struct view *view, const struct bifrost_statistics *s) {
  static const struct view_column columns[] = {
      {.key = "tuples", .title = "tuples", .format = "%d", .last = true},
      {.key = "code_clauses", .title = "clauses of the code", .format = "%d", .last = true},
      {.key = "clauses", .title = "executed by warps", .format = "%d", .last = true},
  };
  struct view_list list;
  view_say(view, "\n");
  view_list_begin(view, "clause_sizes", columns, sizeof columns / sizeof *columns, &list);
  for (unsigned size = 1; size <= CLAUSE_MAX_TUPLES; size++)
    VIEW_ROW(&list, view_whole(size), view_whole(s->code_clauses_of_size[size]), view_whole(s->clauses_of_size[size]));
  view_list_end(&list);
}

static uint64_t all_places(const struct bifrost_statistics *s) {
  uint64_t sum = 0;
  for (int i = 0; i < PLACE_COUNT; i++)
    sum += s->operands[i];
  for (int i = 0; i < SPACE_COUNT; i++)
    sum += s->accesses[i];
  return sum;
}

static void show_data(struct view *view, const struct bifrost_statistics *s) {
  static const struct view_column columns[] = {
      {.key = "place", .title = "data in"},
      {.key = "accesses", .title = "accesses by work-items", .format = "%d", .last = true},
      {.title = "%", .format = "%.1f", .last = true},
      {.key = "bytes", .title = "bytes", .format = "%d", .last = true},
  };
  const uint64_t all = all_places(s);
  struct view_list list;
  char name[40];
  view_say(view, "\n");
  view_list_begin(view, "data", columns, sizeof columns / sizeof *columns, &list);
  for (int i = 0; i < PLACE_COUNT; i++)
    VIEW_ROW(&list, view_text(operand_place_name((enum operand_place)i)), view_whole(s->operands[i]),
             view_real(percent(s->operands[i], all)), view_whole(4 * s->operands[i]));
  for (int i = 0; i < SPACE_COUNT; i++) {
    snprintf(name, sizeof name, "%s_memory", trace_space_name((enum trace_space)i));
    VIEW_ROW(&list, view_text(name), view_whole(s->accesses[i]), view_real(percent(s->accesses[i], all)),
             view_whole(s->bytes[i]));
  }
  view_list_end(&list);
}

static void show_messages(struct view *view, const struct bifrost_statistics *s) {
#define X(id, text) text,
  static const char *const names[] = {BIFROST_MESSAGES(X)};
#undef X
  static const struct view_column columns[] = {
      {.key = "message", .title = "message"},
      {.key = "clauses", .title = "executed by warps", .format = "%d", .last = true},
  };
  struct view_list list;
  view_say(view, "\n");
  view_list_begin(view, "messages", columns, sizeof columns / sizeof *columns, &list);
  for (int i = MESSAGE_NONE + 1; i < MESSAGE_COUNT; i++)
    if (s->messages[i])
      VIEW_ROW(&list, view_text(names[i]), view_whole(s->messages[i]));
  view_list_end(&list);
}

#define CLAUSE_NAME_BYTES 24

static const char *clause_name(uint32_t clause, char name[CLAUSE_NAME_BYTES]) {
  if (clause == FLOW_NOWHERE)
    return "";
  snprintf(name, CLAUSE_NAME_BYTES, "clause_%" PRIu32, clause);
  return clause == FLOW_ENDS ? "end" : name;
}

/* The graph of the control flow at the level of clauses: a row is a node with its edges. */
static void show_flow(struct view *view, const struct bifrost_statistics *s) {
  static const struct view_column columns[] = {
      {.key = "job", .title = "job", .format = "%d", .last = true},
      {.key = "clause", .title = "clause"},
      {.key = "warps", .title = "warps", .format = "%d", .last = true},
      {.key = "work_items", .title = "work-items", .format = "%d", .last = true},
      {.key = "divergent", .title = "diverge", .format = "%d", .last = true},
      {.key = "target", .title = "branch to"},
      {.key = "taken", .title = "work-items", .format = "%d", .last = true},
      {.key = "next", .title = "next"},
      {.key = "not_taken", .title = "work-items", .format = "%d", .last = true},
  };
  struct view_list list;
  view_say(view, "\n");
  view_list_begin(view, "flow", columns, sizeof columns / sizeof *columns, &list);
  for (size_t i = 0; i < s->flow_count; i++) {
    const struct clause_flow *f = &s->flow[i];
    char clause[CLAUSE_NAME_BYTES], target[CLAUSE_NAME_BYTES], next[CLAUSE_NAME_BYTES];
    VIEW_ROW(&list, view_whole(f->job), view_text(clause_name(f->clause, clause)), view_whole(f->warps),
             view_whole(f->lanes), view_whole(f->divergent), view_text(clause_name(f->target, target)),
             view_whole(f->taken), view_text(clause_name(f->next, next)), view_whole(f->lanes - f->taken));
  }
  view_list_end(&list);
}

static void show_recording(struct view *view, const char *file, const struct bifrost_recording *recording,
                           const struct bifrost_statistics *s) {
  const struct bifrost_product *gpu = bifrost_product_by_id(recording->product);
  view_element_begin(view, "recordings");
  view_member(view, "file", view_text(file));
  view_member(view, "gpu", view_text(gpu ? gpu->name : NULL));
  view_say(view, "%s: machine code of %s\n", file, gpu ? gpu->name : "an unknown GPU");
  show_run(view, s);
  show_sizes(view, s);
  show_data(view, s);
  show_messages(view, s);
  show_flow(view, s);
  view_object_end(view);
}

static int show_file(struct view *view, const char *file, struct error *error) {
  struct bifrost_recording *recording;
  struct bifrost_statistics statistics = {0};
  if (bifrost_recording_read(file, &recording, error) != 0)
    return -1;
  const int status = bifrost_statistics_run(recording, &statistics, error);
  if (status == 0)
    show_recording(view, file, recording, &statistics);
  bifrost_statistics_clear(&statistics);
  bifrost_recording_destroy(recording);
  return status;
}

int info_jobs_show(const struct options *options, struct error *error) {
  struct view view;
  int status = 0;
  view_begin(&view, options->json, stdout, "reassemble.info/1");
  for (size_t i = 0; i < options->argument_count && status == 0; i++) {
    if (i > 0)
      view_say(&view, "\n");
    status = info_jobs_is(options->arguments[i])
                 ? show_file(&view, options->arguments[i], error)
                 : error_set(error, ERROR_INPUT, "found \"%.200s\" beside recordings of jobs (*" ENDING ")",
                             options->arguments[i]);
  }
  return view_end(&view, status, error);
}
