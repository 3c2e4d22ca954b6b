#include "cli/params/public_figures.h"

#include <string.h>

#include "base/input/json.h"
#include "cli/params/micro_kernels.h"

enum { LARGEST_FIGURE = 1000000000 };

static int check_kernel(const char *name, const char *path, struct error *error) {
  for (size_t i = 0; i < micro_kernel_count; i++)
    if (strcmp(micro_kernels[i].name, name) == 0)
      return 0;
  return error_at(error, ERROR_INPUT, path, 0, 0, "kernel", "found \"%.50s\", which is no micro-kernel", name);
}

/* Checks what figures and known rows have in common. */
static int check_row(const json_t *row, const char *const *keys, const char *text, const char *path,
                     struct error *error) {
  const char *kernel, *words;
  json_t *gpus;
  if (json_check_keys(row, keys, path, error) != 0 || json_need_array(row, "gpus", &gpus, path, error) != 0 ||
      json_need_string(row, "kernel", &kernel, path, error) != 0 ||
      json_need_string(row, text, &words, path, error) != 0)
    return -1;
  return check_kernel(kernel, path, error);
}

static int check_figure(const json_t *row, const char *path, struct error *error) {
  static const char *const keys[] = {"gpus", "kernel", "value", "source", NULL};
  double value;
  if (check_row(row, keys, "source", path, error) != 0)
    return -1;
  return json_need_real(row, "value", 1e-9, LARGEST_FIGURE, &value, path, error);
}

static int check_known(const json_t *row, const char *path, struct error *error) {
  static const char *const keys[] = {"gpus", "kernel", "reason", NULL};
  return check_row(row, keys, "reason", path, error);
}

static int read_document(const char *path, struct public_figures *out, struct error *error) {
  static const char *const keys[] = {"schema", "about", "figures", "known", NULL};
  json_t *figures, *known;
  int status = 0;
  if (json_load_document(path, &out->document, error) != 0 ||
      json_check_schema(out->document, "reassemble.figures/1", path, error) != 0 ||
      json_check_keys(out->document, keys, path, error) != 0 ||
      json_need_array(out->document, "figures", &figures, path, error) != 0 ||
      json_need_array(out->document, "known", &known, path, error) != 0)
    return -1;
  for (size_t i = 0; i < json_array_size(figures) && status == 0; i++)
    status = check_figure(json_array_get(figures, i), path, error);
  for (size_t i = 0; i < json_array_size(known) && status == 0; i++)
    status = check_known(json_array_get(known, i), path, error);
  out->figures = figures;
  out->known = known;
  return status;
}

int public_figures_load(const char *path, struct public_figures *out, struct error *error) {
  *out = (struct public_figures){0};
  const int status = read_document(path, out, error);
  if (status != 0)
    public_figures_clear(out);
  return status;
}

void public_figures_clear(struct public_figures *figures) {
  json_decref(figures->document);
  *figures = (struct public_figures){0};
}

static bool names_gpu(const json_t *row, const char *gpu) {
  const json_t *gpus = json_object_get(row, "gpus");
  for (size_t i = 0; i < json_array_size(gpus); i++) {
    const char *name = json_string_value(json_array_get(gpus, i));
    if (name && strcmp(name, gpu) == 0)
      return true;
  }
  return false;
}

/* Returns the first row on this kernel and GPU, NULL where there is none. */
static const json_t *find_row(const json_t *rows, const char *gpu, const char *kernel) {
  for (size_t i = 0; i < json_array_size(rows); i++) {
    const json_t *row = json_array_get(rows, i);
    if (strcmp(json_string_value(json_object_get(row, "kernel")), kernel) == 0 && names_gpu(row, gpu))
      return row;
  }
  return NULL;
}

struct public_figure public_figure_of(const struct public_figures *figures, const char *gpu, const char *kernel) {
  const json_t *figure = find_row(figures->figures, gpu, kernel), *known = find_row(figures->known, gpu, kernel);
  return (struct public_figure){.value = json_number_value(json_object_get(figure, "value")),
                                .source = json_string_value(json_object_get(figure, "source")),
                                .reason = json_string_value(json_object_get(known, "reason"))};
}
