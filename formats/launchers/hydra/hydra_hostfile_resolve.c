#include "formats/launchers/hydra/hydra_hostfile.h"

#include "core/base/mem.h"
#include "core/place/hydra.h"
#include "formats/launchers/hydra/hydra_pus.h"

#include <stdlib.h>
#include <string.h>

/* The PUs that may be used of the core with this number among those with such PUs. */
static int take_core(struct tmap_idset *pus, const struct tmap_topology *topo, int number,
		     struct tmap_error *err)
{
	enum tmap_type type = tmap_topology_count(topo, TMAP_CORE) ? TMAP_CORE : TMAP_PU;
	int seen = TMAP_NONE, last = TMAP_NONE;

	for (int i = 0; i < topo->object_count; i++) {
		const struct tmap_object *core = &topo->object[i];

		for (int u = core->first_pu; core->type == type && u < core->end_pu; u++) {
			if (!topo->pu[u].allowed)
				continue;
			seen += last != i;
			last = i;
			if (seen == number && tmap_idset_add(pus, topo->pu[u].os, err) < 0)
				return -1;
		}
	}
	if (seen < number)
		return tmap_fail(err, TMAP_INPUT,
				 "rank %d of the host finds no core: all %d that may be "
				 "used have a rank",
				 number, seen + 1);
	return 0;
}

static int take_listed(struct tmap_idset *pus, const char *words, const struct tmap_topology *topo,
		       struct tmap_error *err)
{
	struct tmap_hydra_pus entry;

	if (tmap_hydra_pus_next(&entry, pus, &words, err) < 0)
		return -1;
	for (int os = tmap_idset_next(pus, TMAP_NONE); os != TMAP_NONE;
	     os = tmap_idset_next(pus, os)) {
		int pu = tmap_topology_find_pu(topo, os);

		if (pu == TMAP_NONE || !topo->pu[pu].allowed)
			return tmap_fail(err, TMAP_INPUT,
					 "the node has no PU %d that the job may use", os);
	}
	return 0;
}

static int take_objects(struct tmap_idset *pus, const char *words, const char *number,
			const struct tmap_topology *topo, struct tmap_error *err)
{
	char *spec = tmap_format(err, "%.*s", (int)(number - words), words);
	struct tmap_hydra_objects objects;
	int status = -1;

	if (spec && tmap_hydra_parse(&objects, spec, TMAP_HYDRA_BIND_WORDS, err) == 0)
		status = tmap_hydra_bind(pus, topo, &objects, atoi(number + 1), err);
	free(spec);
	return status;
}

int tmap_hydra_hostfile_resolve(struct tmap_idset *pus, const char *words,
				const struct tmap_topology *topo, const void *context,
				struct tmap_error *err)
{
	const char *number = strrchr(words, '@');
	struct tmap_idset made = { 0 };
	int status = 0;

	(void)context;
	if (number == words)
		status = take_core(&made, topo, atoi(number + 1), err);
	else if (number)
		status = take_objects(&made, words, number, topo, err);
	else if (*words)
		status = take_listed(&made, words, topo, err);
	if (status < 0)
		tmap_idset_fini(&made);
	else
		*pus = made;
	return status;
}
