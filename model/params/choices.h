/* The named choices of a GPU description: one list for each kind of choice, one row for each choice.
 *
 * A row X(CONSTANT, name, meaning) declares the constant that the model uses, the name that YAML files, sweeps and the
 * command line use, and a sentence of explanation. The parameter table (gpu_rows.c), the tables of policies in the
 * rooms above (for example model/cache/replacement.c) and the tests are made from these lists, so that a policy is one
 * file and one row here. The position of a row is the constant's value: new rows go to the end of their list. Cost:
 * none at run time. Threads: constants. */
#ifndef MODEL_CHOICES_H
#define MODEL_CHOICES_H

#define DISPATCH_ORDERS(X)                                                                                             \
  X(DISPATCH_FIRST_FREE, first_free, "the next work-group goes to the core where room frees up first")                 \
  X(DISPATCH_ROUND_ROBIN, round_robin, "work-group i runs on core i modulo the number of cores")                       \
  X(DISPATCH_CHUNKED, chunked, "each core runs one piece of neighbouring work-groups")

#define SCHEDULERS(X)                                                                                                  \
  X(SCHEDULER_FIRST_AVAILABLE, first_available, "the warp that has been ready for longest")                            \
  X(SCHEDULER_OLDEST, oldest, "the warp that started first")                                                           \
  X(SCHEDULER_ROUND_ROBIN, round_robin, "the warp in the next place after that of the last warp taken")                \
  X(SCHEDULER_GREEDY_THEN_OLDEST, greedy_then_oldest, "the last warp taken if it is ready, else the oldest one")       \
  X(SCHEDULER_TWO_LEVEL, two_level,                                                                                    \
    "in turn among eight places, until none of these warps is ready; then the next eight")

#define WARP_FORMATIONS(X)                                                                                             \
  X(WARPS_LINEAR, linear, "consecutive work-items of a work-group")                                                    \
  X(WARPS_PER_ROW, per_row, "the same, but a warp ends where a row of the work-group ends")

#define DIVERGENCE_POLICIES(X)                                                                                         \
  X(DIVERGENCE_IPDOM, ipdom, "a stack of sets of work-items that reconverge at the immediate post-dominator")          \
  X(DIVERGENCE_MIN_PC, min_pc, "the work-items at the lowest code address run, without a stack")

#define ISSUE_RULES(X)                                                                                                 \
  X(ISSUE_SLOTS, slots, "the issue slots of operations add up")                                                        \
  X(ISSUE_BUNDLES, bundles, "operations of different pipes share a bundle, as the ISA profile says")

#define MEMORY_POLICIES(X)                                                                                             \
  X(MEMORY_BLOCKING, blocking, "the execution engine waits with the warp")                                             \
  X(MEMORY_SWITCH_ON_ACCESS, switch_on_access, "the warp waits, and the execution engine takes another one")           \
  X(MEMORY_DEPENDENCY, dependency, "the warp goes on until it uses the value")

#define ACCESS_ISSUES(X)                                                                                               \
  X(ACCESS_ISSUE_TRANSACTION, transaction, "one for each transaction or pass")                                         \
  X(ACCESS_ISSUE_INSTRUCTION, instruction, "none: the ISA profile prices the instruction")

#define ACCESS_LATENCIES(X)                                                                                            \
  X(ACCESS_LATENCY_SUM, sum, "the latencies of its transactions add up")                                               \
  X(ACCESS_LATENCY_LONGEST, longest, "its transactions overlap: that of the longest one")

#define LOCAL_MEMORIES(X)                                                                                              \
  X(LOCAL_CACHED, cached, "local memory lies in main memory, behind the caches")                                       \
  X(LOCAL_SCRATCHPAD, scratchpad, "each core has a local memory with banks")

#define UNIFORM_LOADS(X)                                                                                               \
  X(UNIFORM_OFF, off, "no load takes a port of its own")                                                               \
  X(UNIFORM_CONSTANT, constant, "loads of constant memory whose lanes agree on the address do")                        \
  X(UNIFORM_ANY, any, "loads of global memory whose lanes agree do, too")

#define CACHE_PLACEMENTS(X)                                                                                            \
  X(CACHE_REUSE_DISTANCE, reuse_distance, "a line may be anywhere in the cache (fully associative)")                   \
  X(CACHE_EXACT_SETS, exact_sets, "a line may be in the ways of one set only")                                         \
  X(CACHE_BINOMIAL_SETS, binomial_sets, "the hits to be expected if lines were spread over the sets at random")

#define REPLACEMENT_POLICIES(X)                                                                                        \
  X(REPLACEMENT_LRU, lru, "the line that was used longest ago goes")                                                   \
  X(REPLACEMENT_FIFO, fifo, "the line that was fetched longest ago goes")                                              \
  X(REPLACEMENT_TREE_PLRU, tree_plru, "a tree of bits that points away from the places used last finds the line")      \
  X(REPLACEMENT_RANDOM, random, "any line goes, drawn from seeded numbers")                                            \
  X(REPLACEMENT_SRRIP, srrip, "the line whose next use is predicted to be furthest away goes (RRIP, static)")

#define L1_WRITE_POLICIES(X)                                                                                           \
  X(L1_WRITE_THROUGH, write_through, "every store goes on to L2")                                                      \
  X(L1_WRITE_BACK, write_back, "stores make lines of L1 dirty")

#define L2_WRITE_POLICIES(X)                                                                                           \
  X(L2_WRITE_FREE, free, "what is written to memory costs nothing and is not counted")                                 \
  X(L2_WRITE_THROUGH, write_through, "every store goes on to memory")                                                  \
  X(L2_WRITE_BACK, write_back, "stores make lines of L2 dirty")

/* All lists of choices, each as F(kind, list). */
#define CHOICE_LISTS(F)                                                                                                \
  F(dispatch_order, DISPATCH_ORDERS)                                                                                   \
  F(scheduler, SCHEDULERS)                                                                                             \
  F(warp_formation, WARP_FORMATIONS)                                                                                   \
  F(divergence_policy, DIVERGENCE_POLICIES)                                                                            \
  F(issue_rule, ISSUE_RULES)                                                                                           \
  F(memory_policy, MEMORY_POLICIES)                                                                                    \
  F(access_issue, ACCESS_ISSUES)                                                                                       \
  F(access_latency, ACCESS_LATENCIES)                                                                                  \
  F(local_memory, LOCAL_MEMORIES)                                                                                      \
  F(uniform_loads, UNIFORM_LOADS)                                                                                      \
  F(cache_placement, CACHE_PLACEMENTS)                                                                                 \
  F(replacement_policy, REPLACEMENT_POLICIES)                                                                          \
  F(l1_write, L1_WRITE_POLICIES)                                                                                       \
  F(l2_write, L2_WRITE_POLICIES)

#define CHOICE_CONSTANT(constant, name, meaning) constant,
#define CHOICE_ENUM(kind, list)                  enum kind { list(CHOICE_CONSTANT) };
CHOICE_LISTS(CHOICE_ENUM)

/* The number of choices of a list, a constant. */
#define CHOICE_ONE(constant, name, meaning) +1
#define CHOICE_COUNT(list)                  (0 list(CHOICE_ONE))

#endif
