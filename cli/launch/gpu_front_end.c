#include "cli/launch/gpu_front_end.h"

#include <stdio.h>
#include <string.h>

#include "model/isa/isa.h"

static const struct front_end *find_front_end(const char *name) {
  for (size_t i = 0; front_ends[i]; i++)
    if (strcmp(front_end_names[i], name) == 0)
      return front_ends[i];
  return NULL;
}

int gpu_front_end_choose(const struct gpu *gpu, char gpu_id[FRONT_END_WORD_BYTES], struct emulate_options *options,
                         struct error *error) {
  struct isa_profile *isa;
  char name[FRONT_END_WORD_BYTES] = "";
  if (!gpu)
    return 0;
  options->sub_group = gpu->spec.warp_size > 1 ? (uint32_t)gpu->spec.warp_size : 0;
  if (isa_load(gpu->isa, &isa, error) != 0)
    return -1;
  const int words = isa_front_end(isa) ? sscanf(isa_front_end(isa), "%31s %31s", name, gpu_id) : 0;
  isa_destroy(isa);
  options->front_end = words > 0 ? find_front_end(name) : NULL;
  options->gpu_id = words > 1 ? gpu_id : NULL;
  return words < 1 || options->front_end
             ? 0
             : error_set(error, ERROR_INPUT,
                         "ISA profile %s: front_end: found \"%s\", expected one of `reassemble trace --help`", gpu->isa,
                         name);
}
