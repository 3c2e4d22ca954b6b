/* reassemble measure: workloads on a real OpenCL device, as a board file. */
#include "cli/core/command.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/file.h"
#include "base/process/subprocess.h"
#include "base/text.h"
#include "cli/launch/kernel_file.h"
#include "cli/launch/kernel_variants.h"
#include "cli/launch/launch_argument.h"
#include "cli/core/option_rows.h"
#include "cli/core/view.h"
#include "cli/measure/measure_workloads.h"
#include "measure/board_file.h"
#include "measure/measure.h"
#include "workload/workload.h"

static struct {
  const char *device, *output, *name, *board, *gpu, *journal;
  int64_t warm_up, runs, clock_hz;
  bool no_check, devices;
  int caches;
  struct kernel_file kernels;
} own = {.warm_up = 2, .runs = 20};

static const char *const caches_names[] = {
    [CACHES_FILLED] = "filled", [CACHES_COLD] = "cold", [CACHES_WARM] = "warm", NULL};

/* The thesis takes 100 runs (section 2.7.1); 20 keep a whole suite within minutes. */
static const struct option_row rows[] = {
    {.name = "device",
     .letter = 'd',
     .argument = "DEVICE",
     .type = OPTION_TEXT,
     .target = &own.device,
     .help = "number or part of the name of an OpenCL device (the first GPU, else the first device)"},
    {.name = "devices", .type = OPTION_FLAG, .target = &own.devices, .help = "list the devices and end"},
    OUTPUT_ROW(own.output, "BOARD", "write a board file, for validate and tune"),
    {.name = "journal",
     .argument = "FILE",
     .type = OPTION_TEXT,
     .target = &own.journal,
     .help = "keep what was measured in this file: the same command goes on after an interruption"},
    {.name = "runs",
     .letter = 'n',
     .argument = "N",
     .type = OPTION_INT,
     .target = &own.runs,
     .help = "repetitions that count (20)",
     .minimum = 1,
     .maximum = 100000},
    {.name = "warm-up",
     .argument = "N",
     .type = OPTION_INT,
     .target = &own.warm_up,
     .help = "repetitions before them (2)",
     .minimum = 0,
     .maximum = 100000},
    GPU_ROW(own.gpu, "GPU description that predicts this device (required with -o)"),
    {.name = "board",
     .argument = "TEXT",
     .type = OPTION_TEXT,
     .target = &own.board,
     .help = "the name of the machine in the board file"},
    {.name = "clock",
     .argument = "HZ",
     .type = OPTION_INT,
     .target = &own.clock_hz,
     .help = "the clock it ran at (what the device says)",
     .minimum = 1,
     .maximum = 1e12},
    {.name = "caches",
     .argument = "STATE",
     .type = OPTION_CHOICE,
     .target = &own.caches,
     .choices = caches_names,
     .help = "when a repetition starts: filled (by writing its buffers), cold, or warm (buffers are written once)"},
    {.name = "no-check",
     .type = OPTION_FLAG,
     .target = &own.no_check,
     .help = "do not check the results on the device"},
    KERNEL_FILE_ROWS(own.kernels),
    {.name = NULL},
};

static const struct view_column device_columns[] = {
    {.title = "number", .format = "%d"},
    {.key = "name", .title = "device"},
    {.key = "type", .title = "type"},
    {.key = "platform", .title = "platform"},
    {.key = "driver", .title = "driver"},
    {.key = "version"},
    {.key = "clock_hz", .title = "MHz", .format = "%.0f", .scale = 1e-6},
    {.key = "compute_units", .title = "units", .format = "%d"},
};
enum { DEVICE_COLUMNS = sizeof device_columns / sizeof device_columns[0] };

static void device_values(size_t number, const struct device *d, struct view_value values[DEVICE_COLUMNS]) {
  const struct view_value all[DEVICE_COLUMNS] = {
      view_whole(number),   view_text(d->name),    view_text(d->type),      view_text(d->platform),
      view_text(d->driver), view_text(d->version), view_whole(d->clock_hz), view_whole(d->compute_units)};
  memcpy(values, all, sizeof all);
}

static int show_devices(const struct opencl_api *api, bool json, struct error *error) {
  static struct device devices[DEVICES_MOST];
  struct view view;
  struct view_list list;
  size_t count;
  devices_list(api, devices, &count);
  view_begin(&view, json, stdout, "reassemble.measure/1");
  view_list_begin(&view, "devices", device_columns, DEVICE_COLUMNS, &list);
  for (size_t i = 0; i < count; i++) {
    struct view_value values[DEVICE_COLUMNS];
    device_values(i, &devices[i], values);
    view_row(&list, values, DEVICE_COLUMNS);
  }
  view_list_end(&list);
  return view_end(&view, 0, error);
}

static void show_launches(const struct measurements *m, struct view *view) {
  static const struct view_column columns[] = {
      {.key = "workload", .title = "workload"},
      {.key = "launch", .title = "launch", .format = "%d"},
      {.key = "kernel", .title = "kernel"},
      {.key = "minimum_ns", .title = "minimum us", .format = "%.2f", .scale = 1e-3},
      {.key = "median_ns", .title = "median us", .format = "%.2f", .scale = 1e-3},
      {.key = "maximum_ns"},
      {.key = "spread_ns"},
      {.title = "spread %", .format = "%.1f"},
      {.key = "runs"},
      {.key = "outliers"},
      {.title = "outliers", .format = "%d"},
  };
  struct view_list list;
  char outliers[64];
  view_list_begin(view, "measurements", columns, sizeof columns / sizeof columns[0], &list);
  for (size_t i = 0; i < m->count; i++) {
    const struct measured_launch *l = &m->launches[i];
    snprintf(outliers, sizeof outliers, "%zu of %zu", l->ns.outliers, l->ns.count);
    VIEW_ROW(&list, view_text(l->workload), view_whole(l->launch), view_text(l->kernel), view_real(l->ns.minimum),
             view_real(l->ns.median), view_real(l->ns.maximum), view_real(l->ns.spread),
             view_real(100 * l->ns.spread / l->ns.median), view_whole(l->ns.count), view_whole(l->ns.outliers),
             view_text(outliers));
  }
  view_list_end(&list);
}

static int show(const struct device *device, const struct measurements *m, bool json, struct error *error) {
  static const struct view_column skipped_columns[] = {{.key = "workload"}, {.key = "reason"}};
  struct view_value values[DEVICE_COLUMNS];
  struct view view;
  struct view_list list;
  device_values(0, device, values);
  view_begin(&view, json, stdout, "reassemble.measure/1");
  view_row_member(&view, "device", device_columns, values, DEVICE_COLUMNS);
  show_launches(m, &view);
  view_list_begin(&view, "skipped", skipped_columns, 2, &list);
  for (size_t i = 0; i < m->skipped_count; i++)
    VIEW_ROW(&list, view_text(m->skipped[i].workload), view_text(m->skipped[i].reason));
  view_list_end(&list);
  return view_end(&view, 0, error);
}

static int measure_kernel(struct measure_journal *journal, struct session *session, const struct kernel_file *kernel,
                          const struct measure_options *options, struct measurements *m, struct error *error) {
  struct workload *workload = NULL;
  char *text = NULL, *stem = text_stem(kernel->source),
       *name = stem ? text_format("%s.%s%s", stem, kernel->kernel, kernel->suffix) : NULL;
  int status = name ? kernel_file_yaml(kernel, &text, error) : error_no_memory(error);
  if (status == 0)
    status = workload_load_text(KERNEL_FILE_TEXT, text, &workload, error);
  if (status == 0)
    status = measure_or_recall(journal, session, name, workload, options, m, error);
  kernel_file_blame_option(status != 0 ? text : NULL, error);
  free(text);
  workload_destroy(workload);
  free(name);
  free(stem);
  return status;
}

/* The kernel's parameters are not known here, so that arguments stand in their order. */
static int check_order(const struct kernel_file *file, struct error *error) {
  for (size_t i = 0; i < file->arguments.count; i++) {
    struct launch_argument argument;
    if (launch_argument_parse(file->arguments.items[i], &argument, error) != 0)
      return -1;
    if (argument.name[0] != '\0')
      return error_set(error, ERROR_INPUT, "--arg \"%.200s\": found a name; `measure` takes arguments in their order",
                       file->arguments.items[i]);
  }
  return 0;
}

/* Measures the kernels of a variant that --kernel names. */
static int measure_variant(struct measure_journal *journal, struct session *session, const struct kernel_file *variant,
                           const struct measure_options *options, struct measurements *m, struct error *error) {
  char *names = strdup(variant->kernel), *rest = NULL;
  int status = names ? 0 : error_no_memory(error);
  for (char *name = status == 0 ? strtok_r(names, ", ", &rest) : NULL; name && status == 0;
       name = strtok_r(NULL, ", ", &rest)) {
    struct kernel_file file = *variant;
    char sizes[SIZES_TEXT_BYTES], local[64];
    file.kernel = name;
    status = kernel_file_apply_sizes(&file, sizes, error);
    if (status == 0 && !file.global)
      status = error_set(error, ERROR_INPUT, "%.200s: to measure a kernel file, --kernel and --global are needed",
                         file.source);
    if (status == 0 && !file.local) {
      status = kernel_file_default_local(file.global, local, sizeof local, error);
      file.local = local;
    }
    if (status == 0)
      status = measure_kernel(journal, session, &file, options, m, error);
  }
  free(names);
  return status;
}

static int measure_kernel_file(struct measure_journal *journal, struct session *session, const char *source,
                               const struct options *given, const struct measure_options *options,
                               struct measurements *m, struct error *error) {
  struct kernel_file file = own.kernels;
  struct kernel_variants *variants;
  file.source = source;
  file.seed = given->seed;
  if (!file.kernel)
    return error_set(error, ERROR_INPUT, "%.200s: to measure a kernel file, --kernel and --global are needed", source);
  if (check_order(&file, error) != 0)
    return -1;
  if (own.output)
    return error_set(error, ERROR_INPUT,
                     "--output: a board names workloads, so %.200s cannot be in one; `reassemble trace --save` makes a "
                     "workload of it",
                     source);
  if (kernel_variants_make(&file, &variants, error) != 0)
    return -1;
  int status = 0;
  for (size_t i = 0; i < variants->count && status == 0; i++)
    status = measure_variant(journal, session, &variants->items[i], options, m, error);
  kernel_variants_destroy(variants);
  return status;
}

static int report(const struct options *options, const struct device *device, const struct measure_options *how,
                  const struct measurements *m, struct error *error) {
  if (m->count == 0)
    return error_set(error, ERROR_WORK, "nothing could be measured on %s: %s", device->name,
                     m->skipped_count > 0 ? m->skipped[0].reason : "no launches");
  if (own.output) {
    char *name = text_stem(own.output);
    const struct board_facts facts = {.name = name,
                                      .board = own.board,
                                      .gpu = own.gpu,
                                      .tool = "reassemble " REASSEMBLE_VERSION,
                                      .clock_hz = (uint64_t)own.clock_hz,
                                      .device = device,
                                      .options = how};
    const int status = name ? board_file_write(own.output, &facts, m, error) : error_no_memory(error);
    free(name);
    if (status != 0)
      return -1;
  }
  for (size_t i = 0; i < m->skipped_count && !options->quiet; i++)
    fprintf(stderr, "skipped %s: %s\n", m->skipped[i].workload, m->skipped[i].reason);
  return show(device, m, options->json, error);
}

static void open_driver(void) {
  struct opencl_api api;
  struct device device;
  struct error ignored = ERROR_INIT;
  subprocess_end_with_parent();
  _exit(opencl_api_open(&api, &ignored) == 0 && device_find(&api, own.device, &device, &ignored) == 0 ? EXIT_SUCCESS
                                                                                                      : EXIT_FAILURE);
}

/* A driver that is short of memory may abort (PoCL), and leaves no handler in place that could say why: another process
 * tries first. */
static int try_driver(const struct options *options, struct error *error) {
  int status = 0;
  if (options->memory_bytes <= 0)
    return 0;
  const pid_t process = fork();
  if (process == 0)
    open_driver();
  if (process < 0 || waitpid(process, &status, 0) < 0)
    return error_set(error, ERROR_WORK, "cannot start a process: %s", strerror(errno));
  return WIFSIGNALED(status) ? error_set(error, ERROR_WORK, "the OpenCL driver was out of memory and aborted") : 0;
}

static int run(const struct options *options, struct error *error) {
  struct opencl_api api;
  struct device device;
  struct session *session = NULL;
  struct measure_journal *journal = NULL;
  struct measurements m = {0};
  const struct measure_options how = {.warm_up = (unsigned)own.warm_up,
                                      .runs = (unsigned)own.runs,
                                      .check = !own.no_check,
                                      .caches = (enum measure_caches)own.caches};
  if (!own.devices && options->argument_count == 0)
    return error_set(error, ERROR_INPUT,
                     "found no workload to measure; `reassemble list workloads` names those that ship");
  if (own.output && !own.gpu)
    return error_set(error, ERROR_INPUT, "--gpu is missing: name the GPU description that predicts this device");
  if (try_driver(options, error) != 0 || opencl_api_open(&api, error) != 0)
    return -1;
  if (own.devices)
    return show_devices(&api, options->json, error);
  int status = device_find(&api, own.device, &device, error);
  if (status == 0)
    status = kernel_file_check_inputs(&own.kernels, options, error);
  for (size_t i = 0; i < options->argument_count && status == 0; i++)
    status = kernel_file_is(options->arguments[i]) ? 0 : workloads_check(options->arguments[i], error);
  if (status == 0 && own.journal)
    status = measure_journal_open(own.journal, &device, &how, &journal, error);
  if (status == 0)
    status = session_open(&api, &device, &session, error);
  for (size_t i = 0; i < options->argument_count && status == 0; i++) {
    const char *input = options->arguments[i];
    status = kernel_file_is(input) ? measure_kernel_file(journal, session, input, options, &how, &m, error)
                                   : workloads_measure(journal, session, input, &how, &m, options->quiet, error);
  }
  session_close(session);
  measure_journal_close(journal);
  if (status == 0)
    status = report(options, &device, &how, &m, error);
  measurements_clear(&m);
  return status;
}

const struct command command_measure = {
    .word = "measure",
    .arguments = "[WORKLOAD|KERNEL.cl...]",
    .help = "Run workloads on a real OpenCL device and time them",
    .details =
        "Every repetition refills the buffers and runs all launches in order; times are the device's own "
        "(profiling events),\n"
        "without transfers. The board's value is the minimum. After the last repetition the workload's checks "
        "run on the\n"
        "device too: a workload with other results, or that the device refuses, is skipped and named.\n"
        "\n"
        "Examples:\n"
        "  reassemble measure --devices\n"
        "  reassemble measure gemm-64 saxpy\n"
        "  reassemble measure mine.cl --kernel a,b --global 512x512 --arg 'float[512*512]=uniform' --arg int=512\n"
        "  reassemble measure --gpu mali-g71-mp8 -o my-board.json --journal my-board.journal variants/reduce-points\n"
        "  reassemble measure --gpu mali-g71-mp8 -o my-board.json thesis60 && reassemble validate --board "
        "my-board.json\n",
    .rows = rows,
    .minimum_arguments = 0,
    .maximum_arguments = ANY_NUMBER,
    .run = run,
};
