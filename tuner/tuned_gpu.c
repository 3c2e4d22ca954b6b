#include "tuner/tuned_gpu.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "base/file.h"

/* Writes a YAML string in double quotes; control characters become "?". */
static void put_text(const char *text, FILE *out) {
  putc('"', out);
  for (const char *c = text; *c != '\0'; c++) {
    if (*c == '"' || *c == '\\')
      putc('\\', out);
    putc((unsigned char)*c < 0x20 || *c == 0x7f ? '?' : *c, out);
  }
  putc('"', out);
}

/* Writes the file's name without folder and ending, by which `--gpu` finds it. */
static void put_name(const char *path, FILE *out) {
  const char *slash = strrchr(path, '/');
  char name[256];
  snprintf(name, sizeof name, "%s", slash ? slash + 1 : path);
  char *dot = strrchr(name, '.');
  if (dot && dot != name)
    *dot = '\0';
  put_text(name, out);
}

static void put_source(const struct tune *t, size_t axis, const struct tuned_gpu_facts *facts, FILE *out) {
  char text[1024], interval[128] = "no interval";
  if (t->inert[axis])
    snprintf(interval, sizeof interval, "the start value: moves no prediction");
  else if (t->replicas > 0)
    snprintf(interval, sizeof interval, "interval %.4g to %.4g (95%%, bootstrap of %zu)",
             t->parameter_intervals[axis].low, t->parameter_intervals[axis].high, t->replicas);
  snprintf(text, sizeof text,
           "tuned, %s; board %.200s, objective %.100s%s, method %s, seed %llu, %zu evaluations, reassemble %s%s",
           interval, facts->board->name, facts->objective, t->setup.penalty_percent > 0 ? " with penalty" : "",
           t->setup.method->name, (unsigned long long)t->setup.seed, tune_evaluations(t), facts->tool_version,
           t->underdetermined ? "; fewer measurements than parameters" : "");
  put_text(text, out);
}

/* Writes the ratio by which two predictions must differ for their order to be known. 0, "not measured", replaces the
 * value of the base, which is about other predictions. */
static void put_order_error(const struct tune *t, const struct tuned_gpu_facts *facts, FILE *out) {
  char text[512];
  if (isfinite(t->order.ratio))
    snprintf(text, sizeof text,
             "%zu of %zu pairs that were held out (%s) and differ by more are in the wrong order; board %.200s",
             t->order.wrong, t->order.told_apart, facts->cv, facts->board->name);
  else
    snprintf(text, sizeof text, "not measured: the held-out predictions (%s) of board %.200s tell too few pairs apart",
             facts->cv, facts->board->name);
  fprintf(out, "  order_error_ratio: {value: %.3g, source: ", isfinite(t->order.ratio) ? t->order.ratio : 0);
  put_text(text, out);
  fputs("}\n", out);
}

static void put_parameters(const struct tune *t, const struct tuned_gpu_facts *facts, FILE *out) {
  struct gpu_spec spec = space_apply(t->setup.space, t->setup.spec, t->tuned);
  fputs("parameters:\n", out);
  for (size_t i = 0; i < t->setup.space->count; i++) {
    const struct param *param = t->setup.space->axes[i].param;
    char value[64];
    fprintf(out, "  %s: {value: %s, ", param->key, params_format(param, &spec, value, sizeof value));
    if (t->replicas > 0 && !t->inert[i])
      fprintf(out, "interval: [%.4g, %.4g], ", t->parameter_intervals[i].low, t->parameter_intervals[i].high);
    fputs("source: ", out);
    put_source(t, i, facts, out);
    fputs("}\n", out);
  }
  if (!t->held_out)
    return;
  char text[512];
  snprintf(
      text, sizeof text,
      "holds %.0f%% of kernels that were held out (%s); held-out MAPE %.1f%% on board %.200s, whose %zu measurements "
      "determine %.1f of %zu numbers",
      100 * t->interval.level, facts->cv, t->held_out_score.mape_percent, facts->board->name, t->setup.predictor->count,
      t->determined, t->setup.space->count);
  fprintf(out, "  prediction_error_ratio: {value: %.3g, source: ", t->interval.ratio);
  put_text(text, out);
  fputs("}\n", out);
  put_order_error(t, facts, out);
}

static void put_file(const char *path, const struct tune *t, const struct tuned_gpu_facts *facts, FILE *out) {
  char about[1024];
  snprintf(about, sizeof about, "%.400s; tuned to board %.200s", facts->gpu->about, facts->board->name);
  fputs("schema: reassemble.gpu/1\nname: ", out);
  put_name(path, out);
  fputs("\nabout: ", out);
  put_text(about, out);
  fputs("\nbase: ", out);
  put_text(facts->base, out);
  putc('\n', out);
  put_parameters(t, facts, out);
}

int tuned_gpu_check_path(const char *path, const struct gpu *gpu, struct error *error) {
  struct stat a, b;
  if (path[0] == '\0')
    return error_set(error, ERROR_INPUT, "--output: found an empty name, expected a file");
  if (stat(path, &a) != 0)
    return 0;
  if (stat(gpu->path, &b) == 0 && a.st_dev == b.st_dev && a.st_ino == b.st_ino)
    return error_at(error, ERROR_INPUT, path, 0, 0, "",
                    "the GPU file inherits from the one that is tuned and cannot replace it; name another file");
  return S_ISDIR(a.st_mode) ? error_at(error, ERROR_INPUT, path, 0, 0, "", "found a folder, expected a file") : 0;
}

/* Reads the file back. A file of the base's name beside it would be inherited from instead. */
static int check_it_reads_back(const char *path, const struct tune *t, struct error *error) {
  struct gpu *gpu = NULL;
  if (gpu_load(path, &gpu, error) != 0)
    return -1;
  const struct gpu_spec spec = space_apply(t->setup.space, t->setup.spec, t->tuned);
  int status = 0;
  for (size_t i = 0; i < gpu_params.count && status == 0; i++) {
    const struct param *param = &gpu_params.list[i];
    if (strcmp(param->key, "prediction_error_ratio") != 0 && strcmp(param->key, "order_error_ratio") != 0 &&
        params_get_number(param, &gpu->spec) != params_get_number(param, &spec))
      status = error_at(error, ERROR_WORK, path, 0, 0, param->key,
                        "the file was written but reads back as another GPU: is there a file named like its base in "
                        "that folder?");
  }
  gpu_destroy(gpu);
  return status;
}

int tuned_gpu_write(const char *path, const struct tune *tune, const struct tuned_gpu_facts *facts,
                    struct error *error) {
  struct file_replace file;
  if (file_replace_begin(&file, path, error) != 0)
    return -1;
  put_file(path, tune, facts, file.stream);
  const bool through = file.target.is_written_through; /* a device or a pipe cannot be read back */
  const int status = file_replace_commit(&file, error);
  return status == 0 && !through ? check_it_reads_back(path, tune, error) : status;
}
