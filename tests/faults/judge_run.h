/* Judges a run in which an allocation failed; fail_each.c states the rules. */
#ifndef FAULTS_JUDGE_RUN_H
#define FAULTS_JUDGE_RUN_H

#include <stdbool.h>

/* Parts of names of files, and a text of a message, with which a run is not at fault; NULL: none. */
struct allowed {
  const char *cut, *different, *always_different, *skipped, *known;
  bool has_rates, by_c_library; /* by_c_library: glibc may end it where a variable of a thread has no memory */
};

extern struct allowed allowed;
extern char *expected_output; /* of the whole command; lines that vary begin with a 1 */
extern unsigned long faults, good;

/* Returns the command's output as a text, which the caller frees. */
char *read_output(void);
/* Compares the lines of two texts. A line of `a` that differs is marked where `mark` is set. Returns whether all lines
 * that are not marked agree. */
bool same_lines(char *a, const char *b, bool mark);
/* Judges the run of this name, which ended with a status of waitpid, or -1 at the limit of time. */
void judge(const char *name, int status, bool left_process);
/* Prints how often runs ended in which way: those at fault, or all. */
void print_kinds(bool all);

#endif
