/* The kernels of source files, built but not run. */
#include "cli/info/info.h"

#include <stdio.h>
#include <string.h>

#include "base/input/json_parse.h"
#include "cli/core/budget.h"
#include "tracegen/process/kernel_list.h"

#define COMPILE_S 600.0 /* for a file, as an emulation has; --timeout sets another time */

/* Shows the code of a kernel, in the process that builds it. */
struct code_view {
  const struct isa_profile *isa;
  bool json, blocks;
};

/* In the process that built the kernel. */
static int look(void *user, const char *kernel, const struct trace_code *code, char **ir, struct error *error) {
  const struct code_view *how = user;
  const struct trace trace = {.header = {.ir = ir, .ir_count = ir ? code->op_count : 0}, .code = *code};
  struct view view;
  json_t *object;
  (void)kernel;
  if (how->blocks && info_blocks_check(&trace, how->isa, error) != 0)
    return -1;
  view_begin(&view, how->json, stdout, NULL);
  int shown = info_paths_show(code, how->isa, &view, error);
  if (shown == 0 && how->blocks) {
    view_say(&view, "\n");
    shown = info_blocks_show(&trace, NULL, how->isa, &view, error);
  }
  int status = view_take(&view, shown, &object, error);
  if (status == 0 && object && json_dumpf(object, stdout, JSON_REAL_PRECISION(10)) != 0)
    status = error_no_memory(error);
  json_decref(object);
  if (status == 0 && (table_ran_out_of_memory() || json_ran_out_of_memory())) /* here, where main does not see it */
    status = error_no_memory(error);
  return status;
}

static bool is_refused(const struct kernel_summary *k) {
  return k->refusal.kind != ERROR_NONE;
}

static const struct view_column columns[] = {
    {.key = "kernel", .title = "kernel"},
    {.key = "refused"},
    {.key = "line"},
    {.key = "arguments"},
    {.key = "operations", .title = "operations", .format = "%d"},
    {.key = "blocks", .title = "blocks", .format = "%d"},
    {.key = "registers", .title = "registers", .format = "%d"},
    {.key = "local_bytes", .title = "local", .format = "%d"},
    {.key = "private_bytes", .title = "private", .format = "%d"},
    {.key = "barriers"},
    {.key = "required_local"},
    {.key = "code"},
    {.title = "arguments"},
};
enum { COLUMNS = sizeof columns / sizeof columns[0] };

static void add_refused(struct view_list *list, const struct kernel_summary *k) {
  struct view_value values[COLUMNS] = {view_text(k->name), view_text(k->refusal.text), view_whole(k->refusal.line)};
  values[COLUMNS - 1] = view_text("refused");
  view_row(list, values, COLUMNS);
}

static void add_kernel(struct view_list *list, const struct kernel_summary *k) {
  const bool json = view_is_json(list->view);
  json_error_t problem;
  json_t *local = json_pack("[I, I, I]", (json_int_t)k->required_local[0], (json_int_t)k->required_local[1],
                            (json_int_t)k->required_local[2]);
  VIEW_ROW(list, view_text(k->name), view_absent(), view_absent(), view_text(k->arguments), view_whole(k->operations),
           view_whole(k->blocks), view_whole(k->registers), view_whole(k->local_bytes), view_whole(k->private_bytes),
           view_truth(k->barrier), view_json(local),
           json && k->view ? view_json(json_parse(k->view, strlen(k->view), 0, &problem)) : view_absent(),
           view_text(k->arguments));
}

static void show_file(const char *file, const struct kernel_list *kernels, const struct isa_profile *isa,
                      struct view *view) {
  struct view_list list;
  view_member(view, "file", view_text(file));
  view_say(view, "%s\n", file);
  view_list_begin(view, "kernels", columns, COLUMNS, &list);
  for (size_t i = 0; i < kernels->count; i++)
    (is_refused(&kernels->kernels[i]) ? add_refused : add_kernel)(&list, &kernels->kernels[i]);
  view_list_end(&list);
  for (size_t i = 0; i < kernels->count && !view_is_json(view); i++)
    if (is_refused(&kernels->kernels[i]))
      error_print(&kernels->kernels[i].refusal, view->out);
  for (size_t i = 0; i < kernels->count; i++)
    if (!is_refused(&kernels->kernels[i]) && kernels->kernels[i].view)
      view_say(view, "\nkernel %s, priced by %s\n%s", kernels->kernels[i].name, isa_name(isa),
               kernels->kernels[i].view);
}

/* A kernel that is refused is a result; one that could not be judged is a failure. */
static int first_failure(const struct kernel_list *kernels, struct error *error) {
  for (size_t i = 0; i < kernels->count; i++)
    if (kernels->kernels[i].is_unknown) {
      const struct error *e = &kernels->kernels[i].refusal;
      return error_at(error, ERROR_WORK, e->file, e->line, e->column, e->key, "%s", e->text);
    }
  return 0;
}

static int show(const char *file, const char *build_options, struct code_view *code, struct view *view,
                struct error *error) {
  struct kernel_list kernels;
  budget_default_time(COMPILE_S);
  if (kernel_list_read(front_ends[0], file, build_options, COMPILE_S, look, code, &kernels, error) != 0)
    return -1;
  if (kernels.count == 0) {
    kernel_list_clear(&kernels);
    return error_set(error, ERROR_INPUT, "%.200s: no kernel in it; expected a function \"__kernel void NAME(...)\"",
                     file);
  }
  view_element_begin(view, "files");
  show_file(file, &kernels, code->isa, view);
  view_object_end(view);
  const int status = first_failure(&kernels, error);
  kernel_list_clear(&kernels);
  return status;
}

int info_kernels_show(const struct options *options, const char *build_options, const struct isa_profile *isa,
                      bool blocks, struct error *error) {
  struct code_view code = {.isa = isa, .json = options->json, .blocks = blocks};
  struct view view;
  int status = 0;
  view_begin(&view, options->json, stdout, "reassemble.kernels/1");
  view_member(&view, "options", view_text(build_options));
  for (size_t i = 0; i < options->argument_count && status == 0; i++) {
    if (i > 0)
      view_say(&view, "\n");
    status = show(options->arguments[i], build_options, &code, &view, error);
  }
  return view_end(&view, status, error);
}
