#!/bin/sh
# Races of kernels are told where a user meets them: by trace and rank unasked, by info --races all of them.
# Usage: races.sh PROGRAM FOLDER
set -eu
program=$1
folder=$2
rm -rf "$folder"
mkdir -p "$folder"
cd "$folder"
cat >race.cl <<'END'
kernel void last_wins(global int *a) {
  a[0] = get_global_id(0);
}
kernel void late(global int *a, int n) {
  int sum = 0;
  for (int i = 0; i < n; i++)
    sum += a[i];
  a[get_global_id(0) / 2 + 4096] = sum;
}
kernel void no_barrier(global const float *in, global float *out, local float *t) {
  const int l = get_local_id(0);
  t[l] = in[get_global_id(0)];
  barrier(CLK_LOCAL_MEM_FENCE);
  for (int s = get_local_size(0) / 2; s > 0; s /= 2)
    if (l < s)
      t[l] += t[l + s];
  if (l == 0)
    out[get_group_id(0)] = t[0];
}
kernel void counts(global int *a) {
  atomic_inc(a);
  a[1 + get_global_id(0)] = 1;
}
END
cat >groups.cl <<'END'
kernel void neighbours(global const int *in, global int *out) {
  local int own[16];
  const int id = get_local_id(0), lane = get_sub_group_local_id();
  own[id] = in[get_global_id(0)];
  sub_group_barrier(CLK_LOCAL_MEM_FENCE);
  const int next = own[id - lane + (lane + 1) % get_sub_group_size()];
  sub_group_barrier(CLK_LOCAL_MEM_FENCE);
  own[id] = next + 1;
  out[get_global_id(0)] = own[id];
}
kernel void another(global int *shared, global int *out) {
  const int id = get_local_id(0);
  const int before = shared[0];
  sub_group_barrier(CLK_GLOBAL_MEM_FENCE);
  if (id == 2)
    shared[0] = 7;
  out[id] = before;
}
END
says() { # file, text
  grep -qF -- "$2" "$1" || { echo "expected \"$2\" in:"; cat "$1"; exit 1; }
}
"$program" trace race.cl --kernel last_wins --global 64 --arg 'int[4]' >out 2>warnings
says warnings "warning: last_wins, line 2: work-item (0) stores bytes 0 to 3 of arg0, and so does work-item (1)"
# 4 M instructions: only its stores are looked at.
"$program" trace race.cl --kernel late --global 512 --arg 'int[8192]' --arg int=2048 >out 2>warnings
says warnings "warning: late, line 8: work-item (0) stores bytes 16384 to 16387 of arg0, and so does work-item (1)"
"$program" trace race.cl --kernel counts --global 64 --arg 'int[65]' >out 2>warnings
[ ! -s warnings ] || { echo "a kernel without a race is accused:"; cat warnings; exit 1; }
"$program" rank --gpu generic-scalar race.cl --kernels last_wins,counts --global 64 --arg 'int[65]' >out 2>warnings
says warnings "warning: last_wins, line 2"
"$program" trace race.cl --kernel no_barrier --global 64 --local 16 --arg 'float[64]=uniform' --arg 'float[4]' \
  --arg local=64 --quiet >out
"$program" info --races race.no_barrier.64.16.rtrace >out
says out "16  loads   (0)          16  stores  (1)        bytes 4 to 7 of local memory"
"$program" info --races --json race.no_barrier.64.16.rtrace >out
says out '"second_work_item": "(1)"'
"$program" info --races race.counts.64.64.rtrace >out
says out "no two work-items race"
# A barrier of a sub-group orders its work-items, and not those of another one.
"$program" trace groups.cl --kernel neighbours --options -cl-std=CL2.0 --global 16 --local 16 --sub-group 4 \
  --arg 'int[16]=index' --arg 'int[16]' >out 2>warnings
[ ! -s warnings ] || { echo "a sub-group without a race is accused:"; cat warnings; exit 1; }
"$program" trace groups.cl --kernel another --options -cl-std=CL2.0 --global 4 --local 4 --sub-group 2 \
  --arg 'int[1]' --arg 'int[4]' --quiet >out
"$program" info --races groups.another.4.4.rtrace >out
says out "13  loads   (1)          16  stores  (2)        bytes 0 to 3 of arg0"
