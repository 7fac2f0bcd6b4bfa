/* SPDX-License-Identifier: BSD-3-Clause */
#include "formats/report/inspection/json_inspection.h"

#include "core/base/hostlist.h"
#include "core/base/mem.h"
#include "core/cost/profile_choice.h"
#include "core/cost/profile_trust.h"
#include "core/machine/adapter_choice.h"
#include "core/machine/placement_digest.h"
#include "formats/json/json_write.h"
#include "formats/machine/distance_matrix.h"
#include "formats/machine/json_placement.h"
#include "formats/machine/json_topology.h"
#include "formats/report/account/json_account.h"
#include "formats/report/inspection/pairs_report.h"
#include "formats/report/inspection/ranks_report.h"

#include <math.h>
#include <stdlib.h>

static void put_order(struct tmap_json_writer *w, const struct tmap_inspection *it)
{
	const struct tmap_order *order = &it->order;
	char text[TMAP_ORDER_ROOM];

	tmap_json_put_int(w, "size", it->placement->size);
	if (it->placement->origin.masked_host)
		tmap_json_put_string(w, "masked_host", it->placement->origin.masked_host);
	tmap_json_put_int(w, "nodes", it->placement->machine->node_count);
	tmap_json_put_int(w, "used_nodes", order->used_nodes);
	tmap_json_open_line(w, "ranks_per_node", '{');
	tmap_json_put_int(w, "min", order->ranks_min);
	tmap_json_put_int(w, "max", order->ranks_max);
	tmap_json_close(w);
	tmap_json_put_bool(w, "regular", order->regular);
	tmap_json_put_bool(w, "consecutive", order->consecutive);
	tmap_json_put_string(w, "order", tmap_order_print(order, text));
}

static void put_bindings(struct tmap_json_writer *w, const struct tmap_binding_count *binding,
			 int count)
{
	char text[TMAP_BINDING_ROOM];

	tmap_json_open(w, "bindings", '[');
	for (int i = 0; i < count; i++) {
		tmap_json_open_line(w, NULL, '{');
		tmap_json_put_string(w, "bound_to", tmap_binding_print(binding[i].binding, text));
		tmap_json_put_int(w, "ranks", binding[i].ranks);
		tmap_json_close(w);
	}
	tmap_json_close(w);
}

static void put_levels(struct tmap_json_writer *w, const struct tmap_levels *levels)
{
	tmap_json_open(w, "levels", '[');
	for (int i = 0; i < levels->count; i++) {
		tmap_json_open_line(w, NULL, '{');
		tmap_json_put_string(w, "name", levels->level[i].name);
		tmap_json_put_int(w, "objects", levels->level[i].object_count);
		tmap_json_close(w);
	}
	tmap_json_close(w);
}

static int put_distances(struct tmap_json_writer *w, const struct tmap_inspection *it,
			 struct tmap_error *err)
{
	const struct tmap_pairs_report report = { &it->metric, it->pairs, (int)it->scale, true };

	tmap_json_put_string(w, "scale", tmap_keywords_at(&tmap_scales, (size_t)it->scale)->name);
	tmap_json_put_int(w, "pairs", tmap_inspection_pairs(it));
	return tmap_json_put_pairs_at(w, "distances", &report, err);
}

/* The nodes of a class in the short form of batch systems. */
static int put_nodes(struct tmap_json_writer *w, const struct tmap_inspection *it, int class,
		     struct tmap_error *err)
{
	const struct tmap_machine *machine = it->placement->machine;
	struct tmap_hostlist list = TMAP_HOSTLIST_INIT;
	struct tmap_str str = TMAP_STR_INIT;
	char *text = NULL;

	for (int n = 0; n < machine->node_count; n++)
		if (it->fold.class_of[n] == class &&
		    tmap_hostlist_add(&list, machine->node_name[n], err) < 0)
			goto out;
	tmap_hostlist_print(&list, &str);
	text = tmap_str_take(&str, err);
	if (text)
		tmap_json_put_string(w, "nodes", text);
out:
	tmap_hostlist_fini(&list);
	free(text);
	return text ? 0 : -1;
}

static int put_kind(struct tmap_json_writer *w, const struct tmap_inspection *it, int class,
		    struct tmap_error *err)
{
	int node = it->fold.example[class], first = it->fold.first[node];
	int count = it->fold.first[node + 1] - first, binding_count, status = -1;
	struct tmap_binding_count *binding = NULL;
	struct tmap_node_use use = { 0 };

	tmap_json_open(w, NULL, '{');
	if (put_nodes(w, it, class, err) < 0 ||
	    tmap_node_use_find(&use, it->placement, &it->fold, node, err) < 0 ||
	    tmap_binding_census(it->placement, it->fold.rank + first, count, &binding,
				&binding_count, err) < 0)
		goto out;
	tmap_json_put_int(w, "count", it->fold.nodes[class]);
	tmap_json_put_int(w, "topology", it->placement->machine->node_topology[node]);
	tmap_json_put_int(w, "ranks_each", count);
	put_bindings(w, binding, binding_count);
	tmap_json_put_int(w, "cores", use.cores);
	tmap_json_put_int(w, "idle_cores", use.idle_cores);
	status = tmap_json_put_set(w, "logical_pus", &use.own, err);
out:
	tmap_json_close(w);
	tmap_node_use_fini(&use);
	free(binding);
	return status;
}

static int put_kinds(struct tmap_json_writer *w, const struct tmap_inspection *it,
		     struct tmap_error *err)
{
	tmap_json_open(w, "node_kinds", '[');
	for (int c = 0; c < it->fold.class_count; c++)
		if (put_kind(w, it, c, err) < 0)
			return -1;
	tmap_json_close(w);
	return 0;
}

static void put_figures(struct tmap_json_writer *w, const struct tmap_finding *finding)
{
	tmap_json_open_line(w, "figures", '{');
	for (int i = 0; finding->rule->figure[i]; i++)
		if (!isnan(finding->figure[i]))
			tmap_json_put_double(w, finding->rule->figure[i], finding->figure[i]);
	tmap_json_close(w);
}

/* Rules that gave no answer, and why. */
static void put_skipped(struct tmap_json_writer *w, const struct tmap_lint *lint)
{
	tmap_json_open(w, "skipped", '[');
	for (int i = 0; i < lint->skipped_count; i++) {
		tmap_json_open_line(w, NULL, '{');
		tmap_json_put_string(w, "name", lint->skipped[i].rule->word.name);
		tmap_json_put_string(w, "reason", lint->skipped[i].reason);
		tmap_json_close(w);
	}
	tmap_json_close(w);
}

/* The names of the programs whose ranks are found, of a job of several. */
static int put_programs(struct tmap_json_writer *w, const struct tmap_inspection *it,
			const struct tmap_finding *finding, struct tmap_error *err)
{
	int status = 0;

	if (!it->parts.count)
		return 0;
	tmap_json_open_line(w, "programs", '[');
	for (int i = tmap_idset_next(&finding->parts, TMAP_NONE); i != TMAP_NONE && status == 0;
	     i = tmap_idset_next(&finding->parts, i)) {
		struct tmap_str str = TMAP_STR_INIT;
		char *name;

		tmap_mpmd_add_name(&str, &it->parts.part[i]);
		name = tmap_str_take(&str, err);
		status = name ? 0 : -1;
		if (name)
			tmap_json_put_string(w, NULL, name);
		free(name);
	}
	tmap_json_close(w);
	return status;
}

/* How many weigh how much, as the text says it. */
static void put_counts(struct tmap_json_writer *w, const struct tmap_lint *lint)
{
	tmap_json_open_line(w, "finding_counts", '{');
	for (int s = TMAP_SEVERITY_ERROR; s >= TMAP_SEVERITY_HINT; s--)
		tmap_json_put_int(w, tmap_keywords_at(&tmap_severities, (size_t)s)->name,
				  tmap_lint_count(lint, (enum tmap_severity)s) -
					  tmap_lint_count(lint, (enum tmap_severity)(s + 1)));
	tmap_json_close(w);
}

static int put_findings(struct tmap_json_writer *w, const struct tmap_inspection *it,
			const struct tmap_lint *lint, const struct tmap_origin_launcher *launcher,
			struct tmap_error *err)
{
	if (launcher->is_known)
		tmap_json_put_launcher(w, launcher);
	put_counts(w, lint);
	tmap_json_open(w, "findings", '[');
	for (int i = 0; i < lint->count; i++) {
		const struct tmap_finding *finding = &lint->finding[i];

		tmap_json_open(w, NULL, '{');
		tmap_json_put_string(w, "name", finding->rule->word.name);
		tmap_json_put_string(w, "severity",
				     tmap_keywords_at(&tmap_severities, finding->severity)->name);
		tmap_json_put_string(w, "reason", finding->reason);
		tmap_json_put_string(w, "fix", finding->fix);
		if (tmap_json_put_set(w, "ranks", &finding->ranks, err) < 0 ||
		    put_programs(w, it, finding, err) < 0)
			return -1;
		put_figures(w, finding);
		tmap_json_close(w);
	}
	tmap_json_close(w);
	put_skipped(w, lint);
	return 0;
}

static void put_use(struct tmap_json_writer *w, const char *name,
		    const struct tmap_verdict_use *use)
{
	tmap_json_open_line(w, name, '{');
	tmap_json_put_double(w, "objects", (double)use->objects);
	tmap_json_put_double(w, "idle", (double)use->idle);
	tmap_json_close(w);
}

static void put_gain(struct tmap_json_writer *w, const struct tmap_advice_gain *gain)
{
	tmap_json_put_double(w, "gain", gain->times);
	tmap_json_put_int(w, "profiles", gain->profiles);
	tmap_json_put_int(w, "against", gain->against);
}

static void put_better_order(struct tmap_json_writer *w, const char *member, int order,
			     const struct tmap_advice_gain *gain)
{
	if (order == TMAP_NONE)
		return;
	tmap_json_open_line(w, member, '{');
	tmap_json_put_string(w, "order", tmap_advice_order_at(order)->name);
	put_gain(w, gain);
	tmap_json_close(w);
}

static void put_advised_call(struct tmap_json_writer *w, const struct tmap_advice_call *call)
{
	tmap_json_open(w, NULL, '{');
	tmap_json_put_string(w, "collective", tmap_collective_rows[call->collective].word.name);
	tmap_json_put_int(w, "bytes", call->bytes);
	tmap_json_put_string(w, "algorithm", call->algorithm);
	if (call->here_s > 0)
		tmap_json_put_double(w, "seconds", call->here_s);
	if (call->better_s > 0)
		tmap_json_put_double(w, "better_order_seconds", call->better_s);
	if (call->knob) {
		tmap_json_open(w, "option", '{');
		tmap_json_put_string(w, "algorithm", call->other);
		tmap_json_put_string(w, "knob", call->knob);
		put_gain(w, &call->gain);
		tmap_json_close(w);
	}
	tmap_json_close(w);
}

static void put_advice(struct tmap_json_writer *w, const struct tmap_advice *advice)
{
	char reason[TMAP_PROFILE_ROOM];

	tmap_json_open_line(w, "profile", '{');
	tmap_json_put_string(w, "name", advice->profile.word.name);
	tmap_json_put_bool(w, "measured", advice->is_measured);
	if (advice->profile.calibration) {
		tmap_json_put_bool(w, "poor", tmap_profile_is_poor(&advice->profile));
		tmap_json_put_bool(w, "unjudged",
				   tmap_calibration_is_unjudged(advice->profile.calibration));
	}
	tmap_json_put_string(w, "reason", tmap_profile_print_reason(&advice->profile, reason));
	tmap_json_close(w);
	if (advice->library != TMAP_NONE)
		tmap_json_put_string(
			w, "library",
			tmap_keywords_at(&tmap_libraries, (size_t)advice->library)->name);
	tmap_json_put_bool(w, "library_named", advice->is_named);
	if (advice->nodes)
		tmap_json_put_int(w, "sample_nodes", advice->nodes);
	put_better_order(w, "better_order", advice->order, &advice->gain);
	put_better_order(w, "disputed_order", advice->disputed, &advice->dispute);
	tmap_json_open(w, "calls", '[');
	for (int i = 0; i < advice->count; i++)
		put_advised_call(w, &advice->call[i]);
	tmap_json_close(w);
}

static void put_verdict(struct tmap_json_writer *w, const struct tmap_verdict *verdict)
{
	tmap_json_open(w, "verdict", '{');
	tmap_json_put_bool(w, "bound_well", verdict->is_bound_well);
	tmap_json_put_int(w, "unbound", verdict->unbound);
	tmap_json_put_int(w, "threads", verdict->threads);
	if (verdict->is_counted) {
		tmap_json_put_double(w, "ranks_per_core", verdict->ranks_per_core);
		put_use(w, "cores", &verdict->cores);
		put_use(w, "packages", &verdict->packages);
		put_use(w, "numa_nodes", &verdict->numas);
	}
	put_advice(w, verdict->advice);
	tmap_json_close(w);
}

static int put_extras(struct tmap_json_writer *w, const struct tmap_inspection *it,
		      const struct tmap_json_inspection_extras *extras, struct tmap_error *err)
{
	if (extras->verdict)
		put_verdict(w, extras->verdict);
	if (extras->record && tmap_json_put_account(w, "record", extras->record, err) < 0)
		return -1;
	if (extras->lint && put_findings(w, it, extras->lint, extras->launcher, err) < 0)
		return -1;
	if (extras->count &&
	    tmap_json_put_ranks(w, it->placement, extras->rank, extras->count, err) < 0)
		return -1;
	if (!extras->matrix)
		return 0;
	return tmap_json_put_matrix(w, "matrix", &it->metric, extras->rank, extras->count, err);
}

/* Those that count, where the nodes have any. */
static int put_adapters(struct tmap_json_writer *w, const struct tmap_machine *machine,
			struct tmap_error *err)
{
	char *names;

	if (!tmap_adapters_are_known(machine))
		return 0;
	names = tmap_adapters_print(machine, err);
	if (!names)
		return -1;
	tmap_json_put_string(w, "adapters", names);
	free(names);
	return tmap_json_put_adapters_chosen(w, machine, err);
}

int tmap_json_write_inspection(FILE *out, const struct tmap_inspection *inspection,
			       const struct tmap_json_inspection_extras *extras,
			       struct tmap_error *err)
{
	char digest[TMAP_PLACEMENT_DIGEST_ROOM];
	struct tmap_json_writer w;

	if (tmap_placement_digest(inspection->placement, digest, err) < 0)
		return -1;
	tmap_json_begin(&w, out, "inspection");
	tmap_json_put_string(&w, "digest", digest);
	put_order(&w, inspection);
	if (tmap_json_put_world(&w, "world", inspection->placement, err) < 0 ||
	    put_adapters(&w, inspection->placement->machine, err) < 0)
		return -1;
	put_bindings(&w, inspection->binding, inspection->binding_count);
	tmap_json_open_line(&w, "sharing", '{');
	tmap_json_put_int(&w, "core", inspection->sharing_core);
	tmap_json_put_int(&w, "pu", inspection->sharing_pu);
	tmap_json_put_int(&w, "must_core", inspection->crowding_core);
	tmap_json_put_int(&w, "must_pu", inspection->crowding_pu);
	tmap_json_put_int(&w, "crowded_unbound", inspection->crowding_unbound);
	tmap_json_close(&w);
	put_levels(&w, &inspection->levels);
	if (put_distances(&w, inspection, err) < 0 || put_kinds(&w, inspection, err) < 0 ||
	    put_extras(&w, inspection, extras, err) < 0)
		return -1;
	return tmap_json_end(&w, err);
}
