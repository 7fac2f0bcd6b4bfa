/* SPDX-License-Identifier: BSD-3-Clause */
#include "formats/report/inspection/text_inspection.h"

#include "core/base/hostlist.h"
#include "core/base/mem.h"
#include "core/base/string.h"
#include "core/machine/adapter_choice.h"
#include "core/machine/overlap.h"
#include "formats/base/wrap.h"
#include "formats/report/inspection/pairs_report.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

enum {
	LABEL = 10,
	SCREEN = 80,
	MOST_KINDS = 12,
	NODES_WIDTH = 24,
	BOUND_WIDTH = 22,
	IDLE_WIDTH = 13,
	PUS_WIDTH = 10,
};

static const char *plural(int64_t count)
{
	return count == 1 ? "" : "s";
}

static void add_ranks(struct tmap_str *str, const struct tmap_inspection *it)
{
	const struct tmap_order *order = &it->order;
	int nodes = it->placement->machine->node_count;

	tmap_str_addf(str, "%d on %d", it->placement->size, order->used_nodes);
	if (order->used_nodes < nodes)
		tmap_str_addf(str, " of %d", nodes);
	tmap_str_addf(str, " node%s, ",
		      plural(order->used_nodes < nodes ? nodes : order->used_nodes));
	if (order->regular)
		tmap_str_addf(str, "%d on each", order->ranks_min);
	else
		tmap_str_addf(str, "%d to %d on each", order->ranks_min, order->ranks_max);
}

static void add_order(struct tmap_str *str, const struct tmap_order *order)
{
	char text[TMAP_ORDER_ROOM];

	tmap_str_addf(str, "%s (%sregular, %sconsecutive)", tmap_order_print(order, text),
		      order->regular ? "" : "not ", order->consecutive ? "" : "not ");
}

/* "core (30 ranks), 2 cores (2 ranks)" */
static void add_bindings(struct tmap_str *str, const struct tmap_binding_count *binding, int count)
{
	char text[TMAP_BINDING_ROOM];

	for (int i = 0; i < count; i++)
		tmap_str_addf(str, "%s%s (%d rank%s)", i ? ", " : "",
			      tmap_binding_print(binding[i].binding, text), binding[i].ranks,
			      plural(binding[i].ranks));
}

static void add_sharing(struct tmap_str *str, const struct tmap_inspection *it)
{
	const char *unit = tmap_overlap_unit(it->placement->machine);

	if (it->crowding_unbound)
		tmap_str_addf(str, "%d ranks are on nodes with fewer %ss than ranks%s",
			      it->crowding_unbound, unit, it->crowding_core ? "; " : "");
	if (it->crowding_unbound && !it->crowding_core)
		return;
	if (!it->sharing_core)
		tmap_str_addf(str, "no two bound ranks share a %s", unit);
	else if (!it->crowding_core)
		tmap_str_addf(str, "%d ranks may meet another on a %s, none must", it->sharing_core,
			      unit);
	else
		tmap_str_addf(str, "%d ranks must share a %s", it->crowding_core, unit);
	if (it->crowding_core && strcmp(unit, "core") == 0)
		tmap_str_addf(str, ", %d of them a PU", it->crowding_pu);
}

static void add_levels(struct tmap_str *str, const struct tmap_levels *levels)
{
	for (int i = 0; i < levels->count; i++)
		tmap_str_addf(str, "%s%s %d", i ? ", " : "", levels->level[i].name,
			      levels->level[i].object_count);
}

/* Those that messages go over. */
static int add_adapters(struct tmap_str *str, const struct tmap_machine *machine,
			struct tmap_error *err)
{
	char *names = tmap_adapters_print(machine, err);

	if (!names)
		return -1;
	tmap_str_add(str, names);
	free(names);
	return 0;
}

/* "ocean (4 ranks, 8 threads each), air (32 ranks)": of each setting the ranks that have it; where
 * their program is not known, "32 ranks". */
static int add_settings(struct tmap_str *str, const struct tmap_placement *p,
			struct tmap_error *err)
{
	int *ranks = tmap_alloc((size_t)p->setting_count, sizeof *ranks, err);
	int shown = 0;

	for (int r = 0; ranks && r < p->size; r++)
		ranks[p->setting ? p->setting[r] : 0]++;
	for (int i = 0; ranks && i < p->setting_count; i++) {
		const struct tmap_setting *setting = &p->settings[i];
		int threads = tmap_setting_threads(setting, NULL);
		bool is_named = setting->program || setting->part != TMAP_NONE;

		if (!ranks[i]) /* of the job, but not of this communicator */
			continue;
		tmap_str_add(str, shown ? ", " : "");
		if (shown++ == MOST_KINDS) {
			tmap_str_add(str, "...");
			break;
		}
		if (setting->program)
			tmap_str_add(str, setting->program);
		else if (is_named)
			tmap_str_addf(str, "program %d", setting->part);
		tmap_str_addf(str, "%s%d rank%s", is_named ? " (" : "", ranks[i], plural(ranks[i]));
		if (threads)
			tmap_str_addf(str, ", %d thread%s each", threads, plural(threads));
		tmap_str_add(str, is_named ? ")" : "");
	}
	free(ranks);
	return ranks ? 0 : -1;
}

/* Does anything of how the ranks were started make a difference to a reader? */
static bool settings_are_worth_it(const struct tmap_placement *p)
{
	for (int i = 0; i < p->setting_count; i++)
		if (p->settings[i].program || p->settings[i].part > 0 ||
		    tmap_setting_threads(&p->settings[i], NULL) > 1)
			return true;
	return false;
}

static void add_origin(struct tmap_str *str, const struct tmap_origin *origin)
{
	/* without a library the launcher is one that the request names */
	const char *part[] = { origin->by, origin->request, origin->mpi,
			       origin->mpi ? origin->launcher : NULL, origin->date };
	bool is_first = true;

	for (size_t i = 0; i < sizeof part / sizeof part[0]; i++) {
		if (!part[i])
			continue;
		tmap_str_addf(str, "%s%s", is_first ? "" : i == 1 ? ": " : ", ", part[i]);
		is_first = false;
	}
}

/* False: the names are as they were read. */
static bool add_masked(struct tmap_str *str, const struct tmap_origin *origin)
{
	if (!origin->masked_host)
		return false;
	tmap_str_addf(str, "masked as %s in what was read: their nodes have names that no host has",
		      origin->masked_host);
	return true;
}

static int write_summary(FILE *out, const struct tmap_inspection *it, struct tmap_error *err)
{
	struct tmap_str str = TMAP_STR_INIT;

	add_ranks(&str, it);
	if (tmap_text_write_wrapped_str(out, LABEL, "ranks", &str, err) < 0)
		return -1;
	add_order(&str, &it->order);
	if (tmap_text_write_wrapped_str(out, LABEL, "order", &str, err) < 0)
		return -1;
	add_bindings(&str, it->binding, it->binding_count);
	if (tmap_text_write_wrapped_str(out, LABEL, "bound to", &str, err) < 0)
		return -1;
	add_sharing(&str, it);
	if (tmap_text_write_wrapped_str(out, LABEL, "sharing", &str, err) < 0)
		return -1;
	add_levels(&str, &it->levels);
	if (tmap_text_write_wrapped_str(out, LABEL, "levels", &str, err) < 0)
		return -1;
	if (tmap_adapters_are_known(it->placement->machine) &&
	    (add_adapters(&str, it->placement->machine, err) < 0 ||
	     tmap_text_write_wrapped_str(out, LABEL, "adapters", &str, err) < 0)) {
		tmap_str_fini(&str);
		return -1;
	}
	if (settings_are_worth_it(it->placement) &&
	    (add_settings(&str, it->placement, err) < 0 ||
	     tmap_text_write_wrapped_str(out, LABEL, "programs", &str, err) < 0)) {
		tmap_str_fini(&str);
		return -1;
	}
	if (add_masked(&str, &it->placement->origin) &&
	    tmap_text_write_wrapped_str(out, LABEL, "hosts", &str, err) < 0)
		return -1;
	add_origin(&str, &it->placement->origin);
	if (!str.length && !str.failed) {
		tmap_str_fini(&str);
		return 0;
	}
	return tmap_text_write_wrapped_str(out, LABEL, "made by", &str, err);
}

static int write_pairs(FILE *out, const struct tmap_inspection *it, struct tmap_error *err)
{
	const struct tmap_pairs_report report = { &it->metric, it->pairs, (int)it->scale, true };

	if (!tmap_inspection_pairs(it))
		return 0;
	fputc('\n', out);
	return tmap_text_write_pairs_at(out, &report, err);
}

static char *cut(char *text, size_t width)
{
	if (text && strlen(text) > width)
		memcpy(text + width - 3, "...", 4);
	return text;
}

/* "n[0-3,7]": the nodes of a class, cut to the screen. */
static char *name_nodes(const struct tmap_inspection *it, int class, struct tmap_error *err)
{
	const struct tmap_machine *machine = it->placement->machine;
	struct tmap_hostlist list = TMAP_HOSTLIST_INIT;
	struct tmap_str str = TMAP_STR_INIT;

	for (int n = 0; n < machine->node_count; n++)
		if (it->fold.class_of[n] == class &&
		    tmap_hostlist_add(&list, machine->node_name[n], err) < 0) {
			tmap_hostlist_fini(&list);
			return NULL;
		}
	tmap_hostlist_print(&list, &str);
	tmap_hostlist_fini(&list);
	return cut(tmap_str_take(&str, err), SCREEN);
}

/* "core", "core x30, PU x2" */
static char *name_bindings(const struct tmap_inspection *it, int node, struct tmap_error *err)
{
	const struct tmap_node_fold *fold = &it->fold;
	struct tmap_binding_count *binding;
	struct tmap_str str = TMAP_STR_INIT;
	char text[TMAP_BINDING_ROOM];
	int count;

	if (tmap_binding_census(it->placement, fold->rank + fold->first[node],
				fold->first[node + 1] - fold->first[node], &binding, &count,
				err) < 0)
		return NULL;
	for (int i = 0; i < count; i++) {
		tmap_str_addf(&str, "%s%s", i ? ", " : "",
			      tmap_binding_print(binding[i].binding, text));
		if (count > 1)
			tmap_str_addf(&str, " x%d", binding[i].ranks);
	}
	free(binding);
	return cut(tmap_str_take(&str, err), BOUND_WIDTH);
}

/* What is wider than its column has a line of its own: names above, PUs below. */
static void write_row(FILE *out, const char *nodes, int ranks, const char *bindings,
		      const struct tmap_node_use *use, char *taken)
{
	static const char label[] = "    on PUs L# ";
	bool is_narrow = strlen(nodes) <= NODES_WIDTH;

	if (!is_narrow)
		fprintf(out, "%s\n", nodes);
	fprintf(out, "%-*s %6d  %-*s %4d of ", NODES_WIDTH, is_narrow ? nodes : "", ranks,
		BOUND_WIDTH, bindings, use->idle_cores);
	if (strlen(taken) <= PUS_WIDTH)
		fprintf(out, "%-5d %s\n", use->cores, taken);
	else
		fprintf(out, "%d\n%s%s\n", use->cores, label,
			cut(taken, SCREEN - (sizeof label - 1)));
}

static int write_kind(FILE *out, const struct tmap_inspection *it, int class,
		      struct tmap_error *err)
{
	int node = it->fold.example[class];
	char *nodes = name_nodes(it, class, err), *bindings = name_bindings(it, node, err);
	struct tmap_node_use use = { 0 };
	char *taken = NULL;
	int status = -1;

	if (!nodes || !bindings ||
	    tmap_node_use_find(&use, it->placement, &it->fold, node, err) < 0)
		goto out;
	taken = tmap_idset_print(&use.own, err);
	if (!taken)
		goto out;
	write_row(out, nodes, it->fold.first[node + 1] - it->fold.first[node], bindings, &use,
		  taken);
	status = 0;
out:
	free(nodes);
	free(bindings);
	free(taken);
	tmap_node_use_fini(&use);
	return status;
}

static int write_kinds(FILE *out, const struct tmap_inspection *it, bool all,
		       struct tmap_error *err)
{
	int count = it->fold.class_count, shown = all || count <= MOST_KINDS ? count : MOST_KINDS;
	const char *unit = tmap_overlap_unit(it->placement->machine);

	fprintf(out, "\n%-*s %6s  %-*s idle %ss%*s %s\n", NODES_WIDTH, "nodes", "ranks",
		BOUND_WIDTH, "bound to", unit,
		IDLE_WIDTH - (int)strlen("idle s") - (int)strlen(unit), "", "on PUs L#");
	for (int c = 0; c < shown; c++)
		if (write_kind(out, it, c, err) < 0)
			return -1;
	if (shown < count)
		fprintf(out, "... and %d more kinds of nodes (--all shows them)\n", count - shown);
	return 0;
}

int tmap_text_write_inspection(FILE *out, const struct tmap_inspection *inspection, bool all,
			       struct tmap_error *err)
{
	if (write_summary(out, inspection, err) < 0 || write_pairs(out, inspection, err) < 0)
		return -1;
	return write_kinds(out, inspection, all, err);
}
