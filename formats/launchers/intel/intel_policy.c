/* SPDX-License-Identifier: BSD-3-Clause */
#include "core/place/intel.h"

#include "core/base/mem.h"
#include "core/base/units.h"
#include "formats/launchers/common/local_binding.h"
#include "formats/launchers/intel/intel.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>

/* A variable, and what its value does. */
struct variable {
	struct tmap_keyword word;
	int (*parse)(struct tmap_intel_request *rq, const char *text, struct tmap_error *err);
};

static int parse_pin(struct tmap_intel_request *rq, const char *text, struct tmap_error *err)
{
	static const char *const words[] = {
		"enable", "yes", "on", "1", "disable", "no", "off", "0"
	};

	for (size_t i = 0; i < sizeof words / sizeof *words; i++)
		if (strcmp(text, words[i]) == 0) {
			if (i >= 4)
				rq->domain = TMAP_INTEL_OFF;
			return 0;
		}
	return tmap_fail(err, TMAP_INPUT,
			 "'%.40s' is none of on, yes, enable, 1, off, no, disable, 0", text);
}

static int parse_order(struct tmap_intel_request *rq, const char *text, struct tmap_error *err)
{
	int found = tmap_keywords_find(&tmap_intel_orders, text, err);

	rq->order = (enum tmap_intel_order)found;
	rq->is_ordered = true;
	return found == TMAP_NONE ? -1 : 0;
}

static int parse_cell(struct tmap_intel_request *rq, const char *text, struct tmap_error *err)
{
	rq->by_core = strcmp(text, "core") == 0;
	if (rq->by_core || strcmp(text, "unit") == 0)
		return 0;
	return tmap_fail(err, TMAP_INPUT, "unknown cell '%.40s' (one of: unit, core)", text);
}

/* Since 2021.15 ipl2 is what Intel MPI takes by itself. */
static int parse_library(struct tmap_intel_request *rq, const char *text, struct tmap_error *err)
{
	(void)rq;
	if (strcmp(text, "hwloc") == 0)
		return 0;
	return tmap_fail(err, TMAP_INPUT,
			 "'%.40s': the pinning of hwloc is imitated, which releases before 2021.15 "
			 "have by themselves",
			 text);
}

static int parse_number(int *number, const char *text, struct tmap_error *err)
{
	int64_t found;

	if (tmap_units_parse_int(text, 1, INT_MAX, &found, err) < 0)
		return -1;
	*number = (int)found;
	return 0;
}

static int parse_threads(struct tmap_intel_request *rq, const char *text, struct tmap_error *err)
{
	return parse_number(&rq->threads, text, err);
}

static int parse_perhost(struct tmap_intel_request *rq, const char *text, struct tmap_error *err)
{
	rq->per_pu = strcmp(text, "all") == 0;
	if (rq->per_pu || strcmp(text, "allcores") == 0)
		return 0;
	if (*text < '0' || *text > '9')
		return tmap_fail(err, TMAP_INPUT,
				 "'%.40s' is none of all, allcores and a number of ranks", text);
	return parse_number(&rq->ppn, text, err);
}

static const char domain_name[] = "I_MPI_PIN_DOMAIN", list_name[] = "I_MPI_PIN_PROCESSOR_LIST";

/* The domain and the list are read apart: they are sets, and the one hides the other. */
static const struct variable rows[] = {
	{ { "I_MPI_PIN", "off: no binding" }, parse_pin },
	{ { domain_name, "the CPUs of each rank" }, NULL },
	{ { "I_MPI_PIN_ORDER", "the order of the domains" }, parse_order },
	{ { "I_MPI_PIN_CELL", "unit or core" }, parse_cell },
	{ { list_name, "the CPU of each rank" }, NULL },
	{ { "I_MPI_PERHOST", "ranks of each node" }, parse_perhost },
	{ { "I_MPI_HYDRA_TOPOLIB", "hwloc" }, parse_library },
	{ { "OMP_NUM_THREADS", "for I_MPI_PIN_DOMAIN=omp" }, parse_threads },
	{ { NULL, NULL }, NULL },
};
static const struct tmap_keywords variables = TMAP_KEYWORDS("variable", rows);

/* [0x3,0xc], or 0,3-4 */
static int parse_sets(struct tmap_intel_request *rq, struct tmap_idset **set, const char *text,
		      struct tmap_error *err)
{
	struct tmap_local_binding binding = { 0 };

	if (tmap_local_binding_parse_intel(&binding, text, err) == 0)
		*set = tmap_local_binding_sets(&binding, err);
	if (*set) {
		rq->set_count = binding.count;
		rq->set = *set;
	}
	tmap_local_binding_fini(&binding);
	return *set ? 0 : -1;
}

static int parse_domain(struct tmap_intel_request *rq, struct tmap_idset **set, const char *domain,
			const char *list, struct tmap_error *err)
{
	if (domain && *domain != '[')
		return tmap_intel_parse_domain(rq, domain, err) < 0 ?
			tmap_wrap(err, "%s", domain_name) :
			0;
	if (list && !domain && (*list < '0' || *list > '9'))
		return tmap_fail(err, TMAP_INPUT,
				 "%s: '%.40s' is no list of CPUs; sets such as allcores, and what "
				 "follows them, differ from release to release",
				 list_name, list);
	if (domain || list) {
		rq->domain = domain ? TMAP_INTEL_MASKS : TMAP_INTEL_LIST;
		if (parse_sets(rq, set, domain ? domain : list, err) < 0)
			return tmap_wrap(err, "%s", domain ? domain_name : list_name);
	}
	return 0;
}

/* In the table's order, then what hides or is hidden. */
static int parse_variables(struct tmap_intel_request *rq, struct tmap_idset **set,
			   const struct tmap_policy *policy, struct tmap_error *err)
{
	const char *domain = tmap_policy_env(policy, domain_name);
	const char *list = tmap_policy_env(policy, list_name);

	if (parse_domain(rq, set, domain, list, err) < 0)
		return -1;
	for (const struct variable *row = rows; row->word.name; row++) {
		const char *value = tmap_policy_env(policy, row->word.name);

		if (value && row->parse && row->parse(rq, value, err) < 0)
			return tmap_wrap(err, "%s", row->word.name);
	}
	rq->is_default = !domain && !list && !rq->is_ordered;
	return 0;
}

/* So many ranks on each node suffice for all? Whose number it is, the sentence says. */
static int check_ppn(const struct tmap_intel_request *rq, bool is_variable, int nodes,
		     struct tmap_error *err)
{
	if (!rq->ppn || rq->ranks == TMAP_NONE || rq->ranks <= (int64_t)rq->ppn * nodes)
		return 0;
	return tmap_fail(
		err, TMAP_INPUT,
		"%s%d takes %lld of %d rank%s on %d node%s: where the others go is not documented",
		is_variable ? "--env I_MPI_PERHOST=" : "--slots ", rq->ppn,
		(long long)rq->ppn * nodes, rq->ranks, rq->ranks == 1 ? "" : "s", nodes,
		nodes == 1 ? "" : "s");
}

static int intel_place(struct tmap_placement *p, struct tmap_machine *machine,
		       const struct tmap_policy *policy, struct tmap_error *err)
{
	struct tmap_intel_request rq = TMAP_INTEL_REQUEST_INIT;
	struct tmap_idset *set = NULL;
	int status;

	if (parse_variables(&rq, &set, policy, err) < 0) {
		tmap_idset_free_list(set, rq.set_count);
		return tmap_policy_refuse_word("--env", err);
	}
	rq.ranks = policy->ranks;
	if (policy->slots != TMAP_NONE)
		rq.ppn = policy->slots;
	if (check_ppn(&rq, policy->slots == TMAP_NONE, machine->node_count, err) < 0) {
		tmap_idset_free_list(set, rq.set_count);
		return -1;
	}
	status = tmap_intel_place(p, machine, &rq, err);
	tmap_idset_free_list(set, rq.set_count);
	return status;
}

static void intel_print(struct tmap_str *text, const struct tmap_policy *policy,
			const struct tmap_machine *machine)
{
	(void)machine;
	if (policy->slots != TMAP_NONE)
		tmap_str_addf(text, " --slots %d", policy->slots);
	for (int i = 0; i < policy->env_count; i++)
		tmap_policy_add_option(text, "--env", policy->env[i]);
}

const struct tmap_launcher_policy tmap_intel_policy = {
	.name = "Intel MPI's domains",
	.options = TMAP_POLICY_SLOTS | TMAP_POLICY_ENV | TMAP_POLICY_COLONS,
	.given = " --launcher intel",
	.variables = &variables,
	.host_slots = "--slots is its -ppn, and --from intel:FILE reads a machinefile",
	.place = intel_place,
	.print = intel_print,
};
