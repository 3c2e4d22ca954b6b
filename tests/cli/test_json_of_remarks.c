/* Remarks name the cause that a kernel was written to have, with its line, its share of the time and what to try; and
 * nothing where it does not matter. All kernels have the same arguments. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "json_documents.h"

/* The line of a kernel's remark is that of its body. */
#define HEAD "(global const float *a, global float *b, global const int *at, int n) {"
static const char kernels[] =
    "typedef struct { float x, y; } pair;\n"
    "kernel void plain" HEAD "\n"
    "  b[get_global_id(0)] = a[get_global_id(0)];\n" /* 3 */
    "}\n"
    "kernel void pairs" HEAD "\n"
    "  global const pair *p = (global const pair *)a;\n"
    "  const int i = get_global_id(0);\n"
    "  b[i] = p[i].x * 0.5f;\n" /* 8 */
    "}\n"
    "kernel void pieces" HEAD "\n"
    "  local float t[64 * 16];\n"
    "  const int l = get_local_id(0);\n"
    "  for (int k = 0; k < 16; k++) t[k * 64 + l] = a[k * 64 + l];\n"
    "  barrier(CLK_LOCAL_MEM_FENCE);\n"
    "  float s = 0;\n"
    "  for (int r = 0; r < 8; r++)\n"
    "    for (int k = 0; k < 16; k++) s = s * 0.5f + t[l * 16 + k];\n" /* 17 */
    "  b[get_global_id(0)] = s;\n"
    "}\n"
    "kernel void doubled" HEAD "\n"
    "  const int i = get_global_id(0);\n"
    "  double s = 0;\n"
    "  for (int k = 0; k < n; k++)\n"
    "    s = s * a[i] + 0.1;\n" /* 24 */
    "  b[i] = s;\n"
    "}\n"
    "kernel void divided" HEAD "\n"
    "  const int i = get_global_id(0);\n"
    "  int s = i;\n"
    "  for (int k = 0; k < 16; k++)\n"
    "    s = (s + k) % n + s / n;\n" /* 31 */
    "  b[i] = s;\n"
    "}\n"
    "kernel void powers" HEAD "\n"
    "  const int i = get_global_id(0);\n"
    "  float s = 0;\n"
    "  for (int k = 0; k < 16; k++)\n"
    "    s += pow(a[i], 0.5f + k);\n" /* 38 */
    "  b[i] = s;\n"
    "}\n"
    "kernel void own_array" HEAD "\n"
    "  const int i = get_global_id(0);\n"
    "  float r[16], s = 0;\n"
    "  for (int k = 0; k < 16; k++) r[k] = k + a[i];\n"
    "  for (int k = 0; k < n; k++)\n"
    "    s += r[(k * 5 + i) & 15];\n" /* 46 */
    "  b[i] = s;\n"
    "}\n"
    "kernel void gathered" HEAD "\n"
    "  const int i = get_global_id(0);\n"
    "  float s = 0;\n"
    "  for (int k = 0; k < 4; k++)\n"
    "    s += a[at[(i + 64 * k) & 4095]];\n" /* 53 */
    "  b[i] = s;\n"
    "}\n"
    "kernel void busy" HEAD "\n"
    "  const int i = get_global_id(0);\n"
    "  float s = a[i * 2] + (float)(i / n) + pow(a[i], 1.5f);\n" /* 58: a stride, a division, a function, once */
    "  for (int k = 0; k < 20 * n; k++)\n"
    "    s = s * 0.5f + 1.0f;\n"
    "  b[i] = s;\n"
    "}\n"
    "kernel void clamped" HEAD "\n"
    "  const int i = get_global_id(0);\n"
    "  float s = 0;\n"
    "  for (int k = 0; k < 9; k++)\n"
    "    s += a[clamp(i + k - 4, 0, 64 * n - 1)];\n"
    "  b[i] = s;\n"
    "}\n";

static const json_t *remark_of(const json_t *root, const char *name, const char *kind) {
  const json_t *variants = list(root, "variants", 1);
  for (size_t i = 0; i < json_array_size(variants); i++) {
    const json_t *variant = json_array_get(variants, i), *remarks = json_object_get(variant, "remarks");
    const char *of = strrchr(text(variant, "name"), '.') + 1;
    for (size_t r = 0; strcmp(of, name) == 0 && r < json_array_size(remarks); r++)
      if (strcmp(text(json_array_get(remarks, r), "kind"), kind) == 0)
        return json_array_get(remarks, r);
  }
  return NULL;
}

static void check_remark(const json_t *root, const char *name, const char *kind, json_int_t line, double least) {
  const json_t *remark = remark_of(root, name, kind);
  if (!remark)
    print_error("%s has no remark on %s\n", name, kind);
  assert_non_null(remark);
  assert_int_equal(whole(remark, "line"), line);
  assert_true(number(remark, "share") >= least);
  assert_true(number(remark, "share") <= 1.0001);
}

static void check_silence(const json_t *root, const char *name) {
  static const char *const kinds[] = {"stride",  "scattered",  "bank_conflicts", "private_memory",
                                      "spills",  "doubles",    "divisions",      "functions",
                                      "atomics", "divergence", "partial_warps"};
  for (size_t i = 0; i < sizeof kinds / sizeof kinds[0]; i++)
    if (remark_of(root, name, kinds[i])) {
      print_error("%s has a remark on %s\n", name, kinds[i]);
      fail();
    }
}

/* All remarks have a cost that was found and something to try; the costliest is first. */
static void check_form(const json_t *root) {
  const json_t *variants = list(root, "variants", 1);
  for (size_t i = 0; i < json_array_size(variants); i++) {
    const json_t *remarks = json_object_get(json_array_get(variants, i), "remarks");
    double before = 2;
    for (size_t r = 0; r < json_array_size(remarks); r++) {
      const json_t *remark = json_array_get(remarks, r);
      assert_true(strlen(text(remark, "text")) > 20);
      assert_true(strlen(text(remark, "advice")) > 20 && strlen(text(remark, "advice")) < 239);
      assert_true(number(remark, "share") <= before);
      before = number(remark, "share");
    }
  }
}

static json_t *ranked(const char *gpu) {
  char command[512];
  snprintf(command, sizeof command,
           "rank --gpu %s --json --quiet causes.cl --global 8192 --local 64 --arg 'a=float[16384]=uniform(0.1,1)' "
           "--arg 'b=float[8192]' --arg 'at=int[4096]=uniform(0,8191)' --arg n=int=64",
           gpu);
  write_text("causes.cl", kernels);
  json_t *root = document(command, "reassemble.rank/1");
  check_form(root);
  check_silence(root, "plain");
  check_silence(root, "busy");
  return root;
}

/* Local memory lies behind L1, doubles do not exist, and a load of four work-items fits into a line. */
static void test_bifrost(void **state) {
  (void)state;
  json_t *root = ranked("mali-g71-mp8");
  check_remark(root, "pieces", "stride", 17, 0.2);
  check_remark(root, "doubled", "doubles", 24, 0.5);
  assert_non_null(strstr(text(remark_of(root, "doubled", "doubles"), "text"), "its compiler refuses the type"));
  check_remark(root, "divided", "divisions", 31, 0.3);
  check_remark(root, "powers", "functions", 38, 0.3);
  check_remark(root, "own_array", "private_memory", 46, 0.3);
  check_remark(root, "gathered", "scattered", 53, 0.1);
  assert_null(remark_of(root, "pairs", "stride"));
  assert_null(remark_of(root, "pieces", "bank_conflicts"));
  json_decref(root);
}

/* Sixteen pairs take two lines, of which each member uses a half. */
static void test_valhall(void **state) {
  (void)state;
  json_t *root = ranked("mali-g78-mp14");
  check_remark(root, "pairs", "stride", 8, 0.1);
  check_remark(root, "pieces", "stride", 17, 0.3);
  check_remark(root, "gathered", "scattered", 53, 0.3);
  json_decref(root);
}

/* Local memory has banks, and doubles have two units. */
static void test_ampere(void **state) {
  (void)state;
  json_t *root = ranked("rtx-3090");
  check_remark(root, "pieces", "bank_conflicts", 17, 0.05);
  assert_null(remark_of(root, "pieces", "stride"));
  check_remark(root, "doubled", "doubles", 24, 0.7);
  assert_non_null(strstr(text(remark_of(root, "doubled", "doubles"), "text"), "64 cycles of its pipe"));
  assert_null(strstr(text(remark_of(root, "doubled", "doubles"), "text"), "refuses"));
  check_remark(root, "powers", "functions", 38, 0.3);
  assert_null(remark_of(root, "clamped", "functions")); /* two operations */
  json_decref(root);
}

/* Rows of eight work-items take a line each, where a warp of 32 has four of them. */
static void test_short_rows(void **state) {
  (void)state;
  write_text("rows.cl", "kernel void copy(global const float *a, global float *b, int n) {\n"
                        "  const int i = get_global_id(1) * n + get_global_id(0);\n"
                        "  b[i] = a[i];\n"
                        "}\n");
  json_t *root = document("rank --gpu rtx-2080-ti --json --quiet rows.cl --global 256x256 --local 8x8 --arg "
                          "'a=float[65536]' --arg 'b=float[65536]' --arg n=int=256",
                          "reassemble.rank/1");
  check_form(root);
  check_remark(root, "copy", "scattered", 3, 0.1);
  assert_non_null(strstr(text(remark_of(root, "copy", "scattered"), "text"),
                         "4 transactions where their bytes fit into 1: rows of 8 work-items are shorter than a warp"));
  json_decref(root);
}

/* Returns whether a kernel with 48 KiB of local memory has a remark on it. */
static bool local_memory_is_refused(const char *gpu) {
  char command[256];
  snprintf(command, sizeof command,
           "rank --gpu %s --json --quiet large.cl --global 256 --local 64 --arg 'a=float[256]' --arg 'b=float[256]'",
           gpu);
  json_t *root = document(command, "reassemble.rank/1");
  const json_t *remark = remark_of(root, "turn", "local_memory");
  if (remark)
    assert_non_null(strstr(text(remark, "text"), "49152 bytes of local memory, and this GPU gives it 32768 at most"));
  json_decref(root);
  return remark;
}

/* A launch that its GPU would refuse is named. */
static void test_local_memory(void **state) {
  (void)state;
  write_text("large.cl", "kernel void turn(global const float *a, global float *b) {\n"
                         "  local float t[12288];\n"
                         "  const int l = get_local_id(0);\n"
                         "  t[l * 192] = a[get_global_id(0)];\n"
                         "  barrier(CLK_LOCAL_MEM_FENCE);\n"
                         "  b[get_global_id(0)] = t[(63 - l) * 192];\n"
                         "}\n");
  assert_true(local_memory_is_refused("mali-g71-mp8"));
  assert_false(local_memory_is_refused("rtx-3090")); /* has just as much */
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(test_bifrost), cmocka_unit_test(test_valhall),
                                     cmocka_unit_test(test_ampere), cmocka_unit_test(test_short_rows),
                                     cmocka_unit_test(test_local_memory)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
