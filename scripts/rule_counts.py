#!/usr/bin/env python3
"""Counts the slots that Mesa's code has for one operation, beside the price of the ISA profile (docs/bifrost.md).

Each operation stands in two kernels, twice and four times in a row; half of the difference is what one of them takes, without
the kernel around it. Machine code is run on an emulated G71 and its filled slots are counted (tools/bifrost-setup); the
profile's are those of `info` for the same source. Prints a CSV row for each operation.

usage: scripts/rule_counts.py PROGRAM FOLDER [ROWS.csv]   for example build/release/cli/reassemble /tmp/rules (FOLDER is kept)
With rows of an earlier run, datasets/bifrost/rules-g71.csv, nothing is run: the slots of machine code are theirs.
"""
import csv
import json
import os
import subprocess
import sys

FEW, MANY = 2, 4
ITEMS = 64
MATH = "sqrt rsqrt exp exp2 log log2 sin cos tan floor ceil trunc rint round fabs sign degrees"
NATIVE = "recip sqrt rsqrt exp exp2 log log2 sin cos tan"

# Operations by the type of x. X is the running value, Y another one, a scalar argument of the kernel.
OPERATIONS = {
    "int": {
        "int_add": "X + Y", "int_mul": "X * Y", "int_logic": "X ^ Y", "int_shift left": "X << (Y & 31)",
        "int_shift right": "X >> (Y & 31)", "int_div": "X / Y", "int_div remainder": "X % Y",
        "int_div unsigned": "(int)((uint)X / (uint)Y)", "int_div by 7": "X / 7 + Y", "int_cmp and select": "X < Y ? Y + 1 : X",
        "abs": "(int)abs(X) ^ Y", "min": "min(X, Y)", "mul_hi": "mul_hi(X, Y)", "mul24": "mul24(X, Y)", "mad24": "mad24(X, Y, X)",
        "popcount": "popcount(X) ^ Y", "clz": "clz(X) ^ Y", "rotate": "(int)rotate(X, Y)", "hadd": "hadd(X, Y)",
        "add_sat": "add_sat(X, Y)", "clamp": "clamp(X, -Y, Y)", "abs_diff": "(int)abs_diff(X, Y)", "bitselect": "bitselect(X, Y, 255)",
        "convert to float and back": "(int)((float)X) ^ Y", "branch over a store": None, "address and load of global memory": "a[X] + Y",
        "address and load by an index that is not negative": "a[(uint)X & 63] + Y", "address and load of local memory": "l[X & 63] + Y",
        "query get_global_id": "X * (int)get_global_id(1) + Y", "query get_local_id": "X * (int)get_local_id(1) + Y",
        "extend char": "(int)(char)X ^ Y",
    },
    "long": {
        "int_add i64": "X + Y", "int_mul i64": "X * Y", "int_logic i64": "X ^ Y", "int_shift i64": "X << (Y & 63)",
        "int_cmp and select i64": "X < Y ? Y + 1 : X", "extend i64": "(long)(int)X ^ Y", "convert i64": "(long)(float)X ^ Y",
    },
    "short2": {"int_add i16x2": "X + Y", "int_mul i16x2": "X * Y"},
    "char4": {"int_add i8x4": "X + Y", "int_mul i8x4": "X * Y"},
    "float": {
        "float_add": "X + Y", "float_mul": "X * Y", "float_fma": "fma(X, Y, X)", "float_mul and add": "X * Y + X", "float_div": "X / Y",
        "float_cmp and select": "X < Y ? Y + 1 : X", "fmin": "fmin(X, Y)", "copysign": "copysign(X, Y)", "fmod": "fmod(X, Y)",
        "pow": "pow(X, Y)", "hypot": "hypot(X, Y)", "fdim": "fdim(X, Y)", "step": "step(Y, X)", "mix": "mix(X, Y, 0.5f)",
        "ldexp": "ldexp(X, (int)Y)", "nextafter": "nextafter(X, Y)", "isnan": "isnan(X) ? Y : X",
        "native_divide": "native_divide(X, Y)", "native_powr": "native_powr(X, Y)",
        **{name: f"{name}(X) + Y" for name in MATH.split()},
        **{f"native_{name}": f"native_{name}(X) + Y" for name in NATIVE.split()},
    },
    "float4": {"float_add x4": "X + Y", "dot x4": "X * dot(X, Y)", "length x4": "X * length(X) + Y", "normalize x4": "normalize(X) + Y"},
}


def kernel(name, kind, text, count):
    scalars = "".join(f", {kind} y{i}" for i in range(MANY))
    lines = [f"__kernel void {name}(__global {kind} *a, __local {kind} *l{scalars}) {{", "  const size_t i = get_global_id(0);",
             f"  {kind} x = a[i];"]
    if "l[" in (text or ""):
        lines += ["  l[get_local_id(0)] = x;", "  barrier(CLK_LOCAL_MEM_FENCE);"]
    for n in range(count):
        if text:
            lines.append("  x = " + text.replace("Y", f"y{n}").replace("X", "x") + ";")
        else:
            lines.append(f"  if (x > y{n}) {{ a[i] = x; x ^= y{n}; }}")
    return "\n".join(lines + ["  a[i] = x;", "}", ""])


def value(kind, number):
    """A scalar, or a list for a vector."""
    lanes = int(kind[-1]) if kind[-1].isdigit() else 0
    return [number] * lanes if lanes else number


def write(folder, kind, operations):
    """Returns, for each operation, the names of its two kernels."""
    names, source, launches = {}, [], []
    for number, (operation, text) in enumerate(operations.items()):
        names[operation] = [f"{kind}_{number}_{count}" for count in (FEW, MANY)]
        for name, count in zip(names[operation], (FEW, MANY)):
            source.append(kernel(name, kind, text, count))
            values = ", ".join(f"{{{kind}: {value(kind, 3 + n)}}}" for n in range(MANY))
            launches.append(f"  - {{kernel: {name}, global: {ITEMS}, local: {ITEMS}, args: [{{buffer: a}}, {{local: 1024}}, {values}]}}")
    with open(f"{folder}/{kind}.cl", "w", encoding="utf-8") as out:
        out.write("\n".join(source))
    with open(f"{folder}/{kind}.yaml", "w", encoding="utf-8") as out:
        out.write(f"schema: reassemble.workload/1\nname: rules-{kind}\nabout: one operation a kernel\nsource: {kind}.cl\n"
                  f"buffers:\n  a: {{type: {kind}, count: {16 * ITEMS}, init: index}}\nlaunches:\n" + "\n".join(launches) + "\n")
    return names


def ask(*words):
    done = subprocess.run(words, check=False, capture_output=True, text=True)
    if done.returncode != 0:
        sys.exit(f"{' '.join(words)}: {done.stderr}")
    return json.loads(done.stdout)


def machine_slots(program, folder, kind):
    """Returns the filled slots of a work-item, by kernel."""
    traces = f"{folder}/{kind}"
    subprocess.run([program, "trace", "--frontend", "bifrost", "--gpu-id", "g71", "--no-check", "--quiet", f"{folder}/{kind}.yaml",
                    "-o", traces], check=True, stdout=sys.stderr)
    files = [f"{traces}/{file}" for file in sorted(os.listdir(traces)) if file.endswith(".rtrace")]
    found = ask(program, "info", "--json", *files)["traces"]
    return {t["kernel"]: sum(n for name, n in t["operations"].items() if name != "move") / ITEMS for t in found}


def priced_slots(program, folder, kind):
    found = ask(program, "info", "--json", "--isa", "bifrost", f"{folder}/{kind}.cl")
    return {k["kernel"]: next(p["slots"] for p in k["code"]["paths"] if p["path"] == "longest path") for k in found["files"][0]["kernels"]}


def kept_slots(path):
    with open(path, encoding="utf-8") as rows:
        return {row["operation"]: float(row["slots of machine code"]) for row in csv.DictReader(rows)}


def main():
    program, folder = os.path.realpath(sys.argv[1]), sys.argv[2]
    kept = kept_slots(sys.argv[3]) if len(sys.argv) > 3 else None
    os.makedirs(folder, exist_ok=True)
    print("operation,expression,slots of machine code,slots of the profile")
    for kind, operations in OPERATIONS.items():
        names = write(folder, kind, operations)
        machine, priced = {} if kept else machine_slots(program, folder, kind), priced_slots(program, folder, kind)
        for operation, (few, many) in names.items():
            price = (priced[many] - priced[few]) / (MANY - FEW)
            slots = kept[operation] if kept else (machine[many] - machine[few]) / (MANY - FEW)
            print(f'{operation},"{operations[operation] or "if (X > Y) a[i] = X ^ Y"}",{slots:g},{price:g}', flush=True)


main()
