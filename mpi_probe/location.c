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
static cpu_set_t *ask_affinity(size_t *size)
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

static int ask_pus(struct tm_idset *pus, struct tm_error *err)
{
	size_t size = 0;
	cpu_set_t *set = ask_affinity(&size);
	int status = 0;

	if (!set)
		return tm_fail(err, TM_SYSTEM, "the system does not tell the CPUs that a rank may "
			       "run on: %s", strerror(errno));
	for (int pu = 0; (size_t)pu < size * CHAR_BIT && status == 0; pu++)
		if (CPU_ISSET_S((size_t)pu, size, set))
			status = tm_idset_add(pus, pu, err);
	CPU_FREE(set);
	return status;
}

/* 0 if the kernel does not answer: containers often forbid the question. */
static bool ask_policy(unsigned long *mask, int *mode, unsigned long flags)
{
	memset(mask, 0, NODE_LIMIT / CHAR_BIT);
	return syscall(SYS_get_mempolicy, mode, mask, (unsigned long)NODE_LIMIT, NULL, flags) == 0;
}

static bool forbids_others(int mode)
{
	const int weighted_interleave = 6; /* Linux 6.9; not in every header */

	return mode == MPOL_BIND || mode == MPOL_INTERLEAVE || mode == weighted_interleave;
}

/* What the cpuset allows, and of that, what a policy that forbids other nodes names. */
static int ask_memory(struct tm_idset *memory, struct tm_error *err)
{
	unsigned long allowed[NODE_LIMIT / WORD_BITS], named[NODE_LIMIT / WORD_BITS];
	int mode = MPOL_DEFAULT, status = 0;
	bool narrow;

	if (!ask_policy(allowed, NULL, MPOL_F_MEMS_ALLOWED))
		return 0;
	narrow = ask_policy(named, &mode, 0) && forbids_others(mode & ~MPOL_MODE_FLAGS);
	for (int node = 0; node < NODE_LIMIT && status == 0; node++) {
		unsigned long bit = 1ul << node % WORD_BITS;

		if (allowed[node / WORD_BITS] & bit && (!narrow || named[node / WORD_BITS] & bit))
			status = tm_idset_add(memory, node, err);
	}
	return status;
}

int tm_location_ask(struct tm_location *location, struct tm_error *err)
{
	struct tm_location asked = { .last_pu = sched_getcpu() };

	if (asked.last_pu < 0)
		asked.last_pu = TM_NONE;
	if (ask_pus(&asked.pus, err) < 0 || ask_memory(&asked.memory, err) < 0) {
		tm_location_fini(&asked);
		return -1;
	}
	*location = asked;
	return 0;
}

void tm_location_fini(struct tm_location *location)
{
	tm_idset_fini(&location->pus);
	tm_idset_fini(&location->memory);
}

void tm_idset_pack(struct tm_bytes *bytes, const struct tm_idset *set)
{
	tm_bytes_add_int(bytes, set->count);
	for (int i = 0; i < set->count; i++) {
		tm_bytes_add_int(bytes, set->range[i].first);
		tm_bytes_add_int(bytes, set->range[i].last);
	}
}

int tm_idset_unpack(struct tm_idset *set, struct tm_cursor *cursor, struct tm_error *err)
{
	int count = tm_cursor_count(cursor, 8);

	for (int i = 0; i < count; i++) {
		int first = tm_cursor_int(cursor), last = tm_cursor_int(cursor);

		if (first < 0 || first > last)
			cursor->failed = true;
		else if (tm_idset_add_range(set, first, last, err) < 0)
			return -1;
	}
	return 0;
}

void tm_location_pack(struct tm_bytes *bytes, const struct tm_location *location)
{
	tm_idset_pack(bytes, &location->pus);
	tm_idset_pack(bytes, &location->memory);
	tm_bytes_add_int(bytes, location->last_pu);
}

int tm_location_unpack(struct tm_location *location, struct tm_cursor *cursor,
		       struct tm_error *err)
{
	struct tm_location made = { .last_pu = TM_NONE };

	if (tm_idset_unpack(&made.pus, cursor, err) < 0 ||
	    tm_idset_unpack(&made.memory, cursor, err) < 0) {
		tm_location_fini(&made);
		return -1;
	}
	made.last_pu = tm_cursor_int(cursor);
	*location = made;
	return 0;
}
