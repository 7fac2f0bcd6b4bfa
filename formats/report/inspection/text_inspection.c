#include "formats/report/inspection/text_inspection.h"

#include "core/base/hostlist.h"
#include "core/base/mem.h"
#include "core/base/string.h"
#include "formats/base/meaning.h"
#include "formats/report/inspection/text_lint.h"
#include "formats/base/wrap.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

enum {
	LABEL = 10,
	SCREEN = 80,
	MOST_KINDS = 12,
	NODES_WIDTH = 24,
	BOUND_WIDTH = 22,
	PUS_WIDTH = 10,
};

static const char *plural(int64_t count)
{
	return count == 1 ? "" : "s";
}

/* Write what was gathered; the builder is empty afterwards. */
static int write_line(FILE *out, const char *label, struct tm_str *str, struct tm_error *err)
{
	char *text = tm_str_take(str, err);

	if (!text)
		return -1;
	tm_text_write_wrapped(out, LABEL, label, text);
	free(text);
	return 0;
}

static void say_ranks(struct tm_str *str, const struct tm_inspection *it)
{
	const struct tm_order *order = &it->order;
	int nodes = it->placement->machine->node_count;

	tm_str_addf(str, "%d on %d", it->placement->size, order->used_nodes);
	if (order->used_nodes < nodes)
		tm_str_addf(str, " of %d", nodes);
	tm_str_addf(str, " node%s, ", plural(order->used_nodes < nodes ? nodes :
					     order->used_nodes));
	if (order->regular)
		tm_str_addf(str, "%d on each", order->ranks_min);
	else
		tm_str_addf(str, "%d to %d on each", order->ranks_min, order->ranks_max);
}

static void say_order(struct tm_str *str, const struct tm_order *order)
{
	char text[TM_ORDER_ROOM];

	tm_str_addf(str, "%s (%sregular, %sconsecutive)", tm_order_print(order, text),
		    order->regular ? "" : "not ", order->consecutive ? "" : "not ");
}

/* "core (30 ranks), 2 cores (2 ranks)" */
static void say_bindings(struct tm_str *str, const struct tm_binding_count *binding, int count)
{
	char text[TM_BINDING_ROOM];

	for (int i = 0; i < count; i++)
		tm_str_addf(str, "%s%s (%d rank%s)", i ? ", " : "",
			    tm_binding_print(binding[i].binding, text), binding[i].ranks,
			    plural(binding[i].ranks));
}

static void say_sharing(struct tm_str *str, const struct tm_inspection *it)
{
	if (!it->sharing_core)
		tm_str_add(str, "no two bound ranks share a core");
	else if (!it->crowding_core)
		tm_str_addf(str, "%d ranks may meet another on a core, none must",
			    it->sharing_core);
	else
		tm_str_addf(str, "%d ranks must share a core, %d of them a PU",
			    it->crowding_core, it->crowding_pu);
}

static void say_levels(struct tm_str *str, const struct tm_levels *levels)
{
	for (int i = 0; i < levels->count; i++)
		tm_str_addf(str, "%s%s %d", i ? ", " : "", levels->level[i].name,
			    levels->level[i].object_count);
}

static void say_origin(struct tm_str *str, const struct tm_origin *origin)
{
	const char *part[] = { origin->by, origin->request, origin->mpi, origin->launcher,
			       origin->date };
	bool is_first = true;

	for (size_t i = 0; i < sizeof part / sizeof part[0]; i++) {
		if (!part[i])
			continue;
		tm_str_addf(str, "%s%s", is_first ? "" : i == 1 ? ": " : ", ", part[i]);
		is_first = false;
	}
}

static int write_summary(FILE *out, const struct tm_inspection *it, const struct tm_lint *lint,
			 struct tm_error *err)
{
	struct tm_str str = TM_STR_INIT;

	say_ranks(&str, it);
	if (write_line(out, "ranks", &str, err) < 0)
		return -1;
	say_order(&str, &it->order);
	if (write_line(out, "order", &str, err) < 0)
		return -1;
	say_bindings(&str, it->binding, it->binding_count);
	if (write_line(out, "bound to", &str, err) < 0)
		return -1;
	say_sharing(&str, it);
	if (write_line(out, "sharing", &str, err) < 0)
		return -1;
	tm_text_say_lint(&str, lint);
	if (write_line(out, "findings", &str, err) < 0)
		return -1;
	say_levels(&str, &it->levels);
	if (write_line(out, "levels", &str, err) < 0)
		return -1;
	say_origin(&str, &it->placement->origin);
	if (!str.length && !str.failed) {
		tm_str_fini(&str);
		return 0;
	}
	return write_line(out, "made by", &str, err);
}

/* "22.6%", and what is too small for it. */
static void print_share(int64_t part, int64_t whole, char text[16])
{
	double percent = whole ? 100.0 * (double)part / (double)whole : 0;

	if (part && percent < 0.05)
		snprintf(text, 16, "<0.1%%");
	else if (part < whole && percent > 99.95)
		snprintf(text, 16, ">99.9%%");
	else
		snprintf(text, 16, "%.1f%%", percent);
}

/* No wider than needed: what they mean takes 53 columns. */
static int pairs_columns(const struct tm_inspection *it)
{
	int columns = (int)strlen("pairs");

	for (int s = 0; s < it->metric.step_count; s++) {
		int digits = snprintf(NULL, 0, "%" PRId64, it->pairs[s]);

		columns = digits > columns ? digits : columns;
	}
	return columns;
}

static void write_pairs(FILE *out, const struct tm_inspection *it)
{
	int64_t all = tm_inspection_pairs(it);
	char meaning[TM_MEANING_ROOM], number[TM_MEANING_ROOM], share[16];
	int columns;

	if (!all)
		return;
	columns = pairs_columns(it);
	fprintf(out, "\ndistance  %*s   share  between ranks with\n", columns, "pairs");
	for (int s = 0; s < it->metric.step_count; s++) {
		double distance = it->metric.step[s].value;

		if (!it->pairs[s])
			continue;
		print_share(it->pairs[s], all, share);
		fprintf(out, "%8s  %*" PRId64 "  %6s  %s\n", tm_number_print(distance, number),
			columns, it->pairs[s], share,
			tm_meaning_print(it->placement->machine, (int)it->scale, distance,
					 meaning));
	}
}

static char *cut(char *text, size_t width)
{
	if (text && strlen(text) > width)
		memcpy(text + width - 3, "...", 4);
	return text;
}

/* "n[0-3,7]": the nodes of a class, cut to the screen. */
static char *name_nodes(const struct tm_inspection *it, int class, struct tm_error *err)
{
	const struct tm_machine *machine = it->placement->machine;
	struct tm_hostlist list = TM_HOSTLIST_INIT;
	struct tm_str str = TM_STR_INIT;

	for (int n = 0; n < machine->node_count; n++)
		if (it->fold.class_of[n] == class &&
		    tm_hostlist_add(&list, machine->node_name[n], err) < 0) {
			tm_hostlist_fini(&list);
			return NULL;
		}
	tm_hostlist_print(&list, &str);
	tm_hostlist_fini(&list);
	return cut(tm_str_take(&str, err), SCREEN);
}

/* "core", "core x30, PU x2" */
static char *name_bindings(const struct tm_inspection *it, int node, struct tm_error *err)
{
	const struct tm_node_fold *fold = &it->fold;
	struct tm_binding_count *binding;
	struct tm_str str = TM_STR_INIT;
	char text[TM_BINDING_ROOM];
	int count;

	if (tm_binding_census(it->placement, fold->rank + fold->first[node],
			      fold->first[node + 1] - fold->first[node], &binding, &count,
			      err) < 0)
		return NULL;
	for (int i = 0; i < count; i++) {
		tm_str_addf(&str, "%s%s", i ? ", " : "",
			    tm_binding_print(binding[i].binding, text));
		if (count > 1)
			tm_str_addf(&str, " x%d", binding[i].ranks);
	}
	free(binding);
	return cut(tm_str_take(&str, err), BOUND_WIDTH);
}

/* What is wider than its column has a line of its own: names above, PUs below. */
static void write_row(FILE *out, const char *nodes, int ranks, const char *bindings,
		      const struct tm_node_use *use, char *taken)
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

static int write_kind(FILE *out, const struct tm_inspection *it, int class, struct tm_error *err)
{
	int node = it->fold.example[class];
	char *nodes = name_nodes(it, class, err), *bindings = name_bindings(it, node, err);
	struct tm_node_use use = { 0 };
	char *taken = NULL;
	int status = -1;

	if (!nodes || !bindings ||
	    tm_node_use_find(&use, it->placement, &it->fold, node, err) < 0)
		goto out;
	taken = tm_idset_print(&use.taken, err);
	if (!taken)
		goto out;
	write_row(out, nodes, it->fold.first[node + 1] - it->fold.first[node], bindings, &use,
		  taken);
	status = 0;
out:
	free(nodes);
	free(bindings);
	free(taken);
	tm_node_use_fini(&use);
	return status;
}

static int write_kinds(FILE *out, const struct tm_inspection *it, bool all, struct tm_error *err)
{
	int count = it->fold.class_count, shown = all || count <= MOST_KINDS ? count : MOST_KINDS;

	fprintf(out, "\n%-*s %6s  %-*s %-13s %s\n", NODES_WIDTH, "nodes", "ranks", BOUND_WIDTH,
		"bound to", "idle cores", "on PUs L#");
	for (int c = 0; c < shown; c++)
		if (write_kind(out, it, c, err) < 0)
			return -1;
	if (shown < count)
		fprintf(out, "... and %d more kinds of nodes (--all shows them)\n",
			count - shown);
	return 0;
}

int tm_text_write_inspection(FILE *out, const struct tm_inspection *inspection,
			     const struct tm_lint *lint, bool all, struct tm_error *err)
{
	if (write_summary(out, inspection, lint, err) < 0)
		return -1;
	write_pairs(out, inspection);
	return write_kinds(out, inspection, all, err);
}
