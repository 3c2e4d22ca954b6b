#!/usr/bin/env python3
"""Bounds what a replay would gain if operations on single halves were joined in pairs, as Mesa's nir_opt_vectorize
joins them: of executed frames, the share of fragment shaders' slots (ISA profile bifrost) that additions, products
and fused operations on single halves take, the share that pairs of one operation save where neither needs the other,
and the share that those pairs save whose operands are the same values, elements of the same vectors, or constants.

Usage: half_pairs.py REASSEMBLE FOLDER...   (folders that `reassemble draw` wrote)
"""
import glob
import re
import subprocess
import sys

JOINED = ("float_add", "float_mul", "float_fma")


def blocks_of(reassemble, trace):
    """Yields (executions, slots, lines of the listing) of each block."""
    told = subprocess.run([reassemble, "info", "--blocks", "--isa", "bifrost", trace], capture_output=True, text=True,
                          check=True).stdout
    block = None
    for line in told.split("\n"):
        head = re.match(r"block \d+.*executed (\d+) times, (\d+) slots", line)
        if head:
            if block:
                yield block
            block = (int(head[1]), int(head[2]), [])
        elif block and " = " in line:
            block[2].append(line)
    if block:
        yield block


class Block:
    """Values of a block: the class of each, its operands, and the operations on single halves in order."""

    def __init__(self, lines):
        self.made = {}
        self.singles = []
        for line in lines:
            found = re.search(r"(%[\w.]+) = (.*)$", line)
            if not found:
                continue
            value, text = found[1], found[2]
            op_class, kind, width = line.split()[:3]
            operands = re.findall(r"%[\w.]+", text)
            self.made[value] = (op_class, operands)
            if kind == "f16" and width == "1" and op_class in JOINED:
                name = re.match(r"(?:tail )?call spir_func half @\w+|\w+", text)[0]
                self.singles.append((value, name, operands))

    def needs(self, value):
        """Returns all values that a value is made of."""
        found, left = set(), [value]
        while left:
            for operand in self.made.get(left.pop(), ("", []))[1]:
                if operand in self.made and operand not in found:
                    found.add(operand)
                    left.append(operand)
        return found

    def vector(self, value):
        """Returns the vector that a value is an element of, or the value."""
        op_class, operands = self.made.get(value, ("", []))
        return operands[0] if op_class == "shuffle" and operands else value

    def pairs(self):
        """Returns the numbers of pairs, and of pairs on the same vectors; each operation takes the first that fits."""
        needs = {value: self.needs(value) for value, _, _ in self.singles}
        joined, all_pairs, alike = set(), 0, 0
        for i, (value, name, operands) in enumerate(self.singles):
            for other, other_name, other_operands in self.singles[i + 1:] if value not in joined else []:
                if other in joined or other_name != name or other in needs[value] or value in needs[other]:
                    continue
                joined |= {value, other}
                all_pairs += 1
                alike += [self.vector(v) for v in operands] == [self.vector(v) for v in other_operands]
                break
        return all_pairs, alike


def main():
    for folder in sys.argv[2:]:
        slots = singles = pairs = alike = 0
        for trace in glob.glob(folder + "/draw-*.fragment.rtrace"):
            for times, block_slots, lines in blocks_of(sys.argv[1], trace):
                block = Block(lines)
                found = block.pairs()
                slots += times * block_slots
                singles += times * len(block.singles)
                pairs += times * found[0]
                alike += times * found[1]
        print("%s: single halves %.1f %% of the slots; pairs save at most %.1f %%, those on the same vectors %.1f %%" %
              (folder, *(100 * n / max(1, slots) for n in (singles, pairs, alike))))


main()
