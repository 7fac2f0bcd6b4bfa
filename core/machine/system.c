/* SPDX-License-Identifier: BSD-3-Clause */
#include "core/machine/system.h"

void tmap_system_fini(struct tmap_system *system)
{
	tmap_idset_fini(&system->isolated);
	tmap_idset_fini(&system->nohz_full);
	*system = (struct tmap_system){ 0 };
}

bool tmap_system_equal(const struct tmap_system *a, const struct tmap_system *b)
{
	return a->cpu_quota_thousandths == b->cpu_quota_thousandths &&
		a->memory_limit_bytes == b->memory_limit_bytes &&
		tmap_idset_equal(&a->isolated, &b->isolated) &&
		tmap_idset_equal(&a->nohz_full, &b->nohz_full);
}

bool tmap_system_is_plain(const struct tmap_system *system)
{
	const struct tmap_system plain = { 0 };

	return tmap_system_equal(system, &plain);
}
