/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Ranks shared by the cores of unequal nodes:
 *
 *     cores  36 36 12 12     72 ranks: 27 27 9 9     70 ranks: 26 26 9 9
 */
#include "core/lint/lint_room.h"
#include "core/lint/lint_rules.h"

#include "core/base/hostlist.h"
#include "core/base/mem.h"
#include "core/base/string.h"

#include <stdlib.h>
#include <string.h>

enum {
	LIST_MOST = 400, /* characters of a list of hosts that is still an option */
	NAMED_MOST = 3,  /* kinds of nodes of which ranks are named */
};

struct share {
	int *ranks;     /* [node_count] of each node */
	int cores;      /* that each rank gets */
	int all;        /* ranks that have room, no more than there are */
	int64_t room;   /* for ranks */
	bool is_packed; /* core after core, no memory or package is left idle */
};

static int node_room(const struct tmap_inspection *it, int node, int cores)
{
	if (it->fold.class_of[node] == TMAP_NONE)
		return 0;
	return tmap_topology_allowed_cores(tmap_machine_topology(it->placement->machine, node)) /
		cores;
}

/* To each node by its room, rounded down; those that remain to where most was cut off. */
static int share_out(struct share *share, const struct tmap_inspection *it, struct tmap_error *err)
{
	int nodes = it->placement->machine->node_count, left = share->all;
	int64_t *cut = tmap_alloc((size_t)nodes, sizeof *cut, err);

	if (!cut)
		return -1;
	for (int n = 0; n < nodes; n++) {
		int64_t part = (int64_t)share->all * node_room(it, n, share->cores);

		share->ranks[n] = (int)(part / share->room);
		cut[n] = part % share->room;
		left -= share->ranks[n];
	}
	/* nodes of a kind are alike in it, so that kinds are gone through, not nodes */
	while (left > 0) {
		int64_t most = 0;

		for (int c = 0; c < it->fold.class_count; c++)
			most = cut[it->fold.example[c]] > most ? cut[it->fold.example[c]] : most;
		for (int n = 0; n < nodes; n++) {
			if (cut[n] != most)
				continue;
			share->ranks[n] += left > 0;
			left -= left > 0;
			cut[n] = 0;
		}
	}
	free(cut);
	return 0;
}

/* Do so many ranks on a node, core after core, leave an object of the type idle? */
static bool leaves_idle(const struct tmap_topology *topo, enum tmap_type type, int taken)
{
	int least, objects = tmap_room_objects(topo, type, &least);

	return objects > 1 && taken > 1 && taken <= tmap_topology_allowed_cores(topo) - least;
}

static bool is_packed(const struct share *share, const struct tmap_inspection *it)
{
	const struct tmap_machine *machine = it->placement->machine;

	for (int n = 0; n < machine->node_count; n++) {
		const struct tmap_topology *topo = tmap_machine_topology(machine, n);
		int taken = share->ranks[n] * share->cores;

		if (n && topo == tmap_machine_topology(machine, n - 1) &&
		    share->ranks[n] == share->ranks[n - 1])
			continue;
		if (leaves_idle(topo, TMAP_NUMA, taken) || leaves_idle(topo, TMAP_PACKAGE, taken))
			return false;
	}
	return true;
}

/* One for each thread; 0: ranks run different numbers of them. */
static int cores_each(const struct tmap_placement *p)
{
	int threads = 1;

	for (int i = 0; i < p->setting_count; i++)
		if (tmap_setting_threads(&p->settings[i], NULL) > 1)
			threads = tmap_room_threads(p);
	return threads;
}

/* *share is zeroed; share->ranks NULL where ranks cannot be shared so. */
static int share_init(struct share *share, const struct tmap_inspection *it, int cores,
		      struct tmap_error *err)
{
	const struct tmap_placement *p = it->placement;

	share->cores = cores ? cores : cores_each(p);
	if (it->parts.count || !share->cores)
		return 0;
	for (int c = 0; c < it->fold.class_count; c++)
		share->room += (int64_t)node_room(it, it->fold.example[c], share->cores) *
			it->fold.nodes[c];
	if (!share->room)
		return 0;
	share->all = p->size < share->room ? p->size : (int)share->room;
	share->ranks = tmap_alloc((size_t)p->machine->node_count, sizeof *share->ranks, err);
	if (!share->ranks || share_out(share, it, err) < 0)
		return -1;
	share->is_packed = is_packed(share, it);
	return 0;
}

/* "a:36,b:12"; "" where a name is none that launchers take in a list, or the list is long. */
static char *list_print(const struct share *share, const struct tmap_machine *machine,
			struct tmap_error *err)
{
	struct tmap_str str = TMAP_STR_INIT;

	for (int n = 0; n < machine->node_count; n++) {
		const char *name = machine->node_name[n];

		if (!share->ranks[n])
			continue;
		if (!tmap_host_is_plain(name) || str.length + strlen(name) > LIST_MOST) {
			tmap_str_fini(&str);
			return tmap_strdup("", err);
		}
		tmap_str_addf(&str, "%s%s:%d", str.length ? "," : "", name, share->ranks[n]);
	}
	return tmap_str_take(&str, err);
}

/* What nodes of a class get, which may differ by one. O(N). */
static void class_range(const struct share *share, const struct tmap_inspection *it, int class,
			int *least, int *most)
{
	*least = *most = share->ranks[it->fold.example[class]];
	for (int n = 0; n < it->placement->machine->node_count; n++) {
		if (it->fold.class_of[n] != class)
			continue;
		*least = share->ranks[n] < *least ? share->ranks[n] : *least;
		*most = share->ranks[n] > *most ? share->ranks[n] : *most;
	}
}

/* ", 36 on c1 and 11 or 12 on each node like d1"; escaped. */
static int add_kinds(struct tmap_str *str, const struct share *share,
		     const struct tmap_inspection *it, struct tmap_error *err)
{
	int shown = it->fold.class_count < NAMED_MOST ? it->fold.class_count : NAMED_MOST;

	for (int c = 0; c < shown; c++) {
		int node = it->fold.example[c];
		char *name = tmap_fix_escape(it->placement->machine->node_name[node], err);
		int least, most;

		if (!name)
			return -1;
		tmap_str_add(str, c && c == it->fold.class_count - 1 ? " and " : ", ");
		class_range(share, it, c, &least, &most);
		if (least < most)
			tmap_str_addf(str, "%d or ", least);
		tmap_str_addf(str, "%d on %s%s", most,
			      it->fold.nodes[c] > 1 ? "each node like " : "", name);
		free(name);
	}
	if (it->fold.class_count > shown)
		tmap_str_add(str, " and so on");
	return 0;
}

/* Behind that, the words. */
static char *print_words(const struct share *share, const struct tmap_inspection *it,
			 const char *text, struct tmap_error *err)
{
	char *list = list_print(share, it->placement->machine, err), *whole;
	bool has_words = share->is_packed || tmap_room_has_type(it, TMAP_NUMA);

	if (!list)
		return NULL;
	if (!*list || !has_words || !tmap_room_is_divided(it, TMAP_PACKAGE, share->cores) ||
	    !tmap_room_is_divided(it, TMAP_NUMA, share->cores))
		whole = tmap_strdup(text, err);
	else
		whole = tmap_format(err, "%s{: |%s %d %s %d %d %d %d|}", text,
				    share->is_packed ? "share" : "share-spread", share->cores, list,
				    share->all, tmap_room_pus(it, share->cores),
				    share->all == share->room ? share->all : TMAP_NONE,
				    it->order.used_nodes);
	free(list);
	return whole;
}

static char *share_print(const struct share *share, const struct tmap_finding *finding,
			 const struct tmap_inspection *it, struct tmap_error *err)
{
	char *text, *words = NULL, *bare, *fix = NULL;
	struct tmap_str str = TMAP_STR_INIT;

	if (tmap_room_has_same_cores(it))
		tmap_str_addf(&str, "put %d or %d ranks on each node",
			      share->all / it->order.used_nodes,
			      share->all / it->order.used_nodes + 1);
	else if (share->all < it->placement->size)
		tmap_str_addf(&str, "start at most %d ranks, shared by cores", share->all);
	else
		tmap_str_add(&str, "share the ranks by cores");
	if (share->cores > 1)
		tmap_str_addf(&str, " (%d for each)", share->cores);
	if (!tmap_room_has_same_cores(it) && add_kinds(&str, share, it, err) < 0) {
		tmap_str_fini(&str);
		return NULL;
	}
	text = tmap_str_take(&str, err);
	words = text ? print_words(share, it, text, err) : NULL;
	bare = text ? tmap_lint_fix(finding, text, err) : NULL;
	fix = words && bare ? tmap_lint_fix(finding, words, err) : NULL;
	if (fix && strcmp(fix, bare) == 0) { /* no launcher has words */
		free(fix);
		fix = tmap_format(err, "%s, with as many slots for these in the list of hosts",
				  bare);
	}
	free(bare);
	free(words);
	free(text);
	return fix;
}

static int share_fix(char **fix, const struct tmap_finding *finding,
		     const struct tmap_inspection *it, int cores, struct tmap_error *err)
{
	struct share share = { NULL, 0, 0, 0, false };
	int status = share_init(&share, it, cores, err);

	*fix = status == 0 && share.ranks ? share_print(&share, finding, it, err) : NULL;
	status = share.ranks && !*fix ? -1 : status;
	free(share.ranks);
	return status;
}

int tmap_lint_share_fix(char **fix, const struct tmap_finding *finding,
			const struct tmap_inspection *it, int cores, struct tmap_error *err)
{
	*fix = NULL;
	return tmap_room_has_same_cores(it) ? 0 : share_fix(fix, finding, it, cores, err);
}

int tmap_lint_share_evenly_fix(char **fix, const struct tmap_finding *finding,
			       const struct tmap_inspection *it, int cores, struct tmap_error *err)
{
	return share_fix(fix, finding, it, cores, err);
}
