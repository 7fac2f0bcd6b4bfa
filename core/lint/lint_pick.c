/* SPDX-License-Identifier: BSD-3-Clause */
/* Fixes that name the cores: by words of the launcher, or by the command that writes its file. */
#include "core/lint/lint_room.h"
#include "core/lint/lint_rules.h"
#include "core/lint/pick.h"

#include "core/base/mem.h"

#include <stdlib.h>
#include <string.h>

/* The words of the only launcher that is known, or NULL. */
static const char *only_words(const struct tmap_finding *finding, enum tmap_fix fix)
{
	const struct tmap_fix_words *const *launchers = finding->launchers;

	if (!launchers[0] || launchers[1] ||
	    (launchers[0]->counts_pus && tmap_room_pus(finding->inspection, 1) == TMAP_NONE))
		return NULL;
	return launchers[0]->word[fix];
}

bool tmap_lint_has_list_words(const struct tmap_finding *finding)
{
	return only_words(finding, TMAP_FIX_PUS);
}

bool tmap_lint_has_set_words(const struct tmap_finding *finding)
{
	return only_words(finding, TMAP_FIX_SETS);
}

/* " 0-1:2-3": sets in the order of the ranks, or their masks. */
static int add_sets(struct tmap_str *str, const struct tmap_idset *set, int count, char sign,
		    bool is_mask, struct tmap_error *err)
{
	for (int i = 0; i < count; i++) {
		char *text = is_mask ? tmap_idset_print_mask(&set[i], err) :
				       tmap_idset_print(&set[i], err);

		if (!text)
			return -1;
		tmap_str_addf(str, "%c%s", i ? sign : ' ', text);
		free(text);
	}
	return 0;
}

/* Characters of a list in a command line that people still copy. */
enum { LIST_MOST = 4096 };

/* "TEXT{: |NAME 0,4 0:4 0;4 4 2 2|}" in words: @p count ranks of every one of so many nodes to a set each,
 * those of pus or of sets. */
static char *sets_fix(const struct tmap_finding *finding, const char *text, const char *name,
		      const struct tmap_idset *set, int count, int nodes, struct tmap_error *err)
{
	static const char signs[] = ",:;";
	int status = 0;
	bool is_sets = strcmp(name, "sets") == 0;
	struct tmap_str str = TMAP_STR_INIT;
	char *whole, *fix;

	tmap_str_addf(&str, "%s{: |%s", text, name);
	for (int i = 0; signs[i] && status == 0; i++)
		status = add_sets(&str, set, count, signs[i], is_sets && i == 0, err);
	tmap_str_addf(&str, " %lld %d %d|}", (long long)count * nodes, count, nodes);
	if (status < 0) {
		tmap_str_fini(&str);
		return NULL;
	}
	whole = tmap_str_take(&str, err);
	fix = whole ? tmap_lint_fix(finding, whole, err) : NULL;
	free(whole);
	return fix;
}

char *tmap_lint_list_fix(const struct tmap_finding *finding, const char *text,
			 const struct tmap_idset *pus, int each, struct tmap_error *err)
{
	struct tmap_idset *set = tmap_alloc((size_t)each, sizeof *set, err);
	int status = set ? 0 : -1, i = 0;
	char *fix = NULL;

	for (int pu = tmap_idset_next(pus, TMAP_NONE); pu != TMAP_NONE && i < each && status == 0;
	     pu = tmap_idset_next(pus, pu))
		status = tmap_idset_add(&set[i++], pu, err);
	if (status == 0)
		fix = sets_fix(finding, text, "pus", set, i, finding->inspection->order.used_nodes,
			       err);
	tmap_idset_free_list(set, each);
	return fix;
}

/* "TEXT: topomap suggest-rankfile ...", of so many ranks: slots are all such objects but those without a PU
 * of the set. */
static char *command_fix(const struct tmap_inspection *it, const char *text, int64_t ranks,
			 enum tmap_type unit, const struct tmap_idset *pus, struct tmap_error *err)
{
	const struct tmap_topology *topo = tmap_placement_topology(it->placement, 0);
	const char *slots = unit == TMAP_L3          ? "l3" :
		unit == TMAP_NUMA                    ? "numa" :
		tmap_topology_count(topo, TMAP_CORE) ? "core" :
						       "hwthread";
	struct tmap_idset others = { 0 };
	struct tmap_str fix = TMAP_STR_INIT;
	int status = 0, last = TMAP_NONE;
	char *list = NULL;

	for (int i = 0; i < topo->pu_count && status == 0; i++) {
		int object = tmap_topology_ancestor(topo, topo->pu[i].object, unit);

		if (!tmap_room_begins_core(topo, i) || (object != TMAP_NONE && object == last))
			continue;
		if (!tmap_idset_contains(pus, topo->pu[i].os))
			status = tmap_idset_add(&others, topo->pu[i].os, err);
		last = object;
	}
	if (status == 0)
		list = tmap_idset_print(&others, err);
	tmap_idset_fini(&others);
	if (!list)
		return NULL;
	tmap_str_addf(&fix, "%s: topomap suggest-rankfile -n %lld --slots %s", text,
		      (long long)ranks, slots);
	if (*list)
		tmap_str_addf(&fix, " --leave-free pu:%s", list);
	free(list);
	tmap_job_command_end(&fix, "suggest-rankfile", it->words);
	return tmap_str_take(&fix, err);
}

char *tmap_lint_pick_fix(const struct tmap_finding *finding, const struct tmap_inspection *it,
			 const char *text, const struct tmap_idset *pus, struct tmap_error *err)
{
	if (tmap_lint_has_list_words(finding))
		return tmap_lint_list_fix(finding, text, pus, it->order.ranks_max, err);
	return command_fix(it, text, it->placement->size, TMAP_CORE, pus, err);
}

/* Programs may need different numbers of cores: does a rank need more than so many? */
static bool needs_more(const struct tmap_inspection *it, int cores)
{
	const struct tmap_placement *p = it->placement;

	for (int i = 0; i < p->setting_count; i++)
		if (tmap_setting_threads(&p->settings[i], NULL) > cores)
			return true;
	for (int i = 0; i < p->place_count && it->parts.count; i++)
		if (p->places[i].bound &&
		    tmap_cores_of(&p->machine->topology[p->places[i].topology], &p->places[i].pus) >
			    cores)
			return true;
	return false;
}

/* Are masks of the node's PUs too long? */
static bool are_long(const struct tmap_topology *topo, int each)
{
	return (int64_t)each * (topo->pu[topo->by_os[topo->pu_count - 1]].os / 4) > LIST_MOST;
}

/* The slots that begin with these PUs, in words of the launcher. */
static char *slots_fix(const struct tmap_finding *finding, const char *text,
		       const struct tmap_pick *pick, const int *begin, int each, int nodes,
		       struct tmap_error *err)
{
	struct tmap_idset *set = tmap_alloc((size_t)each, sizeof *set, err);
	const struct tmap_topology *topo = pick->topo;
	int status = set ? 0 : -1;
	char *fix = NULL;

	for (int i = 0; i < each && status == 0; i++)
		status = pick->cores == 1 ? tmap_idset_add(&set[i], topo->pu[begin[i]].os, err) :
					    tmap_pick_add_pus(&set[i], pick, begin[i], err);
	if (status == 0)
		fix = sets_fix(finding, text, pick->cores == 1 ? "pus" : "sets", set, each, nodes,
			       err);
	tmap_idset_free_list(set, each);
	return fix;
}

/* The same by the command that writes the launcher's file. */
static char *file_fix(const struct tmap_inspection *it, const char *text,
		      const struct tmap_pick *pick, const int *begin, int each,
		      struct tmap_error *err)
{
	struct tmap_idset pus = { 0 };
	int status = 0;
	char *fix = NULL;

	for (int i = 0; i < each && status == 0; i++)
		status = tmap_idset_add(&pus, pick->topo->pu[begin[i]].os, err);
	if (status == 0)
		fix = command_fix(it, text, (int64_t)each * it->order.used_nodes, pick->unit, &pus,
				  err);
	tmap_idset_fini(&pus);
	return fix;
}

/* Choose what slots of several cores are in, so that there are as many. How many there are; -1: it failed. */
static int choose_unit(struct tmap_pick *pick, int *begin, int each, bool in_words,
		       struct tmap_error *err)
{
	const enum tmap_type *units = tmap_pick_units(pick->topo);
	int cores = pick->cores, found = 0, least;

	/* a file of suggest-rankfile has whole L3 caches or NUMA nodes */
	if (!in_words)
		pick->cores = 0;
	for (int i = 0; i < TMAP_PICK_UNITS && found >= 0 && found < each; i++) {
		pick->unit = units[i];
		if (units[i] != TMAP_NODE &&
		    (!tmap_room_objects(pick->topo, units[i], &least) || cores > least))
			continue;
		if (in_words || units[i] == TMAP_L3 || units[i] == TMAP_NUMA)
			found = tmap_pick_slots(begin, pick, each, err);
	}
	return found;
}

char *tmap_lint_inside_fix(const struct tmap_finding *finding, const struct tmap_inspection *it,
			   const char *text, const struct tmap_spot *spot, int each, int nodes,
			   int cores, struct tmap_error *err)
{
	struct tmap_pick pick = { tmap_placement_topology(it->placement, 0), *spot, TMAP_CORE,
				  cores };
	int64_t ranks = (int64_t)each * nodes;
	bool in_words = cores == 1 ? tmap_lint_has_list_words(finding) :
				     tmap_lint_has_set_words(finding);
	int *begin, found = -1;
	char *fix = NULL;

	if (it->placement->machine->topology_count > 1 || it->placement->world ||
	    needs_more(it, cores) || ranks > it->placement->size ||
	    /* a file is for the nodes that have ranks */
	    (!in_words && nodes != it->order.used_nodes))
		return tmap_lint_fix(finding, text, err);
	begin = tmap_alloc_raw((size_t)each, sizeof *begin, err);
	if (begin)
		found = cores > 1 ? choose_unit(&pick, begin, each, in_words, err) :
				    tmap_pick_slots(begin, &pick, each, err);
	if (found >= 0 && (found < each || (in_words && cores > 1 && are_long(pick.topo, each))))
		fix = tmap_lint_fix(finding, text, err);
	else if (found >= 0)
		fix = in_words ? slots_fix(finding, text, &pick, begin, each, nodes, err) :
				 file_fix(it, text, &pick, begin, each, err);
	free(begin);
	return fix;
}

char *tmap_lint_apart_fix(const struct tmap_finding *finding, const struct tmap_inspection *it,
			  const char *text, int each, int nodes, int cores, struct tmap_error *err)
{
	static const struct tmap_spot any = TMAP_SPOT_ANY;

	return tmap_lint_inside_fix(finding, it, text, &any, each, nodes, cores, err);
}
