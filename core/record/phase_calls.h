/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * phase_calls.h - collectives that some ranks end in one phase and others in the next: each counts in one.
 * By the end of a phase so many calls are counted as the mean rank has returned from.
 *
 *     8 ranks, one call        phase 1   phase 2   phase 3
 *     returned                       3         4         1
 *     by its end                     3         7         8
 *     mean of the ranks, rounded     0         1         1
 *     calls                          0         1         0        with the seconds and bytes of all
 *
 * So the calls of all phases add up to those of the run. So do the bytes of irregular ones, which each phase
 * has of its own ranks: those of a call that another phase counts go there, as many as the mean rank named in
 * the calls of the phase, or of that other one where these are fewer.
 */
#ifndef TMAP_CORE_RECORD_PHASE_CALLS_H
#define TMAP_CORE_RECORD_PHASE_CALLS_H

#include "core/record/record_builder.h"

/** Of a builder that has all ranks, phases in their order: calls of a phase are multiples of the ranks of
 *  their communicators from now on. O(calls). */
int tmap_phase_calls_settle(struct tmap_record_builder *b, struct tmap_error *err);

#endif
