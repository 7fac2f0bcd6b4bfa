/* SPDX-License-Identifier: BSD-3-Clause */
#include "mpi_probe/location.h"

#include <errno.h>
#include <limits.h>
#include <linux/mempolicy.h>
#include <sched.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

/* Linux allows 1024 NUMA nodes at most (CONFIG_NODES_SHIFT is 10 at most). */
enum { NODE_LIMIT = 4096, WORD_BITS = CHAR_BIT * sizeof(unsigned long) };

/* The kernel refuses a mask that is too short for its PUs, so it is doubled until it fits. */
static cpu_set_t *affinity_query(size_t *size)
{
	for (int pus = 1024; pus <= 1 << 22; pus *= 2) {
		cpu_set_t *set = CPU_ALLOC((size_t)pus);

		if (!set)
			return NULL;
		*size = CPU_ALLOC_SIZE((size_t)pus);
		if (sched_getaffinity(0, *size, set) == 0)
			return set;
		CPU_FREE(set);
		if (errno != EINVAL)
			return NULL;
	}
	return NULL;
}

static int pus_query(struct tmap_idset *pus, struct tmap_error *err)
{
	size_t size = 0;
	cpu_set_t *set = affinity_query(&size);
	int status = 0;

	if (!set)
		return tmap_fail(err, TMAP_SYSTEM,
				 "the system does not report the CPUs that a rank may "
				 "run on: %s",
				 strerror(errno));
	for (int pu = 0; (size_t)pu < size * CHAR_BIT && status == 0; pu++)
		if (CPU_ISSET_S((size_t)pu, size, set))
			status = tmap_idset_add(pus, pu, err);
	CPU_FREE(set);
	return status;
}

/* False if the kernel does not answer: containers often forbid the call. */
static bool policy_query(unsigned long *mask, int *mode, unsigned long flags)
{
	memset(mask, 0, NODE_LIMIT / CHAR_BIT);
	return syscall(SYS_get_mempolicy, mode, mask, (unsigned long)NODE_LIMIT, NULL, flags) == 0;
}

static bool policy_is_strict(int mode)
{
	const int weighted_interleave = 6; /* Linux 6.9; not in every header */

	return mode == MPOL_BIND || mode == MPOL_INTERLEAVE || mode == weighted_interleave;
}

/* What the cpuset allows, and of that, what a policy that forbids other nodes names. */
static int memory_query(struct tmap_idset *memory, struct tmap_error *err)
{
	unsigned long allowed[NODE_LIMIT / WORD_BITS], named[NODE_LIMIT / WORD_BITS];
	int mode = MPOL_DEFAULT, status = 0;
	bool narrow;

	if (!policy_query(allowed, NULL, MPOL_F_MEMS_ALLOWED))
		return 0;
	narrow = policy_query(named, &mode, 0) && policy_is_strict(mode & ~MPOL_MODE_FLAGS);
	for (int node = 0; node < NODE_LIMIT && status == 0; node++) {
		unsigned long bit = 1ul << node % WORD_BITS;

		if (allowed[node / WORD_BITS] & bit && (!narrow || named[node / WORD_BITS] & bit))
			status = tmap_idset_add(memory, node, err);
	}
	return status;
}

int tmap_probed_location_query(struct tmap_probed_location *location, struct tmap_error *err)
{
	struct tmap_probed_location asked = { .last_pu = sched_getcpu() };

	if (asked.last_pu < 0)
		asked.last_pu = TMAP_NONE;
	if (pus_query(&asked.pus, err) < 0 || memory_query(&asked.memory, err) < 0) {
		tmap_probed_location_fini(&asked);
		return -1;
	}
	*location = asked;
	return 0;
}

void tmap_probed_location_fini(struct tmap_probed_location *location)
{
	tmap_idset_fini(&location->pus);
	tmap_idset_fini(&location->memory);
}

void tmap_idset_pack(struct tmap_bytes *bytes, const struct tmap_idset *set)
{
	tmap_bytes_add_int(bytes, set->count);
	for (int i = 0; i < set->count; i++) {
		tmap_bytes_add_int(bytes, set->range[i].first);
		tmap_bytes_add_int(bytes, set->range[i].last);
	}
}

int tmap_idset_unpack(struct tmap_idset *set, struct tmap_cursor *cursor, struct tmap_error *err)
{
	int count = tmap_cursor_count(cursor, 8);

	for (int i = 0; i < count; i++) {
		int first = tmap_cursor_int(cursor), last = tmap_cursor_int(cursor);

		if (first < 0 || first > last)
			cursor->failed = true;
		else if (tmap_idset_add_range(set, first, last, err) < 0)
			return -1;
	}
	return 0;
}

void tmap_probed_location_pack(struct tmap_bytes *bytes,
			       const struct tmap_probed_location *location)
{
	tmap_idset_pack(bytes, &location->pus);
	tmap_idset_pack(bytes, &location->memory);
	tmap_bytes_add_int(bytes, location->last_pu);
}

int tmap_probed_location_unpack(struct tmap_probed_location *location, struct tmap_cursor *cursor,
				struct tmap_error *err)
{
	struct tmap_probed_location made = { .last_pu = TMAP_NONE };

	if (tmap_idset_unpack(&made.pus, cursor, err) < 0 ||
	    tmap_idset_unpack(&made.memory, cursor, err) < 0) {
		tmap_probed_location_fini(&made);
		return -1;
	}
	made.last_pu = tmap_cursor_int(cursor);
	*location = made;
	return 0;
}
