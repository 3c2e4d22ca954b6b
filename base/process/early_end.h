/* Cleans up when the program is ended early: by SIGINT, SIGTERM or SIGHUP, by its limit of time, or by SIGBUS, because
 * a file that it maps has become shorter.
 *
 * The handler ends the process that writes for it, removes the files and folders that early_end_removes named, writes a
 * message to standard error, and ends: by the same signal, or with exit code 1 at the limit of time and after SIGBUS.
 * What is named is removed, too, where a library ends the program (libgomp does where it has no memory).
 * A signal that is ignored (nohup) stays so. A forked process keeps the handlers, but removes only what it has named
 * itself.
 *
 * Ownership: names and messages are copied. Cost: a name takes one of 64 places, and taking it back compares them all.
 * Threads: early_end_removes, early_end_keeps and early_end_fail may be called by any thread, the
 * other functions by the first. */
#ifndef BASE_PROCESS_EARLY_END_H
#define BASE_PROCESS_EARLY_END_H

#include <signal.h>
#include <sys/types.h>

/* Installs the handlers. Without this call the functions below have no effect; programs that use the library do not
 * call it. */
void early_end_watch(void);

/* Names a file or folder, before it is made, that is removed when the program is ended early. When all 64 places are
 * taken it is not removed. */
void early_end_removes(const char *path);
/* Cancels early_end_removes for the path, once the file is in its final place or has been removed. */
void early_end_keeps(const char *path);

/* Names the child that writes into these folders; 0: there is none. The child gets the same signal first (SIGTERM at
 * the limit of time), and SIGKILL after a second, or after a twentieth of the limit where that is less. While there is
 * a child the clock of the limit does not stop. Signals should be held (early_end_hold) while the child is started, so
 * that an interruption does not leave it running. */
void early_end_writer(pid_t process);
/* Blocks the signals of early ends until early_end_let, and stores the signals that were blocked before in *before. */
void early_end_hold(sigset_t *before);
void early_end_let(const sigset_t *before);

/* Sets the messages, with their line ends, for an end by a signal and for one at the limit of time; "" means no
 * message. */
void early_end_say(const char *at_signal, const char *at_time_limit);

/* Has messages written to this descriptor while standard error goes elsewhere; STDERR_FILENO: no more. */
void early_end_tell_to(int descriptor);

/* In the process whose early ends are watched: cleans up, writes the message and ends it with exit code 1. Elsewhere
 * it returns. May be called by handlers of signals. */
void early_end_fail(const char *message);

/* Ends the program after `seconds`, not counting the time between early_end_stop_clock and early_end_go_on. Seconds in
 * which early_end_writer's child runs always count. */
void early_end_limit_time(double seconds);
void early_end_stop_clock(void);
void early_end_go_on(void);

#endif
