/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Oracle: maps that mpirun of Open MPI 5.0.7 (PRRTE 3.0.8) made of lists of hosts: --host, --hostfile
 * with max_slots, --map-by seq, and programs with hosts of their own. They are recorded in
 * tests/data/openmpi5_lists.maps by tests/policies/openmpi5.sh, which compares others where that
 * mpirun is installed.
 */
#include "core/base/hostlist.h"
#include "core/base/mem.h"
#include "formats/launchers/openmpi/hostfile_slots.h"
#include "formats/launchers/openmpi/openmpi.h"
#include "formats/machine/machine_spec.h"
#include "tests/unit.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static struct tmap_error err;

enum { FIELDS = 8, MOST_PROGRAMS = 4, MOST_NODES = 3 };
enum field { MACHINE, HOSTS, HOSTFILES, SEQUENCE, PROGRAMS, MAP, BIND, RESULT };

/* A recorded line as what the policy takes; texts are files in the folder. */
struct request {
	char *field[FIELDS];
	char folder[64], map[128], file[2][96], app[MOST_PROGRAMS][256];
	const char *apps[MOST_PROGRAMS];
	struct tmap_machine *machine;
	struct tmap_openmpi_hostfile hostfile;
	struct tmap_program_line *programs;
	int slots[MOST_NODES];
	struct tmap_policy policy;
};

static bool is_given(const char *word)
{
	return strcmp(word, "-") != 0;
}

static void text_write(const char *folder, const char *name, const char *text, size_t length)
{
	char path[128];
	FILE *file;

	snprintf(path, sizeof path, "%s/%s", folder, name);
	file = fopen(path, "w");
	ck_assert(file != NULL);
	for (size_t i = 0; i < length; i++)
		putc(text[i] == '/' ? '\n' : text[i], file);
	ck_assert_int_eq(fclose(file), 0);
}

/* Of digits alone: "pe" in a path means PE to PRRTE, which looks for it anywhere in --map-by. */
static void folder_make(struct request *rq)
{
	long number = getpid();

	do
		snprintf(rq->folder, sizeof rq->folder, "/tmp/hosts%ld", number++);
	while (mkdir(rq->folder, 0700) < 0 && errno == EEXIST);
	ck_assert_msg(access(rq->folder, W_OK) == 0, "%s", rq->folder);
}

static void texts_write(struct request *rq)
{
	const char *both = rq->field[HOSTFILES], *second = strchr(both, '|');

	folder_make(rq);
	text_write(rq->folder, "h1", both, second ? (size_t)(second - both) : strlen(both));
	text_write(rq->folder, "h2", second ? second + 1 : "", second ? strlen(second + 1) : 0);
	text_write(rq->folder, "s", rq->field[SEQUENCE], strlen(rq->field[SEQUENCE]));
	for (int i = 0; i < 2; i++)
		snprintf(rq->file[i], sizeof rq->file[i], "%s/h%d", rq->folder, i + 1);
}

static void texts_remove(const struct request *rq)
{
	static const char *const names[] = { "h1", "h2", "s" };
	char path[128];

	for (int i = 0; i < 3; i++) {
		snprintf(path, sizeof path, "%s/%s", rq->folder, names[i]);
		remove(path);
	}
	rmdir(rq->folder);
}

static void machine_make(struct request *rq, int nodes, char **names)
{
	char text[256];
	const char *spec = text;

	if (strstr(rq->field[MACHINE], ".xml"))
		snprintf(text, sizeof text, "%d*%s", nodes, rq->field[MACHINE]);
	else
		snprintf(text, sizeof text, "node:%d %s", nodes, rq->field[MACHINE]);
	rq->machine = tmap_machine_read_specs(&spec, 1, &err);
	ck_assert_msg(rq->machine != NULL, "%s: %s", text, err.text);
	ck_assert_int_eq(tmap_machine_rename(rq->machine, names, nodes, &err), 0);
}

/* Of "home:2,b,home": the nodes home and b with 3 and 1 slots. */
static void hosts_take(struct request *rq)
{
	char *names[MOST_NODES], copy[256], *at = copy;
	int nodes = 0;

	snprintf(copy, sizeof copy, "%s", rq->field[HOSTS]);
	while (at && *at) {
		char *name = at, *colon;
		int n = 0;

		at = strchr(at, ',');
		if (at)
			*at++ = '\0';
		colon = strchr(name, ':');
		if (colon)
			*colon++ = '\0';
		while (n < nodes && strcmp(names[n], name) != 0)
			n++;
		if (n == nodes) {
			ck_assert_int_lt(nodes, MOST_NODES);
			names[nodes++] = name;
		}
		rq->slots[n] += colon ? (int)strtol(colon, NULL, 10) : 1;
	}
	machine_make(rq, nodes, names);
	rq->policy.node_slots = rq->slots;
	rq->policy.is_named = true;
}

static void hostfile_take(struct request *rq)
{
	char *names[MOST_NODES];
	int nodes;

	ck_assert_int_eq(tmap_openmpi_hostfile_read(&rq->hostfile, rq->file[0], false, &err), 0);
	nodes = (int)rq->hostfile.hosts.count;
	for (int n = 0; n < nodes; n++)
		names[n] = rq->hostfile.hosts.text + rq->hostfile.hosts.starts[n];
	machine_make(rq, nodes, names);
	rq->policy.node_slots = rq->hostfile.slots;
	rq->policy.node_most = rq->hostfile.most;
	rq->policy.hostfile = rq->file[0];
}

/* "-n 2 --host a : --hostfile h1" */
static void programs_take(struct request *rq)
{
	char *names[] = { (char[]){ "home" }, (char[]){ "b" }, (char[]){ "c" } };
	const char *at = rq->field[PROGRAMS], *file;
	int count = 0;

	while (at) {
		const char *end = strstr(at, " : ");
		int length = end ? (int)(end - at) : (int)strlen(at);

		ck_assert_int_lt(count, MOST_PROGRAMS);
		snprintf(rq->app[count], sizeof rq->app[count], "%.*s", length, at);
		file = strstr(rq->app[count], "--hostfile ");
		if (file)
			snprintf(rq->app[count] + (file - rq->app[count]), 128, "--hostfile %s",
				 rq->file[file[12] - '1']);
		rq->apps[count] = rq->app[count];
		count++;
		at = end ? end + 3 : NULL;
	}
	machine_make(rq, 3, names);
	ck_assert_int_eq(tmap_program_lines_parse(&rq->programs, rq->apps, count, &err), 0);
	rq->policy.programs = rq->programs;
	rq->policy.program_count = count;
	rq->policy.is_named = true;
}

static void request_init(struct request *rq, char *text)
{
	const char *map;
	char *at = text;

	*rq = (struct request){ .policy = TMAP_POLICY_INIT };
	for (int i = 0; i < FIELDS; i++) {
		rq->field[i] = at;
		at += strcspn(at, ";\n");
		ck_assert_msg((*at == ';') == (i < FIELDS - 1), "%s", text);
		*at++ = '\0';
	}
	texts_write(rq);
	if (strchr(rq->field[PROGRAMS], 'n') || strchr(rq->field[PROGRAMS], 'h'))
		programs_take(rq);
	else if (is_given(rq->field[HOSTFILES]))
		hostfile_take(rq);
	else
		hosts_take(rq);
	if (!rq->programs && is_given(rq->field[PROGRAMS]))
		rq->policy.ranks = (int)strtol(rq->field[PROGRAMS], NULL, 10);
	map = rq->field[MAP];
	if (is_given(rq->field[SEQUENCE]))
		snprintf(rq->map, sizeof rq->map, "seq:file=%s/s%s", rq->folder, map + 3);
	else
		snprintf(rq->map, sizeof rq->map, "%s", map);
	rq->policy.map_by = is_given(map) ? rq->map : NULL;
	rq->policy.bind_to = is_given(rq->field[BIND]) ? rq->field[BIND] : NULL;
}

static void request_fini(struct request *rq)
{
	texts_remove(rq);
	tmap_machine_free(rq->machine);
	tmap_openmpi_hostfile_fini(&rq->hostfile);
	tmap_program_lines_free(rq->programs, rq->policy.program_count);
}

/* "home:0-1 b:*" */
static char *answer(const struct request *rq)
{
	struct tmap_str text = TMAP_STR_INIT;
	struct tmap_placement p;

	if (tmap_openmpi5_policy.place(&p, rq->machine, &rq->policy, &err) < 0)
		return tmap_strdup("refused", &err);
	for (int r = 0; r < p.size; r++) {
		const struct tmap_place *place = &p.places[p.place[r]];

		char *pus = place->bound ? tmap_idset_print(&place->pus, &err) : NULL;

		tmap_str_addf(&text, "%s%s:%s", r ? " " : "", p.machine->node_name[p.node[r]],
			      pus ? pus : "*");
		free(pus);
	}
	tmap_placement_fini(&p);
	return tmap_str_take(&text, &err);
}

START_TEST(ranks_sit_on_the_hosts_where_mpirun_puts_them)
{
	FILE *file = fopen("tests/data/openmpi5_lists.maps", "r");
	int compared = 0, placed = 0;
	char text[4096], line[4096];

	ck_assert(file != NULL);
	while (fgets(text, sizeof text, file)) {
		struct request rq;
		char *have;

		if (text[0] == '#')
			continue;
		snprintf(line, sizeof line, "%s", text);
		request_init(&rq, text);
		have = answer(&rq);
		ck_assert_msg(strcmp(have, rq.field[RESULT]) == 0, "%shave %s (%s)", line, have,
			      strcmp(have, "refused") == 0 ? err.text : "");
		compared++;
		placed += strcmp(have, "refused") != 0;
		free(have);
		request_fini(&rq);
	}
	fclose(file);
	ck_assert_int_gt(compared, 100);
	ck_assert_int_gt(placed, 50);
}
END_TEST

Suite *test_suite(void)
{
	Suite *suite = suite_create("program_hosts");
	TCase *tc = tcase_create("program_hosts");

	tcase_set_timeout(tc, 60);
	tcase_add_test(tc, ranks_sit_on_the_hosts_where_mpirun_puts_them);
	suite_add_tcase(suite, tc);
	return suite;
}
