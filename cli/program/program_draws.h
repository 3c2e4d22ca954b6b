/* Finds out whether a program draws: its file names libraries that draw. */
#ifndef CLI_PROGRAM_DRAWS_H
#define CLI_PROGRAM_DRAWS_H

/* Returns the name of the first library of GL or Vulkan that the program's file names (PATH is searched); NULL: there
 * is none, it names OpenCL's too, or it is no program of its own (a script). Cost: one reading of the file. */
const char *program_draws(const char *program);

#endif
