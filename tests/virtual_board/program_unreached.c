/* A program that sleeps for a twentieth of a second, so that what starts it sees it run. It is linked statically, or it
 * has the note that Go's linker writes (type 4, its build's name). */
#include <time.h>

#if defined(WITH_NOTE_OF_GO)
__asm__(".pushsection .note.go.buildid, \"a\", %note\n"
        ".balign 4\n"
        ".long 4, 4, 4\n"
        ".asciz \"Go\"\n"
        ".byte 0\n"
        ".ascii \"name\"\n"
        ".popsection\n");
#endif

int main(void) {
  return nanosleep(&(struct timespec){.tv_nsec = 50000000}, NULL);
}
