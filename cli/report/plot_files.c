#include "cli/report/plot_files.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/file.h"
#include "base/input/json_parse.h"
#include "base/process/subprocess.h"
#include "base/text.h"
#include "cli/report/page_parts.h"
#include "cli/report/page_writer.h"

enum { NO_PROGRAM = 127, REASON_BYTES = 600 };

/* The input and the output of the process are files without names, so that neither side waits for the other. */
struct streams {
  FILE *page, *plots, *complaints;
};

static int streams_open(struct streams *streams, struct error *error) {
  *streams = (struct streams){tmpfile(), tmpfile(), tmpfile()};
  if (streams->page && streams->plots && streams->complaints)
    return 0;
  return error_set(error, ERROR_WORK, "cannot make a temporary file");
}

static void streams_close(struct streams *streams) {
  FILE *all[] = {streams->page, streams->plots, streams->complaints};
  for (size_t i = 0; i < sizeof all / sizeof all[0]; i++)
    if (all[i])
      fclose(all[i]);
}

/* Debian's packages of Node.js are where its own program looks, and a program from elsewhere does not. */
static void add_module_folder(void) {
  static const char folder[] = "/usr/share/nodejs";
  const char *before = getenv("NODE_PATH");
  char *path = before ? text_format("%s:%s", before, folder) : strdup(folder);
  if (path)
    setenv("NODE_PATH", path, 1);
}

static void become_node(const struct streams *streams) {
  subprocess_end_with_parent();
  add_module_folder();
  if (dup2(fileno(streams->page), STDIN_FILENO) >= 0 && dup2(fileno(streams->plots), STDOUT_FILENO) >= 0 &&
      dup2(fileno(streams->complaints), STDERR_FILENO) >= 0)
    execlp("node", "node", "-e", (const char *)page_saver.bytes, (char *)NULL);
  _exit(NO_PROGRAM);
}

static int explain(struct streams *streams, int status, struct error *error) {
  static const char hint[] = "On Debian: apt-get install nodejs node-jsdom";
  char reason[REASON_BYTES + 1] = "";
  if (WIFEXITED(status) && WEXITSTATUS(status) == NO_PROGRAM)
    return error_set(error, ERROR_WORK, "--svg: Node.js (node) was not found, which draws plots as files. %s", hint);
  rewind(streams->complaints);
  reason[fread(reason, 1, REASON_BYTES, streams->complaints)] = '\0';
  if (strstr(reason, "Cannot find module"))
    return error_set(error, ERROR_WORK, "--svg: Node.js does not find jsdom, on which plots are drawn. %s", hint);
  return error_set(error, ERROR_WORK, "--svg: Node.js could not draw the plots: %s", reason);
}

static int draw(struct streams *streams, struct error *error) {
  if (fflush(streams->page) != 0 || ferror(streams->page))
    return error_set(error, ERROR_WORK, "cannot write a temporary file");
  rewind(streams->page);
  const pid_t process = fork();
  if (process < 0)
    return error_set(error, ERROR_WORK, "cannot start a process");
  if (process == 0)
    become_node(streams);
  const int status = subprocess_wait(process);
  return status == 0 ? 0 : explain(streams, status, error);
}

static int write_plot(const char *folder, const char *name, const char *svg, size_t *replaced, struct error *error) {
  char *path = text_format("%s/%s.svg", folder, name);
  struct stat info;
  struct file_replace file;
  if (!path)
    return error_no_memory(error);
  *replaced += stat(path, &info) == 0;
  int status = file_replace_begin(&file, path, error);
  free(path);
  if (status != 0)
    return -1;
  fputs(svg, file.stream);
  return file_replace_commit(&file, error);
}

static int write_plots(json_t *plots, const char *folder, size_t *count, size_t *replaced, struct error *error) {
  const char *name;
  json_t *svg;
  int status = file_make_directories(folder, error);
  *count = *replaced = 0;
  json_object_foreach(plots, name, svg) {
    if (status == 0)
      status = write_plot(folder, name, json_string_value(svg), replaced, error);
    (*count)++;
  }
  return status;
}

static int read_plots(struct streams *streams, json_t **plots, struct error *error) {
  rewind(streams->plots);
  json_error_t problem;
  *plots = json_parse_stream(streams->plots, 0, &problem);
  if (!*plots && json_problem_is_memory(&problem))
    return error_no_memory(error);
  return *plots ? 0 : error_set(error, ERROR_WORK, "--svg: Node.js has drawn no plots");
}

int plot_files_write(const struct documents *documents, const char *folder, size_t *count, size_t *replaced,
                     struct error *error) {
  struct streams streams;
  json_t *plots = NULL;
  int status = streams_open(&streams, error);
  if (status == 0)
    status = page_write(documents, streams.page, error);
  if (status == 0)
    status = draw(&streams, error);
  if (status == 0)
    status = read_plots(&streams, &plots, error);
  if (status == 0 && json_ran_out_of_memory()) /* a part of a plot would be missing */
    status = error_no_memory(error);
  if (status == 0)
    status = write_plots(plots, folder, count, replaced, error);
  json_decref(plots);
  streams_close(&streams);
  return status;
}
