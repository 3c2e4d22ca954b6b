/* The list of front ends. A front end is one line here, X(name, what it reads), and one folder beside this file. */
#include "tracegen/front/front_end.h"

#define FRONT_ENDS(X)                                                                                                  \
  X(clang, "OpenCL C")                                                                                                 \
  X(bifrost, "OpenCL C, and runs the machine code of an open driver (docs/bifrost.md)")

#define X(name, reads) extern const struct front_end front_end_##name;
FRONT_ENDS(X)
#undef X

const struct front_end *const front_ends[] = {
#define X(name, reads) &front_end_##name,
    FRONT_ENDS(X)
#undef X
        NULL,
};

const char *const front_end_names[] = {
#define X(name, reads) #name,
    FRONT_ENDS(X)
#undef X
        NULL,
};

#define X(name, reads) "; " #name " reads " reads
const char front_end_help[] = "front end that translates kernels" FRONT_ENDS(X);
#undef X
