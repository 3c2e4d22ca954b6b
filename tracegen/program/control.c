#include "tracegen/program/control.h"

#include <fcntl.h>
#include <sys/mman.h>
#include <unistd.h>

#include "base/clock.h"

static void start_clock(struct capture_control *control) {
  int64_t none = 0;
  atomic_compare_exchange_strong(&control->start_ns, &none, clock_nanoseconds());
}

struct capture_control *control_map(int folder) {
  const int file = openat(folder, CONTROL_FILE, O_RDWR | O_CREAT | O_CLOEXEC, 0666);
  if (file < 0)
    return NULL;
  struct capture_control *map = MAP_FAILED;
  if (ftruncate(file, sizeof *map) == 0)
    map = mmap(NULL, sizeof *map, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
  close(file);
  if (map == MAP_FAILED)
    return NULL;
  start_clock(map);
  return map;
}

void control_unmap(struct capture_control *control) {
  if (control)
    munmap(control, sizeof *control);
}
