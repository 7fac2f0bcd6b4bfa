/* SPDX-License-Identifier: BSD-3-Clause */
#include "core/lint/lint.h"

#include "core/base/mem.h"
#include "core/lint/lint_rules.h"

#include <stdlib.h>

static const struct tmap_lint_rule rules[] = {
	{ { "unbound", "ranks that may run anywhere on their node" }, tmap_lint_unbound },
	{ { "shared-pu", "PUs oversubscribed: more ranks bound to them than there are" },
	  tmap_lint_shared_pu },
	{ { "idle-cores", "hardware threads of a core shared while cores are idle" },
	  tmap_lint_idle_cores },
	{ { "shared-core", "cores oversubscribed: more ranks bound to them than there are" },
	  tmap_lint_shared_core },
	{ { "two-packages", "ranks bound to PUs of several packages" }, tmap_lint_two_packages },
	{ { "two-numa", "ranks bound to PUs of several NUMA nodes of a package" },
	  tmap_lint_two_numa },
	{ { "far-memory", "memory bound to other NUMA nodes than the PUs" }, tmap_lint_far_memory },
	{ { "far-adapter", "ranks far from the only network adapter" }, tmap_lint_far_adapter },
	{ { "one-adapter", "several adapters, of which the first ranks of a node use one" },
	  tmap_lint_one_adapter },
	{ { "far-gpu", "ranks far from every GPU" }, tmap_lint_far_gpu },
	{ { "uneven-nodes", "nodes with different numbers of ranks" }, tmap_lint_uneven },
	{ { "not-consecutive", "nodes whose ranks are not contiguous" },
	  tmap_lint_not_consecutive },
	{ { "slow-order", "an order of ranks in which the default algorithms are slow" },
	  tmap_lint_slow_order },
	{ { "long-mapping", "a map of ranks to nodes that is too long for some launchers" },
	  tmap_lint_long_mapping },
	{ { "no-common-switch", "nodes that no known switch joins" }, tmap_lint_no_common_switch },
	{ { NULL, NULL }, NULL },
};

enum { RULES = sizeof rules / sizeof rules[0] - 1 };

static void finding_fini(struct tmap_finding *finding)
{
	free(finding->reason);
	free(finding->fix);
	tmap_idset_fini(&finding->ranks);
}

void tmap_lint_fini(struct tmap_lint *lint)
{
	for (int i = 0; i < lint->count; i++)
		finding_fini(&lint->finding[i]);
	free(lint->finding);
	*lint = (struct tmap_lint){ 0 };
}

int tmap_lint_init(struct tmap_lint *lint, const struct tmap_inspection *inspection,
		   const struct tmap_fix_words *const *launchers, struct tmap_error *err)
{
	struct tmap_lint made = { 0 };

	made.finding = tmap_alloc(RULES, sizeof *made.finding, err);
	if (!made.finding)
		return -1;
	for (int i = 0; i < RULES; i++) {
		struct tmap_finding finding = { .name = rules[i].word.name,
						.launchers = launchers };

		if (rules[i].check(&finding, inspection, err) < 0) {
			finding_fini(&finding);
			tmap_lint_fini(&made);
			return -1;
		}
		finding.launchers = NULL;
		if (finding.reason)
			made.finding[made.count++] = finding;
		else
			finding_fini(&finding);
	}
	*lint = made;
	return 0;
}

int tmap_lint_collect(struct tmap_finding *finding, const struct tmap_placement *p,
		      const bool *marked, struct tmap_error *err)
{
	for (int r = 0; r < p->size; r++)
		if (marked[p->place[r]] && tmap_idset_add(&finding->ranks, r, err) < 0)
			return -1;
	return 0;
}

int tmap_lint_ranks(const struct tmap_finding *finding)
{
	return (int)tmap_idset_size(&finding->ranks);
}

char *tmap_lint_fix(const struct tmap_finding *finding, const char *text, struct tmap_error *err)
{
	return tmap_fix_print(text, finding->launchers, err);
}

int tmap_lint_done(const struct tmap_finding *finding)
{
	return finding->reason && finding->fix ? 0 : -1;
}
