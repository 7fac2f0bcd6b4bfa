#include "formats/launchers/hydra/hydra_hostfile.h"

#include "core/base/mem.h"
#include "core/place/hydra.h"
#include "formats/launchers/hydra/hydra_pus.h"

#include <stdlib.h>
#include <string.h>

/* The PUs that may be used of the core with this number among those with such PUs. */
static int take_core(struct tm_idset *pus, const struct tm_topology *topo, int number,
		     struct tm_error *err)
{
	enum tm_type type = tm_topology_count(topo, TM_CORE) ? TM_CORE : TM_PU;
	int seen = TM_NONE, last = TM_NONE;

	for (int i = 0; i < topo->object_count; i++) {
		const struct tm_object *core = &topo->object[i];

		for (int u = core->first_pu; core->type == type && u < core->end_pu; u++) {
			if (!topo->pu[u].allowed)
				continue;
			seen += last != i;
			last = i;
			if (seen == number && tm_idset_add(pus, topo->pu[u].os, err) < 0)
				return -1;
		}
	}
	if (seen < number)
		return tm_fail(err, TM_INPUT, "rank %d of the host finds no core: all %d that may be "
			       "used have a rank", number, seen + 1);
	return 0;
}

static int take_listed(struct tm_idset *pus, const char *words, const struct tm_topology *topo,
		       struct tm_error *err)
{
	struct tm_hydra_pus entry;

	if (tm_hydra_pus_next(&entry, pus, &words, err) < 0)
		return -1;
	for (int os = tm_idset_next(pus, TM_NONE); os != TM_NONE; os = tm_idset_next(pus, os)) {
		int pu = tm_topology_find_pu(topo, os);

		if (pu == TM_NONE || !topo->pu[pu].allowed)
			return tm_fail(err, TM_INPUT, "the node has no PU %d that the job may use",
				       os);
	}
	return 0;
}

static int take_objects(struct tm_idset *pus, const char *words, const char *number,
			const struct tm_topology *topo, struct tm_error *err)
{
	char *spec = tm_format(err, "%.*s", (int)(number - words), words);
	struct tm_hydra_objects objects;
	int status = -1;

	if (spec && tm_hydra_parse(&objects, spec, TM_HYDRA_BIND_WORDS, err) == 0)
		status = tm_hydra_bind(pus, topo, &objects, atoi(number + 1), err);
	free(spec);
	return status;
}

int tm_hydra_hostfile_resolve(struct tm_idset *pus, const char *words,
			      const struct tm_topology *topo, const void *context,
			      struct tm_error *err)
{
	const char *number = strrchr(words, '@');
	struct tm_idset made = { 0 };
	int status = 0;

	(void)context;
	if (number == words)
		status = take_core(&made, topo, atoi(number + 1), err);
	else if (number)
		status = take_objects(&made, words, number, topo, err);
	else if (*words)
		status = take_listed(&made, words, topo, err);
	if (status < 0)
		tm_idset_fini(&made);
	else
		*pus = made;
	return status;
}
