#include "core/place/openmpi_job.h"

#include "core/base/mem.h"

#include <stdlib.h>

static const int type_of[TM_OMPI_LEVELS] = {
	[TM_OMPI_CORE] = TM_CORE, [TM_OMPI_L1] = TM_L1, [TM_OMPI_L2] = TM_L2,
	[TM_OMPI_L3] = TM_L3, [TM_OMPI_SOCKET] = TM_PACKAGE, [TM_OMPI_HWTHREAD] = TM_PU,
};

static int count_allowed(const struct tm_topology *topo, int first_pu, int end_pu)
{
	int count = 0;

	for (int i = first_pu; i < end_pu; i++)
		count += topo->pu[i].allowed;
	return count;
}

static int count_cpus(const struct tm_topology *topo, int first_pu, int end_pu, bool hwthreads)
{
	int count = 0;

	if (hwthreads)
		return count_allowed(topo, first_pu, end_pu);
	for (int i = 0; i < topo->object_count; i++) {
		const struct tm_object *it = &topo->object[i];

		count += it->type == TM_CORE && first_pu <= it->first_pu && it->end_pu <= end_pu &&
			 count_allowed(topo, it->first_pu, it->end_pu) > 0;
	}
	return count;
}

static void add(struct tm_ompi_objects *objects, const struct tm_topology *topo, int object,
		bool hwthreads)
{
	const struct tm_object *it = &topo->object[object];

	if (count_allowed(topo, it->first_pu, it->end_pu) == 0)
		return;
	objects->at[objects->count++] = (struct tm_ompi_span){
		.first_pu = it->first_pu, .end_pu = it->end_pu, .place = TM_NONE,
		.cpus = count_cpus(topo, it->first_pu, it->end_pu, hwthreads),
	};
}

int tm_ompi_objects_init(struct tm_ompi_objects *objects, const struct tm_topology *topo,
			 enum tm_ompi_level level, bool hwthreads, struct tm_error *err)
{
	size_t most = level == TM_OMPI_NUMA ? (size_t)topo->memory_count :
		      type_of[level] == TM_NODE ? 1 :
		      (size_t)tm_topology_count(topo, (enum tm_type)type_of[level]);

	*objects = (struct tm_ompi_objects){ .at = tm_alloc(most, sizeof *objects->at, err) };
	if (!objects->at)
		return -1;
	if (level == TM_OMPI_NUMA) {
		for (int i = 0; i < topo->memory_count; i++)
			if (topo->memory[i].object != TM_NONE)
				add(objects, topo, topo->memory[i].object, hwthreads);
		return 0;
	}
	for (int i = 0; i < topo->object_count; i++)
		if ((int)topo->object[i].type == type_of[level])
			add(objects, topo, i, hwthreads);
	return 0;
}

void tm_ompi_objects_fini(struct tm_ompi_objects *objects)
{
	free(objects->at);
	*objects = (struct tm_ompi_objects){ 0 };
}

bool tm_ompi_overlap(const struct tm_ompi_span *a, const struct tm_ompi_span *b)
{
	return a->first_pu < b->end_pu && b->first_pu < a->end_pu;
}

const struct tm_ompi_span *tm_ompi_locale(const struct tm_ompi_job *job,
					  const struct tm_ompi_kind *kind, int j)
{
	return &kind->map.at[job->rq.ppr ? j / job->rq.ppr : j % kind->map.count];
}
