/* SPDX-License-Identifier: BSD-3-Clause */
#include "formats/launchers/openmpi/rankfile.h"

#include "core/base/mem.h"
#include "core/base/names.h"
#include "core/machine/overlap.h"
#include "formats/launchers/common/hosts.h"
#include "formats/launchers/common/shell.h"
#include "formats/launchers/openmpi/openmpi.h"
#include "formats/launchers/openmpi/rankfile_lex.h"

#include <stdlib.h>
#include <string.h>

/* Longer lists of hosts do not stand in command lines that people read. */
enum { HOSTS_MAX = 4000 };

struct writer {
	const struct tmap_launch *job;
	const struct tmap_placement *p;
	const struct tmap_launcher *launcher;
	const char *open_mpi;
	bool hwthreads;
	const char *hwthread_option;
	char **list;   /* [place_count], NULL: not asked for yet */
	bool *is_used; /* [node_count] */
};

static bool is_taken(const struct tmap_placement *p, int place)
{
	for (int r = 0; r < p->size; r++)
		if (p->place[r] == place)
			return true;
	return false;
}

bool tmap_rankfile_needs_hwthreads(const struct tmap_placement *p)
{
	for (int i = 0; i < p->place_count; i++) {
		const struct tmap_place *place = &p->places[i];

		if (!tmap_slot_list_is_cores(&place->pus, &p->machine->topology[place->topology]) &&
		    is_taken(p, i))
			return true;
	}
	return false;
}

int tmap_rankfile_check_hosts(const struct tmap_machine *machine, const bool *used,
			      struct tmap_error *err)
{
	struct tmap_names names = { 0 };
	int status = 0, *node_of = tmap_alloc((size_t)machine->node_count, sizeof *node_of, err);

	if (!node_of)
		return -1;
	for (int n = 0; n < machine->node_count && status == 0; n++) {
		const char *name = machine->node_name[n];
		int before = names.count, number;

		if (!used[n])
			continue;
		number = tmap_names_intern(&names, name, tmap_host_short_length(name), err);
		if (number == TMAP_NONE)
			status = -1;
		else if (number < before)
			status = tmap_fail(err, TMAP_INPUT,
					   "for Open MPI the hosts '%s' and "
					   "'%s' are one: it cuts names at the first dot",
					   machine->node_name[node_of[number]], name);
		else
			node_of[number] = n;
	}
	tmap_names_fini(&names);
	free(node_of);
	return status;
}

static int check_hosts(struct writer *w, struct tmap_error *err)
{
	const struct tmap_machine *machine = w->p->machine;

	for (int r = 0; r < w->p->size; r++) {
		int node = w->p->node[r];
		const char *name = machine->node_name[node];

		if (!w->is_used[node] && !tmap_rankfile_is_host(name, strlen(name)))
			return tmap_fail(err, TMAP_INPUT,
					 "rank %d: no rankfile can hold the host "
					 "name '%s'",
					 r, name);
		w->is_used[node] = true;
	}
	return tmap_rankfile_check_hosts(machine, w->is_used, err);
}

static int check_entry(struct writer *w, int rank, struct tmap_error *err)
{
	const struct tmap_placement *p = w->p;
	const struct tmap_place *place = &p->places[p->place[rank]];
	const char *host = p->machine->node_name[p->node[rank]];
	const struct tmap_launcher_limits *limits = &w->launcher->limits;
	char **list = &w->list[p->place[rank]];
	size_t both;

	if (!*list)
		*list = tmap_slot_list_print(&place->pus, &p->machine->topology[place->topology],
					     w->hwthreads, err);
	if (!*list)
		return tmap_wrap(err, "rank %d on host '%s'", rank, host);
	both = tmap_host_short_length(host) + strlen(*list);
	if (both > (size_t)limits->entry_max || strlen(*list) > (size_t)limits->list_max)
		return tmap_fail(err, TMAP_INPUT,
				 "rank %d: host '%.*s' and slot list '%s' have %zu characters "
				 "together; %s takes %d",
				 rank, (int)tmap_host_short_length(host), host, *list, both,
				 w->open_mpi, limits->entry_max);
	return 0;
}

static int check_all(struct writer *w, struct tmap_error *err)
{
	if (check_hosts(w, err) < 0)
		return -1;
	for (int r = 0; r < w->p->size; r++)
		if (check_entry(w, r, err) < 0)
			return -1;
	return 0;
}

static void print_all(const struct writer *w, FILE *out)
{
	const struct tmap_placement *p = w->p;

	tmap_launch_write_why(out, w->job);
	if (w->hwthreads)
		fprintf(out, "# hardware threads: mpirun %s\n", w->hwthread_option);
	for (int r = 0; r < p->size; r++) {
		const char *host = p->machine->node_name[p->node[r]];

		fprintf(out, "rank %d=%.*s slot=%s\n", r, (int)tmap_host_short_length(host), host,
			w->list[p->place[r]]);
	}
}

static int write_rankfile(FILE *out, struct writer *w, struct tmap_error *err)
{
	const struct tmap_placement *p = w->p;
	int status = -1;

	w->hwthreads = tmap_rankfile_needs_hwthreads(p);
	w->list = tmap_alloc((size_t)p->place_count, sizeof *w->list, err);
	w->is_used = tmap_alloc((size_t)p->machine->node_count, sizeof *w->is_used, err);
	if (w->list && w->is_used)
		status = check_all(w, err);
	if (status == 0 && out)
		print_all(w, out);
	for (int i = 0; w->list && i < p->place_count; i++)
		free(w->list[i]);
	free(w->list);
	free(w->is_used);
	return status;
}

int tmap_openmpi4_write(FILE *out, const struct tmap_launch *job, int number,
			struct tmap_error *err)
{
	struct writer w = { .job = job,
			    .p = job->p,
			    .launcher = job->launcher,
			    .open_mpi = "Open MPI 4",
			    .hwthread_option = "--mca hwloc_base_use_hwthreads_as_cpus 1" };

	(void)number;
	return write_rankfile(out, &w, err);
}

int tmap_openmpi5_write(FILE *out, const struct tmap_launch *job, int number,
			struct tmap_error *err)
{
	struct writer w = { .job = job,
			    .p = job->p,
			    .launcher = job->launcher,
			    .open_mpi = "Open MPI 5",
			    .hwthread_option = "--map-by rankfile:file=...:hwtcpus" };

	(void)number;
	return write_rankfile(out, &w, err);
}

/* The hosts and their slots come from the rankfile itself. */
int tmap_openmpi4_command(struct tmap_str *line, const struct tmap_launch *job,
			  struct tmap_error *err)
{
	(void)err;
	tmap_str_addf(line, "mpirun -np %d ", job->p->size);
	if (tmap_rankfile_needs_hwthreads(job->p))
		tmap_str_add(line, "--mca hwloc_base_use_hwthreads_as_cpus 1 ");
	tmap_str_add(line, "--rankfile ");
	tmap_shell_add_file(line, job->name);
	tmap_str_add(line, " PROGRAM");
	return 0;
}

/* Is there a PU in the slot lists of two ranks? Those of unbound ranks have all of the node. */
static int find_shared_pus(bool *found, const struct tmap_placement *p, struct tmap_error *err)
{
	struct tmap_node_fold fold = { 0 };
	unsigned char *shares;

	if (tmap_node_fold_init(&fold, p, err) < 0)
		return -1;
	shares = tmap_overlap_find(p, &fold, err);
	*found = false;
	for (int r = 0; shares && r < p->size && !*found; r++) {
		int n = p->node[r], ranks = fold.first[n + 1] - fold.first[n];

		*found = (shares[r] & TMAP_SHARES_PU) ||
			(ranks > 1 && !p->places[p->place[r]].bound);
	}
	tmap_node_fold_fini(&fold);
	free(shares);
	return shares ? 0 : -1;
}

/* *list = "a:4,b:2", the hosts and the ranks on each; NULL where it is longer than HOSTS_MAX. */
static int list_hosts(char **list, const struct tmap_launch *job, struct tmap_error *err)
{
	const struct tmap_machine *machine = job->p->machine;
	struct tmap_str text = TMAP_STR_INIT;

	for (int n = 0; n < machine->node_count && text.length <= HOSTS_MAX; n++) {
		const char *host = machine->node_name[n];
		int ranks = tmap_locals_count(&job->locals, n);

		if (ranks)
			tmap_str_addf(&text, "%s%.*s:%d", text.length ? "," : "",
				      (int)tmap_host_short_length(host), host, ranks);
	}
	*list = NULL;
	if (text.length > HOSTS_MAX) {
		tmap_str_fini(&text);
		return 0;
	}
	*list = tmap_str_take(&text, err);
	return *list ? 0 : -1;
}

/* Open MPI 5 takes no hosts from the file, and refuses ranks that share PUs, unless it is told to
 * bind them nevertheless. */
int tmap_openmpi5_command(struct tmap_str *line, const struct tmap_launch *job,
			  struct tmap_error *err)
{
	bool shared;
	char *policy, *hosts;

	if (strchr(job->name, ':'))
		return tmap_fail(err, TMAP_INPUT,
				 "file name '%s': for Open MPI 5, which gets it within "
				 "--map-by, it ends at a ':'",
				 job->name);
	if (find_shared_pus(&shared, job->p, err) < 0)
		return -1;
	policy = tmap_format(err, "rankfile:file=%s%s", job->name,
			     tmap_rankfile_needs_hwthreads(job->p) ? ":hwtcpus" : "");
	if (!policy)
		return -1;
	if (list_hosts(&hosts, job, err) < 0) {
		free(policy);
		return -1;
	}
	tmap_str_addf(line, "mpirun -np %d ", job->p->size);
	if (hosts) {
		tmap_str_add(line, "--host ");
		tmap_shell_add(line, hosts);
		tmap_str_add(line, " ");
	}
	tmap_str_add(line, "--map-by ");
	tmap_shell_add(line, policy);
	tmap_str_addf(line, "%s PROGRAM", shared ? " --bind-to :overload-allowed" : "");
	free(hosts);
	free(policy);
	return 0;
}

bool tmap_openmpi5_refuses(const char *path)
{
	return strchr(path, '-') != NULL;
}

void tmap_openmpi5_add_refusal(struct tmap_str *text, const char *path)
{
	tmap_str_add(text,
		     "Open MPI 5.0.7 and 5.0.8 refuse a file with a '-' in its name or path "
		     "within --map-by; give '");
	tmap_str_add_printable(text, path);
	tmap_str_add(text, "' another name");
}

int tmap_openmpi5_note(struct tmap_str *text, const struct tmap_launch *job, struct tmap_error *err)
{
	char *hosts;

	if (list_hosts(&hosts, job, err) < 0)
		return -1;
	if (!hosts)
		tmap_str_add(text,
			     "Open MPI 5 takes the hosts from the resource manager or from "
			     "--hostfile, not from this file");
	if (!hosts && tmap_openmpi5_refuses(job->name))
		tmap_str_add(text, "; ");
	if (tmap_openmpi5_refuses(job->name))
		tmap_openmpi5_add_refusal(text, job->name);
	free(hosts);
	return 0;
}
