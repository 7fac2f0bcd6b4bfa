#include "core/lint/lint.h"

#include "core/lint/lint_rules.h"
#include "core/base/mem.h"

#include <stdlib.h>

static const struct tm_lint_rule rules[] = {
	{ { "unbound", "ranks that may run anywhere on their node" }, tm_lint_unbound },
	{ { "shared-pu", "more ranks bound to some PUs than there are PUs" }, tm_lint_shared_pu },
	{ { "idle-cores", "hardware threads of a core shared while cores are idle" },
	  tm_lint_idle_cores },
	{ { "shared-core", "more ranks bound to some cores than there are cores" },
	  tm_lint_shared_core },
	{ { "two-packages", "ranks bound to PUs of several packages" }, tm_lint_two_packages },
	{ { "two-numa", "ranks bound to PUs of several NUMA nodes of a package" },
	  tm_lint_two_numa },
	{ { "far-memory", "memory bound elsewhere than the PUs" }, tm_lint_far_memory },
	{ { "far-adapter", "ranks far from the only network adapter" }, tm_lint_far_adapter },
	{ { "one-adapter", "several adapters, of which the first ranks of a node use one" },
	  tm_lint_one_adapter },
	{ { "far-gpu", "ranks far from every GPU" }, tm_lint_far_gpu },
	{ { "uneven-nodes", "nodes with different numbers of ranks" }, tm_lint_uneven },
	{ { "not-consecutive", "nodes whose ranks are no interval" }, tm_lint_not_consecutive },
	{ { "slow-order", "an order of ranks in which the library's collectives are slow" },
	  tm_lint_slow_order },
	{ { "long-mapping", "a map of ranks to nodes that is too long for some launchers" },
	  tm_lint_long_mapping },
	{ { "no-common-switch", "nodes that no known switch joins" }, tm_lint_no_common_switch },
	{ { NULL, NULL }, NULL },
};

const struct tm_words tm_lint_rules = TM_WORDS("rule", rules);

enum { RULES = sizeof rules / sizeof rules[0] - 1 };

static void finding_fini(struct tm_finding *finding)
{
	free(finding->reason);
	free(finding->mend);
	tm_idset_fini(&finding->ranks);
}

void tm_lint_fini(struct tm_lint *lint)
{
	for (int i = 0; i < lint->count; i++)
		finding_fini(&lint->finding[i]);
	free(lint->finding);
	*lint = (struct tm_lint){ 0 };
}

int tm_lint_init(struct tm_lint *lint, const struct tm_inspection *inspection,
		 struct tm_error *err)
{
	struct tm_lint made = { 0 };

	made.finding = tm_alloc(RULES, sizeof *made.finding, err);
	if (!made.finding)
		return -1;
	for (int i = 0; i < RULES; i++) {
		struct tm_finding finding = { .name = rules[i].word.name };

		if (rules[i].check(&finding, inspection, err) < 0) {
			finding_fini(&finding);
			tm_lint_fini(&made);
			return -1;
		}
		if (finding.reason)
			made.finding[made.count++] = finding;
		else
			finding_fini(&finding);
	}
	*lint = made;
	return 0;
}

int tm_lint_collect(struct tm_finding *finding, const struct tm_placement *p, const bool *marked,
		    struct tm_error *err)
{
	for (int r = 0; r < p->size; r++)
		if (marked[p->place[r]] && tm_idset_add(&finding->ranks, r, err) < 0)
			return -1;
	return 0;
}

int tm_lint_ranks(const struct tm_finding *finding)
{
	return (int)tm_idset_size(&finding->ranks);
}

int tm_lint_done(const struct tm_finding *finding)
{
	return finding->reason && finding->mend ? 0 : -1;
}
