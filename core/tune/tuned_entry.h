/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * tuned_entry.h - an algorithm of ours as a rule of a library's, and the other way round.
 *
 *     bcast  binary,segment=65536      <->  algorithm 5, fan 0, segment 65536
 *     bcast  chain,fanout=4            <->  algorithm 2, fan 4, segment 0
 *     bcast  knomial,radix=8           no: the radix of a file is the library's own, 4
 *     allgather  linear                no: what its gather and its bcast are is said elsewhere
 *
 * Of a library that selects (core/tune/selection.h) the number is that of mpich_algorithms.h, and its k
 * the fan, of UCC the number is that of ucc_algorithms.h.
 */
#ifndef TMAP_CORE_TUNE_TUNED_ENTRY_H
#define TMAP_CORE_TUNE_TUNED_ENTRY_H

#include "core/library/library.h"
#include "core/tune/rule_file.h"

/** *rule = what a file says for a choice of the collective in @p library, its bytes and note apart;
 *  *has = false where a file cannot say it. By the knobs of the row. */
int tmap_tuned_entry_of(struct tmap_rule *rule, bool *has, int library,
			enum tmap_collective collective, const struct tmap_spec *choice,
			struct tmap_error *err);

/** *name = what such a rule, whose algorithm is not 0, does in a call, for tmap_call_parse(), after
 *  algorithms that hand over to others; the caller's to free. NULL: no row does that, or it is not
 *  known. */
int tmap_tuned_entry_name(char **name, int library, const struct tmap_rule *rule,
			  const struct tmap_library_call *call, struct tmap_error *err);

#endif
