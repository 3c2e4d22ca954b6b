/* reassemble info: what is in a trace, and which kernels a source file has. */
#include "cli/core/command.h"

#include <stdlib.h>
#include <string.h>

#include "base/file.h"
#include "cli/info/info.h"
#include "cli/core/kernel_file.h"
#include "cli/core/table.h"
#include "trace/statistics/summary.h"
#include "trace/trace.h"

static int64_t warp_size = 4; /* the warp of the Mali-G71 */
static bool blocks;
static const char *isa_option = "bifrost", *dot_option, *build_options;

static const char *const direction_names[DIRECTION_COUNT] = {"load", "store", "atomic"};

static double share(uint64_t part, uint64_t whole) {
  return whole > 0 ? (double)part / (double)whole : 0;
}

static json_t *sizes_json(const uint64_t *sizes, uint32_t count) {
  json_t *array = json_array();
  for (uint32_t i = 0; i < count; i++)
    json_array_append_new(array, json_integer((json_int_t)sizes[i]));
  return array;
}

static json_t *mix_json(const struct trace_summary *summary) {
  json_t *object = json_object();
  for (int c = 0; c < OP_CLASS_COUNT; c++)
    if (summary->operations[c] > 0)
      json_object_set_new(object, trace_op_class_name(c), json_integer((json_int_t)summary->operations[c]));
  return object;
}

static json_t *traffic_json(const struct trace_summary *summary) {
  json_t *array = json_array();
  for (int s = 0; s < SPACE_COUNT; s++)
    for (int d = 0; d < DIRECTION_COUNT; d++)
      if (summary->traffic[s][d].accesses > 0)
        json_array_append_new(array,
                              json_pack("{s:s, s:s, s:I, s:I}", "space", trace_space_name(s), "direction",
                                        direction_names[d], "accesses", (json_int_t)summary->traffic[s][d].accesses,
                                        "bytes", (json_int_t)summary->traffic[s][d].bytes));
  return array;
}

static json_t *buffers_json(const struct trace *trace, const struct trace_summary *summary) {
  json_t *array = json_array();
  for (uint32_t b = 0; b < trace->header.buffer_count; b++)
    json_array_append_new(array, json_pack("{s:s, s:s, s:I, s:I}", "name", trace->header.buffers[b].name, "space",
                                           trace_space_name(trace->header.buffers[b].space), "bytes",
                                           (json_int_t)trace->header.buffers[b].bytes, "touched_bytes",
                                           (json_int_t)summary->footprint[b]));
  return array;
}

static json_t *statistics_json(const struct trace *trace, const struct trace_summary *summary) {
  struct statistics statistics;
  statistics_compute(trace, summary, (uint32_t)warp_size, &statistics);
  return info_statistics_json(&statistics);
}

static json_t *trace_json(const char *file, const struct trace *trace, const struct trace_summary *summary) {
  const struct trace_header *h = &trace->header;
  const uint64_t local[3] = {h->local[0], h->local[1], h->local[2]};
  return json_pack(
      "{s:o, s:s, s:s, s:I, s:s, s:s, s:s, s:s, s:o, s:o, s:I, s:I, s:I, s:I, s:I, s:I, s:I, s:I, s:f, "
      "s:f, s:o, s:o, s:o, s:o}",
      "file", command_json_text(file), "kernel", h->kernel, "workload", h->workload, "launch", (json_int_t)h->launch,
      "source_file", h->source_file, "source_digest", h->source_digest, "options", h->options, "front_end",
      h->front_end, "global", sizes_json(h->global, h->dimensions), "local", sizes_json(local, h->dimensions), "seed",
      (json_int_t)h->seed, "local_bytes", (json_int_t)h->local_bytes, "private_bytes", (json_int_t)h->private_bytes,
      "registers", (json_int_t)h->registers, "blocks", (json_int_t)trace->code.block_count, "groups",
      (json_int_t)trace->group_count, "work_item_instructions", (json_int_t)trace->work_item_instructions, "file_bytes",
      (json_int_t)trace->file_bytes, "bytes_per_instruction", share(trace->file_bytes, trace->work_item_instructions),
      "uniform_groups_ratio", share(summary->uniform_groups, trace->group_count), "operations", mix_json(summary),
      "traffic", traffic_json(summary), "buffers", buffers_json(trace, summary), "statistics",
      statistics_json(trace, summary));
}

static void print_line(const char *label, const char *text) {
  printf("  %-14s ", label);
  table_print_text(text, stdout);
  putchar('\n');
}

static void print_kernel_line(const struct trace_header *h) {
  char text[1024];
  snprintf(text, sizeof text, "%s of %s (workload %s, launch %u)", h->kernel, h->source_file, h->workload, h->launch);
  print_line("kernel", text);
}

static void print_head(const char *file, const struct trace *trace, const struct trace_summary *summary) {
  const struct trace_header *h = &trace->header;
  const uint64_t accesses =
      summary->streams[STREAM_AFFINE] + summary->streams[STREAM_ITEM] + summary->streams[STREAM_RAW];
  printf("%s\n", file);
  print_kernel_line(h);
  print_line("options", h->options[0] != '\0' ? h->options : "none");
  print_line("source digest", h->source_digest);
  print_line("front end", h->front_end);
  printf("  NDRange        global");
  for (uint32_t d = 0; d < h->dimensions; d++)
    printf(" %s%llu", d > 0 ? "x " : "", (unsigned long long)h->global[d]);
  printf(", local");
  for (uint32_t d = 0; d < h->dimensions; d++)
    printf(" %s%u", d > 0 ? "x " : "", h->local[d]);
  printf(", %u work-groups of %u work-items\n", trace->group_count, trace_local_size(h));
  printf("  memory         local %u bytes a work-group, private %u bytes a work-item\n", h->local_bytes,
         h->private_bytes);
  if (h->registers > 0)
    printf("  registers      about %u of 32 bits a work-item\n", h->registers);
  printf("  instructions   %llu of all work-items, %u basic blocks\n",
         (unsigned long long)trace->work_item_instructions, trace->code.block_count);
  printf("  file           %llu bytes, %.2g bytes per instruction\n", (unsigned long long)trace->file_bytes,
         share(trace->file_bytes, trace->work_item_instructions));
  printf("  regularity     %u paths, %u shapes; %.1f %% of the work-groups have one path; of the accesses %.1f %% "
         "affine,\n"
         "                 %.1f %% affine per work-item, %.1f %% irregular\n\n",
         trace->path_count, trace->shape_count, 100 * share(summary->uniform_groups, trace->group_count),
         100 * share(summary->streams[STREAM_AFFINE], accesses), 100 * share(summary->streams[STREAM_ITEM], accesses),
         100 * share(summary->streams[STREAM_RAW], accesses));
}

static int print_mix(const struct trace *trace, const struct trace_summary *summary, struct error *error) {
  struct table *table =
      table_create((struct table_column[]){{"operation", false}, {"executed", true}, {"share %", true}}, 3);
  for (int c = 0; c < OP_CLASS_COUNT; c++) {
    if (summary->operations[c] == 0)
      continue;
    table_add(table, "%s", trace_op_class_name(c));
    table_add(table, "%llu", (unsigned long long)summary->operations[c]);
    if (c == OP_MOVE)
      table_add(table, "not counted");
    else
      table_add(table, "%.1f", 100 * share(summary->operations[c], trace->work_item_instructions));
  }
  const int status = table_print(table, stdout, error);
  table_destroy(table);
  return status;
}

static int print_traffic(const struct trace_summary *summary, struct error *error) {
  struct table *table =
      table_create((struct table_column[]){{"space", false}, {"access", false}, {"count", true}, {"bytes", true}}, 4);
  for (int s = 0; s < SPACE_COUNT; s++)
    for (int d = 0; d < DIRECTION_COUNT; d++) {
      if (summary->traffic[s][d].accesses == 0)
        continue;
      table_add(table, "%s", trace_space_name(s));
      table_add(table, "%s", direction_names[d]);
      table_add(table, "%llu", (unsigned long long)summary->traffic[s][d].accesses);
      table_add(table, "%llu", (unsigned long long)summary->traffic[s][d].bytes);
    }
  const int status = table_print(table, stdout, error);
  table_destroy(table);
  return status;
}

static int print_buffers(const struct trace *trace, const struct trace_summary *summary, struct error *error) {
  struct table *table =
      table_create((struct table_column[]){{"buffer", false}, {"space", false}, {"bytes", true}, {"touched", true}}, 4);
  for (uint32_t b = 0; b < trace->header.buffer_count; b++) {
    table_add(table, "%s", trace->header.buffers[b].name);
    table_add(table, "%s", trace_space_name(trace->header.buffers[b].space));
    table_add(table, "%u", trace->header.buffers[b].bytes);
    table_add(table, "%llu", (unsigned long long)summary->footprint[b]);
  }
  const int status = table_print(table, stdout, error);
  table_destroy(table);
  return status;
}

static int print_statistics(const struct trace *trace, const struct trace_summary *summary, struct error *error) {
  struct statistics statistics;
  statistics_compute(trace, summary, (uint32_t)warp_size, &statistics);
  return info_statistics_print(&statistics, error);
}

static int print_text(const char *file, const struct trace *trace, const struct trace_summary *summary,
                      struct error *error) {
  print_head(file, trace, summary);
  if (print_mix(trace, summary, error) != 0)
    return -1;
  putchar('\n');
  if (print_traffic(summary, error) != 0)
    return -1;
  putchar('\n');
  if (print_buffers(trace, summary, error) != 0)
    return -1;
  putchar('\n');
  return print_statistics(trace, summary, error);
}

/* What every trace is shown with. */
struct views {
  json_t *traces;          /* NULL: text */
  struct isa_profile *isa; /* NULL: no code table */
  FILE *dot;               /* NULL: no graph */
};

static int append_json(const char *file, const struct trace *trace, const struct trace_summary *summary,
                       const struct views *views, struct error *error) {
  json_t *object = trace_json(file, trace, summary), *code;
  if (views->isa != NULL && object != NULL) {
    if (info_blocks_json(trace, summary, views->isa, &code, error) != 0) {
      json_decref(object);
      return -1;
    }
    json_object_set_new(object, "code", code);
  }
  return command_json_append(views->traces, object, error);
}

static int print_views(const char *file, const struct trace *trace, const struct trace_summary *summary,
                       const struct views *views, struct error *error) {
  if (views->dot == stdout)
    return 0;
  if (views->isa == NULL)
    return print_text(file, trace, summary, error);
  if (info_blocks_check(trace, views->isa, error) != 0)
    return -1;
  print_head(file, trace, summary);
  return info_blocks_print(trace, summary, views->isa, error);
}

static int show(const char *file, const struct views *views, struct error *error) {
  struct trace *trace;
  if (trace_load(file, &trace, error) != 0)
    return -1;
  struct trace_summary summary;
  int status = trace_summary_compute(trace, &summary, error);
  if (status == 0 && views->dot != NULL)
    info_dot_print(trace, &summary, views->dot);
  if (status == 0 && views->traces != NULL)
    status = append_json(file, trace, &summary, views, error);
  else if (status == 0)
    status = print_views(file, trace, &summary, views, error);
  trace_summary_clear(&summary);
  trace_destroy(trace);
  return status;
}

static int show_all(const struct options *options, const struct views *views, struct error *error) {
  int status = 0;
  for (size_t i = 0; i < options->argument_count && status == 0; i++) {
    if (i > 0 && !options->json && views->dot != stdout)
      putchar('\n');
    status = show(options->arguments[i], views, error);
  }
  return status;
}

/* Graphs go to a file that appears whole, or to stdout instead of everything else. */
static int show_with_graph(const struct options *options, struct views *views, struct error *error) {
  struct file_replace file;
  if (dot_option == NULL)
    return show_all(options, views, error);
  if (strcmp(dot_option, "-") == 0) {
    views->dot = stdout;
    return show_all(options, views, error);
  }
  if (file_replace_begin(&file, dot_option, error) != 0)
    return -1;
  views->dot = file.stream;
  if (show_all(options, views, error) != 0) {
    file_replace_abort(&file);
    return -1;
  }
  return file_replace_commit(&file, error);
}

/* Sources and traces have nothing in common to show side by side. */
static int check_files(const struct options *options, bool *sources, struct error *error) {
  *sources = kernel_file_is(options->arguments[0]);
  for (size_t i = 1; i < options->argument_count; i++)
    if (kernel_file_is(options->arguments[i]) != *sources)
      return error_set(error, ERROR_INPUT, "found \"%.200s\" beside \"%.200s\", expected kernel files (*.cl) or traces",
                       options->arguments[i], options->arguments[0]);
  if (*sources && dot_option != NULL)
    return error_set(error, ERROR_INPUT, "--dot is for traces; found the kernel file \"%.200s\"",
                     options->arguments[0]);
  if (!*sources && build_options != NULL)
    return error_set(error, ERROR_INPUT, "--options is for kernel files (*.cl); found \"%.200s\"",
                     options->arguments[0]);
  return 0;
}

static int show_kernels(const struct options *options, struct error *error) {
  struct isa_profile *isa = NULL;
  if (blocks && isa_load(isa_option, &isa, error) != 0)
    return -1;
  const int status = info_kernels_show(options, build_options != NULL ? build_options : "", isa, error);
  isa_destroy(isa);
  return status;
}

static int run(const struct options *options, struct error *error) {
  struct views views = {0};
  bool sources;
  if (check_files(options, &sources, error) != 0)
    return -1;
  if (sources)
    return show_kernels(options, error);
  if (dot_option != NULL && strcmp(dot_option, "-") == 0 && (options->json || blocks))
    return error_set(error, ERROR_INPUT,
                     "--dot - writes nothing but graphs to stdout; name a file to have --%s as well",
                     options->json ? "json" : "blocks");
  if (blocks && isa_load(isa_option, &views.isa, error) != 0)
    return -1;
  views.traces = options->json ? json_array() : NULL;
  const int status = show_with_graph(options, &views, error);
  isa_destroy(views.isa);
  if (status == 0 && options->json)
    return command_print_json(json_pack("{s:s, s:o}", "schema", "reassemble.info/1", "traces", views.traces), error);
  json_decref(views.traces);
  return status;
}

static const struct option_row option_rows[] = {
    {.name = "warp-size",
     .argument = "N",
     .type = OPTION_INT,
     .target = &warp_size,
     .minimum = 1,
     .maximum = STATISTICS_MAX_WARP,
     .help = "work-items of a warp, for the statistics of divergence (default: 4)"},
    {.name = "blocks",
     .type = OPTION_FLAG,
     .target = &blocks,
     .help = "the code block by block: IR, issue slots, pipes, rules"},
    {.name = "isa",
     .argument = "PROFILE",
     .type = OPTION_TEXT,
     .target = &isa_option,
     .help = "ISA profile that prices --blocks (default: bifrost)"},
    {.name = "dot",
     .argument = "FILE",
     .type = OPTION_TEXT,
     .target = &dot_option,
     .help = "control-flow graphs with execution counts, for Graphviz; -: to stdout, instead of the rest"},
    {.name = "options",
     .argument = "TEXT",
     .type = OPTION_TEXT,
     .target = &build_options,
     .help = "KERNEL.cl: build options, -DN=64"},
    {0},
};

const struct command command_info = {
    .word = "info",
    .arguments = "TRACE...|KERNEL.cl...",
    .help = "Show what is in traces, and which kernels a source file has",
    .details =
        "Counts are over all work-items. Bytes are what the work-items asked for; \"touched\" is the footprint, the\n"
        "distinct bytes of a buffer that were read or written, in words of four. A warp is divergent when its\n"
        "work-items ran different paths. docs/statistics.md defines every number.\n"
        "--blocks prints for each operation the LLVM IR that it was made of, its issue slots, pipe and the rule of\n"
        "the profile that priced it; the sources of the rules stand at the end.\n"
        "Of a kernel file: its kernels with their code, registers and memory, and what about them is not supported;\n"
        "--blocks prints their code without counts, as nothing ran.\n"
        "\n"
        "Examples:\n"
        "  reassemble trace gemm-64 -o traces && reassemble info traces/gemm-64.rtrace\n"
        "  reassemble info --blocks --isa bifrost traces/gemm-64.rtrace\n"
        "  reassemble info --dot - traces/gemm-64.rtrace | dot -Tsvg > gemm.svg\n"
        "  reassemble info --json --warp-size 32 traces/gemm-64.rtrace\n"
        "  reassemble info --options '-DTILE=16' kernels.cl\n"
        "  reassemble info --blocks --isa nvidia-like kernels.cl\n",
    .rows = option_rows,
    .minimum_arguments = 1,
    .maximum_arguments = ANY_NUMBER,
    .run = run,
};
