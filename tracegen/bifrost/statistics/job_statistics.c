#include "tracegen/bifrost/statistics/job_statistics.h"

#include <stdlib.h>

#include "base/array.h"
#include "tracegen/bifrost/exec/execute.h"
#include "tracegen/bifrost/job/job_chain.h"
#include "tracegen/bifrost/statistics/clause_counts.h"

#define PAGE_BITS  12
#define PAGE_WORDS (1u << (32 - PAGE_BITS - 6)) /* of 64 pages: the driver's addresses have 32 bits */

/* The executions of one clause of the running dispatch. */
struct clause_runs {
  uint64_t warps, lanes, taken, divergent;
};

struct collector {
  struct bifrost_statistics *out;
  const struct bifrost_dispatch *dispatch;
  struct clause_runs *runs; /* by clause */
  uint64_t *pages;          /* a bit for each page that was accessed */
};

const char *operand_place_name(enum operand_place place) {
#define X(id, name, meaning) name,
  static const char *const names[PLACE_COUNT] = {OPERAND_PLACES(X)};
#undef X
  return names[place];
}

static void hear_clause(void *context, const struct bifrost_position *at) {
  struct clause_runs *runs = &((struct collector *)context)->runs[at->clause];
  runs->warps++;
  runs->lanes += (unsigned)__builtin_popcount(at->lanes);
}

static void note_page(struct collector *c, uint64_t address) {
  const uint64_t page = address >> PAGE_BITS;
  uint64_t *word = page / 64 < PAGE_WORDS ? &c->pages[page / 64] : NULL;
  if (!word || *word >> page % 64 & 1)
    return;
  *word |= UINT64_C(1) << page % 64;
  c->out->pages++;
}

static void hear_access(void *context, const struct bifrost_position *at, const struct bifrost_access *access) {
  struct collector *c = context;
  const unsigned lanes = (unsigned)__builtin_popcount(at->lanes);
  c->out->accesses[access->space] += lanes;
  c->out->bytes[access->space] += (uint64_t)lanes * access->bytes;
  if (access->space != SPACE_GLOBAL && access->space != SPACE_CONSTANT)
    return;
  for (unsigned left = at->lanes; left; left &= left - 1)
    note_page(c, access->address[__builtin_ctz(left)]);
}

static void hear_branch(void *context, const struct bifrost_position *at, uint8_t taken) {
  struct collector *c = context;
  const bool diverges = taken && taken != at->lanes;
  c->out->branches++;
  c->out->divergent_branches += diverges;
  c->runs[at->clause].taken += (unsigned)__builtin_popcount(taken);
  c->runs[at->clause].divergent += diverges;
}

static void hear_group(void *context, uint64_t group) {
  (void)group;
  ((struct collector *)context)->out->groups++;
}

static void count_runs(struct collector *c, const struct bifrost_shader *shader, uint32_t index) {
  const struct shader_clause *clause = &shader->clauses[index];
  const struct clause_counts counts = clause_count(c->dispatch, shader, clause);
  const struct clause_runs *runs = &c->runs[index];
  struct bifrost_statistics *out = c->out;
  out->code_clauses++;
  out->code_bytes += (uint64_t)clause->quadword_count * QUADWORD_BYTES;
  out->code_clauses_of_size[clause->tuple_count]++;
  out->clauses_of_size[clause->tuple_count] += runs->warps;
  out->clauses += runs->warps;
  out->tuples += runs->warps * clause->tuple_count;
  out->active_lanes += runs->lanes;
  out->lanes += runs->warps * c->dispatch->warp_lanes;
  for (int unit = 0; unit < 2; unit++) {
    out->slots[unit] += runs->warps * clause->tuple_count;
    out->empty_slots[unit] += runs->warps * counts.empty_slots[unit];
  }
  for (int place = 0; place < PLACE_COUNT; place++)
    out->operands[place] += runs->lanes * counts.operands[place];
  if (clause->header.message < MESSAGE_COUNT)
    out->messages[clause->header.message] += runs->warps;
  out->waits += clause->header.dependency_wait ? runs->warps : 0;
}

static uint32_t number_of(const struct bifrost_shader *shader, uint32_t clause) {
  return clause < shader->clause_count ? shader->clauses[clause].quadword
         : clause == END_CLAUSE        ? FLOW_ENDS
                                       : FLOW_NOWHERE;
}

static int keep_flow(struct collector *c, const struct bifrost_shader *shader, uint32_t index, struct error *error) {
  const struct shader_clause *clause = &shader->clauses[index];
  const struct clause_runs *runs = &c->runs[index];
  struct bifrost_statistics *out = c->out;
  if (!array_room_for_one(&out->flow, out->flow_count, sizeof *out->flow))
    return error_set(error, ERROR_WORK, "out of memory for statistics");
  out->flow[out->flow_count++] =
      (struct clause_flow){.job = (uint32_t)out->jobs,
                           .clause = clause->quadword,
                           .tuples = clause->tuple_count,
                           .target = number_of(shader, clause->target),
                           .next = clause->header.flow == FLOW_END ? FLOW_ENDS : number_of(shader, index + 1),
                           .warps = runs->warps,
                           .lanes = runs->lanes,
                           .taken = runs->taken,
                           .divergent = runs->divergent};
  return 0;
}

void bifrost_statistics_clear(struct bifrost_statistics *statistics) {
  free(statistics->flow);
  statistics->flow = NULL;
  statistics->flow_count = 0;
}

static void count_range(struct bifrost_statistics *out, const struct bifrost_dispatch *d) {
  const uint64_t items = (uint64_t)d->local[0] * d->local[1] * d->local[2];
  const uint64_t groups = (uint64_t)d->groups[0] * d->groups[1] * d->groups[2];
  out->jobs++;
  out->work_items += items * groups;
  out->warps += (items + d->warp_lanes - 1) / d->warp_lanes * groups;
}

static int run_dispatch(struct collector *c, const struct bifrost_shader *shader, struct error *error) {
  const struct bifrost_listener listener = {
      .context = c, .clause = hear_clause, .access = hear_access, .branch = hear_branch, .group_ends = hear_group};
  const struct bifrost_run_options options = {.listener = &listener};
  c->runs = calloc(shader->clause_count, sizeof *c->runs);
  if (!c->runs)
    return error_set(error, ERROR_WORK, "out of memory for statistics");
  int status = bifrost_execute(c->dispatch, &options, error);
  for (uint32_t i = 0; status == 0 && i < shader->clause_count; i++) {
    count_runs(c, shader, i);
    status = keep_flow(c, shader, i, error);
  }
  free(c->runs);
  return status;
}

static int count_dispatch(void *context, const struct bifrost_dispatch *dispatch, struct error *error) {
  struct collector *c = context;
  struct bifrost_shader *shader;
  c->dispatch = dispatch;
  if (bifrost_shader_create(dispatch, &shader, error) != 0)
    return -1;
  const int status = run_dispatch(c, shader, error);
  bifrost_shader_destroy(shader);
  if (status == 0)
    count_range(c->out, dispatch);
  return status;
}

int bifrost_statistics_run(const struct bifrost_recording *recording, struct bifrost_statistics *out,
                           struct error *error) {
  struct collector c = {.out = out, .pages = calloc(PAGE_WORDS, sizeof *c.pages)};
  const struct bifrost_job_handler handler = {.dispatch = count_dispatch, .context = &c};
  int status;
  *out = (struct bifrost_statistics){0};
  if (!c.pages)
    return error_set(error, ERROR_WORK, "out of memory for statistics");
  status = bifrost_job_chain_run(&recording->before, recording->product, recording->job_chain, &handler, error);
  free(c.pages);
  if (status != 0)
    bifrost_statistics_clear(out);
  return status;
}
