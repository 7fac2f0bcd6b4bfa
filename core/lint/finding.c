/* SPDX-License-Identifier: BSD-3-Clause */
#include "core/lint/lint_room.h"
#include "core/lint/lint_rules.h"

#include "core/base/mem.h"
#include "core/base/string.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

int tmap_lint_collect(struct tmap_finding *finding, const struct tmap_placement *p,
		      const bool *marked, struct tmap_error *err)
{
	for (int r = 0; r < p->size; r++)
		if (marked[p->place[r]] && tmap_idset_add(&finding->ranks, r, err) < 0)
			return -1;
	return 0;
}

int tmap_lint_collect_places(struct tmap_finding *finding, const struct tmap_inspection *it,
			     bool (*is)(const struct tmap_topology *, const struct tmap_place *),
			     struct tmap_error *err)
{
	const struct tmap_placement *p = it->placement;
	bool *marked = tmap_alloc((size_t)p->place_count, sizeof *marked, err);
	int status = -1;

	for (int i = 0; marked && i < p->place_count; i++)
		marked[i] = is(&p->machine->topology[p->places[i].topology], &p->places[i]);
	if (marked)
		status = tmap_lint_collect(finding, p, marked, err);
	free(marked);
	return status;
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
