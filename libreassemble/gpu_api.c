/* Implements GPUs (reassemble.h). */
#include <stdlib.h>
#include <string.h>

#include "libreassemble/private.h"

/* Wraps `gpu`, which the result then owns; on failure it is freed. */
static int wrap(struct gpu *gpu, struct reassemble_gpu **out, struct error *error) {
  struct reassemble_gpu *wrapped = calloc(1, sizeof *wrapped);
  if (!wrapped || isa_load(gpu->isa, &wrapped->isa, error) != 0) {
    if (!wrapped)
      error_no_memory(error);
    free(wrapped);
    gpu_destroy(gpu);
    return -1;
  }
  wrapped->gpu = gpu;
  *out = wrapped;
  return 0;
}

int reassemble_gpu_load(const char *name_or_path, struct reassemble_gpu **gpu, struct reassemble_error *error) {
  struct error reason = ERROR_INIT;
  struct gpu *loaded;
  if (gpu_load(name_or_path, &loaded, &reason) == 0)
    wrap(loaded, gpu, &reason);
  return api_status(&reason, error);
}

int reassemble_gpu_copy(const struct reassemble_gpu *gpu, struct reassemble_gpu **copy,
                        struct reassemble_error *error) {
  struct error reason = ERROR_INIT;
  struct gpu *copied;
  if (gpu_copy(gpu->gpu, &copied, &reason) == 0)
    wrap(copied, copy, &reason);
  return api_status(&reason, error);
}

void reassemble_gpu_free(struct reassemble_gpu *gpu) {
  if (!gpu)
    return;
  gpu_destroy(gpu->gpu);
  isa_destroy(gpu->isa);
  free(gpu);
}

const char *reassemble_gpu_name(const struct reassemble_gpu *gpu) {
  return gpu->gpu->name;
}

int reassemble_gpu_set(struct reassemble_gpu *gpu, const char *parameter, double value,
                       struct reassemble_error *error) {
  struct error reason = ERROR_INIT;
  const struct param *param = params_need(&gpu_params, parameter, &reason);
  if (param && params_set_number(param, &gpu->gpu->spec, value, &reason) == 0) {
    struct param_origin *origin = &gpu->gpu->origins[param - gpu_params.list];
    free(origin->source);
    free(origin->file);
    *origin = (struct param_origin){.source = strdup("set by the calling program")};
    if (!origin->source)
      error_no_memory(&reason);
  }
  return api_status(&reason, error);
}

int reassemble_gpu_get(const struct reassemble_gpu *gpu, const char *parameter, double *value,
                       struct reassemble_error *error) {
  struct error reason = ERROR_INIT;
  const struct param *param = params_need(&gpu_params, parameter, &reason);
  if (param)
    *value = params_get_number(param, &gpu->gpu->spec);
  return api_status(&reason, error);
}

int reassemble_gpu_each(const struct reassemble_gpu *gpu,
                        int (*visit)(const struct reassemble_parameter *parameter, void *user), void *user) {
  int status = 0;
  for (size_t i = 0; i < gpu_params.count && status == 0; i++) {
    const struct param *param = &gpu_params.list[i];
    const char *source = gpu->gpu->origins[i].source;
    const struct reassemble_parameter parameter = {
        .name = param->key,
        .unit = param->unit,
        .meaning = param->meaning,
        .source = source ? source : "",
        .choices = param->choices,
        .value = params_get_number(param, &gpu->gpu->spec),
        .minimum = param->minimum,
        .maximum = param->maximum,
    };
    status = visit(&parameter, user);
  }
  return status;
}
