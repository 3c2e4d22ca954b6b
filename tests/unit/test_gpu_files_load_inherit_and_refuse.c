/* The shipped descriptions load, with a source for every value; `base:` inherits, overrides and scales; circles,
 * unknown keys and impossible combinations are refused with their place. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <cmocka.h>
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/file.h"
#include "model/params/gpu.h"
#include "model/isa/isa.h"

static struct gpu *load(const char *name) {
  struct gpu *gpu;
  struct error error = ERROR_INIT;
  int status = gpu_load(name, &gpu, &error);
  if (status)
    error_print(&error, stderr);
  assert_int_equal(status, 0);
  return gpu;
}

static void test_shipped_files_have_sources(void **state) {
  (void)state;
  char **names;
  size_t count;
  assert_int_equal(data_list(DATA_GPU, &names, &count, NULL), 0);
  assert_true(count >= 12);
  for (size_t i = 0; i < count; i++) {
    struct gpu *gpu = load(names[i]);
    struct isa_profile *isa;
    assert_string_equal(gpu->name, names[i]);
    assert_int_equal(isa_load(gpu->isa, &isa, NULL), 0);
    for (size_t row = 0; row < gpu_params.count; row++) {
      assert_non_null(gpu->origins[row].source);
      assert_true(strlen(gpu->origins[row].source) > 0);
      if (!(gpu_params.list[row].flags & PARAM_OPTION))
        assert_string_not_equal(gpu->origins[row].source, "default");
    }
    isa_destroy(isa);
    gpu_destroy(gpu);
  }
  data_list_free(names, count);
}

/* Thesis table 5.1, but for Valhall's engines: two of 16 FMA a core in Arm's libGPUInfo, which the thesis counts as
 * one. */
static void test_mali_family_has_the_published_structure(void **state) {
  (void)state;
  static const struct {
    const char *name, *isa;
    int64_t warp_size, engines, l1_bytes, max_work_group, least_l2, most_l2;
  } family[] = {
      {"mali-g71-mp8", "bifrost", 4, 3, 16384, 384, 128, 2048},
      {"mali-g72-mp12", "bifrost", 4, 3, 16384, 384, 128, 2048},
      {"mali-g31-mp2", "bifrost", 4, 2, 4096, 512, 32, 512},
      {"mali-g51-mp4", "bifrost", 4, 3, 16384, 768, 32, 512},
      {"mali-g52-mp2", "bifrost", 8, 3, 16384, 768, 32, 512},
      {"mali-g76-mp10", "bifrost", 8, 3, 16384, 768, 512, 4096},
      {"mali-g57-mp5", "valhall", 16, 2, 16384, 1024, 64, 512},
      {"mali-g77-mp9", "valhall", 16, 2, 16384, 1024, 512, 2048},
      {"mali-g68-mp4", "valhall", 16, 2, 16384, 1024, 512, 2048},
      {"mali-g78-mp14", "valhall", 16, 2, 16384, 1024, 512, 2048},
  };
  for (size_t i = 0; i < sizeof family / sizeof family[0]; i++) {
    struct gpu *gpu = load(family[i].name);
    assert_string_equal(gpu->isa, family[i].isa);
    assert_int_equal(gpu->spec.warp_size, family[i].warp_size);
    assert_int_equal(gpu->spec.execution_engines, family[i].engines);
    assert_int_equal(gpu->spec.l1_bytes, family[i].l1_bytes);
    assert_int_equal(gpu->spec.max_work_group, family[i].max_work_group);
    assert_true(gpu->spec.threads_per_core >= gpu->spec.max_work_group);
    assert_in_range(gpu->spec.l2_bytes, family[i].least_l2 * 1024, family[i].most_l2 * 1024);
    const char *cores = strstr(family[i].name, "-mp");
    assert_non_null(cores);
    assert_int_equal(gpu->spec.cores, atoi(cores + 3));
    gpu_destroy(gpu);
  }
}

static void test_variants_scale_the_g71(void **state) {
  (void)state;
  struct gpu *g71 = load("mali-g71-mp8"), *g72 = load("mali-g72-mp12"), *g31 = load("mali-g31-mp2");
  assert_int_equal(g71->spec.cores, 8);
  assert_int_equal(g71->spec.clock_hz, 1037000000);
  assert_int_equal(g71->spec.l1_bytes, 16384);
  assert_int_equal(g72->spec.cores, 12);
  assert_int_equal(g72->spec.execution_engines, g71->spec.execution_engines);
  assert_true(fabs(g72->spec.l1_miss_cycles / g71->spec.l1_miss_cycles - 42.0 / 61) < 1e-3);
  assert_true(fabs(g72->spec.l2_miss_cycles / g71->spec.l2_miss_cycles - 86.0 / 123) < 1e-3);
  assert_true(fabs(g31->spec.l1_hit_cycles / g71->spec.l1_hit_cycles - 0.44) < 1e-9);
  gpu_destroy(g71);
  gpu_destroy(g72);
  gpu_destroy(g31);
}

static void test_rows_hold_their_defaults(void **state) {
  (void)state;
  struct gpu_spec spec;
  struct param_origin *origins = calloc(gpu_params.count, sizeof *origins);
  params_defaults(&gpu_params, &spec, origins);
  assert_int_equal(gpu_spec_check(&spec, NULL), 0);
  for (size_t i = 0; i < gpu_params.count; i++) {
    const struct param *row = &gpu_params.list[i];
    assert_true(row->minimum <= row->default_value && row->default_value <= row->maximum);
    assert_true(params_get_number(row, &spec) == row->default_value);
    assert_true(params_find(&gpu_params, row->key) == row);
  }
  params_origins_clear(&gpu_params, origins);
  free(origins);
}

static void write_file(const char *path, const char *rest) {
  FILE *f = fopen(path, "w");
  assert_non_null(f);
  fprintf(f, "schema: reassemble.gpu/1\nname: test\n%s", rest);
  fclose(f);
}

static void expect_refused(const char *rest, const char *says) {
  struct gpu *gpu;
  struct error error = ERROR_INIT;
  write_file("test_gpu_bad.yaml", rest);
  assert_int_equal(gpu_load("test_gpu_bad.yaml", &gpu, &error), -1);
  unlink("test_gpu_bad.yaml");
  assert_null(gpu);
  assert_int_equal(error.kind, ERROR_INPUT);
  assert_true(strlen(error.file) > 0);
  if (!strstr(error.text, says) && !strstr(error.key, says))
    fail_msg("'%s' does not say '%s'", error.text, says);
}

static void test_bad_files_are_refused(void **state) {
  (void)state;
  expect_refused("", "isa");
  expect_refused("isa: bifrost\nparamters: {}\n", "parameters");
  expect_refused("isa: bifrost\nparameters: {core: 3}\n", "cores");
  expect_refused("isa: bifrost\nparameters: {cores: 0}\n", "cores");
  expect_refused("isa: bifrost\nparameters: {warp_size: 65}\n", "warp_size");
  expect_refused("isa: bifrost\nparameters: {line_bytes: 66}\n", "line_bytes");
  expect_refused("isa: bifrost\nparameters: {l1_bytes: 16385}\n", "l1_bytes");
  expect_refused("isa: bifrost\nparameters: {l1_model: exact_sets, l1_ways: 3}\n", "l1_bytes");
  expect_refused("base: no-such-gpu\n", "no-such-gpu");
  expect_refused("base: test_gpu_bad.yaml\n", "circle");
}

static void test_circle_of_two_is_refused(void **state) {
  (void)state;
  struct gpu *gpu;
  struct error error = ERROR_INIT;
  write_file("test_gpu_a.yaml", "base: test_gpu_b.yaml\n");
  write_file("test_gpu_b.yaml", "base: test_gpu_a.yaml\n");
  assert_int_equal(gpu_load("test_gpu_a.yaml", &gpu, &error), -1);
  unlink("test_gpu_a.yaml");
  unlink("test_gpu_b.yaml");
  assert_non_null(strstr(error.text, "circle"));
}

static void test_inherits_and_overrides(void **state) {
  (void)state;
  write_file("test_gpu_child.yaml", "base: mali-g71-mp8\nparameters: {cores: 4, arith_cycles: x2}\n");
  struct gpu *child = load("test_gpu_child.yaml"), *base = load("mali-g71-mp8");
  unlink("test_gpu_child.yaml");
  assert_int_equal(child->spec.cores, 4);
  assert_int_equal(child->spec.line_bytes, base->spec.line_bytes);
  assert_true(child->spec.arith_cycles == 2 * base->spec.arith_cycles);
  assert_string_equal(child->isa, "bifrost");
  assert_string_equal(child->name, "test");
  gpu_destroy(child);
  gpu_destroy(base);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_shipped_files_have_sources), cmocka_unit_test(test_mali_family_has_the_published_structure),
      cmocka_unit_test(test_variants_scale_the_g71),     cmocka_unit_test(test_rows_hold_their_defaults),
      cmocka_unit_test(test_bad_files_are_refused),      cmocka_unit_test(test_circle_of_two_is_refused),
      cmocka_unit_test(test_inherits_and_overrides)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
