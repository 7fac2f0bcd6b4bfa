/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * selection_lint.h - what is wrong with a selection file of MPICH, line by line.
 *
 *     line 3    unit       avg_msg_size<=4096: MPICH cannot ask that of allgather
 *     line 5    unit       comm_size<8 is for 8 ranks, too, behind a test of the call
 *     line 7    order      no call is left for comm_size<=7
 *     line 9    algorithm  MPIR_Allgather_intra_recursive_doubling is for powers of two only
 *     line 12   end        calls that pass none of these tests have no algorithm
 *     line 15   algorithm  MPIR_Barrier_intra_dissemination is of MPICH before 4.1
 *     line 18   parameter  MPIR_Barrier_intra_k_dissemination has no k below it
 *
 * Most of them end the program. @p library has releases (tmap_library_releases()): what is not of all of
 * them is said.
 */
#ifndef TMAP_CORE_TUNE_SELECTION_LINT_H
#define TMAP_CORE_TUNE_SELECTION_LINT_H

#include "core/tune/rule_lint.h"
#include "core/tune/selection.h"

/** All mistakes of a file that was read. With @p places (NULL: none) also algorithms that are slower than what
 *  the library takes by itself, at sizes up to @p most. */
int tmap_selection_lint(struct tmap_rule_findings *findings, const struct tmap_selection *selection,
			int library, const struct tmap_tune_places *places, int64_t most,
			struct tmap_error *err);

#endif
