#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "libreassemble/private.h"
#include "tuner/measured_board.h"
#include "tuner/tune.h"

struct reassemble_tuning {
  struct measured_board data;
  struct space space;
  struct objective objective;
  struct tune tune;
};

/* ---- the work ---- */

static int prepare(struct reassemble_tuning *t, const struct reassemble_tuning_request *r, struct error *error) {
  struct tune_setup setup = {.seed = r->seed > 0 ? r->seed : 1,
                             .budget = (size_t)r->evaluations,
                             .starts = r->starts > 0 ? (size_t)r->starts : 3,
                             .tolerance = r->tolerance > 0 ? r->tolerance : 0.01,
                             .penalty_percent = r->penalty_percent == 0 ? -1 : fmax(r->penalty_percent, 0),
                             .space = &t->space,
                             .objective = &t->objective,
                             .predictor = &t->data.predictor};
  char parameters[512];
  setup.method = tune_method_find(r->method ? r->method : tune_methods[0]->name, error);
  if (!setup.method ||
      objective_parse(r->objective ? r->objective : TUNE_DEFAULT_OBJECTIVE, &t->objective, error) != 0 ||
      measured_board_open(&t->data, r->board, r->gpu, error) != 0 ||
      space_parse(r->parameters
                      ? r->parameters
                      : tune_default_parameters(t->data.board, &t->data.gpu->spec, parameters, sizeof parameters),
                  &t->data.gpu->spec, &t->space, error) != 0)
    return -1;
  setup.spec = &t->data.gpu->spec;
  setup.measured = t->data.measured;
  return tune_init(&t->tune, &setup, error) == 0 ? 0 : measured_board_blame(&t->data, error);
}

static int take_traces(struct reassemble_tuning *t, const struct reassemble_tuning_request *r, struct error *error) {
  const struct board *board = t->data.board;
  const struct board_launches *launches = &t->data.launches;
  const struct trace **traces = calloc(launches->count, sizeof *traces);
  int status = traces ? 0 : error_no_memory(error);
  for (size_t i = 0; i < launches->count && status == 0; i++) {
    const struct board_launch *launch = &launches->all[i];
    const struct reassemble_trace *trace = r->trace(launch->workload, launch->launch, r->user);
    if (trace)
      traces[i] = trace->trace;
    else
      status = error_at(error, ERROR_INPUT, board->path, 0, 0, "workload",
                        "measurement %s: there is no trace of launch %u of workload %s",
                        board->measurements[launch->measurement].name, launch->launch, launch->workload);
  }
  if (status == 0)
    status = measured_board_take(&t->data, traces, r->jobs > 0 ? r->jobs : 1, error);
  free(traces);
  return status;
}

int reassemble_tune(const struct reassemble_tuning_request *request, struct reassemble_tuning **tuning,
                    struct reassemble_error *error) {
  struct error reason = ERROR_INIT;
  struct reassemble_tuning *t = calloc(1, sizeof *t);
  if (!t)
    error_no_memory(&reason);
  else if (!request->board || !request->trace)
    error_set(&reason, ERROR_INPUT, "%s is missing", request->board ? "trace" : "board");
  else if (prepare(t, request, &reason) == 0 && take_traces(t, request, &reason) == 0 &&
           tune_search(&t->tune, &reason) != 0)
    measured_board_blame(&t->data, &reason);
  if (t && reason.kind == ERROR_NONE)
    *tuning = t;
  else
    reassemble_tuning_free(t);
  return api_status(&reason, error);
}

void reassemble_tuning_free(struct reassemble_tuning *tuning) {
  if (!tuning)
    return;
  tune_clear(&tuning->tune);
  measured_board_close(&tuning->data);
  free(tuning);
}

/* ---- the results ---- */

int reassemble_tuning_get(const struct reassemble_tuning *tuning, const char *name, double *value,
                          struct reassemble_error *error) {
  struct error reason = ERROR_INIT;
  const struct tune *t = &tuning->tune;
  const struct {
    const char *name;
    double value;
  } rows[] = {
      {"objective", t->cost},
      {"start_objective", t->start_cost},
      {"evaluations", (double)tune_evaluations(t)},
      {"mape_percent", t->score.mape_percent},
      {"pearson", t->score.pearson},
      {"spearman", t->score.spearman},
      {"kendall", t->score.kendall},
      {"start_mape_percent", t->start_score.mape_percent},
      {"start_pearson", t->start_score.pearson},
      {"start_spearman", t->start_score.spearman},
      {"start_kendall", t->start_score.kendall},
  };
  for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++)
    if (strcmp(rows[i].name, name) == 0) {
      *value = rows[i].value;
      return 0;
    }
  error_set(&reason, ERROR_INPUT, "a tuning has no number \"%.100s\"", name);
  return api_status(&reason, error);
}

int reassemble_tuning_each_parameter(const struct reassemble_tuning *tuning,
                                     int (*visit)(const char *name, const char *unit, double start, double tuned,
                                                  double low, double high, void *user),
                                     void *user) {
  int status = 0;
  for (size_t i = 0; i < tuning->space.count && status == 0; i++) {
    const struct space_axis *axis = &tuning->space.axes[i];
    status =
        visit(axis->param->key, axis->param->unit, axis->start, tuning->tune.tuned[i], axis->low, axis->high, user);
  }
  return status;
}

int reassemble_tuning_each_kernel(const struct reassemble_tuning *tuning,
                                  int (*visit)(const char *name, double measured, double start, double predicted,
                                               void *user),
                                  void *user) {
  const struct tune *t = &tuning->tune;
  int status = 0;
  for (size_t i = 0; i < tuning->data.board->count && status == 0; i++)
    status = visit(tuning->data.board->measurements[i].name, tuning->data.measured[i], t->start_predictions[i],
                   t->predictions[i], user);
  return status;
}

int reassemble_tuning_gpu(const struct reassemble_tuning *tuning, struct reassemble_gpu **gpu,
                          struct reassemble_error *error) {
  const struct reassemble_gpu start = {.gpu = tuning->data.gpu, .isa = tuning->data.isa};
  struct reassemble_gpu *copy;
  if (reassemble_gpu_copy(&start, &copy, error) != 0)
    return -1;
  for (size_t i = 0; i < tuning->space.count; i++)
    if (reassemble_gpu_set(copy, tuning->space.axes[i].param->key, tuning->tune.tuned[i], error) != 0) {
      reassemble_gpu_free(copy);
      return -1;
    }
  *gpu = copy;
  return 0;
}
