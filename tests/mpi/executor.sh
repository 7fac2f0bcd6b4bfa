#!/bin/bash
# SPDX-License-Identifier: BSD-3-Clause
# Every algorithm of the catalogue, executed over MPI's point-to-point, under Open MPI and MPICH.
# Oracle: their own collectives on the same data (executor.c). MPICH turns while it waits, so where
# ranks share CPUs a preload yields for it (yield.c).
#
# Open MPI once more with an eager limit of 64 bytes, so that nearly all sends wait for their receivers.
#
# OPENMPI="RANKS:STEP:ROWS ..." and MPICH take other sizes: each STEP-th root, each ROWS-th algorithm.
# WHOLE=1 takes all roots of all sizes up to 17, and all algorithms. Each algorithm is executed by Open MPI on 1, 3
# and 4 ranks, and by MPICH on 3.
. "$(dirname "$0")/common.bash"
if [ -n "$WHOLE" ]; then
	openmpi_sizes=$(seq -f '%g:1:1' 1 17)
	mpich_sizes="$(seq -f '%g:1:1' 1 8) 17:4:1"
else
	openmpi_sizes='1:1:1 3:1:1 4:2:1 5:2:2 8:3:3 17:16:5'
	mpich_sizes='2:1:2 3:2:1 17:16:9'
fi
openmpi_sizes=${OPENMPI:-$openmpi_sizes}
mpich_sizes=${MPICH:-$mpich_sizes}

for variant in openmpi openmpi:64 mpich; do
	flavour=${variant%:*}
	use_mpi "$flavour" || continue
	make_for_mpi tests/mpi/executor || continue
	preload=
	if [ "$flavour" = mpich ]; then
		${CC:-cc} -shared -fPIC -D_GNU_SOURCE -o "$work/yield.so" tests/mpi/yield.c -ldl ||
			{ fail "yield.c does not compile"; continue; }
		preload=$work/yield.so
	fi
	sizes=${flavour}_sizes
	sizes=${!sizes}
	unset OMPI_MCA_btl_vader_eager_limit
	if [ "$variant" != "$flavour" ]; then
		export OMPI_MCA_btl_vader_eager_limit=${variant#*:}
		[ -n "$OPENMPI" ] || sizes=${WHOLE:+2:1:1 4:1:1 5:1:1}
		sizes=${sizes:-4:3:2}
	fi
	for size in $sizes; do
		IFS=: read -r ranks step rows <<<"$size"
		if LD_PRELOAD=$preload launch "$ranks" "$built/tests/mpi/executor" "$step" "$rows" \
			>"$work/out" 2>"$work/err" &&
			grep -q "^$ranks ranks: [0-9]* the same" "$work/out"; then
			count=$(sed -n 's/.* ranks: \([0-9]*\) the same.*/\1/p' "$work/out")
			passed=$((passed + count))
		else
			fail "$variant: $(head -n 3 "$work/out" "$work/err")"
		fi
	done
done
finish
