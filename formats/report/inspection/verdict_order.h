/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * verdict_order.h - what a verdict says of the order of the ranks and of the library's options.
 *
 *     Order fits: block, for Open MPI 4.1. None of its options is 2 times as fast.
 *     Predicted by the published profile summit; not measured here.
 *         topomap score -c allgather -b 64KiB job.json
 *
 * Below an error it is said to hold without that, and no option is offered: times are those of ranks
 * that have their PUs to themselves.
 */
#ifndef TMAP_FORMATS_REPORT_INSPECTION_VERDICT_ORDER_H
#define TMAP_FORMATS_REPORT_INSPECTION_VERDICT_ORDER_H

#include "core/lint/verdict.h"

/** The sentences, and the line of the command that says more; each NULL where there is nothing to be
 *  said. */
struct tmap_verdict_order {
	char *text, *command;
};

int tmap_verdict_order_init(struct tmap_verdict_order *order, const struct tmap_verdict *verdict,
			    struct tmap_error *err);
void tmap_verdict_order_fini(struct tmap_verdict_order *order);

#endif
