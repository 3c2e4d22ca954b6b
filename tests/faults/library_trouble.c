/* Loaded in front of the C library (LD_PRELOAD): LLVM's library has the trouble that $LIBRARY_TROUBLE names when it is
 * loaded: "missing", "foreign" (a library without its functions), or "cut" (its file is too short for what is mapped of
 * it). */
#include <dlfcn.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>

void *dlopen(const char *name, int flags) {
  void *(*load)(const char *, int);
  void *const next = dlsym(RTLD_NEXT, "dlopen");
  memcpy(&load, &next, sizeof load);
  const char *trouble = getenv("LIBRARY_TROUBLE");
  if (!trouble || !name || !strstr(name, "libLLVM"))
    return load(name, flags);
  if (strcmp(trouble, "missing") == 0)
    return load("/nowhere/libLLVM.so", flags);
  if (strcmp(trouble, "foreign") == 0)
    return load("libm.so.6", flags);
  if (strcmp(trouble, "cut") == 0)
    raise(SIGBUS);
  return load(name, flags);
}
