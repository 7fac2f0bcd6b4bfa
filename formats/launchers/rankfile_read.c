#include "formats/launchers/rankfile.h"

#include "core/mem.h"
#include "formats/file.h"
#include "formats/launchers/hosts.h"
#include "formats/launchers/rankfile_lex.h"

#include <stdlib.h>
#include <string.h>

struct reader {
	struct tm_rankfile_text text;
	struct tm_slot_rules rules;
	const struct tm_launcher_limits *limits;
	struct tm_hosts hosts;
	int *place;   /* [lists x topologies]: place + 1, or 0: not made yet */
	int line;     /* to blame; 0 where it is the whole file */
};

/* The first rank that no entry has, where some rank is as large as the number of entries. */
static int refuse_gap(const struct tm_rankfile_text *text, const int *entry_of,
		      const struct tm_rankfile_entry *largest, struct tm_error *err)
{
	int missing = 0;

	while (entry_of[missing])
		missing++;
	return tm_fail(err, TM_INPUT, "rank %d is missing: there are %d entries, and line %d is "
		       "for rank %d", missing, text->entry_count, largest->line, largest->rank);
}

/* The ranks are 0 to entries - 1, each once. */
static int check_ranks(struct reader *in, struct tm_error *err)
{
	const struct tm_rankfile_text *text = &in->text;
	int *entry_of = tm_alloc((size_t)text->entry_count, sizeof *entry_of, err);
	const struct tm_rankfile_entry *beyond = NULL;
	int status = 0;

	if (!entry_of)
		return -1;
	for (int i = 0; i < text->entry_count && status == 0; i++) {
		const struct tm_rankfile_entry *entry = &text->entry[i];

		if (entry->rank >= text->entry_count) {
			if (!beyond || entry->rank > beyond->rank)
				beyond = entry;
		} else if (entry_of[entry->rank]) {
			in->line = entry->line;
			status = tm_fail(err, TM_INPUT, "rank %d already stands in line %d",
					 entry->rank,
					 text->entry[entry_of[entry->rank] - 1].line);
		} else {
			entry_of[entry->rank] = i + 1;
		}
	}
	if (status == 0 && beyond)
		status = refuse_gap(text, entry_of, beyond, err);
	free(entry_of);
	return status;
}

/* What keeps Open MPI from reading the file at all. */
static int check_limits(struct reader *in, struct tm_error *err)
{
	const struct tm_rankfile_text *text = &in->text;

	if (text->entry_count == 0)
		return tm_fail(err, TM_INPUT, "no line gives a rank its place");
	if (in->limits->rank_0_first && text->entry[0].rank != 0) {
		in->line = text->entry[0].line;
		return tm_fail(err, TM_INPUT, "rank %d comes before rank 0, and Open MPI then "
			       "refuses the file: rank 0 must stand first", text->entry[0].rank);
	}
	for (int i = 0; i < text->entry_count; i++) {
		const char *host = text->hosts.name[text->entry[i].host];
		const char *list = text->lists.name[text->entry[i].list];

		if (strlen(host) + strlen(list) > (size_t)in->limits->entry_max) {
			in->line = text->entry[i].line;
			return tm_fail(err, TM_INPUT, "host '%s' and its slot list have %zu "
				       "characters; Open MPI breaks above %d", host,
				       strlen(host) + strlen(list), in->limits->entry_max);
		}
	}
	return 0;
}

static int find_hosts(struct reader *in, const struct tm_machine *machine, struct tm_error *err)
{
	int culprit;

	if (tm_hosts_init(&in->hosts, &in->text.hosts, machine, &culprit, err) == 0)
		return 0;
	for (int i = in->text.entry_count - 1; i >= 0; i--)
		if (in->text.entry[i].host == culprit)
			in->line = in->text.entry[i].line;
	return -1;
}

static bool has_all_allowed(const struct tm_idset *pus, const struct tm_topology *topo)
{
	for (int i = 0; i < topo->pu_count; i++)
		if (topo->pu[i].allowed && !tm_idset_contains(pus, topo->pu[i].os))
			return false;
	return true;
}

static int make_place(const struct reader *in, struct tm_placement *p, int list, int topology,
		      struct tm_error *err)
{
	const struct tm_topology *topo = &p->machine->topology[topology];
	struct tm_idset pus = { 0 };
	int place;

	if (tm_slot_list_parse(&pus, in->text.lists.name[list], topo, &in->rules, err) < 0)
		return TM_NONE;
	place = tm_placement_intern(p, topology, &pus, NULL, !has_all_allowed(&pus, topo), err);
	tm_idset_fini(&pus);
	return place;
}

/* Each list is looked up once on each kind of node. */
static int put_ranks(struct reader *in, struct tm_placement *p, struct tm_error *err)
{
	size_t topologies = (size_t)p->machine->topology_count;

	in->place = tm_alloc((size_t)in->text.lists.count * topologies, sizeof *in->place, err);
	if (!in->place)
		return -1;
	for (int i = 0; i < in->text.entry_count; i++) {
		const struct tm_rankfile_entry *entry = &in->text.entry[i];
		int node = in->hosts.node[entry->host];
		int topology = p->machine->node_topology[node];
		int *place = &in->place[(size_t)entry->list * topologies + (size_t)topology];

		if (*place == 0)
			*place = make_place(in, p, entry->list, topology, err) + 1;
		if (*place == 0) {
			in->line = entry->line;
			return -1;
		}
		p->node[entry->rank] = node;
		p->place[entry->rank] = *place - 1;
	}
	return 0;
}

static int place_ranks(struct reader *in, struct tm_placement *p, struct tm_machine *machine,
		       struct tm_error *err)
{
	struct tm_placement made;

	if (check_ranks(in, err) < 0 || find_hosts(in, machine, err) < 0 ||
	    tm_placement_init(&made, machine, in->text.entry_count, err) < 0)
		return -1;
	if (put_ranks(in, &made, err) < 0 || tm_hosts_rename(&in->hosts, machine, err) < 0) {
		tm_placement_fini(&made);
		return -1;
	}
	*p = made;
	return 0;
}

int tm_rankfile_read_as(struct tm_placement *p, struct tm_machine *machine, const char *path,
			const struct tm_slot_rules *rules, struct tm_error *err)
{
	struct reader in = { .limits = &tm_launcher_at(0)->limits };
	char *text = NULL;
	int status = -1;

	if (tm_file_read_text(path, &text, err) < 0)
		return -1;
	if (tm_rankfile_text_init(&in.text, text, &in.line, err) == 0) {
		in.rules = rules ? *rules : in.text.rules;
		if (check_limits(&in, err) == 0)
			status = place_ranks(&in, p, machine, err);
	}
	if (status < 0 && in.line)
		tm_wrap(err, "%s:%d", tm_input_name(path), in.line);
	else if (status < 0)
		tm_wrap(err, "%s", tm_input_name(path));
	tm_rankfile_text_fini(&in.text);
	tm_hosts_fini(&in.hosts);
	free(in.place);
	free(text);
	return status;
}

int tm_rankfile_read(struct tm_placement *p, struct tm_machine *machine, const char *path,
		     struct tm_error *err)
{
	return tm_rankfile_read_as(p, machine, path, NULL, err);
}
