/* Processes that this program forks: waiting for them, their limits, and the memory that they share with it.
 *
 * Threads: each function may be called by any thread, for a process that no other thread waits for. */
#ifndef BASE_PROCESS_SUBPROCESS_H
#define BASE_PROCESS_SUBPROCESS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

/* Waits until the process has ended. Returns its status as waitpid gives it; 0 where it is not a child of this one. */
int subprocess_wait(pid_t process);
/* Called by a forked process: the system kills it when its parent ends (Linux only). */
void subprocess_end_with_parent(void);
/* The same with SIGTERM, for a program that removes its files when it gets this signal. `parent`: the process that
 * forked it, which may have ended already. */
void subprocess_terminate_with_parent(pid_t parent);
/* Says that subprocess_close_kept is to close this descriptor, or no longer. At most 16 are kept. */
void subprocess_keep_from_children(int file, bool keep);
/* Called by a forked process that runs what a stranger wrote. */
void subprocess_close_kept(void);
/* Called by a forked process: from now on it gets at most `bytes` of data memory (mappings that are not shared), and
 * it leaves no core file. Builds with a sanitizer have no limit of memory, because the sanitizer's own memory
 * counts. */
void subprocess_limit_memory(uint64_t bytes);
/* Returns `bytes` of zeroed memory that processes forked later share with this one; munmap frees it. NULL: errno says
 * why there is none. */
void *subprocess_shared_memory(size_t bytes);
/* The same for memory that only this process writes: forked processes call subprocess_only_reads. *file becomes the
 * descriptor that they need, which the caller closes; -1: they cannot give up writing on this system. */
void *subprocess_one_writer_memory(size_t bytes, int *file);
/* Called by a forked process: it can read the memory from now on, and neither it nor its children can ever write there.
 * Returns false where that cannot be had. `file` stays open. */
bool subprocess_only_reads(void *memory, size_t bytes, int file);

#endif
