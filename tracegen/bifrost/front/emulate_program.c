#include "tracegen/bifrost/front/emulate_program.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/file.h"
#include "base/text.h"
#include "tracegen/bifrost/front/keep_recordings.h"
#include "tracegen/bifrost/job/job_chain.h"
#include "tracegen/bifrost/live/arm_program.h"
#include "tracegen/bifrost/live/run_program.h"
#include "tracegen/bifrost/trace/trace_dispatch.h"

#define NAME_BYTES 512

struct live_program {
  const struct bifrost_program_request *request;
  const struct bifrost_product *gpu;
  const char *launches; /* of the submission that runs, from the next one on */
  struct recordings recordings;
  uint32_t jobs;
};

int bifrost_find_gpu(const char *gpu_id, const struct bifrost_product **out, struct error *error) {
  char names[200] = "";
  *out = bifrost_product_by_name(gpu_id ? gpu_id : "g71");
  if (*out)
    return 0;
  for (const struct bifrost_product *p = bifrost_products; p->name; p++)
    snprintf(names + strlen(names), sizeof names - strlen(names), "%s%s", p == bifrost_products ? "" : ", ", p->name);
  return error_set(error, ERROR_INPUT, "--gpu-id: found \"%.60s\", expected one of %s", gpu_id, names);
}

/* Takes the next line of the launches: their order is that of the jobs. Without one the kernel is "job". */
static void next_launch(struct live_program *p, struct bifrost_launch *launch, char name[NAME_BYTES]) {
  const char *end = strchr(p->launches, '\n');
  strcpy(name, "job");
  if (!end)
    return;
  sscanf(p->launches, "%" SCNu32 " %" SCNu64 " %" SCNu64 " %" SCNu64 " %511[^\n]", &launch->dimensions,
         &launch->offset[0], &launch->offset[1], &launch->offset[2], name);
  p->launches = end + 1;
}

static int trace_job(struct live_program *p, const struct bifrost_dispatch *dispatch, struct bifrost_launch *launch,
                     const char *path, struct error *error) {
  struct bifrost_outcome outcome;
  if (bifrost_trace_dispatch(dispatch, launch, path, &outcome, error) != 0)
    return -1;
  const struct emulate_launch done = {.trace_path = (char *)path,
                                      .kernel = (char *)launch->kernel,
                                      .groups = outcome.groups,
                                      .launch_groups = outcome.launch_groups,
                                      .work_item_instructions = outcome.work_item_instructions,
                                      .trace_bytes = outcome.trace_bytes,
                                      .run_s = outcome.run_s};
  return p->request->done(p->request->context, &done, error);
}

static int run_dispatch(void *context, const struct bifrost_dispatch *dispatch, struct error *error) {
  struct live_program *p = context;
  char name[NAME_BYTES];
  struct bifrost_launch launch = {.kernel = name,
                                  .workload = p->request->name,
                                  .source_file = "",
                                  .source_digest = "",
                                  .options = "",
                                  .index = p->jobs++,
                                  .dimensions = 3,
                                  .jobs = p->request->jobs,
                                  .timeout_s = p->request->timeout_s,
                                  .max_instructions = p->request->max_instructions};
  char *path = text_format("%s/%s.%" PRIu32 ".rtrace", p->request->folder, p->request->name, launch.index);
  int status;
  next_launch(p, &launch, name);
  if (launch.dimensions < 1 || launch.dimensions > 3)
    launch.dimensions = 3;
  status = path ? trace_job(p, dispatch, &launch, path, error) : error_no_memory(error);
  free(path);
  return status;
}

static int run_submission(void *context, const struct bifrost_submission *submission, struct error *error) {
  struct live_program *p = context;
  const struct bifrost_job_handler handler = {
      .dispatch = run_dispatch, .context = p, .has_clock = !p->request->records};
  const uint32_t jobs_before = p->jobs;
  int status;
  p->launches = submission->launches;
  if (p->request->records && recordings_begin(&p->recordings, p->gpu->id, submission, error) != 0)
    return -1;
  status = bifrost_job_chain_run(&submission->memory, p->gpu->id, submission->job_chain, &handler, error);
  *submission->computed += p->jobs - jobs_before;
  if (status == 0 && p->request->records)
    status = recordings_end(&p->recordings, submission, error);
  return status;
}

static int run(struct live_program *p, const struct bifrost_driver *driver, struct error *error) {
  const struct bifrost_handler handler = {run_submission, p};
  const struct bifrost_program program = {.words = p->request->words,
                                          .driver = driver,
                                          .gpu = p->gpu,
                                          .listing = p->request->records ? p->recordings.listing : NULL};
  if (file_make_directories(p->request->folder, error) != 0 || bifrost_run_program(&program, &handler, error) != 0)
    return -1;
  return p->request->records ? recordings_write(&p->recordings, error) : 0;
}

int bifrost_emulate_program(const struct bifrost_program_request *request, struct error *error) {
  struct live_program p = {.request = request};
  struct bifrost_driver driver;
  int status;
  if (bifrost_find_gpu(request->gpu_id, &p.gpu, error) != 0 ||
      bifrost_check_program(request->words[0], bifrost_processor_is_emulated(), error) != 0 ||
      bifrost_driver_find(&driver, error) != 0)
    return -1;
  status = recordings_open(&p.recordings, request->folder, request->name, error);
  if (status == 0)
    status = run(&p, &driver, error);
  recordings_close(&p.recordings);
  bifrost_driver_clear(&driver);
  return status;
}
