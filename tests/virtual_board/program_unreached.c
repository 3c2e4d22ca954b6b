/* A program that computes for some hundredths of a second, so that what starts it sees it run (its sleep could be
 * simulated, and take no time). It is linked statically, or it has the note that Go's linker writes (type 4, its
 * build's name). */
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
  volatile unsigned left = 200000000;
  while (left > 0)
    left--;
  return 0;
}
