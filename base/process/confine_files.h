/* Takes a process's access to files away, but for what it needs: by Landlock, which Linux has from 5.13 on, where no
 * container forbids it. What is open stays open. Nothing is given back, and processes that are forked or executed later
 * inherit it. Source: Linux kernel documentation, "Landlock: unprivileged access control".
 * Threads: for the calling one and those that it starts later. Cost: some 10 system calls. */
#ifndef BASE_PROCESS_CONFINE_FILES_H
#define BASE_PROCESS_CONFINE_FILES_H

#include <stdbool.h>
#include <stddef.h>

/* Files and folders with all that is in them; a name that does not exist is left out. */
struct file_places {
  const char *const *readable; /* may be executed, too; NULL-terminated */
  const char *const *writable; /* folders in which files are made, changed and removed; files; NULL-terminated */
};

/* Returns whether the system does so: from here on the process opens nothing else. It connects to no TCP port either
 * (Linux 6.7), and signals only processes that are confined with it (6.12). */
bool confine_files(const struct file_places *places);
/* Which of these this system does: 0: none; 1: files; 2: files and TCP; 3: files, TCP and signals. */
int confine_files_level(void);

#endif
