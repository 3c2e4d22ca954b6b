/* Instructions that read the processor's counter (rdtsc, rdtscp) tell real time to a program whose clocks are
 * simulated. Linux can make them trap (prctl, PR_SET_TSC). The first one of the program is reported, and the trap is
 * then off: the program gets real time from it. Those of the vDSO, the kernel's own functions, are let
 * through, and OpenCL is not watched: programs that it starts would inherit the trap without its handler. */
#include "tracegen/program/clock/simulated_clock.h"

#if defined(__x86_64__)

#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/auxv.h>
#include <sys/prctl.h>
#include <ucontext.h>

#define VDSO_BYTES 16384 /* more than any kernel's */

static void (*report)(void);
static struct sigaction before;
static bool wanted;

static size_t counter_bytes(const unsigned char *at) {
  if (at[0] == 0x0f && at[1] == 0x31)
    return 2; /* rdtsc */
  return at[0] == 0x0f && at[1] == 0x01 && at[2] == 0xf9 ? 3 : 0;
}

static bool is_vdso(uintptr_t at) {
  const uintptr_t vdso = getauxval(AT_SYSINFO_EHDR);
  return vdso && at >= vdso && at < vdso + VDSO_BYTES;
}

/* Reads the counter in place of the instruction, and goes on behind it. */
static void read_counter(ucontext_t *context, size_t bytes) {
  greg_t *registers = context->uc_mcontext.gregs;
  unsigned low, high, processor;
  __asm__ volatile("rdtscp" : "=a"(low), "=d"(high), "=c"(processor));
  registers[REG_RAX] = low;
  registers[REG_RDX] = high;
  if (bytes == 3)
    registers[REG_RCX] = processor;
  registers[REG_RIP] += (greg_t)bytes;
}

static void stop_and_report(void) {
  wanted = false;
  report();
}

static void handle(int number, siginfo_t *info, void *user) {
  ucontext_t *context = user;
  const uintptr_t at = (uintptr_t)context->uc_mcontext.gregs[REG_RIP];
  const size_t bytes = info->si_code == SI_KERNEL ? counter_bytes((const unsigned char *)at) : 0;
  if (bytes == 0) { /* another mistake, which happens again and ends the program as it would have */
    sigaction(number, &before, NULL);
    return;
  }
  prctl(PR_SET_TSC, PR_TSC_ENABLE);
  read_counter(context, bytes);
  if (is_vdso(at) || !simulated_clock_is_on())
    prctl(PR_SET_TSC, PR_TSC_SIGSEGV);
  else
    stop_and_report();
}

/* Watches nothing where the program handles such signals itself. */
void counter_trap_set(void (*is_read)(void)) {
  struct sigaction action = {.sa_sigaction = handle, .sa_flags = SA_SIGINFO | SA_NODEFER};
  report = is_read;
  wanted = getenv("REASSEMBLE_WATCH_COUNTER") && !sigaction(SIGSEGV, NULL, &before) && before.sa_handler == SIG_DFL &&
           !sigaction(SIGSEGV, &action, NULL);
}

void counter_trap_watch(bool watched) {
  if (wanted)
    prctl(PR_SET_TSC, watched ? PR_TSC_SIGSEGV : PR_TSC_ENABLE);
}

#else

void counter_trap_set(void (*is_read)(void)) {
  (void)is_read;
}

void counter_trap_watch(bool watched) {
  (void)watched;
}

#endif
