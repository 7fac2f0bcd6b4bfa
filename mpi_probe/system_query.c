/* SPDX-License-Identifier: BSD-3-Clause */
#include "mpi_probe/system_query.h"

#include "core/base/mem.h"
#include "mpi_probe/location.h"
#include "mpi_probe/system_file.h"
#include "mpi_probe/topology_pack.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* The longest list of PUs is that of every second one of many; the kernel gives a page at most. */
enum { TEXT_SIZE = 65536, MOST_OS = 16777215 };

/* Version 1 has no limit where the number is near the largest multiple of a page. */
static const int64_t no_limit = INT64_C(1) << 62;

/* The folder of a controller: of version 1 its mount is called as the line of /proc/self/cgroup. */
struct hierarchy {
	char path[256];   /* "/sys/fs/cgroup/cpu,cpuacct" */
	char group[4096]; /* "/job/step", and cut as one goes up */
	bool is_second;   /* version 2 */
};

static bool list_has(const char *list, size_t length, const char *word)
{
	size_t size = strlen(word);

	for (const char *at = list; at < list + length; at += strcspn(at, ",:") + 1)
		if (strcspn(at, ",:") == size && strncmp(at, word, size) == 0)
			return true;
	return false;
}

/* Of lines "4:cpu,cpuacct:/job" that of the controller, else "0::/job". */
static bool hierarchy_find(struct hierarchy *it, const char *lines, const char *controller)
{
	bool found = false;

	for (const char *line = lines; line && *line; line = strchr(line, '\n')) {
		const char *list, *group;
		size_t length;

		line += *line == '\n';
		list = line + strcspn(line, ":\n");
		if (*list != ':')
			continue;
		list++;
		group = list + strcspn(list, ":\n");
		if (*group != ':')
			continue;
		length = (size_t)(group++ - list);
		if ((length && !list_has(list, length, controller)) || (!length && found) ||
		    length > 128)
			continue;
		found = true;
		it->is_second = !length;
		snprintf(it->path, sizeof it->path, "/sys/fs/cgroup%s%.*s", length ? "/" : "",
			 (int)length, list);
		snprintf(it->group, sizeof it->group, "%.*s", (int)strcspn(group, "\n"), group);
	}
	return found;
}

/* One group up; false at the top. */
static bool hierarchy_climb(struct hierarchy *it)
{
	char *slash = strrchr(it->group, '/');

	if (!slash)
		return false;
	*slash = '\0';
	return true;
}

static void take_least(int64_t *least, int64_t value)
{
	if (value > 0 && (!*least || value < *least))
		*least = value;
}

/* "150000 100000", microseconds of each period; "max 100000" and -1 are no limit. */
static int64_t quota_of(double quota, double period)
{
	double thousandths = period > 0 ? quota / period * 1e3 : 0;

	if (!(quota > 0) || !(thousandths <= (double)TMAP_MOST_QUOTA))
		return 0;
	return thousandths < 1 ? 1 : (int64_t)(thousandths + 0.5);
}

static int64_t group_quota(const struct hierarchy *it, const char *root, char *text)
{
	double quota, period;

	if (it->is_second) {
		if (!tmap_system_file_read(text, TEXT_SIZE, "%s%s%s/cpu.max", root, it->path,
					   it->group) ||
		    sscanf(text, "%lf %lf", &quota, &period) != 2)
			return 0;
		return quota_of(quota, period);
	}
	if (!tmap_system_file_read(text, TEXT_SIZE, "%s%s%s/cpu.cfs_quota_us", root, it->path,
				   it->group) ||
	    sscanf(text, "%lf", &quota) != 1 ||
	    !tmap_system_file_read(text, TEXT_SIZE, "%s%s%s/cpu.cfs_period_us", root, it->path,
				   it->group) ||
	    sscanf(text, "%lf", &period) != 1)
		return 0;
	return quota_of(quota, period);
}

static int64_t group_memory(const struct hierarchy *it, const char *root, char *text)
{
	long long bytes;

	if (!tmap_system_file_read(text, TEXT_SIZE, "%s%s%s/%s", root, it->path, it->group,
				   it->is_second ? "memory.max" : "memory.limit_in_bytes") ||
	    sscanf(text, "%lld", &bytes) != 1 || bytes >= no_limit)
		return 0;
	return bytes;
}

/* The least that a group on the way to the top allows. */
static int64_t limit_find(const char *root, const char *controller,
			  int64_t (*limit)(const struct hierarchy *, const char *, char *),
			  char *text)
{
	struct hierarchy it;
	int64_t least = 0;

	if (!tmap_system_file_read(text, TEXT_SIZE, "%s/proc/self/cgroup", root) ||
	    !hierarchy_find(&it, text, controller))
		return 0;
	do {
		take_least(&least, limit(&it, root, text));
	} while (hierarchy_climb(&it));
	return least;
}

static int pus_read(struct tmap_idset *pus, const char *root, const char *name, char *text,
		    struct tmap_error *err)
{
	struct tmap_error why;

	if (!tmap_system_file_read(text, TEXT_SIZE, "%s/sys/devices/system/cpu/%s", root, name) ||
	    tmap_idset_parse(pus, text, MOST_OS, &why) == 0)
		return 0;
	/* an older kernel's "(null)" says nothing */
	if (why.kind != TMAP_SYSTEM)
		return 0;
	*err = why;
	return -1;
}

int tmap_system_query(struct tmap_system *system, const char *root, struct tmap_error *err)
{
	struct tmap_system made = { 0 };
	char *text = tmap_alloc_raw(TEXT_SIZE, 1, err);
	int status = text ? 0 : -1;

	if (status == 0) {
		made.cpu_quota_thousandths = limit_find(root, "cpu", group_quota, text);
		made.memory_limit_bytes =
			tmap_memory_round(limit_find(root, "memory", group_memory, text));
		status = pus_read(&made.isolated, root, "isolated", text, err);
	}
	if (status == 0)
		status = pus_read(&made.nohz_full, root, "nohz_full", text, err);
	free(text);
	if (status < 0)
		tmap_system_fini(&made);
	else
		*system = made;
	return status;
}

void tmap_system_pack(struct tmap_bytes *bytes, const struct tmap_system *system)
{
	tmap_bytes_add_int64(bytes, system->cpu_quota_thousandths);
	tmap_bytes_add_int64(bytes, system->memory_limit_bytes);
	tmap_idset_pack(bytes, &system->isolated);
	tmap_idset_pack(bytes, &system->nohz_full);
}

int tmap_system_unpack(struct tmap_system *system, struct tmap_cursor *cursor,
		       struct tmap_error *err)
{
	struct tmap_system made = { .cpu_quota_thousandths = tmap_cursor_int64(cursor) };

	made.memory_limit_bytes = tmap_cursor_int64(cursor);
	if (made.cpu_quota_thousandths < 0 || made.cpu_quota_thousandths > TMAP_MOST_QUOTA ||
	    made.memory_limit_bytes < 0)
		cursor->failed = true;
	if (tmap_idset_unpack(&made.isolated, cursor, err) < 0 ||
	    tmap_idset_unpack(&made.nohz_full, cursor, err) < 0) {
		tmap_system_fini(&made);
		return -1;
	}
	*system = made;
	return 0;
}
