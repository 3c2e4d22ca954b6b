/* Functions for processes that this program forks: waiting for them, their limits, and the memory that they share with
 * it.
 *
 * Threads: each function may be called by any thread, for a process that no other thread waits for. */
#ifndef BASE_PROCESS_SUBPROCESS_H
#define BASE_PROCESS_SUBPROCESS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

/* Waits until the process has ended. Returns its status as waitpid gives it, or 0 if it is not a child of this
 * process. */
int subprocess_wait(pid_t process);
/* Makes the system kill the calling process when its parent ends (Linux only). A forked process calls it. */
void subprocess_end_with_parent(void);
/* Makes the system send SIGTERM to the calling process when its parent ends, for a program that removes its files when
 * it gets this signal. `parent` is the process that forked it and may have ended already. */
void subprocess_terminate_with_parent(pid_t parent);
/* Adds the descriptor to those that subprocess_close_kept closes, or removes it from them. There can be at most 16. */
void subprocess_keep_from_children(int file, bool keep);
/* Closes the descriptors that subprocess_keep_from_children named. A forked process that runs unknown code calls it. */
void subprocess_close_kept(void);
/* Limits the calling process to `bytes` of data memory (mappings that are not shared), and prevents core files. A
 * forked process calls it. Builds with a sanitizer have no limit of memory, because the sanitizer's own memory
 * counts. */
void subprocess_limit_memory(uint64_t bytes);
/* Returns `bytes` of zeroed memory that processes forked later share with this one, or NULL with errno; munmap frees
 * it. */
void *subprocess_shared_memory(size_t bytes);
/* Returns shared memory as subprocess_shared_memory does, but such that only this process writes it: forked processes
 * call subprocess_only_reads. *file becomes the descriptor that they need, which the caller closes; -1: forked
 * processes cannot give up writing on this system. */
void *subprocess_one_writer_memory(size_t bytes, int *file);
/* Makes the memory readable only, for the calling process and its children, for good. A forked process calls it.
 * Returns false where the system cannot do so. `file` stays open. */
bool subprocess_only_reads(void *memory, size_t bytes, int file);

#endif
