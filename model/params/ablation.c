#include "model/params/ablation.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

/* clang-format off */
const struct mechanism mechanisms[] = {
    {"barriers", "barriers cost execution engine time", MECHANISM_BASIC,
     {{"barrier_cycles", 0}}, {NULL}},
    {"bundles", "operations of different pipes issue side by side", 0,
     {{"issue", ISSUE_SLOTS}}, {NULL}},
    {"prices", "the GPU's factors of the ISA profile's prices (off: 1)", 0,
     {{"integer_price", 1}, {"address_price", 1}, {"float_price", 1}, {"function_price", 1}, {"query_price", 1},
      {"branch_price", 1}, {"memory_price", 1}}, {NULL}},
    {"pipes", "operations take pipes of an engine beside their issue (off: the slots of their price are all)",
      MECHANISM_NO_EVENTS,
     {{"fma_pipe_cycles", 0}, {"int_pipe_cycles", 0}, {"special_pipe_cycles", 0}, {"double_pipe_cycles", 0}},
     {NULL}},
    {"l1", "L1 of each core", 0,
     {{"l1_enabled", 0}}, {"l1_model", "l1_bytes", "l1_ways", "l1_replacement", "l1_index_hash", "l1_write",
      "l1_write_allocate"}},
    {"l2", "L2, shared by all cores", 0,
     {{"l2_enabled", 0}}, {"l2_model", "l2_bytes", "l2_ways", "l2_replacement", "l2_index_hash"}},
    {"coalescing", "one transaction per line that a warp touches", 0,
     {{"coalesce", 0}}, {NULL}},
    {"access_parts", "wide accesses are several instructions, and their lanes are coalesced in parts", 0,
     {{"access_item_bytes", 0}, {"access_part_bytes", 0}}, {NULL}},
    {"merged_loads", "neighbouring loads of local memory are one instruction", MECHANISM_NO_EVENTS,
     {{"merged_load_bytes", 0}}, {NULL}},
    {"merged_stores", "neighbouring stores to local memory are one instruction", MECHANISM_NO_EVENTS,
     {{"merged_store_bytes", 0}}, {NULL}},
    {"late_stores", "stores to local memory go behind loads of global memory (off: they stay where they are)",
      MECHANISM_NO_EVENTS,
     {{"late_store_registers", 0}}, {NULL}},
    {"access_pieces", "a transaction covers a piece of a line (off: the whole line)", 0,
     {{"access_piece_bytes", 0}}, {NULL}},
    {"l1_sets", "L1 has sets and ways: conflict misses", 0,
     {{"l1_model", CACHE_REUSE_DISTANCE}}, {"l1_ways", "l1_index_hash"}},
    {"l2_sets", "L2 has sets and ways: conflict misses", 0,
     {{"l2_model", CACHE_REUSE_DISTANCE}}, {"l2_ways", "l2_index_hash"}},
    {"index_hash", "sets by all bits of the line number", 0,
     {{"l1_index_hash", 0}, {"l2_index_hash", 0}}, {NULL}},
    {"replacement", "which line of a cache goes for another one (off: the one used longest ago)", MECHANISM_NO_EVENTS,
     {{"l1_replacement", REPLACEMENT_LRU}, {"l2_replacement", REPLACEMENT_LRU}}, {NULL}},
    {"l1_writes", "write policy of L1 (off: stores go on to L2 at once and allocate nothing)", 0,
     {{"l1_write", L1_WRITE_THROUGH}, {"l1_write_allocate", 0}}, {NULL}},
    {"l2_writes", "write policy of L2 (off: what is written to memory costs nothing)", 0,
     {{"l2_write", L2_WRITE_FREE}, {"l2_write_allocate", 1}}, {NULL}},
    {"sectors", "several lines share a tag in L1 and L2 (off: each has its own)", MECHANISM_NO_EVENTS,
     {{"tag_lines", 1}}, {NULL}},
    {"partial_writes", "memory reads the rest of lines of which stores wrote a part (off: stores write whole lines)",
      MECHANISM_NO_EVENTS,
     {{"partial_writes", 0}}, {NULL}},
    {"texture_cache", "a cache of each core for reads of images (off: they go through L1)", MECHANISM_NO_EVENTS,
     {{"texture_cache_bytes", 0}}, {"texture_cache_ways", "texture_cache_cores"}},
    {"texture_unit", "a core reads images at a rate (off: as it reads buffers)", MECHANISM_NO_EVENTS,
     {{"texels_per_cycle", 0}}, {NULL}},
    {"depth_cache", "a cache of each core for depth in memory (off: it goes through L1)", MECHANISM_NO_EVENTS,
     {{"depth_cache_bytes", 0}}, {"depth_cache_ways"}},
    {"vertex_cache", "a cache of each core for vertices of a frame (off: they go through L1)", MECHANISM_NO_EVENTS,
     {{"vertex_cache_bytes", 0}}, {"vertex_cache_ways"}},
    {"occupancy", "several work-groups on a core at a time", 0,
     {{"work_groups_per_core", 1}}, {NULL}},
    {"registers", "registers limit the work-groups of a core", 0,
     {{"registers_per_core", 0}}, {"register_ratio", "register_unit", "register_parts"}},
    {"spilling", "a work-item has so many registers; what does not fit is loaded and stored", MECHANISM_NO_EVENTS,
     {{"registers_per_item", 0}}, {NULL}},
    {"late_loads", "values of local memory take a register from just before their use on (off: from the load on)", 0,
     {{"late_local_loads", 0}}, {NULL}},
    {"early_loads", "loads go ahead of what does not need them (off: in the order of the code)", 0,
     {{"early_load_bytes", 0}}, {"early_load_registers", "unroll"}},
    {"dispatch", "the order in which work-groups go to cores (off: first free)", 0,
     {{"dispatch", DISPATCH_FIRST_FREE}}, {NULL}},
    {"warp_rows", "warps end at the rows of a work-group", 0,
     {{"warp_formation", WARPS_LINEAR}}, {NULL}},
    {"scheduler", "which ready warp goes first (off: first available)", MECHANISM_NO_EVENTS,
     {{"scheduler", SCHEDULER_FIRST_AVAILABLE}}, {NULL}},
    {"latency_hiding", "engines take other warps while one waits for memory", 0,
     {{"memory", MEMORY_BLOCKING}}, {"warp_accesses_in_flight", "core_accesses_in_flight", "access_issue"}},
    {"dependency", "a warp goes on until it uses a value (off: it waits for each access)",
      MECHANISM_NO_EVENTS | MECHANISM_OF_DEPENDENCY,
     {{"memory", MEMORY_SWITCH_ON_ACCESS}}, {"warp_accesses_in_flight"}},
    {"instruction_issue", "an access takes the issue slots of its instruction (off: one more for each transaction)", 0,
     {{"access_issue", ACCESS_ISSUE_TRANSACTION}}, {NULL}},
    {"overlapped_transactions", "the transactions of an access overlap (off: their latencies add up)",
      MECHANISM_NO_EVENTS,
     {{"access_latency", ACCESS_LATENCY_SUM}}, {NULL}},
    {"places_in_flight", "a limit of the accesses of a core in flight", 0,
     {{"core_accesses_in_flight", 0}}, {NULL}},
    {"instruction_cache", "instruction fetch misses", MECHANISM_NO_EVENTS,
     {{"instruction_cache_bytes", 0}}, {"instruction_line_bytes", "instruction_miss_cycles"}},
    {"scratchpad", "local memory in each core (off: behind the caches)", 0,
     {{"local_memory", LOCAL_CACHED}},
     {"scratchpad_bytes", "scratchpad_banks", "scratchpad_word_bytes", "scratchpad_cycles", "scratchpad_pass_cycles",
      "scratchpad_shares_pipe"}},
    {"unified_l1", "L1 has what the scratchpad leaves of one memory (off: l1_bytes)", MECHANISM_NO_EVENTS,
     {{"scratchpad_l1_bytes", 0}}, {"scratchpad_least_bytes"}},
    {"one_pipe", "local and global accesses share the rate of the load/store unit", MECHANISM_NO_EVENTS,
     {{"scratchpad_shares_pipe", 0}}, {NULL}},
    {"access_units", "the shared pipe serves so many work-items a cycle", MECHANISM_NO_EVENTS,
     {{"lsu_items_per_cycle", 0}}, {NULL}},
    {"access_time", "an access takes the shared pipe beside its passes and transactions", MECHANISM_NO_EVENTS,
     {{"lsu_access_cycles", 0}}, {NULL}},
    {"interleaved_private", "private memory is interleaved across the lanes of a warp", 0,
     {{"private_interleaved", 0}}, {NULL}},
    {"uniform_port", "a port for loads that read one address", 0,
     {{"uniform_loads", UNIFORM_OFF}}, {"uniform_cache_bytes", "uniform_cycles", "uniform_load_cycles"}},
    {"load_store_unit", "a limit of the transactions of a core per cycle", 0,
     {{"lsu_transactions_per_cycle", 0}}, {NULL}},
    {"merged_misses", "loads wait for lines that are being fetched", MECHANISM_NO_EVENTS,
     {{"merge_misses", 0}}, {NULL}},
    {"l1_mshrs", "a limit of the misses of a core in flight; misses merge, and lines that come take the port of L1",
      MECHANISM_NO_EVENTS,
     {{"l1_mshrs", 0}}, {NULL}},
    {"link", "bandwidth between a core and L2", 0,
     {{"l1_l2_bytes_per_cycle", 0}}, {NULL}},
    {"l2_slices", "slices of L2 that queue on their own", 0,
     {{"l2_slices", 1}}, {NULL}},
    {"l2_bandwidth", "bandwidth of L2", 0,
     {{"l2_bytes_per_cycle", 0}}, {NULL}},
    {"l2_mshrs", "a limit of the misses of L2 in flight; misses merge", MECHANISM_NO_EVENTS,
     {{"l2_mshrs", 0}}, {NULL}},
    {"dram_bandwidth", "bandwidth of the memory behind L2", 0,
     {{"dram_bytes_per_cycle", 0}}, {NULL}},
    {"dram_rows", "banks of the memory that keep a row open", MECHANISM_NO_EVENTS,
     {{"dram_banks", 0}}, {"dram_row_bytes", "dram_row_miss_cycles"}},
    {"tlb", "translation of the addresses that go on to L2", MECHANISM_NO_EVENTS,
     {{"tlb_entries", 0}}, {"l2_tlb_entries", "l2_tlb_cycles", "page_walk_cycles"}},
    {"lsu_tlb", "translation of the addresses that pass the load/store unit", MECHANISM_NO_EVENTS,
     {{"lsu_tlb_entries", 0}}, {"lsu_tlb_replacement", "lsu_tlb_miss_cycles"}},
    {"atomics", "atomics wait for each other: on one address, at a slice of L2", 0,
     {{"l2_atomics_per_cycle", 0}, {"l2_atomic_rounds_per_cycle", 0}, {"atomic_cycles", 0}}, {NULL}},
    {"atomic_pieces", "a round of an atomic covers a piece of a line (off: the whole line)", MECHANISM_NO_EVENTS,
     {{"atomic_round_bytes", 0}}, {NULL}},
    {"atomic_units", "units of L2 that execute atomics, by a hash of the address (off: one in each slice)",
      MECHANISM_NO_EVENTS,
     {{"l2_atomic_units", 0}}, {"l2_atomic_unit_bytes"}},
    {"merged_atomics", "atomics of a warp at one address are one, where the code shows it", MECHANISM_NO_EVENTS,
     {{"merge_atomics", 0}}, {NULL}},
    {"counted_atomics", "increments of one word of a scratchpad by a warp are one", MECHANISM_NO_EVENTS,
     {{"scratchpad_counts", 0}}, {NULL}},
    {"launch", "costs of launching a kernel and its work-groups", 0,
     {{"launch_cycles", 0}, {"work_group_cycles", 0}}, {NULL}},
    {"fragment_rate", "a core starts the fragments of a frame at a rate (off: at once)", 0,
     {{"fragments_per_cycle", 0}}, {NULL}},
};
/* clang-format on */

const size_t mechanism_count = sizeof mechanisms / sizeof mechanisms[0];

bool mechanism_is_used(const struct mechanism *mechanism, const struct gpu_spec *spec) {
  if ((mechanism->traits & MECHANISM_OF_DEPENDENCY) && spec->memory != MEMORY_DEPENDENCY)
    return false;
  for (const struct mechanism_off *off = mechanism->off; off->key; off++)
    if (params_get_number(params_find(&gpu_params, off->key), spec) != off->value)
      return true;
  return false;
}

void mechanism_turn_off(const struct mechanism *mechanism, struct gpu_spec *spec) {
  if (!mechanism_is_used(mechanism, spec))
    return;
  for (const struct mechanism_off *off = mechanism->off; off->key; off++) {
    const struct param *row = params_find(&gpu_params, off->key);
    assert(row);
    int status = params_set_number(row, spec, off->value, NULL);
    assert(status == 0);
    (void)status;
  }
}

bool mechanism_has_no_events(const struct gpu_spec *spec) {
  for (size_t i = 0; i < mechanism_count; i++)
    if ((mechanisms[i].traits & MECHANISM_NO_EVENTS) && mechanism_is_used(&mechanisms[i], spec))
      return true;
  return false;
}

/* Returns the GPU with everything behind row `last` off. */
static struct gpu_spec spec_of_step(const struct gpu_spec *full, size_t last) {
  struct gpu_spec spec = *full;
  for (size_t i = last + 1; i < mechanism_count; i++)
    if (!(mechanisms[i].traits & MECHANISM_BASIC))
      mechanism_turn_off(&mechanisms[i], &spec);
  return spec;
}

static size_t last_basic(void) {
  size_t last = 0;
  while (last + 1 < mechanism_count && mechanisms[last + 1].traits & MECHANISM_BASIC)
    last++;
  return last;
}

int ablation_list(const struct gpu_spec *full, struct ablation_variant **out, size_t *count, struct error *error) {
  struct ablation_variant *list = calloc(2 * mechanism_count + 2, sizeof *list);
  size_t n = 0;
  *out = NULL;
  if (!list)
    return error_no_memory(error);
  list[n++] = (struct ablation_variant){ABLATION_FULL, NULL, *full};
  for (size_t i = 0; i < mechanism_count; i++)
    if (mechanism_is_used(&mechanisms[i], full)) {
      list[n] = (struct ablation_variant){ABLATION_WITHOUT, &mechanisms[i], *full};
      mechanism_turn_off(&mechanisms[i], &list[n++].spec);
    }
  list[n++] = (struct ablation_variant){ABLATION_STEP, NULL, spec_of_step(full, last_basic())};
  for (size_t i = last_basic() + 1; i < mechanism_count; i++)
    if (mechanism_is_used(&mechanisms[i], full))
      list[n++] = (struct ablation_variant){ABLATION_STEP, &mechanisms[i], spec_of_step(full, i)};
  *out = list;
  *count = n;
  return 0;
}

const char *ablation_name(const struct ablation_variant *variant) {
  if (variant->mechanism)
    return variant->mechanism->name;
  return variant->kind == ABLATION_FULL ? "all" : "basic";
}
