/* The commands of the program, in the order of its help: one row X(word) each. `const struct command command_<word>` is
 * in cli/<word>/command_<word>.c. */
#ifndef CLI_COMMAND_LIST_H
#define CLI_COMMAND_LIST_H

/* Commands of a program that was built to measure on a board, without emulator and model. */
#define MEASURING_COMMANDS(X)                                                                                          \
  X(measure)                                                                                                           \
  X(list)

#ifdef REASSEMBLE_MEASURE_ONLY
#define COMMANDS(X) MEASURING_COMMANDS(X)
#else
#define COMMANDS(X)                                                                                                    \
  X(trace)                                                                                                             \
  X(draw)                                                                                                              \
  X(frame)                                                                                                             \
  X(info)                                                                                                              \
  X(simulate)                                                                                                          \
  X(run)                                                                                                               \
  X(calibrate)                                                                                                         \
  X(validate)                                                                                                          \
  X(tune)                                                                                                              \
  X(baseline)                                                                                                          \
  X(rank)                                                                                                              \
  X(dse)                                                                                                               \
  X(report)                                                                                                            \
  X(params)                                                                                                            \
  X(completion)                                                                                                        \
  MEASURING_COMMANDS(X)
#endif

#endif
