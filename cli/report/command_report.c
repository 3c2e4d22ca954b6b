/* reassemble report: results of other commands as one page of tables and plots. */
#include "cli/core/command.h"

#include <sys/stat.h>

#include "base/file.h"
#include "base/input/json_parse.h"
#include "cli/core/option_rows.h"
#include "cli/core/view.h"
#include "cli/report/documents.h"
#include "cli/report/page_writer.h"
#include "cli/report/plot_files.h"

static struct { const char *output, *svg; } own;

/* The files that have been written. */
struct written {
  uint64_t page_bytes;
  size_t plots;
};

static const struct option_row rows[] = {
    OUTPUT_ROW(own.output, "FILE", "write the page there (HTML)"),
    {.name = "svg",
     .argument = "DIR",
     .type = OPTION_OUTPUT,
     .target = &own.svg,
     .help = "write each plot there as a file for papers (SVG; needs nodejs and node-jsdom)"},
    {.name = NULL},
};

static void say_replaced(const struct options *options, const char *path, size_t files) {
  if (files > 0 && !options->quiet)
    fprintf(stderr, "reassemble: %s: replaced, from an earlier run\n", path);
}

static int write_page(const struct documents *documents, const struct options *options, uint64_t *bytes,
                      struct error *error) {
  struct file_replace file;
  struct stat info;
  const bool replaced = stat(own.output, &info) == 0 && S_ISREG(info.st_mode);
  if (file_replace_begin(&file, own.output, error) != 0)
    return -1;
  int status = page_write(documents, file.stream, error);
  if (status == 0 && json_ran_out_of_memory()) /* a part of the page would be missing */
    status = error_no_memory(error);
  if (status != 0) {
    file_replace_abort(&file);
    return -1;
  }
  const long end = ftell(file.stream);
  *bytes = end > 0 ? (uint64_t)end : 0;
  if (file_replace_commit(&file, error) != 0)
    return -1;
  say_replaced(options, own.output, replaced);
  return 0;
}

static int write_plots(const struct documents *documents, const struct options *options, size_t *plots,
                       struct error *error) {
  size_t replaced = 0;
  if (plot_files_write(documents, own.svg, plots, &replaced, error) != 0)
    return -1;
  say_replaced(options, own.svg, replaced);
  return 0;
}

static int show(const struct documents *documents, const struct written *written, const struct options *options,
                struct error *error) {
  static const struct view_column columns[] = {
      {.key = "path", .title = "document"}, {.key = "schema", .title = "schema"}, {.key = "kind", .title = "holds"}};
  struct view view;
  struct view_list list;
  view_begin(&view, options->json, stdout, "reassemble.report/1");
  view_member(&view, "page", own.output ? view_text(own.output) : view_null());
  view_member(&view, "page_bytes", view_whole(written->page_bytes));
  view_member(&view, "plots", own.svg ? view_text(own.svg) : view_null());
  view_member(&view, "plot_files", view_whole(written->plots));
  view_list_begin(&view, "documents", columns, 3, &list);
  for (size_t i = 0; i < documents->count; i++) {
    const struct document *document = &documents->items[i];
    VIEW_ROW(&list, view_text(document->path), view_text(document->schema), view_text(document->kind));
  }
  view_list_end(&list);
  view_say(&view, "\n");
  if (own.output)
    view_say(&view, "%s: %.0f KB; open it in a browser\n", own.output, (double)written->page_bytes / 1000);
  if (own.svg)
    view_say(&view, "%s: %zu plots\n", own.svg, written->plots);
  return view_end(&view, 0, error);
}

static int report(const struct documents *documents, const struct options *options, struct error *error) {
  struct written written = {0};
  if (own.output && write_page(documents, options, &written.page_bytes, error) != 0)
    return -1;
  if (own.svg && write_plots(documents, options, &written.plots, error) != 0)
    return -1;
  return show(documents, &written, options, error);
}

static int run(const struct options *options, struct error *error) {
  struct documents documents;
  if (!own.output && !own.svg)
    return error_set(error, ERROR_INPUT,
                     "--output is required: the file that the page is written to (or --svg: a folder)");
  if (documents_read(options->arguments, options->argument_count, &documents, error) != 0)
    return -1;
  const int status = report(&documents, options, error);
  documents_clear(&documents);
  return status;
}

const struct command command_report = {
    .word = "report",
    .arguments = "RUN...",
    .help = "Make one page of tables and plots from results",
    .details =
        "A run is what a command printed with --json (a file, or - for standard input), a timeline, the folder of a\n"
        "sweep, or a folder of such files. The page holds everything that it shows and loads nothing: it can be sent,\n"
        "printed and read on a telephone. Tables sort by a click on a title; plots show their numbers under the "
        "pointer.\n"
        "\n"
        "Examples:\n"
        "  reassemble validate --board hikey960-gemm-variants --json > accuracy.json\n"
        "  reassemble report accuracy.json -o page.html\n"
        "  reassemble simulate --gpu mali-g71-mp8 gemm-64 saxpy --detail --json | reassemble report - -o page.html\n"
        "  reassemble report accuracy.json --svg plots\n"
        "  reassemble dse fig-5.9 && reassemble report dse-fig-5.9 accuracy.json -o page.html\n",
    .rows = rows,
    .minimum_arguments = 1,
    .maximum_arguments = ANY_NUMBER,
    .run = run,
};
