/* The registry of mechanisms: its keys are parameters, off is off, the steps of an ablation begin at the basic model,
 * add one mechanism each and end at the GPU itself; and no optional parameter was forgotten. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <cmocka.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "base/file.h"
#include "model/params/ablation.h"

static void test_off_is_a_value_of_the_parameter(void **state) {
  (void)state;
  for (size_t i = 0; i < mechanism_count; i++) {
    const struct mechanism *m = &mechanisms[i];
    struct gpu_spec spec = {0};
    assert_non_null(m->off[0].key);
    for (const struct mechanism_off *off = m->off; off->key; off++) {
      const struct param *row = params_find(&gpu_params, off->key);
      assert_non_null(row);
      assert_int_equal(params_set_number(row, &spec, off->value, NULL), 0);
    }
    for (int k = 0; k < MECHANISM_MOST_KEYS && m->only[k]; k++)
      assert_non_null(params_find(&gpu_params, m->only[k]));
    for (size_t j = 0; j < i; j++)
      assert_string_not_equal(mechanisms[j].name, m->name);
    /* the basic ones come first */
    assert_true(i == 0 || (mechanisms[i - 1].traits & MECHANISM_BASIC) || !(m->traits & MECHANISM_BASIC));
  }
}

static bool is_of_a_mechanism(const char *key) {
  for (size_t i = 0; i < mechanism_count; i++) {
    for (const struct mechanism_off *off = mechanisms[i].off; off->key; off++)
      if (strcmp(off->key, key) == 0)
        return true;
    for (int k = 0; k < MECHANISM_MOST_KEYS && mechanisms[i].only[k]; k++)
      if (strcmp(mechanisms[i].only[k], key) == 0)
        return true;
  }
  return false;
}

/* order_error_ratio says how good predictions are, and changes none. page_bytes is of two mechanisms, tlb and lsu_tlb,
 * and means something while either is on. */
static bool is_of_none(const char *key) {
  return strcmp(key, "order_error_ratio") == 0 || strcmp(key, "page_bytes") == 0;
}

/* An option is a parameter of something that is off by default, so of a mechanism. */
static void test_every_option_belongs_to_a_mechanism(void **state) {
  (void)state;
  for (size_t i = 0; i < gpu_params.count; i++)
    if ((gpu_params.list[i].flags & PARAM_OPTION) && !is_of_none(gpu_params.list[i].key) &&
        !is_of_a_mechanism(gpu_params.list[i].key))
      fail_msg("%s is an option of no mechanism: add it to model/params/ablation.c", gpu_params.list[i].key);
}

static void check_variants(const struct ablation_variant *list, size_t count, const struct gpu_spec *full) {
  size_t used = 0, without = 0, steps = 0;
  for (size_t i = 0; i < mechanism_count; i++)
    used += mechanism_is_used(&mechanisms[i], full);
  assert_int_equal(list[0].kind, ABLATION_FULL);
  assert_true(gpu_spec_same(&list[0].spec, full));
  for (size_t v = 1; v < count; v++) {
    without += list[v].kind == ABLATION_WITHOUT;
    steps += list[v].kind == ABLATION_STEP && list[v].mechanism;
    assert_int_equal(gpu_spec_check(&list[v].spec, NULL), 0);
    if (list[v].mechanism) /* each row changes something, and says what */
      assert_int_equal(mechanism_is_used(list[v].mechanism, &list[v].spec), list[v].kind == ABLATION_STEP);
    assert_false(gpu_spec_same(&list[v].spec, &list[v - 1].spec));
  }
  assert_int_equal(without, used);
  assert_true(steps <= used);
  assert_true(gpu_spec_same(&list[count - 1].spec, full));
}

static void test_ablations_of_shipped_gpus(void **state) {
  (void)state;
  char **names;
  size_t count;
  assert_int_equal(data_list(DATA_GPU, &names, &count, NULL), 0);
  assert_true(count > 0);
  for (size_t i = 0; i < count; i++) {
    struct gpu *gpu;
    struct ablation_variant *list;
    size_t variants;
    assert_int_equal(gpu_load(names[i], &gpu, NULL), 0);
    assert_int_equal(ablation_list(&gpu->spec, &list, &variants, NULL), 0);
    check_variants(list, variants, &gpu->spec);
    free(list);
    gpu_destroy(gpu);
  }
  data_list_free(names, count);
}

/* The order of thesis table 5.7. */
static void test_first_steps_are_those_of_the_thesis(void **state) {
  (void)state;
  static const char *const order[] = {"basic", "l1", "l2", "coalescing"};
  struct gpu *gpu;
  struct ablation_variant *list;
  size_t count, at = 0;
  assert_int_equal(gpu_load("mali-g71-mp8-thesis", &gpu, NULL), 0);
  assert_int_equal(ablation_list(&gpu->spec, &list, &count, NULL), 0);
  while (list[at].kind != ABLATION_STEP)
    at++;
  for (size_t i = 0; i < 4; i++)
    assert_string_equal(ablation_name(&list[at + i]), order[i]);
  const struct gpu_spec *basic = &list[at].spec, *l1 = &list[at + 1].spec, *l2 = &list[at + 2].spec;
  assert_true(!basic->l1_enabled && !basic->l2_enabled && !basic->coalesce && basic->barrier_cycles > 0);
  assert_true(l1->l1_enabled && !l1->l2_enabled && l1->l1_model == CACHE_REUSE_DISTANCE);
  assert_true(l2->l1_enabled && l2->l2_enabled && !l2->coalesce);
  free(list);
  gpu_destroy(gpu);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(test_off_is_a_value_of_the_parameter),
                                     cmocka_unit_test(test_every_option_belongs_to_a_mechanism),
                                     cmocka_unit_test(test_ablations_of_shipped_gpus),
                                     cmocka_unit_test(test_first_steps_are_those_of_the_thesis)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
