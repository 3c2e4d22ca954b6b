/* The kernels of source files, built but not run. */
#include "cli/info/info.h"

#include <stdlib.h>

#include "cli/core/table.h"
#include "tracegen/process/kernel_list.h"

#define TIMEOUT_S 600.0 /* for each kernel, as `trace` has */

struct view {
  const struct isa_profile *isa;
  bool json;
};

/* In the process that built the kernel. */
static int look(void *user, const char *kernel, const struct trace_code *code, char **ir, struct error *error) {
  const struct view *view = user;
  const struct trace trace = {.header = {.ir = ir, .ir_count = ir != NULL ? code->op_count : 0}, .code = *code};
  json_t *object;
  (void)kernel;
  if (!view->json)
    return info_blocks_check(&trace, view->isa, error) != 0 ? -1 : info_blocks_print(&trace, NULL, view->isa, error);
  if (info_blocks_json(&trace, NULL, view->isa, &object, error) != 0)
    return -1;
  const int status = json_dumpf(object, stdout, JSON_REAL_PRECISION(10));
  json_decref(object);
  return status == 0 ? 0 : error_set(error, ERROR_WORK, "out of memory");
}

static bool is_refused(const struct kernel_summary *k) {
  return k->refusal.kind != ERROR_NONE;
}

static json_t *kernel_json(const struct kernel_summary *k) {
  if (is_refused(k))
    return json_pack("{s:s, s:o, s:I}", "kernel", k->name, "refused", command_json_text(k->refusal.text), "line",
                     (json_int_t)k->refusal.line);
  return json_pack("{s:s, s:o, s:I, s:I, s:I, s:I, s:I, s:b, s:[I, I, I], s:o*}", "kernel", k->name, "arguments",
                   command_json_text(k->arguments), "operations", (json_int_t)k->operations, "blocks",
                   (json_int_t)k->blocks, "registers", (json_int_t)k->registers, "local_bytes",
                   (json_int_t)k->local_bytes, "private_bytes", (json_int_t)k->private_bytes, "barriers", k->barrier,
                   "required_local", (json_int_t)k->required_local[0], (json_int_t)k->required_local[1],
                   (json_int_t)k->required_local[2], "code", k->view != NULL ? json_loads(k->view, 0, NULL) : NULL);
}

static json_t *file_json(const char *file, const struct kernel_list *list) {
  json_t *kernels = json_array();
  for (size_t i = 0; i < list->count; i++)
    json_array_append_new(kernels, kernel_json(&list->kernels[i]));
  return json_pack("{s:o, s:o}", "file", command_json_text(file), "kernels", kernels);
}

static void add_row(struct table *table, const struct kernel_summary *k) {
  table_add(table, "%s", k->name);
  if (is_refused(k)) {
    for (int i = 0; i < 5; i++)
      table_add(table, "-");
    table_add(table, "refused");
    return;
  }
  table_add(table, "%u", k->operations);
  table_add(table, "%u", k->blocks);
  table_add(table, "%u", k->registers);
  table_add(table, "%u", k->local_bytes);
  table_add(table, "%u", k->private_bytes);
  table_add(table, "%s", k->arguments);
}

static int print(const char *file, const struct kernel_list *list, struct error *error) {
  struct table *table = table_create((struct table_column[]){{"kernel", false},
                                                             {"operations", true},
                                                             {"blocks", true},
                                                             {"registers", true},
                                                             {"local", true},
                                                             {"private", true},
                                                             {"arguments", false}},
                                     7);
  for (size_t i = 0; i < list->count; i++)
    add_row(table, &list->kernels[i]);
  table_print_text(file, stdout);
  putchar('\n');
  const int status = table_print(table, stdout, error);
  table_destroy(table);
  for (size_t i = 0; i < list->count && status == 0; i++)
    if (is_refused(&list->kernels[i]))
      error_print(&list->kernels[i].refusal, stdout);
  for (size_t i = 0; i < list->count && status == 0; i++)
    if (!is_refused(&list->kernels[i]) && list->kernels[i].view != NULL)
      printf("\nkernel %s\n%s", list->kernels[i].name, list->kernels[i].view);
  return status;
}

/* `files`: NULL for text. */
static int show(const char *file, const char *build_options, struct view *view, json_t *files, struct error *error) {
  struct kernel_list list;
  if (kernel_list_read(front_ends[0], file, build_options, TIMEOUT_S, view->isa != NULL ? look : NULL, view, &list,
                       error) != 0)
    return -1;
  const int status =
      files != NULL ? command_json_append(files, file_json(file, &list), error) : print(file, &list, error);
  kernel_list_clear(&list);
  return status;
}

int info_kernels_show(const struct options *options, const char *build_options, const struct isa_profile *isa,
                      struct error *error) {
  struct view view = {.isa = isa, .json = options->json};
  json_t *files = options->json ? json_array() : NULL;
  int status = 0;
  for (size_t i = 0; i < options->argument_count && status == 0; i++) {
    if (i > 0 && files == NULL)
      putchar('\n');
    status = show(options->arguments[i], build_options, &view, files, error);
  }
  if (status == 0 && files != NULL)
    return command_print_json(
        json_pack("{s:s, s:s, s:o}", "schema", "reassemble.kernels/1", "options", build_options, "files", files),
        error);
  json_decref(files);
  return status;
}
