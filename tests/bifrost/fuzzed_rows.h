/* The test that runs each row of the table of operations on random operands: at least 10,000 cases of each row. Each of
 * these tests runs all rows that are assigned to it here, so a row that is added to the table is run by one of them, or
 * no_other_row_runs (test_warps_equal_plain_c.c) fails because the executor runs it. */
#ifndef TEST_FUZZED_ROWS_H
#define TEST_FUZZED_ROWS_H

#include <string.h>

#include "tracegen/bifrost/isa/operations.h"

#define FUZZ_CASES 10000

enum fuzz_test {
  FUZZ_ARITHMETIC, /* test_instructions_equal_plain_c.c */
  FUZZ_WARPS,      /* test_warps_equal_plain_c.c: several lanes or both units of a tuple take part */
  FUZZ_BRANCHES,   /* test_branches_and_barriers_equal_plain_c.c */
  FUZZ_BARRIERS,   /* the same */
  FUZZ_MESSAGES,   /* test_messages_move_the_bytes_they_name.c */
  FUZZ_IMAGES,     /* test_images_hold_the_texels_they_are_given.c */
  FUZZ_SAMPLERS,   /* test_samplers_read_as_opencl_says.c */
  FUZZ_NONE        /* the executor refuses the row */
};

/* Returns whether a row's name begins with one of the names of a list that ends with NULL. */
static inline bool is_among(const struct operation *row, const char *const *names) {
  while (*names && strncmp(row->name, *names, strlen(*names)) != 0)
    names++;
  return *names != NULL;
}

static inline enum fuzz_test fuzz_of_message(const struct operation *row) {
  static const char *const images[] = {"LD_ATTR_TEX", "LEA_ATTR_TEX", "ST_CVT", "TEXC", NULL};
  static const char *const samplers[] = {"TEXS_2D", NULL};
  if (is_among(row, images))
    return FUZZ_IMAGES;
  if (is_among(row, samplers))
    return FUZZ_SAMPLERS;
  if (row->message == MESSAGE_BARRIER)
    return FUZZ_BARRIERS;
  return row->message == MESSAGE_ATOMIC || strstr(row->name, ".i") ? FUZZ_MESSAGES : FUZZ_NONE;
}

static inline enum fuzz_test fuzz_of(const struct operation *row) {
  static const char *const warps[] = {"CLPER", "WMASK", "SEG_ADD", "SHADDXH", "ATOM_POST.i32", "NOP", NULL};
  static const char *const branches[] = {"BRANCH.", "BRANCHZ.", "JUMP", NULL};
  if (strncmp(row->name, "ATOM_C", 6) == 0)
    return FUZZ_MESSAGES;
  if (row->message != MESSAGE_NONE)
    return fuzz_of_message(row);
  if (is_among(row, warps))
    return FUZZ_WARPS;
  if (is_among(row, branches) && strcmp(row->name, "JUMP_EX") != 0)
    return FUZZ_BRANCHES;
  return row->alu ? FUZZ_ARITHMETIC : FUZZ_NONE;
}

#endif
