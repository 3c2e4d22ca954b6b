/* In which work-groups undefined reads are checked: the option --undefined-reads (docs/undefined-reads.md). */
#ifndef TRACEGEN_UNDEFINED_READS_H
#define TRACEGEN_UNDEFINED_READS_H

/* Work-groups whose local and private memory is checked. SOME: the first four, those whose number is a power of two,
 * and the last. Buffers without contents are checked in every work-group unless the choice is NONE. */
enum undefined_reads { UNDEFINED_READS_SOME, UNDEFINED_READS_ALL, UNDEFINED_READS_NONE };

#endif
