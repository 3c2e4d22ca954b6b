#include "cli/validate/scatter.h"

#include "base/text.h"
#include "base/file.h"

static void put_kernel(const struct validation *v, size_t i, FILE *out) {
  const struct board_measurement *m = &v->board->measurements[v->point[i]];
  const char *const texts[] = {v->board->name, v->replay.gpu->name, m->name, m->workload, v->board->unit};
  for (size_t t = 0; t < sizeof texts / sizeof texts[0]; t++) {
    text_put_csv(texts[t], out);
    putc(',', out);
  }
  fprintf(out, "%.17g,%.17g\n", v->measured[i], v->predicted[i]);
}

int scatter_write(const char *path, const struct validation *list, size_t count, struct error *error) {
  struct file_replace file;
  if (file_replace_begin(&file, path, error) != 0)
    return -1;
  fputs("board,gpu,kernel,workload,unit,measured,predicted\n", file.stream);
  for (size_t i = 0; i < count; i++)
    for (size_t k = 0; k < list[i].count; k++)
      put_kernel(&list[i], k, file.stream);
  return file_replace_commit(&file, error);
}
