/* Where undefined values are looked for: what users ask for with --undefined-reads (docs/tracegen.md). */
#ifndef TRACEGEN_UNDEFINED_READS_H
#define TRACEGEN_UNDEFINED_READS_H

/* In which work-groups reads of memory that nothing has written are looked for (local and private memory; buffers
 * without contents are always looked at, unless none are): the first four, those whose number is a power of two and the
 * last; all. */
enum undefined_reads { UNDEFINED_READS_SOME, UNDEFINED_READS_ALL, UNDEFINED_READS_NONE };

#endif
