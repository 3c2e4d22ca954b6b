/* The table of all passes, and the loop that runs them. */
#include "tracegen/lower/passes.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tracegen/abi/phases.h"
#include "tracegen/lower/builtins/builtins.h"
#include "tracegen/lower/builtins/image_calls.h"
#include "tracegen/lower/builtins/print_calls.h"
#include "tracegen/lower/codegen/codegen.h"
#include "tracegen/lower/describe/describe.h"
#include "tracegen/lower/instrument/instrument.h"
#include "tracegen/lower/normalise/normalise.h"
#include "tracegen/lower/optimise.h"
#include "tracegen/lower/simd/simd_source.h"
#include "tracegen/lower/unroll.h"
#include "tracegen/sanitize/sanitize.h"

/* When a pass applies. A launch is traced with one version of its kernel; where that one needs checking, a second
 * version runs first as a dry run (docs/undefined-reads.md). */
static bool always(const struct lowering *l) {
  (void)l;
  return true;
}

static bool traced(const struct lowering *l) {
  return l->purpose.records;
}

static bool dry_run(const struct lowering *l) {
  return l->program->is_dry_run;
}

static bool traced_and_unclear(const struct lowering *l) {
  return traced(l) && !l->purpose.may_be_undefined && (l->may_read_uninitialised || elided_accesses_possible(l));
}

static bool fits_simd(const struct lowering *l) {
  return traced(l) && !l->purpose.tracks_buffers && !l->purpose.reads_zero;
}

static bool optimised(const struct lowering *l) {
  return !l->purpose.unoptimised;
}

static bool baseline(const struct lowering *l) {
  return l->tier == CODEGEN_BASELINE;
}

static bool plain(const struct lowering *l) {
  return l->tier == CODEGEN_PLAIN;
}

static bool optimising(const struct lowering *l) {
  return l->tier == CODEGEN_OPTIMISING;
}

static const struct pass {
  const char *name;
  int (*run)(struct lowering *l);
  bool (*applies)(const struct lowering *l);
  const char *help;
} passes[] = {
    /* The passes that read what clang wrote. */
    {"zero-divisors", zero_divisors_trap, always, "stop the run where the source divides by a constant zero"},
    {"parameters", parameters_read, always, "read the kernel's parameters and its required work-group size"},
    {"recursion", recursion_refuse, always, "refuse recursion, which OpenCL C does not have"},
    {"uninitialised", uninitialised_variables_find, always, "find private variables that are read before a write"},
    {"note-divisions", elided_divisions_note, traced, "note the lines that divide by what may be zero"},
    {"trap-divisions", elided_divisions_trap, dry_run, "stop the run at every divisor that is zero"},
    {"number-variables", elided_accesses_number, always, "number private variables that an access may leave"},
    {"note-loads", elided_loads_note, traced, "note the lines that load from memory"},
    {"link-builtins", builtins_link, always, "link the built-in functions that the kernel uses"},
    {"split-aggregates", aggregates_split, always, "load and store structures member by member"},
    {"keep-loads", elided_loads_keep, dry_run, "keep every load that the source has"},
    {"shadow", shadow_propagate, dry_run, "propagate which bits are undefined, and stop the run where they matter"},
    {"shadow-probe", shadow_probe, traced_and_unclear, "find out in a copy whether undefined bits can matter"},
    {"image-calls", image_calls_resolve, always, "resolve the image and the sampler of each image function"},
    {"mark-loads", load_uses_mark, always, "mark the loads that the source has"},
    /* The optimiser. */
    {"optimise", optimise, always, "inline and optimise (LLVM's O2 without vectorising; only #pragma unroll unrolls)"},
    {"unroll", loops_unroll, optimised, "unroll short loops of a constant count as compilers for GPUs do"},
    {"simplify-addresses", addresses_simplify, optimised, "simplify address arithmetic as compilers for GPUs do"},
    {"print-calls", print_calls_read, always, "parse the formats of printf"},
    {"block-copies", block_copies_expand, always, "make block copies loads and stores"},
    {"split-barriers", barriers_split, always, "end blocks behind barriers"},
    {"block-order", block_order, always, "lay out the blocks: each loop in one piece"},
    {"variables", variables_place, always, "place private, local and constant variables in memory"},
    {"elided-divisions", elided_divisions_find, always, "compare with the noted divisions"},
    {"large-variables", large_variables_find, always, "compare with the marked large variables"},
    {"elided-accesses", elided_accesses_find, always, "compare with the numbered variables"},
    {"elided-loads", elided_loads_find, traced, "compare with the noted loads"},
    /* The passes that write what the trace is told. */
    {"code-table", code_table_build, always, "describe operations, blocks and accesses for the trace"},
    {"registers", registers_estimate, always, "estimate the registers of a work-item"},
    {"trace-inputs", trace_inputs_find, traced, "find the parameters on which traces depend"},
    {"undo-contraction", contraction_undo, always, "multiply and add in two steps, whose results hosts agree on"},
    {"load-uses", load_uses_classify, always, "classify what becomes of each loaded value"},
    /* Native code. */
    {"simd-source", simd_source_keep, fits_simd, "keep a copy for SIMD groups of work-items"},
    {"instrument", instrument, always, "add recording and checks"},
    {"codegen-tier", codegen_tier_choose, always, "choose between fast compilation and fast code"},
    {"polish", jit_polish, always, "put cursors into registers and merge equal checks"},
    {"native code (plain tier)", jit_compile_plain, plain, "generate code as quickly as can be"},
    {"native code (baseline tier)", jit_compile_baseline, baseline, "generate code quickly"},
    {"native code (optimising tier)", jit_compile, optimising, "generate code that runs fast"},
};

#define PASS_COUNT (sizeof passes / sizeof *passes)

static void print_help(void) {
  const char *wanted = getenv("REASSEMBLE_DUMP_IR");
  for (size_t i = 0; wanted && strcmp(wanted, "help") == 0 && i < PASS_COUNT; i++)
    fprintf(stderr, "%-30s %s\n", passes[i].name, passes[i].help);
}

int passes_run(struct lowering *l) {
  print_help();
  phase_mark("reading the bitcode");
  for (const struct pass *pass = passes; pass < passes + PASS_COUNT; pass++) {
    if (!pass->applies(l))
      continue;
    if (pass->run(l))
      return -1;
    phase_mark(pass->name);
    if (l->module)
      lower_dump(l->kernel, pass->name);
  }
  return 0;
}
