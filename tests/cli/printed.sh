#!/bin/sh
# The output of printf in a kernel goes to standard error, once a work-item, work-group after work-group, in order of local id although
# barriers make work-items run in turns; and so with several jobs. A mistake leaves what was printed before it.
# Usage: printed.sh PROGRAM FOLDER
set -eu
program=$1
folder=$2
rm -rf "$folder"
mkdir -p "$folder"
cd "$folder"
cat >k.cl <<'END'
__kernel void turns(__global int *a, __local int *l) {
  const int group = get_group_id(0), id = get_local_id(0);
  printf("%d.%d before\n", group, id);
  l[id] = id;
  barrier(CLK_LOCAL_MEM_FENCE);
  printf("%d.%d %s %d at %p\n", group, id, id % 2 ? "odd" : "even", l[3 - id], &a[id]);
}
__kernel void slow(__global volatile int *a) {
  for (int k = 0; k < 50000; k++)
    a[get_global_id(0)] += k;
  printf("group %d\n", (int)get_group_id(0));
}
__kernel void endless(__global int *a) {
  for (;;)
    printf("%4095d\n", a[0]);
}
__kernel void wrong(__global int *a) {
  printf("item %v2d\n", (int2)(get_global_id(0), get_local_id(0)));
  a[get_global_id(0) * 20] = 1;
}
END
for group in 0 1; do
  for id in 0 1 2 3; do
    kind=even
    [ $((id % 2)) = 0 ] || kind=odd
    echo "$group.$id before"
    printf '%d.%d %s %d at 0x%x\n' $group $id $kind $((3 - id)) $((4096 + 4 * id))
  done
done >expected
for jobs in 1 2; do
  "$program" trace k.cl --kernel turns --global 8 --local 4 --arg 'int[64]' --arg local=16 --jobs $jobs -o traces.$jobs >result 2>printed
  diff expected printed
  grep -q turns result
done
if "$program" trace k.cl --kernel wrong --global 8 --local 4 --arg 'int[64]' -o traces >result 2>printed; then
  echo "expected a failure" >&2
  exit 1
fi
head -n 5 printed >first
printf 'item 0,0\nitem 1,1\nitem 2,2\nitem 3,3\nitem 4,0\n' | diff - first
grep -q 'k.cl:19: kernel wrong, work-item (4, 0, 0)' printed

for group in $(seq 0 511); do echo "group $group"; done >expected
"$program" trace k.cl --kernel slow --global 512 --local 1 --arg 'int[512]' --jobs 3 -o traces >result 2>printed
diff expected printed

if "$program" trace k.cl --kernel endless --global 8 --local 4 --arg 'int[64]' -o traces >result 2>printed; then
  echo "expected a failure" >&2
  exit 1
fi
tail -n 1 printed | grep -q 'k.cl:15: kernel endless, work-item (0, 0, 0): the launch has printed more than 16 MiB'
[ "$(wc -c <printed)" -lt 16800000 ]
