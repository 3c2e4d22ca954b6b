#!/usr/bin/env python3
"""Compares which loops of a constant count nvcc unrolls with those that the front end unrolls (docs/tracegen.md).

    tests/accuracy/unrolled_by_nvcc.py REASSEMBLE [NVCC]

Prints for each loop the multiply-adds in nvcc's PTX and in the code table, and whether a private array stayed in
memory. A loop that stays has few of them (nvcc makes several copies of it: that is the model's `unroll`). The exit code
is 1 where the two differ on more than three of the cases. nvcc is not needed to build or test reassemble.
"""
import json
import os
import re
import subprocess
import sys
import tempfile


def loop_sum(index):
    return lambda n: f"float s = 0; for (int i = 0; i < {n}; i++) s += a[{index}]; o[ID] = s;"


def tile(shape):
    size, sums = shape
    return (f"LOCAL float p[{size}][{size}]; LOCAL float q[{size}][{size}]; float s[{sums}]; int x = ID;"
            f"for (int w = 0; w < {sums}; w++) s[w] = 0;"
            "for (int r = 0; r < m; r++) { p[x][0] = a[r]; q[x][1] = a[r + m]; BARRIER;"
            f"for (int k = 0; k < {size}; k++) for (int w = 0; w < {sums}; w++) s[w] += p[w][k] * q[k][x]; BARRIER; }}"
            f"for (int w = 0; w < {sums}; w++) o[w * m + x] = s[w];")


def array_of(body):
    return lambda n: (f"float s[{n}]; for (int i = 0; i < {n}; i++) s[i] = a[i * m];"
                      f"for (int q = 0; q < m; q++) for (int i = 0; i < {n}; i++) {{ {body} }}"
                      f"for (int i = 0; i < {n}; i++) o[i * m] = s[i];")


def window(n):
    return (f"float s = 0; int x = ID; for (int j = 0; j < {n}; j++) for (int i = 0; i < {n}; i++)"
            f"s += a[(j + m) * m + x + i] * f[j * {n} + i]; o[x] = s;")


CASES = [
    ("sum over a stride", loop_sum("i * m"), (8, 32, 64, 96, 128, 256)),
    ("sum of neighbours", loop_sum("i + m"), (8, 32, 64, 128)),
    ("step of a tile", tile, ((8, 4), (8, 8), (16, 2), (16, 4), (16, 8), (32, 1), (32, 2), (32, 4), (32, 8))),
    ("array, 3 operations", array_of("s[i] = s[i] * s[i] + a[q];"), (8, 32, 64, 128, 192, 256, 384, 512)),
    ("array, 11 operations", array_of("float x = a[q + i]; s[i] = s[i] * x + x * x * s[i] * (x + 2) * (x + 3)"
                                      " + s[i] * (x - 5) * (x - 7);"), (64, 128, 256)),
    ("window", window, (3, 5, 7, 11, 17)),
]


def nvcc_counts(nvcc, body, folder):
    words = {"LOCAL": "__shared__", "BARRIER": "__syncthreads()", "ID": "threadIdx.x"}
    body = re.sub("|".join(words), lambda found: words[found.group()], body)
    path = os.path.join(folder, "k.cu")
    with open(path, "w") as out:
        out.write('extern "C" __global__ void k(const float *a, const float *f, float *o, int m) {' + body + "}\n")
    subprocess.run([nvcc, "-arch=sm_75", "-ptx", path, "-o", path + ".ptx"], check=True)
    with open(path + ".ptx") as text:
        ptx = text.read()
    return len(re.findall(r"\bfma\.rn|add\S*\.f32|mul\S*\.f32", ptx)), ".local" in ptx


def own_counts(program, body, folder):
    words = {"LOCAL": "local", "BARRIER": "barrier(CLK_LOCAL_MEM_FENCE)", "ID": "get_local_id(0)"}
    body = re.sub("|".join(words), lambda found: words[found.group()], body)
    path = os.path.join(folder, "k.cl")
    with open(path, "w") as out:
        out.write("kernel void k(global const float *a, global const float *f, global float *o, int m) {" + body + "}\n")
    document = json.loads(subprocess.run([program, "info", "--blocks", "--json", path], check=True, capture_output=True).stdout)
    operations = [operation for block in document["files"][0]["kernels"][0]["code"]["blocks"]
                  for operation in block["operations"]]
    return (sum(operation["class"] in ("float_add", "float_mul", "float_fma") for operation in operations),
            any(operation.get("space") == "private" for operation in operations))


def main():
    program = os.path.abspath(sys.argv[1])
    nvcc = sys.argv[2] if len(sys.argv) > 2 else "nvcc"
    differ = 0
    print(f"{'loop':22} {'count':>8} {'nvcc':>6} {'ours':>6}  array in memory: nvcc, ours")
    with tempfile.TemporaryDirectory() as folder:
        for name, body, counts in CASES:
            for count in counts:
                theirs, their_array = nvcc_counts(nvcc, body(count), folder)
                ours, our_array = own_counts(program, body(count), folder)
                # A loop that stays has one copy in the code table and at most 32 in nvcc's code.
                same = their_array == our_array and (theirs == ours or (ours < theirs <= 88) or their_array)
                differ += not same
                shown = "x".join(map(str, count)) if isinstance(count, tuple) else count
                print(f"{name:22} {shown:>8} {theirs:6} {ours:6}  {their_array!s:5} {our_array!s:5}"
                      f"{'' if same else '  differs'}")
    print(f"{differ} differ")
    return 1 if differ > 3 else 0


if __name__ == "__main__":
    sys.exit(main())
