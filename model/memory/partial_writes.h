/* Partial writes: stores that cover a line of L2 in part.
 *
 * L2 keeps which bytes of a line were written, so that a store that misses fetches nothing (write-validate: Jouppi,
 * "Cache write policies and performance", ISCA 1993). When L2 replaces a line that was not written as a whole, or a
 * load or an atomic uses it, memory reads the rest. At L2 a store takes the time of all lines of a tag for each of its
 * transactions, because its bytes come with a mask, and that of one line more for each line that it covers in part,
 * which L2 reads and writes. What is written to memory itself costs what the write policy of L2 says. Caches whose
 * write policies are not the default, and an L2 of binomial_sets, which does not say when a line leaves, have no
 * partial writes. Stores to interleaved private memory count as whole lines.
 * Shapes: a set of bytes of a line is a bit mask, so that lines have at most 32 bytes. Ownership: partial_writes_use
 * allocates, partial_writes_clear frees. Errors: a line for which there is no memory counts as whole, and `no_memory`
 * says so. Cost: O(lanes) for each store, and O(1) for
 * each line at L2. Threads: those of L2. The times at L2 are chosen by h200-variants-train (docs/accuracy-h200.md). */
#ifndef MODEL_PARTIAL_WRITES_H
#define MODEL_PARTIAL_WRITES_H

#include "base/hash_index.h"
#include "model/cache/sectored.h"
#include "model/memory/write_policy.h"
#include "model/warp/access_parts.h"

/* Bytes of a line at most. */
#define PARTIAL_WRITES_MOST_BYTES 32

struct partial_writes {
  bool on;
  struct line_size line;
  uint32_t whole; /* the set of all bytes of a line */
  uint32_t tag_lines;
  bool by_line;            /* each line of an access is a transaction */
  struct hash_index lines; /* lines of L2 that were written in part and not read -> set of the written bytes */
  uint32_t count, most;    /* number of these lines; the most that `lines` has room for */
  bool no_memory;
};

void partial_writes_init(struct partial_writes *partial, const struct gpu_spec *spec);
void partial_writes_clear(struct partial_writes *partial);
/* Begins a store whose lines have been set and marked: finds the bytes that it writes of each line, and the time that
 * each takes at L2. The last line of a transaction takes that of the lines of its tag that the transaction does not
 * write as well. */
void partial_writes_begin(const struct partial_writes *partial, const struct lane_addresses *lanes,
                          const uint32_t *begins, struct memory_access *store);
/* Uses one line at L2 (NULL: disabled). A store writes `bytes`. Returns what follows from the use. */
struct l2_outcome partial_writes_use(struct partial_writes *partial, struct cache *l2, uint32_t line, enum l2_use use,
                                     uint32_t bytes);
/* Uses lines of one tag at a sectored L2 like partial_writes_use, one after another. A store writes bytes[i] of number
 * i. Returns the lines that hit, and sets *fills to the number of lines of which memory reads the rest. */
uint32_t partial_writes_use_lines(struct partial_writes *partial, struct cache *l2, const struct tag_lines *lines,
                                  enum l2_use use, const uint32_t *bytes, uint32_t *fills);

#endif
