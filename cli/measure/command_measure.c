/* reassemble measure: workloads on a real OpenCL device, as a board file. */
#include "cli/core/command.h"

#include <stdlib.h>
#include <string.h>

#include "base/file.h"
#include "base/progress.h"
#include "base/text.h"
#include "cli/core/table.h"
#include "measure/board_file.h"
#include "measure/measure.h"
#include "workload/workload.h"

static struct {
  const char *device, *output, *name, *board, *gpu;
  int64_t warm_up, runs, clock_hz;
  bool no_check, devices;
} own = {.warm_up = 2, .runs = 20};

/* The thesis takes 100 runs (section 2.7.1); 20 keep a whole suite within minutes. */
static const struct option_row rows[] = {
    {.name = "device",
     .letter = 'd',
     .argument = "DEVICE",
     .type = OPTION_TEXT,
     .target = &own.device,
     .help = "number or part of the name of an OpenCL device (the first GPU, else the first device)"},
    {.name = "devices", .type = OPTION_FLAG, .target = &own.devices, .help = "list the devices and end"},
    {.name = "output",
     .letter = 'o',
     .argument = "BOARD",
     .type = OPTION_OUTPUT,
     .target = &own.output,
     .help = "write a board file, for validate and tune"},
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
    {.name = "gpu",
     .letter = 'g',
     .argument = "GPU",
     .type = OPTION_TEXT,
     .target = &own.gpu,
     .help = "GPU description that shall predict this device (with -o: required)"},
    {.name = "board",
     .argument = "TEXT",
     .type = OPTION_TEXT,
     .target = &own.board,
     .help = "what to call the machine"},
    {.name = "clock",
     .argument = "HZ",
     .type = OPTION_INT,
     .target = &own.clock_hz,
     .help = "the clock it ran at (what the device says)",
     .minimum = 1,
     .maximum = 1e12},
    {.name = "no-check",
     .type = OPTION_FLAG,
     .target = &own.no_check,
     .help = "do not check the results on the device"},
    {.name = NULL},
};

static json_t *device_json(const struct device *d) {
  return json_pack("{s:o, s:s, s:o, s:o, s:o, s:I, s:I}", "name", command_json_text(d->name), "type", d->type,
                   "platform", command_json_text(d->platform), "driver", command_json_text(d->driver), "version",
                   command_json_text(d->version), "clock_hz", (json_int_t)d->clock_hz, "compute_units",
                   (json_int_t)d->compute_units);
}

static int print_devices_json(const struct device *devices, size_t count, struct error *error) {
  json_t *list = json_array();
  for (size_t i = 0; i < count; i++)
    if (command_json_append(list, device_json(&devices[i]), error) != 0) {
      json_decref(list);
      return -1;
    }
  return command_print_json(json_pack("{s:s, s:o}", "schema", "reassemble.measure/1", "devices", list), error);
}

static int print_devices(const struct opencl_api *api, bool json, struct error *error) {
  static struct device devices[DEVICES_MOST];
  size_t count;
  devices_list(api, devices, &count);
  if (json)
    return print_devices_json(devices, count, error);
  struct table *table = table_create((struct table_column[]){{"number", true},
                                                             {"device", false},
                                                             {"type", false},
                                                             {"platform", false},
                                                             {"driver", false},
                                                             {"MHz", true},
                                                             {"units", true}},
                                     7);
  for (size_t i = 0; i < count; i++) {
    table_add(table, "%zu", i);
    table_add(table, "%s", devices[i].name);
    table_add(table, "%s", devices[i].type);
    table_add(table, "%s", devices[i].platform);
    table_add(table, "%s", devices[i].driver);
    table_add(table, "%.0f", (double)devices[i].clock_hz / 1e6);
    table_add(table, "%u", devices[i].compute_units);
  }
  const int status = table_print(table, stdout, error);
  table_destroy(table);
  return status;
}

static int print_table(const struct measurements *m, struct error *error) {
  struct table *table = table_create((struct table_column[]){{"workload", false},
                                                             {"launch", true},
                                                             {"kernel", false},
                                                             {"minimum us", true},
                                                             {"median us", true},
                                                             {"spread %", true},
                                                             {"outliers", true}},
                                     7);
  for (size_t i = 0; i < m->count; i++) {
    const struct measured_launch *l = &m->launches[i];
    table_add(table, "%s", l->workload);
    table_add(table, "%u", l->launch);
    table_add(table, "%s", l->kernel);
    table_add(table, "%.2f", l->ns.minimum / 1000);
    table_add(table, "%.2f", l->ns.median / 1000);
    table_add(table, "%.1f", 100 * l->ns.spread / l->ns.median);
    table_add(table, "%zu of %zu", l->ns.outliers, l->ns.count);
  }
  const int status = table_print(table, stdout, error);
  table_destroy(table);
  return status;
}

static int print_json(const struct device *device, const struct measurements *m, struct error *error) {
  json_t *launches = json_array(), *skipped = json_array();
  int status = 0;
  for (size_t i = 0; i < m->count && status == 0; i++) {
    const struct measured_launch *l = &m->launches[i];
    status = command_json_append(launches,
                                 json_pack("{s:o, s:i, s:o, s:f, s:f, s:f, s:f, s:I, s:I}", "workload",
                                           command_json_text(l->workload), "launch", (int)l->launch, "kernel",
                                           command_json_text(l->kernel), "minimum_ns", l->ns.minimum, "median_ns",
                                           l->ns.median, "maximum_ns", l->ns.maximum, "spread_ns", l->ns.spread, "runs",
                                           (json_int_t)l->ns.count, "outliers", (json_int_t)l->ns.outliers),
                                 error);
  }
  for (size_t i = 0; i < m->skipped_count && status == 0; i++)
    status = command_json_append(skipped,
                                 json_pack("{s:o, s:o}", "workload", command_json_text(m->skipped[i].workload),
                                           "reason", command_json_text(m->skipped[i].reason)),
                                 error);
  if (status != 0) {
    json_decref(launches);
    json_decref(skipped);
    return -1;
  }
  return command_print_json(json_pack("{s:s, s:o, s:o, s:o}", "schema", "reassemble.measure/1", "device",
                                      device_json(device), "measurements", launches, "skipped", skipped),
                            error);
}

/* A set stands for its members; those are found by name where the set was. */
static int measure_input(const struct opencl_api *api, const struct device *device, const char *input,
                         const struct measure_options *options, struct measurements *m, bool quiet,
                         struct error *error) {
  char **paths;
  size_t count;
  if (workload_expand(input, &paths, &count, error) != 0)
    return -1;
  struct progress progress;
  progress_start(&progress, input, "workloads", count, quiet);
  int status = 0;
  for (size_t i = 0; i < count && status == 0; i++) {
    struct workload *workload;
    status = workload_load(paths[i], &workload, error);
    if (status != 0)
      break;
    char *name = data_name(DATA_WORKLOAD, paths[i]);
    status = measure_workload(api, device, name != NULL ? name : paths[i], workload, options, m, error);
    free(name);
    workload_destroy(workload);
    progress_add(&progress, 1);
  }
  progress_end(&progress);
  data_list_free(paths, count);
  return status;
}

static int report(const struct options *options, const struct device *device, const struct measure_options *how,
                  const struct measurements *m, struct error *error) {
  if (m->count == 0)
    return error_set(error, ERROR_WORK, "nothing could be measured on %s: %s", device->name,
                     m->skipped_count > 0 ? m->skipped[0].reason : "no launches");
  if (own.output != NULL) {
    char *name = text_stem(own.output);
    const struct board_facts facts = {.name = name,
                                      .board = own.board,
                                      .gpu = own.gpu,
                                      .tool = "reassemble " REASSEMBLE_VERSION,
                                      .clock_hz = (uint64_t)own.clock_hz,
                                      .device = device,
                                      .options = how};
    const int status =
        name != NULL ? board_file_write(own.output, &facts, m, error) : error_set(error, ERROR_WORK, "out of memory");
    free(name);
    if (status != 0)
      return -1;
  }
  for (size_t i = 0; i < m->skipped_count && !options->quiet; i++)
    fprintf(stderr, "skipped %s: %s\n", m->skipped[i].workload, m->skipped[i].reason);
  return options->json ? print_json(device, m, error) : print_table(m, error);
}

static int run(const struct options *options, struct error *error) {
  struct opencl_api api;
  struct device device;
  struct measurements m = {0};
  const struct measure_options how = {
      .warm_up = (unsigned)own.warm_up, .runs = (unsigned)own.runs, .check = !own.no_check};
  if (!own.devices && options->argument_count == 0)
    return error_set(error, ERROR_INPUT,
                     "found no workload to measure; `reassemble list workloads` names those that ship");
  if (own.output != NULL && own.gpu == NULL)
    return error_set(error, ERROR_INPUT, "--gpu is missing: name the GPU description that shall predict this device");
  if (opencl_api_open(&api, error) != 0)
    return -1;
  if (own.devices)
    return print_devices(&api, options->json, error);
  int status = device_find(&api, own.device, &device, error);
  for (size_t i = 0; i < options->argument_count && status == 0; i++)
    status = measure_input(&api, &device, options->arguments[i], &how, &m, options->quiet, error);
  if (status == 0)
    status = report(options, &device, &how, &m, error);
  measurements_clear(&m);
  return status;
}

const struct command command_measure = {
    .word = "measure",
    .arguments = "[WORKLOAD...]",
    .help = "Run workloads on a real OpenCL device and time them",
    .details = "Every repetition refills the buffers and runs all launches in order; times are the device's own "
               "(profiling events),\n"
               "without transfers. The board's value is the minimum. After the last repetition the workload's checks "
               "run on the\n"
               "device too: a workload with other results, or that the device refuses, is skipped and named.\n"
               "\n"
               "Examples:\n"
               "  reassemble measure --devices\n"
               "  reassemble measure quick\n"
               "  reassemble measure --gpu mali-g71-mp8 -o my-board.json thesis60 && reassemble validate --board "
               "my-board.json\n",
    .rows = rows,
    .minimum_arguments = 0,
    .maximum_arguments = ANY_NUMBER,
    .run = run,
};
