# Sourced by the scripts of this folder: ends the test as skipped where a program, or Mesa's Vulkan driver, is absent.
needs() { # PROGRAM...; lavapipe: the driver
  for need in "$@"; do
    if [ "$need" = lavapipe ]; then
      ls /usr/share/vulkan/icd.d/*lvp* >/dev/null 2>&1
    else
      command -v "$need" >/dev/null
    fi || { echo "skipped: no $need (packages.txt, [graphics])"; exit 77; }
  done
}
