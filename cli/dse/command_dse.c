/* reassemble dse: predicts the designs of a sweep on its workloads, and says what each parameter buys. */
#include "cli/core/command.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/file.h"
#include "base/input/json_parse.h"
#include "base/process/ranks.h"
#include "base/text.h"
#include "cli/core/budget.h"
#include "cli/core/option_rows.h"
#include "cli/dse/sweep_session.h"
#include "cli/replay/view_remarks.h"
#include "dse/run/cluster.h"
#include "dse/run/run.h"

static struct sweep_options own;

static const struct option_row rows[] = {
    OUTPUT_ROW(own.output, "DIR", "folder for journal and results (dse-<name of the sweep>)"),
    {.name = "plan",
     .type = OPTION_FLAG,
     .target = &own.plan,
     .help = "print what would be done and how long it would take, and stop"},
    {.name = "resume",
     .type = OPTION_FLAG,
     .target = &own.resume,
     .help = "go on with the run whose journal is in DIR"},
    {.name = "shard",
     .argument = "I/N",
     .type = OPTION_TEXT,
     .target = &own.share,
     .help = "do the I-th of N shares; `dse merge` puts them together"},
    {.name = "target",
     .argument = "S",
     .type = OPTION_LIST,
     .target = &own.targets,
     .help = "list the cheapest designs that reach this speed-up"},
    {.name = "diff",
     .argument = "A,B",
     .type = OPTION_TEXT,
     .target = &own.diff,
     .help = "compare two points, by name or number: where the time goes"},
    {.name = "exact", .type = OPTION_FLAG, .target = &own.exact, .help = "replay every design; nothing is approximate"},
    PLOT_ROW(own.plot, "designs and the Pareto front"),
    {.name = "yes", .type = OPTION_FLAG, .target = &own.yes, .help = "allow more than 10,000,000 points"},
    {.name = NULL},
};

/* "2/8": the second of eight. */
static int parse_share(const char *text, struct run *run, struct error *error) {
  unsigned i = 1, n = 1;
  int used = 0;
  if (text && (sscanf(text, "%6u/%6u%n", &i, &n, &used) != 2 || text[used] != '\0' || i < 1 || i > n))
    return error_set(error, ERROR_INPUT, "--shard: found \"%.40s\", expected I/N with 1 <= I <= N (such as 2/8)", text);
  run->share = i - 1;
  run->shares = n;
  return 0;
}

static int load(struct sweep_session *session, struct error *error) {
  if (sweep_session_open(session, session->options->arguments[0], error) != 0 ||
      sweep_session_group(session, own.exact, error) != 0 || sweep_session_load(session, error) != 0)
    return -1;
  session->head = sweep_journal_head(&session->points, &session->evaluation, own.exact, REASSEMBLE_VERSION);
  if (!session->head)
    return error_no_memory(error);
  return outcomes_init(&session->outcomes, session->points.design_count, session->evaluation.workload_count, error);
}

static int open_journal(struct sweep_session *session, struct run *run, struct error *error) {
  if (own.plan && !own.resume)
    return 0;
  char *path = sweep_session_path(session, "journal");
  int status = path ? file_make_directories(session->output, error) : error_no_memory(error);
  if (status == 0)
    status = sweep_journal_open(path, session->head, own.resume, &session->outcomes, &run->journal, error);
  if (status == 0)
    budget_resumes(path, "the same command with --resume");
  free(path);
  return status;
}

static int show_plan(const struct sweep_session *session, const struct sweep_plan *plan, struct error *error) {
  if (own.plan)
    return sweep_plan_show(session, plan, session->options->json, stdout, error);
  return session->options->quiet ? 0 : sweep_plan_show(session, plan, false, stderr, error);
}

static int share_done(const struct sweep_session *session, const struct run *run) {
  if (!session->options->json)
    printf("Share %zu of %zu is done: %s/journal. `reassemble dse merge DIR... -o DIR` puts all shares together.\n",
           run->share + 1, run->shares, session->output);
  return 0;
}

static int plan_and_run(struct sweep_session *session, struct run *run, double *seconds, struct error *error) {
  const size_t all = session->outcomes.design_count * session->outcomes.workload_count;
  struct sweep_plan plan = {.share = run->share, .shares = run->shares};
  run->seconds = seconds;
  plan.known = all - outcomes_missing(&session->outcomes);
  if (run_base(run, &plan.seconds, error) != 0)
    return -1;
  plan.remaining = run_remaining(run, &plan.replays);
  if (plan.remaining > 0 && run->shares == 1)
    plan.replays += run_confirmations(run);
  if (run->shares == 1)
    plan.replays += intervals_replays(&session->intervals, &session->evaluation);
  if (show_plan(session, &plan, error) != 0)
    return -1;
  if (own.plan)
    return 0;
  if (run_rest(run, error) != 0)
    return -1;
  if (run->shares > 1)
    return share_done(session, run);
  return sweep_confirm(session, run, error) == 0 ? sweep_finish(session, error) : -1;
}

static uint64_t head_digest(const struct sweep_session *session) {
  char *text = session->head ? json_text(session->head, JSON_COMPACT) : NULL;
  const uint64_t digest = text ? text_hash(TEXT_HASH_START, text, strlen(text)) : 0;
  free(text);
  return digest;
}

static int run_sweep(struct sweep_session *session, struct error *error) {
  struct run run = {.points = &session->points,
                    .evaluation = &session->evaluation,
                    .families = &session->families,
                    .outcomes = &session->outcomes,
                    .jobs = session->options->jobs,
                    .quiet = session->options->quiet};
  if (session->options->argument_count > 1)
    return error_set(error, ERROR_INPUT, "unexpected argument \"%.100s\"; usage: reassemble dse SWEEP",
                     session->options->arguments[1]);
  if (parse_share(own.share, &run, error) != 0 || load(session, error) != 0)
    return -1;
  run.digest = head_digest(session);
  int status = open_journal(session, &run, error);
  double *seconds = calloc(session->evaluation.workload_count + 1, sizeof *seconds);
  if (status == 0)
    status = plan_and_run(session, &run, seconds, error);
  free(seconds);
  journal_close(run.journal);
  tell_lacking_memory(session->options);
  return status;
}

/* Runs the share of a process other than the first one, which reports the errors of all. */
static void work(struct sweep_session *session, bool merge) {
  struct options silent = *session->options;
  struct error failed = ERROR_INIT;
  silent.quiet = true;
  session->options = &silent;
  if (!merge) /* which the first process does alone */
    load(session, &failed);
  cluster_work(&session->points, &session->evaluation, &session->families, head_digest(session), &failed);
}

static int run_process(const struct options *options, struct error *error) {
  struct sweep_session session = {.own = &own, .options = options};
  const bool merge = strcmp(options->arguments[0], "merge") == 0;
  if (ranks_rank() > 0) {
    work(&session, merge);
    sweep_session_clear(&session);
    return 0;
  }
  int status = merge ? sweep_merge(&session, error) : run_sweep(&session, error);
  if (status == 0 && merge)
    status = sweep_finish(&session, error);
  sweep_session_clear(&session);
  return status;
}

static int run_command(const struct options *options, struct error *error) {
  int status = cluster_begin(error);
  if (status == 0)
    status = run_process(options, error);
  cluster_end();
  return status;
}

const struct command command_dse = {
    .word = "dse",
    .arguments = "SWEEP | merge DIR...",
    .help = "Predict many designs of a GPU: what each parameter buys, which designs reach a target",
    .details =
        "A sweep (name or file, docs/sweeps.md) names a base GPU, workloads, and which parameters vary. DIR gets a\n"
        "journal, from which --resume goes on after any interruption, results.csv (a row per point and workload),\n"
        "results.json and, where combinations are impossible, impossible.csv. Speed-ups are over the base GPU.\n"
        "Shares (--shard) run in folders of their own; `merge` puts them together, with the bytes of one run.\n"
        "Designs that differ in latencies and caches only share a recorded replay; those results are approximate and\n"
        "marked. Designs on the Pareto front, in target lists and in tables are always replayed exactly.\n"
        "\n"
        "Examples:\n"
        "  reassemble dse fig-5.6 --plan\n"
        "  reassemble dse my-sweep.yaml -o results --target 1.5\n"
        "  reassemble dse my-sweep.yaml -o results --resume --diff base,cores=16\n"
        "  reassemble dse fig-5.9 --plot\n"
        "  reassemble dse my-sweep.yaml -o share2 --shard 2/8\n"
        "  reassemble dse merge share1 share2 -o results --json\n",
    .rows = rows,
    .minimum_arguments = 1,
    .maximum_arguments = ANY_NUMBER,
    .run = run_command,
};
