/* SPDX-License-Identifier: BSD-3-Clause */
#include "core/lint/lint.h"

#include "core/base/mem.h"
#include "core/lint/lint_room.h"
#include "core/lint/lint_rules.h"

#include <assert.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

static const struct tmap_keyword severities[] = {
	[TMAP_SEVERITY_HINT] = { "hint", "a trade-off: as it should be for some programs" },
	[TMAP_SEVERITY_WARNING] = { "warning", "costs many programs time" },
	[TMAP_SEVERITY_ERROR] = { "error", "costs nearly every program much time" },
	{ NULL, NULL },
};

const struct tmap_keywords tmap_severities = TMAP_KEYWORDS("severity", severities);

static const struct tmap_lint_rule rules[] = {
	{ .word = { "unbound", "ranks that may run anywhere on their node" },
	  .why = "the system may move them away from their caches and their memory",
	  .fix = "bind them{: |bind|}; for threads, to as many cores as each rank has threads",
	  .severity = TMAP_SEVERITY_WARNING,
	  .check = tmap_lint_unbound,
	  .steps = tmap_lint_place_steps },
	{ .word = { "oversubscribed", "more ranks on a node than PUs that they may run on" },
	  .why = "they take turns on the PUs, and all wait for those whose turn it is not",
	  .fix = "start at most one rank a core{: |fewer RANKS RANKS/NODES NODES|}",
	  .severity = TMAP_SEVERITY_ERROR,
	  .figure = { "nodes", "ranks_each", "cores", "pus" },
	  .check = tmap_lint_oversubscribed,
	  .steps = tmap_lint_place_steps },
	{ .word = { "shared-pu", "PUs oversubscribed: more ranks bound to them than there are" },
	  .why = "they take turns on them, and the ranks that wait for one of them wait as long",
	  .fix = "give each rank PUs of its own{: |apart|}",
	  .severity = TMAP_SEVERITY_ERROR,
	  .figure = { "idle_cores", "cores" },
	  .check = tmap_lint_shared_pu,
	  .steps = tmap_lint_class_steps },
	{ .word = { "idle-cores", "hardware threads of a core shared while cores are idle" },
	  .why = "the ranks share the units and caches of a core",
	  .fix = "fill cores before hardware threads{: |cores|}",
	  .severity = TMAP_SEVERITY_WARNING,
	  .figure = { "idle_cores", "cores" },
	  .needs_all = true,
	  .check = tmap_lint_idle_cores,
	  .steps = tmap_lint_class_steps },
	{ .word = { "shared-core",
		    "cores oversubscribed: more ranks bound to them than there are; a hint "
		    "where each has a hardware thread and none is idle" },
	  .why = "the ranks share the units and caches of a core",
	  .fix = "if the code is limited by arithmetic or memory, start one rank a core",
	  .severity = TMAP_SEVERITY_WARNING,
	  .figure = { "idle_cores", "cores" },
	  .check = tmap_lint_shared_core,
	  .steps = tmap_lint_class_steps },
	{ .word = { "idle-memory",
		    "a NUMA node or package without ranks while another one is crowded" },
	  .why = "programs that are limited by memory get the bandwidth of the crowded ones only",
	  .fix = "distribute the ranks of a node over its NUMA nodes{: |each-numa CORES "
		 "RANKS/NUMANODES PUS RANKS/NODES CORES/RANKS PUS/RANKS|}",
	  .severity = TMAP_SEVERITY_WARNING,
	  .figure = { "idle", "crowded", "objects", "gpus", "idle_gpus" },
	  .needs_all = true,
	  .check = tmap_lint_idle_memory,
	  .steps = tmap_lint_class_steps },
	{ .word = { "idle-l3",
		    "an L3 cache without ranks while another one of its NUMA node is crowded" },
	  .why = "they share a cache, and its way to memory, while others are idle; only ranks that "
		 "do little but exchange with neighbors gain by that",
	  .fix = "distribute the ranks of a node over its L3 caches{: |each-cache CORES RANKS/CACHES "
		 "PUS RANKS/NODES CORES/RANKS PUS/RANKS|}",
	  .severity = TMAP_SEVERITY_WARNING,
	  .figure = { "idle", "crowded", "objects" },
	  .needs_all = true,
	  .check = tmap_lint_idle_l3,
	  .steps = tmap_lint_class_steps },
	{ .word = { "two-packages", "ranks bound to PUs of several packages" },
	  .why = "threads use memory and caches of the other one",
	  .fix = "bind each to PUs of one package{: |packages CORES RANKS/PACKAGES PUS|}",
	  .severity = TMAP_SEVERITY_WARNING,
	  .check = tmap_lint_two_packages,
	  .steps = tmap_lint_place_steps },
	{ .word = { "two-numa", "ranks bound to PUs of several NUMA nodes of a package" },
	  .why = "threads use memory of the other one",
	  .fix = "bind each to PUs of one NUMA node{: |numas CORES RANKS/NUMANODES PUS|}",
	  .severity = TMAP_SEVERITY_WARNING,
	  .check = tmap_lint_two_numa,
	  .steps = tmap_lint_place_steps },
	{ .word = { "far-memory", "memory bound to other NUMA nodes than the PUs" },
	  .why = "every access to memory crosses to another memory controller",
	  .fix = "bind memory where the PUs are: numactl --localalloc{, |memory|}, or no memory "
		 "policy at all",
	  .severity = TMAP_SEVERITY_ERROR,
	  .figure = { "memory_node", "pu_node" },
	  .check = tmap_lint_far_memory,
	  .steps = tmap_lint_place_steps },
	{ .word = { "many-threads", "more threads than PUs" },
	  .why = "they take turns, and at every barrier all wait for the last",
	  .fix = "bind each rank to as many cores as it has threads, or run fewer threads "
		 "(OMP_NUM_THREADS)",
	  .severity = TMAP_SEVERITY_ERROR,
	  .figure = { "threads", "pus" },
	  .check = tmap_lint_many_threads,
	  .steps = tmap_lint_place_steps },
	{ .word = { "piled-threads",
		    "threads of ranks bound to the same cores while others are idle" },
	  .why = "they share these cores, and at every barrier all wait for the last",
	  .fix = "bind each rank to as many cores of its own as it has threads",
	  .severity = TMAP_SEVERITY_ERROR,
	  .figure = { "ranks", "cores", "idle_cores" },
	  .needs_all = true,
	  .check = tmap_lint_piled_threads,
	  .steps = tmap_lint_pile_steps },
	{ .word = { "sibling-threads",
		    "threads of a rank on siblings of a core while cores are idle" },
	  .why = "the threads share the units and caches of a core",
	  .fix = "bind each rank to as many cores as it has threads",
	  .severity = TMAP_SEVERITY_WARNING,
	  .figure = { "threads", "pus", "idle_cores" },
	  .needs_all = true,
	  .check = tmap_lint_sibling_threads,
	  .steps = tmap_lint_class_steps },
	{ .word = { "loose-threads",
		    "threads that nothing binds, over several L3 caches or NUMA nodes; a warning where "
		    "it is NUMA nodes" },
	  .why = "the system may move them away from their caches, or from their memory",
	  .fix = "set OMP_PLACES=cores and OMP_PROC_BIND=close",
	  .severity = TMAP_SEVERITY_HINT,
	  .figure = { "threads", "pus" },
	  .check = tmap_lint_loose_threads,
	  .steps = tmap_lint_place_steps },
	{ .word = { "isolated-threads",
		    "threads of a rank on isolated PUs, which nothing binds each to one" },
	  .why = "the system moves no thread between isolated PUs (isolcpus), and all run on the one "
		 "where they began",
	  .fix = "set OMP_PLACES=cores and OMP_PROC_BIND=close",
	  .severity = TMAP_SEVERITY_ERROR,
	  .figure = { "threads", "pus" },
	  .check = tmap_lint_isolated_threads },
	{ .word = { "fewer-cpus",
		    "ranks bound to fewer PUs than Slurm was asked for each; a warning where "
		    "they run more threads" },
	  .why = "the others are kept for them, and idle",
	  .fix = "give srun the number too, --cpus-per-task or SRUN_CPUS_PER_TASK (since Slurm "
		 "22.05 it does not take it from sbatch); let mpirun bind each rank to so many",
	  .severity = TMAP_SEVERITY_HINT,
	  .figure = { "asked", "pus" },
	  .check = tmap_lint_fewer_cpus },
	{ .word = { "thread-limit",
		    "OMP_THREAD_LIMIT leaves ranks fewer threads than "
		    "OMP_NUM_THREADS asks for, and than they have PUs" },
	  .why = "OpenMP starts no more, and says nothing",
	  .fix = "unset OMP_THREAD_LIMIT, or set it to as many threads",
	  .severity = TMAP_SEVERITY_WARNING,
	  .figure = { "limit", "asked", "pus" },
	  .check = tmap_lint_thread_limit },
	{ .word = { "cpu-quota", "more threads than a cgroup gives a node time for" },
	  .why = "when their share of a period is used, the system stops them all for the rest "
		 "of it",
	  .fix = "ask for as many CPUs as there are threads, or start fewer",
	  .severity = TMAP_SEVERITY_ERROR,
	  .figure = { "threads", "cpu_quota" },
	  .check = tmap_lint_cpu_quota },
	{ .word = { "memory-limit",
		    "a cgroup gives much less memory than goes with the cores of a node" },
	  .why = "when they need more, the system kills one of them, and the job ends",
	  .fix = "ask for more memory (Slurm: --mem=0 is all of a node), or start fewer ranks",
	  .severity = TMAP_SEVERITY_HINT,
	  .figure = { "limit_bytes", "memory_bytes", "bytes_each" },
	  .check = tmap_lint_memory_limit,
	  .steps = tmap_lint_place_steps },
	{ .word = { "disallowed-pus", "ranks bound to PUs that the job may not use" },
	  .why = "the system refuses such a binding, or leaves out of it what is not allowed",
	  .fix = "bind the ranks to PUs that the job has",
	  .severity = TMAP_SEVERITY_ERROR,
	  .figure = { "pu" },
	  .check = tmap_lint_disallowed_pus,
	  .steps = tmap_lint_place_steps },
	{ .word = { "system-core", "ranks on the PUs that isolcpus or nohz_full leave the system" },
	  .why = "whatever else runs there interrupts them, and all ranks wait for them",
	  .fix = "bind the ranks to the PUs that are kept apart for jobs, by a file of their launcher "
		 "if need be",
	  .severity = TMAP_SEVERITY_WARNING,
	  .figure = { "pu" },
	  .check = tmap_lint_system_core,
	  .steps = tmap_lint_place_steps },
	{ .word = { "slow-cores", "ranks on efficiency cores while faster cores are idle" },
	  .why = "each step takes as long as the slowest core needs",
	  .fix = "bind the ranks to the fast cores first, by a file of their launcher if need be",
	  .severity = TMAP_SEVERITY_WARNING,
	  .needs_all = true,
	  .check = tmap_lint_slow_cores,
	  .steps = tmap_lint_class_steps },
	{ .word = { "unequal-cores", "ranks on slower cores than others, which are all taken" },
	  .why = "where all have as much to do, those on fast cores wait for the others",
	  .fix = "give the ranks on slow cores less to do, or start ranks on the fast ones only",
	  .severity = TMAP_SEVERITY_HINT,
	  .needs_all = true,
	  .check = tmap_lint_unequal_cores,
	  .steps = tmap_lint_class_steps },
	{ .word = { "huge-pages",
		    "huge pages on other NUMA nodes than the ranks, of 1/64 of a memory or more" },
	  .why = "a program that uses them gets them from afar",
	  .fix = "have as many huge pages on each NUMA node, or bind the ranks where they are",
	  .severity = TMAP_SEVERITY_HINT,
	  .check = tmap_lint_huge_pages,
	  .steps = tmap_lint_place_steps },
	{ .word = { "far-adapter",
		    "ranks far from every network adapter while cores near one are idle" },
	  .why = "their messages to other nodes cross to another memory controller",
	  .fix = "fill the idle cores near the adapter first; bind the leaders of each node (its "
		 "first rank, those of hierarchical collectives) there",
	  .severity = TMAP_SEVERITY_WARNING,
	  .needs_all = true,
	  .check = tmap_lint_far_adapter,
	  .steps = tmap_lint_device_steps },
	{ .word = { "one-adapter", "several adapters, of which the first ranks of a node use one" },
	  .why = "lanes and leaders leave the other adapters unused",
	  .fix = "let neighboring ranks alternate between packages, or NUMA nodes, so that lanes "
		 "and leaders use all adapters{: |turns CORES RANKS/PACKAGES PUS RANKS/NODES|}",
	  .severity = TMAP_SEVERITY_HINT,
	  .needs_all = true,
	  .check = tmap_lint_one_adapter },
	{ .word = { "far-gpu", "ranks far from every GPU while cores near one are idle" },
	  .why = "what they copy to or from a GPU crosses to another memory controller",
	  .fix = "bind ranks that use GPUs close to them{: |gpus NUMANODES|}, or by a file of their "
		 "launcher",
	  .severity = TMAP_SEVERITY_WARNING,
	  .needs_all = true,
	  .check = tmap_lint_far_gpu,
	  .steps = tmap_lint_device_steps },
	{ .word = { "idle-nodes", "nodes of the job without ranks" },
	  .why = "the ranks share the memory and the adapters of fewer nodes than the job has",
	  .fix = "distribute the ranks over all nodes{: |even CORES RANKS/NODES NODES RANKS PUS|}, "
		 "or ask for fewer nodes",
	  .severity = TMAP_SEVERITY_WARNING,
	  .subject = TMAP_LINT_OF_NODES,
	  .figure = { "nodes", "idle_nodes" },
	  .needs_all = true,
	  .check = tmap_lint_idle_nodes },
	{ .word = { "uneven-nodes", "nodes with different numbers of ranks" },
	  .why = "the communicator is irregular, and lane and hierarchical collectives fall back",
	  .fix = "put as many ranks on every node{: |even CORES RANKS/NODES NODES RANKS PUS|}",
	  .severity = TMAP_SEVERITY_WARNING,
	  .subject = TMAP_LINT_OF_NODES,
	  .figure = { "nodes", "used_nodes", "ranks", "usual_ranks" },
	  .needs_all = true,
	  .check = tmap_lint_uneven },
	{ .word = { "unequal-nodes",
		    "more ranks or threads than cores on small nodes, and not on large ones" },
	  .why = "a rank of the small nodes takes longer, and the others wait for it",
	  .fix = "share the ranks by the cores of the nodes, or bind each to as many cores",
	  .severity = TMAP_SEVERITY_WARNING,
	  .figure = { "threads", "cores", "other_threads", "other_cores", "cores_each",
		      "other_cores_each" },
	  .needs_all = true,
	  .check = tmap_lint_unequal_nodes,
	  .steps = tmap_lint_class_steps },
	{ .word = { "not-consecutive", "nodes whose ranks are not contiguous" },
	  .why = "lane and hierarchical collectives that count ranks node by node fall back",
	  .fix = "number the ranks node after node{ with |block CORES RANKS/NODES|}, or reorder them "
		 "({topomap lanes --fix}), or split a communicator whose keys follow the nodes",
	  .severity = TMAP_SEVERITY_WARNING,
	  .subject = TMAP_LINT_OF_ORDER,
	  .figure = { "nodes", "used_nodes" },
	  .check = tmap_lint_not_consecutive },
	{ .word = { "slow-order", "an order of ranks in which the default algorithms are slow" },
	  .why = "they send more, or longer, between nodes than they need to",
	  .fix = "number the ranks node after node, or distribute them over the nodes in turn, "
		 "whichever is quicker; or select other algorithms",
	  .severity = TMAP_SEVERITY_WARNING,
	  .subject = TMAP_LINT_OF_ORDER,
	  .is_advice = true,
	  .figure = { "times_as_long" },
	  .check = tmap_lint_slow_order },
	{ .word = { "long-mapping", "a map of ranks to nodes that is too long for some launchers" },
	  .why = "PMI values of some MPI libraries (Cray MPICH) end at 1024 bytes",
	  .fix = "number the ranks node after node{ with |block CORES RANKS/NODES|}, or reorder "
		 "them inside the program",
	  .severity = TMAP_SEVERITY_WARNING,
	  .subject = TMAP_LINT_OF_ORDER,
	  .figure = { "bytes", "most_bytes" },
	  .check = tmap_lint_long_mapping },
	{ .word = { "split-switches",
		    "nodes of a leaf switch whose ranks do not follow one another" },
	  .why = "neighboring ranks exchange over more switches than they need to",
	  .fix = "list the hosts switch by switch",
	  .severity = TMAP_SEVERITY_HINT,
	  .subject = TMAP_LINT_OF_ORDER,
	  .figure = { "steps", "least_steps" },
	  .check = tmap_lint_split_switches },
	{ .word = { "no-common-switch", "nodes that no known switch joins" },
	  .why = "nothing is known of the way between them",
	  .fix = "if a switch joins them, describe it in the network file; else take nodes of one "
		 "network",
	  .severity = TMAP_SEVERITY_WARNING,
	  .subject = TMAP_LINT_OF_NODES,
	  .check = tmap_lint_no_common_switch },
	{ .word = { NULL, NULL } },
};

enum { RULES = sizeof rules / sizeof rules[0] - 1 };

_Static_assert((int)RULES <= (int)TMAP_LINT_RULES, "--ignore is a mask of them");

const struct tmap_keywords tmap_lint_rules = TMAP_KEYWORDS("rule", rules);

const struct tmap_lint_rule *tmap_lint_rule_at(int row)
{
	return row >= 0 && row < RULES ? &rules[row] : NULL;
}

static void finding_fini(struct tmap_finding *finding)
{
	free(finding->reason);
	free(finding->fix);
	tmap_idset_fini(&finding->ranks);
	tmap_idset_fini(&finding->parts);
}

void tmap_lint_fini(struct tmap_lint *lint)
{
	for (int i = 0; i < lint->count; i++)
		finding_fini(&lint->finding[i]);
	for (int i = 0; i < lint->skipped_count; i++)
		free(lint->skipped[i].reason);
	free(lint->finding);
	free(lint->skipped);
	*lint = (struct tmap_lint){ 0 };
}

/* Reasons not to begin. */
static enum tmap_lint_answer rule_check(struct tmap_finding *finding,
					const struct tmap_inspection *it, uint64_t ignored,
					struct tmap_error *err)
{
	const struct tmap_lint_rule *rule = finding->rule;
	double steps = rule->steps ? rule->steps(it) : 0;
	enum tmap_lint_answer answer;

	if (ignored & TMAP_KEYWORDS_BIT(rule - rules))
		return tmap_lint_skipped_take(finding,
					      tmap_strdup("it was asked to be left out", err));
	if (rule->needs_all && tmap_inspection_is_of_part(it))
		return tmap_lint_skipped_take(
			finding,
			tmap_strdup("the placement has some ranks of a job, and does not "
				    "say where the others are",
				    err));
	if (steps > TMAP_LINT_STEPS)
		return tmap_lint_skipped_take(
			finding,
			tmap_format(err,
				    "the job is too large: it would take %.0e steps, and %.0e "
				    "are the most",
				    steps, TMAP_LINT_STEPS));
	answer = rule->check(finding, it, err);
	/* what cannot be computed of this job is no reason to fail the command */
	if (answer == TMAP_LINT_FAILED && err->kind == TMAP_INPUT)
		return tmap_lint_skipped_take(finding, tmap_strdup(err->text, err));
	return answer;
}

/* Takes the finding, whatever it answers. */
static int lint_add(struct tmap_lint *lint, struct tmap_finding *finding,
		    enum tmap_lint_answer answer, struct tmap_error *err)
{
	if (answer == TMAP_LINT_FOUND && !finding->fix)
		finding->fix = tmap_lint_fix(finding, finding->rule->fix, err);
	if (answer == TMAP_LINT_FOUND && !finding->fix)
		answer = TMAP_LINT_FAILED;
	finding->launchers = NULL;
	finding->inspection = NULL;
	if (answer == TMAP_LINT_FOUND) {
		lint->finding[lint->count++] = *finding;
		return 0;
	}
	if (answer == TMAP_LINT_SKIPPED) {
		lint->skipped[lint->skipped_count++] =
			(struct tmap_lint_skip){ finding->rule, finding->reason };
		finding->reason = NULL;
	}
	finding_fini(finding);
	return answer == TMAP_LINT_FAILED ? -1 : 0;
}

/* A few findings, of which equals stay as they are. */
static void lint_sort(struct tmap_lint *lint)
{
	for (int i = 1; i < lint->count; i++) {
		struct tmap_finding finding = lint->finding[i];
		int at = i;

		for (; at > 0 && lint->finding[at - 1].severity < finding.severity; at--)
			lint->finding[at] = lint->finding[at - 1];
		lint->finding[at] = finding;
	}
}

int tmap_lint_init(struct tmap_lint *lint, const struct tmap_inspection *inspection,
		   const struct tmap_lint_request *request, struct tmap_error *err)
{
	struct tmap_lint made = { .ignored = request->ignored };

	made.finding = tmap_alloc(RULES, sizeof *made.finding, err);
	made.skipped = tmap_alloc(RULES, sizeof *made.skipped, err);
	if (!made.finding || !made.skipped)
		goto refused;
	for (int i = 0; i < RULES; i++) {
		struct tmap_finding finding = { .rule = &rules[i],
						.severity = rules[i].severity,
						.launchers = request->launchers,
						.inspection = inspection };
		enum tmap_lint_answer answer;

		for (int f = 0; f < TMAP_LINT_FIGURES; f++)
			finding.figure[f] = NAN;
		answer = rule_check(&finding, inspection, request->ignored, err);
		if (lint_add(&made, &finding, answer, err) < 0)
			goto refused;
	}
	lint_sort(&made);
	*lint = made;
	return 0;
refused:
	tmap_lint_fini(&made);
	return -1;
}

int tmap_lint_count(const struct tmap_lint *lint, enum tmap_severity least)
{
	int count = 0;

	for (int i = 0; i < lint->count; i++)
		count += lint->finding[i].severity >= least;
	return count;
}

char *tmap_lint_print_count(const struct tmap_lint *lint, struct tmap_error *err)
{
	struct tmap_str parts = TMAP_STR_INIT;
	const char *comma = "";
	char *text, *whole;
	int all = lint->count;

	for (int s = TMAP_SEVERITY_ERROR; s >= TMAP_SEVERITY_HINT; s--) {
		int count = tmap_lint_count(lint, (enum tmap_severity)s) -
			tmap_lint_count(lint, (enum tmap_severity)(s + 1));

		if (!count)
			continue;
		if (count < all)
			tmap_str_addf(&parts, "%s%d ", comma, count);
		tmap_str_addf(&parts, "%s%s", severities[s].name, count == 1 ? "" : "s");
		comma = ", ";
	}
	text = tmap_str_take(&parts, err);
	if (!text)
		return NULL;
	whole = tmap_format(err, "%d finding%s (%s)", lint->count, lint->count == 1 ? "" : "s",
			    text);
	free(text);
	return whole;
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

/* Has it a number in braces, "{: |fewer 32 16 2|}"? */
static bool is_counted(const char *text)
{
	for (; (text = strchr(text, '{')); text++) {
		const char *name = strchr(text, '|');

		if (name && name[1 + strcspn(name + 1, " |")] == ' ')
			return true;
	}
	return false;
}

/* Has each node that is used cores? */
static bool has_cores(const struct tmap_inspection *it)
{
	for (int c = 0; c < it->fold.class_count; c++)
		if (!tmap_topology_count(
			    tmap_machine_topology(it->placement->machine, it->fold.example[c]),
			    TMAP_CORE))
			return false;
	return true;
}

/* Have all cores of a node as many PUs, unlike those of hybrid ones? */
static bool has_equal_cores(const struct tmap_inspection *it)
{
	for (int c = 0; c < it->fold.class_count; c++) {
		const struct tmap_topology *topo =
			tmap_machine_topology(it->placement->machine, it->fold.example[c]);
		int cores = tmap_topology_allowed_cores(topo);

		if (cores && tmap_topology_allowed_pus(topo) % cores)
			return false;
	}
	return true;
}

/* Intel MPI takes no notice of its other variables where I_MPI_PIN is off, and what was bound by another
 * program stays so. */
static char *add_pin_take(const struct tmap_finding *finding, char *fix_take,
			  struct tmap_error *err)
{
	static const char pin[] = "-genv I_MPI_PIN";
	const struct tmap_inspection *it = finding->inspection;
	const struct tmap_placement *p = it->placement;
	const char *at = fix_take ? strstr(fix_take, pin) : NULL;
	bool is_off = false, is_bound = false;
	char *fix;

	for (int i = 0; at && i < p->setting_count; i++)
		is_off = is_off || tmap_setting_is_unpinned(&p->settings[i]);
	if (!is_off)
		return fix_take;
	for (int i = 0; i < it->binding_count; i++)
		is_bound = is_bound || it->binding[i].binding.bound;
	fix = tmap_format(err, "%.*s%s 1 %s%s", (int)(at - fix_take), fix_take, pin, at,
			  is_bound ? ", without what binds them now (taskset, numactl)" : "");
	free(fix_take);
	return fix;
}

static struct tmap_fix_nodes fix_nodes(const struct tmap_inspection *it)
{
	return (struct tmap_fix_nodes){ has_cores(it), has_equal_cores(it),
					tmap_room_is_in_order(it) };
}

bool tmap_lint_lacks_words(const struct tmap_finding *finding, const char *text)
{
	struct tmap_fix_nodes nodes = fix_nodes(finding->inspection);

	return finding->launchers[0] && !finding->launchers[1] &&
		!tmap_fix_has_words(text, finding->launchers[0], &nodes);
}

/* A launcher's options go for all programs that it starts, and each has its own number of ranks; and for
 * all ranks of a job, of which those of a communicator are a part. */
char *tmap_lint_fix(const struct tmap_finding *finding, const char *text, struct tmap_error *err)
{
	static const struct tmap_fix_words *const none[] = { NULL };
	const struct tmap_inspection *it = finding->inspection;
	bool is_for_all = it->parts.count ?
		tmap_idset_size(&finding->ranks) == it->placement->size && !is_counted(text) :
		!it->placement->world || !is_counted(text);
	struct tmap_fix_nodes nodes = fix_nodes(it);

	return add_pin_take(finding,
			    tmap_fix_print(text, is_for_all ? finding->launchers : none, &nodes,
					   it->words, err),
			    err);
}

char *tmap_lint_where(const struct tmap_finding *finding, int example, bool is_alike,
		      struct tmap_error *err)
{
	const struct tmap_inspection *it = finding->inspection;
	const struct tmap_machine *machine = it->placement->machine;
	bool *is_in = tmap_alloc((size_t)machine->node_count, sizeof *is_in, err);
	int nodes = 0;

	if (!is_in)
		return NULL;
	for (int r = tmap_idset_next(&finding->ranks, TMAP_NONE); r != TMAP_NONE;
	     r = tmap_idset_next(&finding->ranks, r)) {
		nodes += !is_in[it->placement->node[r]];
		is_in[it->placement->node[r]] = true;
	}
	free(is_in);
	if (nodes < 2)
		return tmap_strdup(machine->node_name[example], err);
	if (nodes == it->order.used_nodes && it->fold.class_count == 1 && is_alike)
		return tmap_strdup("each node", err);
	return tmap_format(err, "%s (one of %d such nodes)", machine->node_name[example], nodes);
}

void tmap_lint_figure(struct tmap_finding *finding, const char *name, double value)
{
	int i = 0;

	while (finding->rule->figure[i] && strcmp(finding->rule->figure[i], name) != 0)
		i++;
	assert(finding->rule->figure[i] && "a figure of the rule's row");
	finding->figure[i] = value;
}

/* Which programs the ranks are of. */
static int parts_find(struct tmap_finding *finding, struct tmap_error *err)
{
	const struct tmap_inspection *it = finding->inspection;

	for (int r = tmap_idset_next(&finding->ranks, TMAP_NONE); r != TMAP_NONE && it->parts.count;
	     r = tmap_idset_next(&finding->ranks, r))
		if (tmap_idset_add(&finding->parts, tmap_mpmd_of(&it->parts, it->placement, r),
				   err) < 0)
			return -1;
	return 0;
}

enum { MOST_PARTS = 3 };

/* ", in programs ocean and air", unless it is all of them. */
static void add_parts(struct tmap_str *str, const struct tmap_finding *finding)
{
	const struct tmap_mpmd *parts = &finding->inspection->parts;
	int64_t count = tmap_idset_size(&finding->parts);
	int shown = 0;

	if (count == parts->count)
		return;
	tmap_str_addf(str, ", in program%s ", count == 1 ? "" : "s");
	for (int i = tmap_idset_next(&finding->parts, TMAP_NONE);
	     i != TMAP_NONE && shown < MOST_PARTS; i = tmap_idset_next(&finding->parts, i)) {
		tmap_str_add(str, shown++ == 0 ? "" : shown == count ? " and " : ", ");
		tmap_mpmd_add_name(str, &parts->part[i]);
	}
	if (shown < count)
		tmap_str_addf(str, " and %lld more", (long long)count - shown);
}

enum tmap_lint_answer tmap_lint_found_take(struct tmap_finding *finding, char *what_take,
					   struct tmap_error *err)
{
	struct tmap_str str = TMAP_STR_INIT;

	if (!what_take || parts_find(finding, err) < 0) {
		free(what_take);
		return TMAP_LINT_FAILED;
	}
	tmap_str_add(&str, what_take);
	free(what_take);
	add_parts(&str, finding);
	finding->what = (int)str.length;
	tmap_str_addf(&str, ": %s", finding->rule->why);
	finding->reason = tmap_str_take(&str, err);
	return finding->reason ? TMAP_LINT_FOUND : TMAP_LINT_FAILED;
}

enum tmap_lint_answer tmap_lint_skipped_take(struct tmap_finding *finding, char *reason_take)
{
	free(finding->reason);
	finding->reason = reason_take;
	return reason_take ? TMAP_LINT_SKIPPED : TMAP_LINT_FAILED;
}

double tmap_lint_place_steps(const struct tmap_inspection *it)
{
	const struct tmap_placement *p = it->placement;
	double steps = p->size;

	for (int i = 0; i < p->place_count; i++)
		steps += p->machine->topology[p->places[i].topology].pu_count;
	return steps;
}

double tmap_lint_class_steps(const struct tmap_inspection *it)
{
	const struct tmap_placement *p = it->placement;
	double steps = p->size;

	for (int c = 0; c < it->fold.class_count; c++) {
		int node = it->fold.example[c];
		double ranks = it->fold.first[node + 1] - it->fold.first[node];
		double places = ranks < p->place_count ? ranks : p->place_count;

		steps +=
			p->place_count + places * tmap_machine_topology(p->machine, node)->pu_count;
	}
	return steps;
}

double tmap_lint_device_steps(const struct tmap_inspection *it)
{
	const struct tmap_placement *p = it->placement;
	double steps = p->size;

	steps += tmap_lint_class_steps(it);
	for (int t = 0; t < p->machine->topology_count; t++)
		steps += (double)p->place_count * (1 + p->machine->topology[t].device_count);
	return steps;
}
