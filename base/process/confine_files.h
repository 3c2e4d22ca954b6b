/* Takes away a process's access to files except the named ones. It uses Landlock, which Linux has from 5.13 on, where
 * no container forbids it. Files that are open stay open. No right can be given back, and processes that are forked or
 * executed later inherit the restriction.
 * Source: Linux kernel documentation, "Landlock: unprivileged access control".
 * Threads: it applies to the calling thread and to those that it starts later. Cost: about 10 system calls. */
#ifndef BASE_PROCESS_CONFINE_FILES_H
#define BASE_PROCESS_CONFINE_FILES_H

/* Lists of files, and of folders with everything in them. A name that does not exist is left out, and so is one of a
 * file for which the system takes no rule, such as a pipe. */
struct file_places {
  const char *const *readable; /* these may be read and executed; NULL-terminated */
  /* NULL-terminated: files that may be written, and folders in which files may be made, changed and removed */
  const char *const *writable;
};

/* Restricts the calling process to `places`: it can open no other files from here on; it also connects to no TCP port
 * (Linux 6.7 or later), and signals only processes that are confined with it (6.12 or later). Returns 0 without effect
 * where the system does not support it, and -1 with errno where it does but has refused. */
int confine_files(const struct file_places *places);
/* Returns what this system can restrict: 0: nothing; 1: files; 2: files and TCP; 3: files, TCP and signals. */
int confine_files_level(void);

#endif
