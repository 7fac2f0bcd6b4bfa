/* SPDX-License-Identifier: BSD-3-Clause */
#include "core/place/openmpi_job.h"

#include "core/base/mem.h"
#include "core/base/sum.h"
#include "core/base/units.h"
#include "core/machine/most_ranks.h"

#include <ctype.h>
#include <string.h>
#include <strings.h>

/* In the order in which Open MPI tries them, so that abbreviations mean the same: these before its
 * words for objects, and those of inner levels first. */
static const struct tmap_keyword no_object[] = {
	[TMAP_OMPI_DEFAULT] = { "default", "what Open MPI does without the option" },
	[TMAP_OMPI_NONE] = { "none", "no binding" },
	[TMAP_OMPI_SLOT] = { "slot", "slot after slot, node after node" },
	[TMAP_OMPI_NODE] = { "node", "one of each node in turn" },
	[TMAP_OMPI_PPR] = { "ppr:N:OBJECT", "N ranks for each object" },
	[TMAP_OMPI_BOARD] = { "board", "as node; for --bind-to as none" },
};

/* Row @p index, and what it stands for. */
static const struct tmap_keyword *word_find(size_t index, enum tmap_ompi_level *level)
{
	const struct tmap_keyword *word;
	enum tmap_type type;

	*level = (enum tmap_ompi_level)index;
	if (index < TMAP_OMPI_OBJECTS)
		return &no_object[index];
	word = tmap_type_words_at(TMAP_OPENMPI_WORDS, index - TMAP_OMPI_OBJECTS, &type);
	if (word)
		*level = (enum tmap_ompi_level)(TMAP_OMPI_OBJECTS + (int)type);
	return word;
}

static const struct tmap_keyword *ompi_word_at(size_t index)
{
	enum tmap_ompi_level level;

	return word_find(index, &level);
}

const struct tmap_keywords tmap_ompi_words = TMAP_KEYWORDS_BY("object", ompi_word_at);

const char *tmap_ompi_name(enum tmap_ompi_level level)
{
	return level < TMAP_OMPI_OBJECTS ?
		no_object[level].name :
		tmap_type_word(TMAP_OPENMPI_WORDS, tmap_ompi_type(level));
}

enum tmap_type tmap_ompi_type(enum tmap_ompi_level level)
{
	return level < TMAP_OMPI_OBJECTS ? TMAP_NODE : (enum tmap_type)(level - TMAP_OMPI_OBJECTS);
}

/* A piece of the text: up to one of the @p ends. */
struct piece {
	const char *text;
	int length;
};

static struct piece piece_next(const char **at, const char *ends)
{
	struct piece piece = { *at, (int)strcspn(*at, ends) };

	*at += piece.length;
	*at += **at != '\0';
	return piece;
}

/* Is it the beginning of the word, not empty? */
static bool is_abbreviated(struct piece piece, const char *word)
{
	return piece.length > 0 && piece.length <= (int)strlen(word) &&
		strncasecmp(piece.text, word, (size_t)piece.length) == 0;
}

static int level_parse(struct piece piece, uint64_t among, bool may_be_abbreviated,
		       enum tmap_ompi_level *level, struct tmap_error *err)
{
	const struct tmap_keyword *row;
	enum tmap_ompi_level found;
	char word[32];

	for (size_t i = 0; (row = word_find(i, &found)); i++) {
		bool is_whole = piece.length == (int)strlen(row->name);

		if (!tmap_keywords_among(among, i) || found == TMAP_OMPI_PPR ||
		    !is_abbreviated(piece, row->name) ||
		    ((!may_be_abbreviated || found == TMAP_OMPI_DEFAULT) && !is_whole))
			continue;
		*level = found;
		return 0;
	}
	if (piece.length >= (int)sizeof word)
		return tmap_fail(err, TMAP_INPUT, "unknown object '%.*s'", 40, piece.text);
	memcpy(word, piece.text, (size_t)piece.length);
	word[piece.length] = '\0';
	return tmap_keywords_find_among(&tmap_ompi_words, among & ~TMAP_KEYWORDS_BIT(TMAP_OMPI_PPR),
					word, err);
}

static int number_parse(struct piece piece, int most, int *number, struct tmap_error *err)
{
	char text[16];
	int64_t value;

	if (piece.length >= (int)sizeof text)
		return tmap_fail(err, TMAP_INPUT, "'%.*s' is too large", piece.length, piece.text);
	memcpy(text, piece.text, (size_t)piece.length);
	text[piece.length] = '\0';
	if (tmap_units_parse_int(text, 1, most, &value, err) < 0)
		return -1;
	*number = (int)value;
	return 0;
}

/* "PE=2,SPAN" */
static int modifiers_parse(struct tmap_ompi_request *rq, const char *text, struct tmap_error *err)
{
	while (*text) {
		struct piece piece = piece_next(&text, ",");

		if (is_abbreviated(piece, "span")) {
			rq->span = true;
		} else if (is_abbreviated(piece, "oversubscribe")) {
			rq->oversubscribe = true;
		} else if (is_abbreviated(piece, "nooversubscribe")) {
			rq->oversubscribe = false;
		} else if (piece.length > 3 && strncasecmp(piece.text, "pe=", 3) == 0) {
			piece.text += 3;
			piece.length -= 3;
			if (number_parse(piece, 32768, &rq->pe, err) < 0)
				return tmap_wrap(err, "PE");
		} else {
			return tmap_fail(err, TMAP_INPUT,
					 "unknown modifier '%.*s' (one of: PE=N, SPAN, "
					 "OVERSUBSCRIBE, NOOVERSUBSCRIBE)",
					 piece.length < 40 ? piece.length : 40, piece.text);
		}
	}
	return 0;
}

/* "N:OBJECT[:MODIFIERS]" */
static int ppr_parse(struct tmap_ompi_request *rq, const char *text, struct tmap_error *err)
{
	struct piece number = piece_next(&text, ":"), object = piece_next(&text, ":");

	if (number.length == 0 || object.length == 0)
		return tmap_fail(err, TMAP_INPUT, "a pattern is written ppr:N:OBJECT");
	if (memchr(object.text, ',', (size_t)object.length))
		return tmap_fail(err, TMAP_INPUT,
				 "a pattern of several levels is not supported: Open MPI "
				 "4.1 fails when it applies them");
	if (number_parse(number, 1 << 27, &rq->ppr, err) < 0 ||
	    level_parse(object, TMAP_OMPI_PPR_WORDS, true, &rq->map_by, err) < 0)
		return tmap_wrap(err, "ppr");
	return modifiers_parse(rq, text, err);
}

/* mpirun of 4.1 crashes where it looks for what stands behind the colon. */
static int refuse_colon(const char *text, struct tmap_error *err)
{
	return tmap_fail(err, TMAP_INPUT,
			 "'%.40s' ends with a colon, and nothing to change is behind it", text);
}

int tmap_ompi_parse_map_by(struct tmap_ompi_request *rq, const char *text, struct tmap_error *err)
{
	const char *whole = text;
	bool has_modifiers = strchr(text, ':') != NULL;
	struct piece word = piece_next(&text, ":");

	if (has_modifiers && whole[strlen(whole) - 1] == ':')
		return refuse_colon(whole, err);
	rq->ppr = rq->pe = 0;
	rq->span = rq->oversubscribe = false;
	if (is_abbreviated(word, "ppr") && has_modifiers)
		return ppr_parse(rq, text, err);
	rq->map_by = TMAP_OMPI_DEFAULT;
	if ((word.length || !has_modifiers) &&
	    level_parse(word, TMAP_OMPI_MAP_WORDS, true, &rq->map_by, err) < 0)
		return -1;
	if (modifiers_parse(rq, text, err) < 0)
		return -1;
	/* modifiers alone: SPAN counts as a mapping by package, the others do not */
	if (!word.length && rq->span)
		rq->map_by = TMAP_OMPI_SOCKET;
	return 0;
}

int tmap_ompi_parse_rank_by(struct tmap_ompi_request *rq, const char *text, struct tmap_error *err)
{
	struct piece word = piece_next(&text, ":"), directive;

	if (level_parse(word, TMAP_OMPI_RANK_WORDS, true, &rq->rank_by, err) < 0)
		return -1;
	rq->ranking = TMAP_OMPI_CYCLE;
	if (!*text)
		return 0;
	directive = piece_next(&text, "");
	if (is_abbreviated(directive, "span"))
		rq->ranking = TMAP_OMPI_SPAN;
	else if (is_abbreviated(directive, "fill"))
		rq->ranking = TMAP_OMPI_FILL;
	else
		return tmap_fail(err, TMAP_INPUT, "unknown modifier '%.40s' (one of: SPAN, FILL)",
				 directive.text);
	return 0;
}

int tmap_ompi_parse_bind_to(struct tmap_ompi_request *rq, const char *text, struct tmap_error *err)
{
	struct piece word;

	if (strcmp(text, ":") == 0)
		return refuse_colon(text, err);
	word = piece_next(&text, ":");
	rq->overload = false;
	rq->bind_to = TMAP_OMPI_DEFAULT;
	if ((word.length || text[-1] != ':') &&
	    level_parse(word, TMAP_OMPI_BIND_WORDS, false, &rq->bind_to, err) < 0)
		return -1;
	while (*text) {
		struct piece qualifier = piece_next(&text, ",");

		if (is_abbreviated(qualifier, "if-supported"))
			continue;
		if (!is_abbreviated(qualifier, "overload-allowed") &&
		    !is_abbreviated(qualifier, "oversubscribe-allowed"))
			return tmap_fail(err, TMAP_INPUT,
					 "unknown qualifier '%.*s' (one of: "
					 "overload-allowed, if-supported)",
					 qualifier.length < 40 ? qualifier.length : 40,
					 qualifier.text);
		rq->overload = true;
	}
	return 0;
}

static bool has_map_by(const struct tmap_ompi_request *rq)
{
	return rq->map_by != TMAP_OMPI_DEFAULT;
}

/* The level that stands for "one cpu". */
static enum tmap_ompi_level cpu_level(const struct tmap_ompi_request *rq)
{
	return rq->hwthreads ? TMAP_OMPI_HWTHREAD : TMAP_OMPI_CORE;
}

/* PE=N: processes are bound to N cpus, and mapped to objects that have them. */
static int resolve_pe(struct tmap_ompi_job *job, struct tmap_error *err)
{
	struct tmap_ompi_request *rq = &job->rq;

	if (!rq->pe)
		return 0;
	if (!job->bind_given || rq->bind_preset) {
		rq->bind_to = cpu_level(rq);
		job->bind_given = true;
	} else if (rq->bind_to != cpu_level(rq) && rq->bind_to != TMAP_OMPI_NONE) {
		return tmap_fail(err, TMAP_INPUT, "PE=%d binds to %s, which excludes --bind-to %s",
				 rq->pe, tmap_ompi_name(cpu_level(rq)),
				 tmap_ompi_name(rq->bind_to));
	}
	if (rq->pe == 1)
		return 0;
	if (!has_map_by(rq))
		rq->map_by = TMAP_OMPI_NUMA;
	else if (!rq->ppr &&
		 (rq->map_by == TMAP_OMPI_HWTHREAD ||
		  (rq->map_by == TMAP_OMPI_CORE && !rq->hwthreads)))
		return tmap_fail(err, TMAP_INPUT,
				 "PE=%d needs a mapping to objects of several cpus, "
				 "not by %s",
				 rq->pe, tmap_ompi_name(rq->map_by));
	return 0;
}

static void resolve_ranking(struct tmap_ompi_request *rq)
{
	if (rq->rank_by == TMAP_OMPI_DEFAULT)
		rq->rank_by = has_map_by(rq) && !rq->ppr ? rq->map_by : TMAP_OMPI_SLOT;
}

int tmap_ompi_slots(const struct tmap_ompi_job *job, int node)
{
	int slots = job->kind[job->machine->node_topology[node]].slots;

	if (!slots || !job->rq.node_slots || job->rq.node_slots[node] == TMAP_NONE)
		return slots;
	return job->rq.node_slots[node];
}

/* The ranks of all programs. One without a number of them gets as many as there are slots; before
 * these are counted, job->ranks is TMAP_NONE then. */
static int ranks_count(struct tmap_ompi_job *job, struct tmap_error *err)
{
	const struct tmap_program single = { .ranks = job->rq.ranks };
	const struct tmap_program *programs = job->rq.programs ? job->rq.programs : &single;
	int64_t ranks = 0;

	job->ranks = TMAP_NONE;
	for (int i = 0; i < job->program_count; i++) {
		if (programs[i].ranks == TMAP_NONE && !job->slots)
			return 0;
		ranks += programs[i].ranks == TMAP_NONE ? job->slots : programs[i].ranks;
	}
	return tmap_most_ranks_fit(&job->ranks, ranks, job->machine, err);
}

static int slots_count(struct tmap_ompi_job *job, struct tmap_error *err)
{
	const struct tmap_machine *machine = job->machine;
	int64_t slots = 0;

	for (int t = 0; t < machine->topology_count; t++) {
		const struct tmap_topology *topo = &machine->topology[t];

		job->kind[t].has_cores = tmap_topology_count(topo, TMAP_CORE) > 0;
		job->kind[t].slots = job->rq.slots != TMAP_NONE ? job->rq.slots :
			job->hwthread_slots                     ? tmap_topology_allowed_pus(topo) :
								  tmap_topology_allowed_cores(topo);
		if (tmap_topology_allowed_pus(topo) == 0)
			job->kind[t].slots = 0;
	}
	for (int n = 0; n < machine->node_count; n++)
		slots += tmap_ompi_slots(job, n);
	if (slots == 0)
		return tmap_fail(err, TMAP_INPUT, "no core of the machine may be used");
	if (job->ranks != TMAP_NONE || job->rq.ppr)
		return 0;
	if (tmap_most_ranks_fit(&job->slots, slots, machine, err) < 0)
		return -1;
	return ranks_count(job, err);
}

int tmap_ompi_refuse_ppr(const struct tmap_ompi_job *job, struct tmap_error *err)
{
	const char *object = tmap_ompi_name(job->rq.map_by);

	return tmap_fail(err, TMAP_INPUT, "ppr:%d:%s gives no ranks: the nodes have no %s",
			 job->rq.ppr, object, object);
}

/* ppr:N:OBJECT without a number of ranks: all that the nodes hold. */
static int ppr_count_ranks(struct tmap_ompi_job *job, struct tmap_error *err)
{
	const struct tmap_machine *machine = job->machine;

	for (int t = 0; t < machine->topology_count; t++)
		if (tmap_ompi_objects_init(&job->kind[t].map, &machine->topology[t], job->rq.map_by,
					   job->rq.hwthreads, err) < 0)
			return -1;
	for (int n = 0; n < machine->node_count; n++)
		tmap_sum_add(&job->pattern_ranks,
			     (int64_t)job->rq.ppr * job->kind[machine->node_topology[n]].map.count);
	if (job->ranks != TMAP_NONE)
		return 0;
	if (job->pattern_ranks == 0)
		return tmap_ompi_refuse_ppr(job, err);
	if (tmap_most_ranks_fit(&job->ranks, job->pattern_ranks, machine, err) < 0)
		return tmap_wrap(err, "ppr:%d:%s", job->rq.ppr, tmap_ompi_name(job->rq.map_by));
	return 0;
}

/* What depends on the number of ranks. */
static void resolve_defaults(struct tmap_ompi_job *job)
{
	struct tmap_ompi_request *rq = &job->rq;
	enum tmap_ompi_level few = job->ranks <= 2 ? cpu_level(rq) : TMAP_OMPI_NUMA;
	bool by_object = has_map_by(rq) && !rq->ppr && rq->map_by != TMAP_OMPI_NODE &&
		rq->map_by != TMAP_OMPI_SLOT;

	if (rq->bind_to == TMAP_OMPI_DEFAULT)
		rq->bind_to = by_object ? rq->map_by : few;
	if (!has_map_by(rq))
		rq->map_by = few;
}

int tmap_ompi_resolve(struct tmap_ompi_job *job, struct tmap_error *err)
{
	struct tmap_ompi_request *rq = &job->rq;

	if (ranks_count(job, err) < 0)
		return -1;
	job->rank_given = rq->rank_by != TMAP_OMPI_DEFAULT;
	job->bind_given = rq->bind_to != TMAP_OMPI_DEFAULT;
	job->hwthread_slots = rq->hwthreads || rq->bind_to == TMAP_OMPI_HWTHREAD;
	rq->hwthreads |= rq->bind_to == TMAP_OMPI_HWTHREAD ||
		(rq->map_by == TMAP_OMPI_HWTHREAD && !rq->ppr);
	resolve_ranking(rq);
	if (resolve_pe(job, err) < 0 || slots_count(job, err) < 0)
		return -1;
	if (rq->ppr && ppr_count_ranks(job, err) < 0)
		return -1;
	resolve_defaults(job);
	return 0;
}
