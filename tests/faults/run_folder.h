/* The files of the current folder: noted before, between and after the runs of a command. */
#ifndef FAULTS_RUN_FOLDER_H
#define FAULTS_RUN_FOLDER_H

#include <stdbool.h>
#include <stddef.h>

#define MOST_FILES 512

struct file {
  char *path, *data;
  size_t length;
  bool is_folder, varies;
};

struct tree {
  struct file files[MOST_FILES]; /* by path */
  size_t count;
};

/* The files before a run, after one in which nothing failed, and after the last one. */
extern struct tree inputs, expected, found;

/* Ends this program with a message about errno. */
void stop(const char *text);
/* Returns the file's bytes with a NUL behind them; the caller frees. A file that is not there is empty. */
char *read_whole(const char *path, size_t *length);
/* Notes the files of the current folder in `found`. */
void look(void);
/* Returns NULL where the tree has no such file. */
struct file *file_in(struct tree *tree, const char *path);
bool same(const struct file *a, const struct file *b);
/* Makes the current folder a copy of ../inputs. */
void copy_inputs(void);
/* Removes what a run has made. Inputs that it changed are copied again. */
void restore(void);

#endif
