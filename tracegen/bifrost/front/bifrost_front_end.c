/* The front end of Bifrost machine code: a workload runs on the open driver, and the emulated GPU executes what the
 * driver's compiler made (docs/bifrost.md). Kernels are listed by the default front end. */
#include "tracegen/bifrost/front/emulate_bifrost.h"
#include "tracegen/bifrost/live/driver.h"
#include "tracegen/front/front_end.h"

static const char *version(void) {
  return "bifrost 1 + " BIFROST_DRIVER_VERSION;
}

static int begin(const char *source, const char *options, struct error *error) {
  return front_ends[0]->begin(source, options, error);
}

static int finish(const char *source, struct front_module *out, struct error *error) {
  return front_ends[0]->finish(source, out, error);
}

static int list_kernels(const struct front_module *module, char ***names, size_t *count, struct error *error) {
  return front_ends[0]->kernel_names(module, names, count, error);
}

static int build(const struct front_module *module, const struct front_request *request, struct kernel_program **out,
                 struct error *error) {
  return front_ends[0]->build(module, request, out, error);
}

static const char *const *files(void) {
  return front_ends[0]->files();
}

const struct front_end front_end_bifrost = {
    .version = version,
    .begin = begin,
    .finish = finish,
    .kernel_names = list_kernels,
    .build = build,
    .files = files,
    .emulate = emulate_bifrost,
};
