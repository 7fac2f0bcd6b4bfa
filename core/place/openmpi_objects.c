#include "core/place/openmpi_job.h"

#include "core/base/mem.h"

#include <stdlib.h>

static int count_allowed(const struct tmap_topology *topo, int first_pu, int end_pu)
{
	int count = 0;

	for (int i = first_pu; i < end_pu; i++)
		count += topo->pu[i].allowed;
	return count;
}

static int count_cpus(const struct tmap_topology *topo, int first_pu, int end_pu, bool hwthreads)
{
	int count = 0;

	if (hwthreads)
		return count_allowed(topo, first_pu, end_pu);
	for (int i = 0; i < topo->object_count; i++) {
		const struct tmap_object *it = &topo->object[i];

		count += it->type == TMAP_CORE && first_pu <= it->first_pu &&
			it->end_pu <= end_pu && count_allowed(topo, it->first_pu, it->end_pu) > 0;
	}
	return count;
}

static void add(struct tmap_ompi_objects *objects, const struct tmap_topology *topo, int object,
		bool hwthreads)
{
	const struct tmap_object *it = &topo->object[object];

	if (count_allowed(topo, it->first_pu, it->end_pu) == 0)
		return;
	objects->at[objects->count++] = (struct tmap_ompi_span){
		.first_pu = it->first_pu,
		.end_pu = it->end_pu,
		.place = TMAP_NONE,
		.cpus = count_cpus(topo, it->first_pu, it->end_pu, hwthreads),
	};
}

int tmap_ompi_objects_init(struct tmap_ompi_objects *objects, const struct tmap_topology *topo,
			   enum tmap_ompi_level level, bool hwthreads, struct tmap_error *err)
{
	enum tmap_type type = tmap_ompi_type(level);
	size_t most = level == TMAP_OMPI_NUMA ? (size_t)topo->memory_count :
						(size_t)tmap_topology_count(topo, type);

	*objects = (struct tmap_ompi_objects){ .at = tmap_alloc(most, sizeof *objects->at, err) };
	if (!objects->at)
		return -1;
	if (level == TMAP_OMPI_NUMA) {
		for (int i = 0; i < topo->memory_count; i++)
			if (topo->memory[i].object != TMAP_NONE)
				add(objects, topo, topo->memory[i].object, hwthreads);
		return 0;
	}
	for (int i = 0; i < topo->object_count; i++)
		if (topo->object[i].type == type)
			add(objects, topo, i, hwthreads);
	return 0;
}

void tmap_ompi_objects_fini(struct tmap_ompi_objects *objects)
{
	free(objects->at);
	*objects = (struct tmap_ompi_objects){ 0 };
}

bool tmap_ompi_overlap(const struct tmap_ompi_span *a, const struct tmap_ompi_span *b)
{
	return a->first_pu < b->end_pu && b->first_pu < a->end_pu;
}

const struct tmap_ompi_span *tmap_ompi_locale(const struct tmap_ompi_job *job,
					      const struct tmap_ompi_kind *kind, int j)
{
	return &kind->map.at[job->rq.ppr ? j / job->rq.ppr : j % kind->map.count];
}
