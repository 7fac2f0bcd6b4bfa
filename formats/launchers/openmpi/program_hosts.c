/* SPDX-License-Identifier: BSD-3-Clause */
#include "formats/launchers/openmpi/program_hosts.h"

#include "core/base/mem.h"
#include "core/base/names.h"
#include "core/base/units.h"
#include "core/machine/most_ranks.h"
#include "formats/launchers/common/hosts.h"
#include "formats/launchers/openmpi/hostfile_slots.h"
#include "formats/launchers/openmpi/rankfile_lex.h"
#include "formats/launchers/openmpi/sequence.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>

/* A host that a program names, as often as it does. */
struct mention {
	int program, name, slots; /* slots: TMAP_NONE where a hostfile leaves them open */
	int most;
};

struct mentions {
	struct tmap_names names;
	struct mention *at;
	int count;
	size_t capacity;
	bool is_dash_host; /* some program has --host */
};

static void mentions_fini(struct mentions *mentions)
{
	tmap_names_fini(&mentions->names);
	free(mentions->at);
}

static int mentions_add(struct mentions *mentions, const char *name, size_t length,
			struct mention made, struct tmap_error *err)
{
	made.name = tmap_names_intern_host(&mentions->names, name, length, err);
	if (made.name == TMAP_NONE ||
	    tmap_grow(&mentions->at, &mentions->capacity, (size_t)mentions->count + 1,
		      sizeof *mentions->at, err) < 0)
		return -1;
	mentions->at[mentions->count++] = made;
	return 0;
}

/* "a:2" or "a" */
static int host_parse(struct mentions *mentions, int program, const char *text, size_t length,
		      struct tmap_error *err)
{
	const char *colon = memchr(text, ':', length);
	size_t name = colon ? (size_t)(colon - text) : length;
	struct mention made = { .program = program, .slots = 1, .most = TMAP_NONE };
	char number[16] = "";
	int64_t slots = 1;

	if (!tmap_rankfile_is_host(text, name))
		return tmap_fail(err, TMAP_USAGE, "'%.*s' is not a host",
				 length > 64 ? 64 : (int)length, text);
	if (colon && length - name - 1 < sizeof number)
		memcpy(number, colon + 1, length - name - 1);
	if (colon && tmap_units_parse_int(number, 1, TMAP_MOST_RANKS, &slots, err) < 0) {
		err->kind = TMAP_USAGE;
		return tmap_wrap(err, "slots of '%.*s'", name > 64 ? 64 : (int)name, text);
	}
	made.slots = (int)slots;
	return mentions_add(mentions, text, name, made, err);
}

static int refuse_host(int program, struct tmap_error *err)
{
	err->kind = err->kind == TMAP_INPUT ? TMAP_USAGE : err->kind;
	return tmap_wrap(err, "--app, program %d, --host", program);
}

static int dash_host_parse(struct mentions *mentions, int program, const char *text,
			   struct tmap_error *err)
{
	for (;; text++) {
		size_t length = strcspn(text, ",");

		if (host_parse(mentions, program, text, length, err) < 0)
			return refuse_host(program, err);
		text += length;
		if (!*text)
			return 0;
	}
}

static int hostfile_read(struct mentions *mentions, int program, const char *path,
			 struct tmap_error *err)
{
	struct tmap_openmpi_hostfile file;
	int rc = tmap_openmpi_hostfile_read(&file, path, false, err);

	for (size_t i = 0; rc == 0 && i < file.hosts.count; i++) {
		const char *name = tmap_hostlist_name(&file.hosts, i);
		const struct mention made = { .program = program,
					      .slots = file.slots[i],
					      .most = file.most[i] };

		rc = mentions_add(mentions, name, strlen(name), made, err);
	}
	tmap_openmpi_hostfile_fini(&file);
	return rc;
}

/* The hosts that make the job's nodes. Hostfiles beside a --host give none, and are read later. */
static int mentions_init(struct mentions *mentions, const struct tmap_policy *policy,
			 struct tmap_error *err)
{
	for (int i = 0; i < policy->program_count; i++)
		mentions->is_dash_host |= policy->programs[i].hosts != NULL;
	for (int i = 0; i < policy->program_count; i++) {
		const struct tmap_program_line *line = &policy->programs[i];

		if (line->hosts && dash_host_parse(mentions, i, line->hosts, err) < 0)
			return -1;
		if (line->hostfile && !mentions->is_dash_host &&
		    hostfile_read(mentions, i, line->hostfile, err) < 0)
			return -1;
	}
	return 0;
}

/* The nodes of names, which the machine's may take. */
static int names_resolve(int **node, const struct tmap_names *names, struct tmap_machine *machine,
			 struct tmap_error *err)
{
	struct tmap_hosts hosts;
	int culprit;

	if (tmap_hosts_init(&hosts, names, machine, &culprit, err) < 0)
		return -1;
	if (tmap_hosts_rename(&hosts, machine, err) < 0) {
		tmap_hosts_fini(&hosts);
		return -1;
	}
	*node = hosts.node;
	hosts.node = NULL;
	tmap_hosts_fini(&hosts);
	return 0;
}

/* A program's nodes, each once, in the order in which it names them. */
static int program_add(struct tmap_program *program, int *index, int node, int slots,
		       struct tmap_error *err)
{
	if (index[node] == TMAP_NONE) {
		index[node] = program->node_count;
		program->node[program->node_count] = node;
		program->slots[program->node_count++] = 0;
	}
	if (slots > INT_MAX - program->slots[index[node]])
		return tmap_fail(err, TMAP_INPUT, "the slots of a node are more than %d", INT_MAX);
	program->slots[index[node]] += slots;
	return 0;
}

static int *filled(size_t count, int value, struct tmap_error *err)
{
	int *array = tmap_alloc(count, sizeof *array, err);

	for (size_t i = 0; array && i < count; i++)
		array[i] = value;
	return array;
}

static int sequence_init(struct tmap_program *program, int count, struct tmap_error *err)
{
	program->sequence = tmap_alloc((size_t)count, sizeof *program->sequence, err);
	program->sequence_count = 0;
	return program->sequence ? 0 : -1;
}

static void sequence_add(struct tmap_program *program, int node)
{
	program->sequence[program->sequence_count++] = node;
}

static int nodes_alloc(struct tmap_program *program, size_t nodes, struct tmap_error *err)
{
	program->node_count = 0;
	program->node = tmap_alloc(nodes, sizeof *program->node, err);
	program->slots = tmap_alloc(nodes, sizeof *program->slots, err);
	return program->node && program->slots ? 0 : -1;
}

/* The slots of the job's nodes; none where none is named. */
static int slots_add(struct tmap_program_hosts *hosts, const struct mentions *mentions,
		     const int *node, int nodes, struct tmap_error *err)
{
	bool *is_named = tmap_alloc((size_t)nodes, sizeof *is_named, err);

	hosts->node_slots = filled((size_t)nodes, 0, err);
	hosts->node_most = filled((size_t)nodes, TMAP_NONE, err);
	for (int i = 0; is_named && hosts->node_slots && hosts->node_most && i < mentions->count;
	     i++) {
		const struct mention *it = &mentions->at[i];
		int n = node[it->name], *slots = &hosts->node_slots[n];

		if (mentions->is_dash_host && it->slots > INT_MAX - *slots) {
			free(is_named);
			return tmap_fail(err, TMAP_INPUT, "the slots of a node are more than %d",
					 INT_MAX);
		}
		if (mentions->is_dash_host)
			*slots += it->slots;
		else if (!is_named[n])
			*slots = it->slots;
		if (!is_named[n])
			hosts->node_most[n] = it->most;
		is_named[n] = true;
	}
	free(is_named);
	return is_named && hosts->node_slots && hosts->node_most ? 0 : -1;
}

/* mpirun begins with its own node, wherever it stands. */
static void program_begin_at_home(struct tmap_program *program)
{
	int at = 0, slots;

	while (at < program->node_count && program->node[at] != 0)
		at++;
	if (at == program->node_count)
		return;
	slots = program->slots ? program->slots[at] : 0;
	for (; at > 0; at--) {
		program->node[at] = program->node[at - 1];
		if (program->slots)
			program->slots[at] = program->slots[at - 1];
	}
	program->node[0] = 0;
	if (program->slots)
		program->slots[0] = slots;
}

/* Of a program that names no hosts: all of the job. */
static int program_take_all(struct tmap_program *program, const struct mentions *mentions,
			    const int *node, int *index, struct tmap_error *err)
{
	for (int i = 0; i < mentions->names.count; i++)
		if (program_add(program, index, node[i], 0, err) < 0)
			return -1;
	free(program->slots);
	program->slots = NULL;
	return 0;
}

/* Of a hostfile: its nodes among the job's. */
static int program_take_file(struct tmap_program *program, const char *path,
			     const struct mentions *mentions, const int *node, int *index,
			     struct tmap_error *err)
{
	struct tmap_openmpi_hostfile file;
	int rc = tmap_openmpi_hostfile_read(&file, path, false, err);

	for (size_t i = 0; rc == 0 && i < file.hosts.count; i++) {
		const char *name = tmap_hostlist_name(&file.hosts, i);
		int found = tmap_names_find(&mentions->names, name, strlen(name));

		if (found != TMAP_NONE)
			rc = program_add(program, index, node[found], 0, err);
	}
	tmap_openmpi_hostfile_fini(&file);
	free(program->slots);
	program->slots = NULL;
	return rc;
}

static int program_take_mentions(struct tmap_program *program, int number,
				 const struct mentions *mentions, const int *node, int *index,
				 struct tmap_error *err)
{
	if (sequence_init(program, mentions->count, err) < 0)
		return -1;
	for (int i = 0; i < mentions->count; i++) {
		const struct mention *it = &mentions->at[i];

		if (it->program != number)
			continue;
		if (program_add(program, index, node[it->name], it->slots, err) < 0)
			return -1;
		sequence_add(program, node[it->name]);
	}
	return 0;
}

static int programs_resolve(struct tmap_program_hosts *hosts, const struct tmap_policy *policy,
			    const struct mentions *mentions, const int *node, int nodes,
			    struct tmap_error *err)
{
	if (slots_add(hosts, mentions, node, nodes, err) < 0)
		return -1;
	for (int i = 0; i < hosts->count; i++) {
		const struct tmap_program_line *line = &policy->programs[i];
		struct tmap_program *program = &hosts->program[i];
		int *index = filled((size_t)nodes, TMAP_NONE, err), rc = -1;

		if (index && nodes_alloc(program, (size_t)nodes, err) == 0)
			rc = line->hosts ?
				program_take_mentions(program, i, mentions, node, index, err) :
				line->hostfile ?
				program_take_file(program, line->hostfile, mentions, node, index,
						  err) :
				program_take_all(program, mentions, node, index, err);
		free(index);
		if (rc < 0)
			return -1;
		program_begin_at_home(program);
	}
	return 0;
}

static bool is_home(const char *name)
{
	return strcmp(name, "localhost") == 0 || strcmp(name, "127.0.0.1") == 0;
}

/* The nodes by the names by which a list of seq may call them. */
static int seq_names_init(struct tmap_names *names, int **node, const struct tmap_machine *machine,
			  bool whole, struct tmap_error *err)
{
	*node = tmap_alloc(2 * (size_t)machine->node_count, sizeof **node, err);
	if (!*node)
		return -1;
	for (int n = 0; n < machine->node_count; n++) {
		const char *name = machine->node_name[n];
		const size_t lengths[] = { tmap_host_short_length(name), strlen(name) };

		for (int i = 0; i < 1 + whole; i++) {
			int before = names->count;
			int at = tmap_names_intern(names, name, lengths[i], err);

			if (at == TMAP_NONE)
				return -1;
			if (at == before)
				(*node)[at] = n;
		}
	}
	return 0;
}

/* The nodes of a list where the user has named them. */
static int seq_find(struct tmap_program *program, const struct tmap_hostlist *list,
		    const struct tmap_machine *machine, bool whole, struct tmap_error *err)
{
	struct tmap_names names = { 0 };
	int *node = NULL, rc = seq_names_init(&names, &node, machine, whole, err);

	for (size_t i = 0; rc == 0 && i < list->count; i++) {
		const char *name = tmap_hostlist_name(list, i);
		int at = tmap_names_find(&names, name, strlen(name));

		/* what no rank comes to is not looked for */
		if (at == TMAP_NONE && !is_home(name) && (int)i >= program->ranks)
			sequence_add(program, TMAP_NONE);
		else if (at == TMAP_NONE && !is_home(name))
			rc = tmap_fail(err, TMAP_INPUT,
				       "host '%s' of the list is not a node of the job%s", name,
				       !whole && strchr(name, '.') ?
					       "; mpirun knows hosts of a hostfile by what stands "
					       "before the first dot" :
					       "");
		else
			sequence_add(program, at == TMAP_NONE ? 0 : node[at]);
	}
	tmap_names_fini(&names);
	free(node);
	return rc;
}

/* The same where the nodes have no names, or some that an XML file recorded. */
static int seq_name(struct tmap_program *program, const struct tmap_hostlist *list,
		    struct tmap_machine *machine, struct tmap_error *err)
{
	struct tmap_names names = { 0 };
	int *node = NULL, rc = 0;

	for (size_t i = 0; rc == 0 && i < list->count; i++) {
		const char *name = tmap_hostlist_name(list, i);

		if (!is_home(name))
			rc = tmap_names_intern(&names, name, strlen(name), err) == TMAP_NONE ? -1 :
											       0;
	}
	if (rc == 0)
		rc = names_resolve(&node, &names, machine, err);
	for (size_t i = 0; rc == 0 && i < list->count; i++) {
		const char *name = tmap_hostlist_name(list, i);

		sequence_add(program,
			     is_home(name) ? 0 : node[tmap_names_find(&names, name, strlen(name))]);
	}
	tmap_names_fini(&names);
	free(node);
	return rc;
}

static int sequence_read(struct tmap_program *program, const char *path,
			 struct tmap_machine *machine, bool is_named, bool whole,
			 struct tmap_error *err)
{
	struct tmap_hostlist list = TMAP_HOSTLIST_INIT;
	int rc = -1;

	free(program->sequence);
	program->sequence = NULL;
	if (tmap_openmpi_sequence_read(&list, path, program->ranks, err) == 0 &&
	    sequence_init(program, (int)list.count, err) == 0)
		rc = is_named ? seq_find(program, &list, machine, whole, err) :
				seq_name(program, &list, machine, err);
	if (rc < 0 && err->kind == TMAP_INPUT && !err->path[0])
		tmap_at(err, path, 0);
	tmap_hostlist_fini(&list);
	return rc;
}

static int sequences_read(struct tmap_program_hosts *hosts, const char *file,
			  const struct tmap_policy *policy, struct tmap_machine *machine,
			  bool has_own, struct tmap_error *err)
{
	bool is_named = policy->is_named || policy->hostfile || has_own;

	for (int i = 0; i < hosts->count; i++) {
		const struct tmap_program_line *line = policy->programs ? &policy->programs[i] :
									  NULL;
		const char *path = file        ? file :
			line && line->hosts    ? NULL :
			line && line->hostfile ? line->hostfile :
						 policy->hostfile;

		if (!path && has_own && !(line && line->hosts))
			return tmap_fail(err, TMAP_INPUT,
					 "program %d has no list of hosts, which seq needs where "
					 "other programs have one",
					 i);
		if (path &&
		    sequence_read(&hosts->program[i], path, machine, is_named,
				  !policy->hostfile && !(line && line->hostfile), err) < 0)
			return -1;
	}
	return 0;
}

int tmap_program_hosts_init(struct tmap_program_hosts *made, struct tmap_prrte_request *rq,
			    const struct tmap_policy *policy, struct tmap_machine *machine,
			    struct tmap_error *err)
{
	bool has_own = false, is_seq = rq->map_by == TMAP_PRRTE_MAP_SEQ;
	struct tmap_program_hosts hosts = { .count = policy->programs ? policy->program_count : 1 };
	struct mentions mentions = { 0 };
	char *file = rq->file ? tmap_strndup(rq->file, strcspn(rq->file, ":"), err) : NULL;
	int *node = NULL, rc = rq->file && !file ? -1 : 0;

	hosts.program = tmap_alloc((size_t)hosts.count, sizeof *hosts.program, err);
	rc = hosts.program ? rc : -1;
	for (int i = 0; rc == 0 && i < hosts.count; i++) {
		const struct tmap_program_line *line = policy->programs ? &policy->programs[i] :
									  NULL;

		hosts.program[i].ranks = line ? line->ranks : policy->ranks;
		has_own |= line && (line->hosts || line->hostfile);
	}
	if (rc == 0 && has_own && (policy->node_slots || policy->slots != TMAP_NONE))
		rc = tmap_fail(err, TMAP_USAGE,
			       "--app: where a program has hosts of its own, these have the slots; "
			       "--slots, --hostfile and slots in --hosts cannot be combined with "
			       "them");
	if (rc == 0 && has_own)
		rc = mentions_init(&mentions, policy, err) < 0 ||
				names_resolve(&node, &mentions.names, machine, err) < 0 ||
				programs_resolve(&hosts, policy, &mentions, node,
						 machine->node_count, err) < 0 ?
			-1 :
			0;
	if (rc == 0 && is_seq)
		rc = sequences_read(&hosts, file, policy, machine, has_own, err);
	mentions_fini(&mentions);
	free(node);
	free(file);
	if (rc < 0) {
		tmap_program_hosts_fini(&hosts);
		return -1;
	}
	rq->programs = hosts.program;
	rq->program_count = hosts.count;
	rq->node_slots = has_own ? hosts.node_slots : policy->node_slots;
	rq->node_most = has_own ? hosts.node_most : policy->node_most;
	*made = hosts;
	return 0;
}

void tmap_program_hosts_fini(struct tmap_program_hosts *hosts)
{
	for (int i = 0; hosts->program && i < hosts->count; i++) {
		free(hosts->program[i].node);
		free(hosts->program[i].slots);
		free(hosts->program[i].sequence);
	}
	free(hosts->program);
	free(hosts->node_slots);
	free(hosts->node_most);
	*hosts = (struct tmap_program_hosts){ 0 };
}
