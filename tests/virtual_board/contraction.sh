#!/bin/sh
# Kernels that are timed on the device of this machine are those of the unmodified program: their products and sums are contracted as
# without a virtual board. Where the model gives the times, they are not, as in the emulator. contraction.sh REASSEMBLE PROGRAM_CONTRACTION
set -eu
alone=$("$2")
timed=$("$1" run --time device -- "$2")
modelled=$("$1" run --gpu mali-g71-mp8 --compare -- "$2")
[ "$timed" = "$alone" ] || { echo "alone $alone, timed on the device $timed"; exit 1; }
[ "$modelled" = 0x0p+0 ] || { echo "with the model's times $modelled, expected 0x0p+0"; exit 1; }
