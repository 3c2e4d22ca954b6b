#include "cli/run/predictor.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "base/text.h"
#include "cli/run/launch_prediction.h"

static int out_of_memory(struct error *error) {
  return error_no_memory(error);
}

int predictor_open(const char *folder, struct gpu **gpus, size_t gpu_count, const struct options *options,
                   struct predictor *p, struct error *error) {
  *p = (struct predictor){.options = options, .gpus = gpus, .gpu_count = gpu_count, .folder = folder};
  p->isas = calloc(gpu_count, sizeof *p->isas);
  p->told_unfit = calloc(gpu_count, sizeof *p->told_unfit);
  p->answers = answers_map(folder);
  int status = p->isas && p->told_unfit && p->answers ? capture_open(folder, &p->capture, error) : out_of_memory(error);
  for (size_t i = 0; i < gpu_count && !status; i++)
    status = isa_load(gpus[i]->isa, &p->isas[i], error);
  return status;
}

void predictor_close(struct predictor *p) {
  for (size_t i = 0; p->isas && i < p->gpu_count; i++)
    if (p->isas[i])
      isa_destroy(p->isas[i]);
  for (size_t i = 0; i < p->count; i++) {
    for (size_t gpu = 0; p->predictions[i].unfit && gpu < p->gpu_count; gpu++)
      free(p->predictions[i].unfit[gpu]);
    free(p->predictions[i].unfit);
    free(p->predictions[i].kernel);
    free(p->predictions[i].ns);
    free(p->predictions[i].failure);
    free(p->predictions[i].difference);
  }
  if (p->capture.folder)
    capture_close(&p->capture);
  answers_unmap(p->answers);
  free(p->isas);
  free(p->told_unfit);
  free(p->predictions);
  free(p->traces);
  *p = (struct predictor){0};
}

/* Answers. */

static void answer(struct predictor *p, const struct prediction *found) {
  if (found->index < 0 || (uint64_t)found->index >= ANSWER_COUNT)
    return;
  struct launch_answer *a = &p->answers[found->index];
  atomic_store(&a->digest, text_hash(TEXT_HASH_START, found->ns, p->gpu_count * sizeof *found->ns));
  atomic_store(&a->ns, found->failure ? ANSWER_FAILED : found->ns[0]);
}

static struct prediction *add_prediction(struct predictor *p, const json_t *launch) {
  const char *kernel = json_string_value(json_object_get(launch, "kernel"));
  if (!array_room_for_one(&p->predictions, p->count, sizeof *p->predictions))
    return NULL;
  struct prediction *out = &p->predictions[p->count++];
  *out = (struct prediction){.index = json_integer_value(json_object_get(launch, "index")),
                             .kernel = strdup(kernel ? kernel : ""),
                             .ns = calloc(p->gpu_count, sizeof *out->ns),
                             .unfit = calloc(p->gpu_count, sizeof *out->unfit)};
  return out->kernel && out->ns && out->unfit ? out : NULL;
}

static void tell_failure(const struct predictor *p, const struct prediction *out) {
  if (!p->options->quiet)
    fprintf(stderr,
            "reassemble: launch %" PRId64 " (%.100s) has no prediction, and is refused with CL_OUT_OF_RESOURCES like "
            "each later one of its kind: %s\n",
            out->index, out->kernel, out->failure);
}

static int handle(struct predictor *p, size_t i, struct error *error) {
  json_t *launch = json_array_get(p->capture.launches, i);
  struct error failure = ERROR_INIT;
  struct prediction *out = add_prediction(p, launch);
  const char *skipped = json_string_value(json_object_get(launch, "skipped"));
  if (!out)
    return out_of_memory(error);
  if (skipped)
    error_set(&failure, ERROR_WORK, "%s", skipped);
  else if (predict_launch(p, i, launch, out, &failure))
    memset(out->ns, 0, p->gpu_count * sizeof *out->ns);
  if (failure.kind != ERROR_NONE && !(out->failure = strdup(failure.text)))
    return out_of_memory(error);
  if (out->failure)
    tell_failure(p, out);
  answer(p, out);
  capture_done(&p->capture, launch);
  return 0;
}

/* The results that a launch left in its buffers are logged when it has ended. */
static bool is_ready(const struct predictor *p, size_t i) {
  return !p->compares || capture_is_complete(json_array_get(p->capture.launches, i));
}

int predictor_advance(struct predictor *p, bool *any, struct error *error) {
  bool log;
  *any = false;
  if (capture_advance(&p->capture, &log, error))
    return -1;
  for (; p->next < json_array_size(p->capture.launches) && is_ready(p, p->next); p->next++) {
    if (handle(p, p->next, error))
      return -1;
    *any = true;
  }
  return 0;
}

const char *prediction_is_missing(const struct prediction *prediction, size_t gpu) {
  return prediction->failure ? prediction->failure : prediction->unfit[gpu];
}

const struct prediction *predictor_find(const struct predictor *p, uint64_t index) {
  for (size_t i = p->count; i-- > 0;)
    if ((uint64_t)p->predictions[i].index == index)
      return &p->predictions[i];
  return NULL;
}
