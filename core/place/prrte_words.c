/* SPDX-License-Identifier: BSD-3-Clause */
#include "core/base/units.h"
#include "core/place/prrte.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

/* A piece of the text between colons. */
struct piece {
	const char *text;
	int length;
};

static struct piece piece_next(const char **at)
{
	struct piece piece;

	*at += strspn(*at, ":");
	piece = (struct piece){ *at, (int)strcspn(*at, ":") };
	*at += piece.length;
	return piece;
}

/* The next part of a word with hyphens, empty where there is none. */
static struct piece part_next(struct piece *rest)
{
	struct piece part;

	for (; rest->length && *rest->text == '-'; rest->length--)
		rest->text++;
	part = (struct piece){ rest->text, 0 };
	while (part.length < rest->length && part.text[part.length] != '-')
		part.length++;
	rest->text += part.length;
	rest->length -= part.length;
	return part;
}

static bool part_is(struct piece part, struct piece word)
{
	int length = part.length < word.length ? part.length : word.length;

	return strncasecmp(part.text, word.text, (size_t)length) == 0;
}

/* PRRTE compares as many characters as the shorter one has: "c", "core" and "cores" are core. With
 * a hyphen in the one or the other there are as many parts of both, two, and these are compared in
 * this way: "o-a" is overload-allowed, and neither "overload" nor "overload-" is. */
static bool piece_is(struct piece piece, const char *word)
{
	struct piece wanted = { word, (int)strlen(word) }, of_piece, of_word;
	int parts = 0;

	if (!strchr(word, '-') && !memchr(piece.text, '-', (size_t)piece.length))
		return part_is(piece, wanted);
	for (;; parts++) {
		of_piece = part_next(&piece);
		of_word = part_next(&wanted);
		if (!of_piece.length || !of_word.length)
			return parts > 1 && of_piece.length == of_word.length;
		if (!part_is(of_piece, of_word))
			return false;
	}
}

static bool piece_equals(struct piece piece, const char *word)
{
	return piece.length == (int)strlen(word) &&
		strncasecmp(piece.text, word, (size_t)piece.length) == 0;
}

/* Is it the beginning of the word? */
static bool piece_begins(struct piece piece, const char *word)
{
	return piece.length > 0 && piece.length <= (int)strlen(word) &&
		strncasecmp(piece.text, word, (size_t)piece.length) == 0;
}

static int refuse_piece(struct piece piece, const char *what, const char *known,
			struct tmap_error *err)
{
	return tmap_fail(err, TMAP_INPUT, "unknown %s '%.*s' (one of: %s)", what,
			 piece.length < 40 ? piece.length : 40, piece.text, known);
}

static bool names(const char *text, const char *word)
{
	for (; *text; text++)
		if (strncasecmp(text, word, strlen(word)) == 0)
			return true;
	return false;
}

/* Nothing but colons is no value for mpirun, which crashes on some of them. */
static int refuse_colons(const char *text, const char *what, const char *known,
			 struct tmap_error *err)
{
	if (*text != ':' || text[strspn(text, ":")])
		return 0;
	return refuse_piece((struct piece){ text, (int)strlen(text) }, what, known, err);
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

/* Modifiers of --map-by in the order in which PRRTE tries them. */
enum modifier {
	MODIFIER_SPAN,
	MODIFIER_OVERSUBSCRIBE,
	MODIFIER_NOOVERSUBSCRIBE,
	MODIFIER_NOLOCAL,
	MODIFIER_ORDERED,
	MODIFIER_PE,
	MODIFIER_INHERIT,
	MODIFIER_NOINHERIT,
	MODIFIER_HWTCPUS,
	MODIFIER_CORECPUS,
	MODIFIER_FILE,
	MODIFIERS
};

static const struct {
	const char *word;
	int excludes;
} modifiers[MODIFIERS] = {
	[MODIFIER_SPAN] = { "span", TMAP_NONE },
	[MODIFIER_OVERSUBSCRIBE] = { "oversubscribe", MODIFIER_NOOVERSUBSCRIBE },
	[MODIFIER_NOOVERSUBSCRIBE] = { "nooversubscribe", MODIFIER_OVERSUBSCRIBE },
	[MODIFIER_NOLOCAL] = { "nolocal", TMAP_NONE },
	[MODIFIER_ORDERED] = { "ordered", TMAP_NONE },
	[MODIFIER_PE] = { "pe=", TMAP_NONE },
	[MODIFIER_INHERIT] = { "inherit", MODIFIER_NOINHERIT },
	[MODIFIER_NOINHERIT] = { "noinherit", MODIFIER_INHERIT },
	[MODIFIER_HWTCPUS] = { "hwtcpus", MODIFIER_CORECPUS },
	[MODIFIER_CORECPUS] = { "corecpus", MODIFIER_HWTCPUS },
	[MODIFIER_FILE] = { "file=", TMAP_NONE },
};

/* "file=NAME", which only seq and rankfile read. */
static int file_parse(struct tmap_prrte_request *rq, struct piece piece, struct tmap_error *err)
{
	const char *equals = memchr(piece.text, '=', (size_t)piece.length);

	if (rq->map_by != TMAP_PRRTE_MAP_SEQ)
		return tmap_fail(err, TMAP_INPUT,
				 "file= goes with seq; --from openmpi5:NAME reads rankfiles");
	if (!equals || equals + 1 == piece.text + piece.length)
		return tmap_fail(err, TMAP_INPUT, "a file is written seq:file=NAME");
	rq->file = equals + 1;
	return 0;
}

static int modifier_parse(struct tmap_prrte_request *rq, struct piece piece, bool *given,
			  struct tmap_error *err)
{
	int found = 0;

	while (found < MODIFIERS && !piece_is(piece, modifiers[found].word))
		found++;
	if (found == MODIFIERS && piece.length > 5 && strncasecmp(piece.text, "file=", 5) == 0)
		return tmap_fail(err, TMAP_INPUT,
				 "'%.*s': mpirun of 5.0.7 takes no file with a hyphen in its path",
				 piece.length < 80 ? piece.length : 80, piece.text);
	if (found == MODIFIERS)
		return refuse_piece(piece, "modifier",
				    "PE=N, SPAN, OVERSUBSCRIBE, NOOVERSUBSCRIBE, NOLOCAL, HWTCPUS, "
				    "CORECPUS, ORDERED, INHERIT, NOINHERIT, file=NAME",
				    err);
	if (modifiers[found].excludes != TMAP_NONE && given[modifiers[found].excludes])
		return tmap_fail(err, TMAP_INPUT, "modifier %s excludes %s", modifiers[found].word,
				 modifiers[modifiers[found].excludes].word);
	given[found] = true;
	if (found == MODIFIER_FILE)
		return file_parse(rq, piece, err);
	if (found == MODIFIER_PE) {
		piece.text += piece.length < 3 ? piece.length : 3;
		piece.length -= piece.length < 3 ? piece.length : 3;
		if (memchr(piece.text, ',', (size_t)piece.length))
			return tmap_fail(
				err, TMAP_INPUT,
				"PE: '%.*s' is not a whole number; between modifiers of mpirun 5 "
				"stands ':', not ','",
				piece.length, piece.text);
		if (number_parse(piece, 32767, &rq->pe, err) < 0)
			return tmap_wrap(err, "PE");
	}
	return 0;
}

static int modifiers_parse(struct tmap_prrte_request *rq, const char *text, struct tmap_error *err)
{
	bool given[MODIFIERS] = { false };

	for (struct piece piece = piece_next(&text); piece.length > 0; piece = piece_next(&text))
		if (modifier_parse(rq, piece, given, err) < 0)
			return -1;
	rq->span = given[MODIFIER_SPAN];
	rq->oversubscribe = given[MODIFIER_OVERSUBSCRIBE];
	rq->nolocal = given[MODIFIER_NOLOCAL];
	rq->ordered = given[MODIFIER_ORDERED];
	rq->hwtcpus |= given[MODIFIER_HWTCPUS];
	rq->corecpus = given[MODIFIER_CORECPUS];
	return 0;
}

/* In the order in which PRRTE tries them for ppr. */
static const struct {
	const char *word;
	enum tmap_type type;
} ppr_words[] = {
	{ "node", TMAP_NODE },       { "hwthread", TMAP_PU }, { "core", TMAP_CORE },
	{ "package", TMAP_PACKAGE }, { "skt", TMAP_PACKAGE }, { "socket", TMAP_PACKAGE },
	{ "numa", TMAP_NUMA },       { "l1cache", TMAP_L1 },  { "l2cache", TMAP_L2 },
	{ "l3cache", TMAP_L3 },
};

/* "N:OBJECT[:MODIFIERS]" */
static int ppr_parse(struct tmap_prrte_request *rq, const char *text, struct tmap_error *err)
{
	struct piece number = piece_next(&text), object = piece_next(&text);

	if (number.length == 0 || object.length == 0)
		return tmap_fail(err, TMAP_INPUT, "a pattern is written ppr:N:OBJECT");
	if (number_parse(number, 1 << 27, &rq->ppr, err) < 0)
		return tmap_wrap(err, "ppr");
	for (size_t i = 0; i < sizeof ppr_words / sizeof *ppr_words; i++) {
		if (!piece_begins(object, ppr_words[i].word))
			continue;
		rq->map_by = TMAP_PRRTE_MAP_PPR;
		rq->map_object = ppr_words[i].type;
		return modifiers_parse(rq, text, err);
	}
	return refuse_piece(object, "object",
			    "node, package, numa, l3cache, l2cache, l1cache, core, hwthread", err);
}

/* "0,2-3" */
static int cpus_parse(struct tmap_prrte_request *rq, struct piece piece, struct tmap_error *err)
{
	const char *equals = memchr(piece.text, '=', (size_t)piece.length),
		   *end = piece.text + piece.length;

	if (!equals || equals + 1 == end)
		return tmap_fail(err, TMAP_INPUT, "a list of cpus is written pe-list=0,2-3");
	for (const char *at = equals + 1; at < end; at++)
		if (!isdigit((unsigned char)*at) &&
		    ((*at != ',' && *at != '-') || !isdigit((unsigned char)at[-1]) ||
		     at + 1 == end || !isdigit((unsigned char)at[1])))
			return tmap_fail(err, TMAP_INPUT,
					 "'%.*s' is no list of cpus such as pe-list=0,2-3",
					 piece.length < 40 ? piece.length : 40, piece.text);
	for (const char *at = equals + 1; at < end; at += strcspn(at, ",:") + 1) {
		int digits = (int)strspn(at, "0123456789");

		if (digits > 6 || (at[digits] == '-' && strspn(at + digits + 1, "0123456789") > 6))
			return tmap_fail(err, TMAP_INPUT, "pe-list: cpus are at most 999999");
		if (at[digits] == '-' &&
		    strcspn(at + digits + 1, "-,:") < strcspn(at + digits + 1, ",:"))
			return tmap_fail(err, TMAP_INPUT, "pe-list: '%.*s' has more than two ends",
					 (int)strcspn(at, ",:"), at);
	}
	rq->map_by = TMAP_PRRTE_MAP_CPUS;
	rq->cpus = equals + 1;
	return 0;
}

/* In the order in which PRRTE tries them. */
static const struct {
	const char *word;
	enum tmap_prrte_mapping map_by;
	enum tmap_type type;
} map_words[] = {
	{ "slot", TMAP_PRRTE_MAP_SLOT, TMAP_NODE },
	{ "node", TMAP_PRRTE_MAP_NODE, TMAP_NODE },
	{ "seq", TMAP_PRRTE_MAP_SEQ, TMAP_NODE },
	{ "core", TMAP_PRRTE_MAP_OBJECT, TMAP_CORE },
	{ "l1cache", TMAP_PRRTE_MAP_OBJECT, TMAP_L1 },
	{ "l2cache", TMAP_PRRTE_MAP_OBJECT, TMAP_L2 },
	{ "l3cache", TMAP_PRRTE_MAP_OBJECT, TMAP_L3 },
	{ "numa", TMAP_PRRTE_MAP_OBJECT, TMAP_NUMA },
	{ "package", TMAP_PRRTE_MAP_OBJECT, TMAP_PACKAGE },
	{ "rankfile", TMAP_PRRTE_MAP_DEFAULT, TMAP_NODE },
	{ "hwthread", TMAP_PRRTE_MAP_OBJECT, TMAP_PU },
	{ "pe-list=", TMAP_PRRTE_MAP_CPUS, TMAP_NODE },
};

static const char map_known[] = "default, slot, node, package, numa, l3cache, l2cache, l1cache, "
				"core, hwthread, ppr:N:OBJECT, pe-list=CPUS, seq";

static int mapping_parse(struct tmap_prrte_request *rq, struct piece piece, struct tmap_error *err)
{
	struct piece word = piece;
	const char *equals = memchr(piece.text, '=', (size_t)piece.length);

	if (equals)
		word.length = (int)(equals - piece.text);
	if (piece_equals((struct piece){ word.text, word.length < 6 ? word.length : 6 }, "socket"))
		word = (struct piece){ "package", 7 };
	for (size_t i = 0; word.length && i < sizeof map_words / sizeof *map_words; i++) {
		if (!piece_is(word, map_words[i].word))
			continue;
		if (map_words[i].map_by == TMAP_PRRTE_MAP_DEFAULT)
			return tmap_fail(err, TMAP_INPUT, "--from openmpi5:NAME reads rankfiles");
		rq->map_by = map_words[i].map_by;
		rq->map_object = map_words[i].type;
		rq->hwtcpus = map_words[i].type == TMAP_PU;
		return map_words[i].map_by == TMAP_PRRTE_MAP_CPUS ? cpus_parse(rq, piece, err) : 0;
	}
	return refuse_piece(piece, "object", map_known, err);
}

int tmap_prrte_parse_map_by(struct tmap_prrte_request *rq, const char *text, struct tmap_error *err)
{
	struct piece word;

	rq->map_by = TMAP_PRRTE_MAP_DEFAULT;
	rq->map_object = TMAP_NODE;
	rq->ppr = rq->pe = 0;
	rq->cpus = rq->file = NULL;
	rq->hwtcpus = false;
	rq->names_pe = names(text, "pe");
	if (refuse_colons(text, "object", map_known, err) < 0)
		return -1;
	if (*text == ':')
		return modifiers_parse(rq, text, err);
	word = piece_next(&text);
	if (word.length == 3 && strncmp(word.text, "ppr", 3) == 0)
		return ppr_parse(rq, text, err);
	if (!piece_equals(word, "default") && mapping_parse(rq, word, err) < 0)
		return -1;
	return modifiers_parse(rq, text, err);
}

int tmap_prrte_parse_rank_by(struct tmap_prrte_request *rq, const char *text,
			     struct tmap_error *err)
{
	static const struct {
		const char *word;
		enum tmap_prrte_ranking rank_by;
	} words[] = {
		{ "slot", TMAP_PRRTE_RANK_SLOT },
		{ "node", TMAP_PRRTE_RANK_NODE },
		{ "fill", TMAP_PRRTE_RANK_FILL },
		{ "span", TMAP_PRRTE_RANK_SPAN },
	};
	struct piece whole = { text, (int)strlen(text) }, word = piece_next(&text);
	/* colons may follow, but nothing behind them */
	bool is_alone = word.text == whole.text && word.length && !text[strspn(text, ":")];

	rq->rank_by = TMAP_PRRTE_RANK_DEFAULT;
	if (piece_equals(whole, "default"))
		return 0;
	for (size_t i = 0; is_alone && i < sizeof words / sizeof *words; i++)
		if (piece_is(word, words[i].word)) {
			rq->rank_by = words[i].rank_by;
			return 0;
		}
	return refuse_piece(whole, "ranking", "default, slot, node, fill, span", err);
}

/* ":overload-allowed" without an object binds to nothing at all, in PRRTE as well. */
static int binding_parse(struct tmap_prrte_request *rq, struct piece word, struct tmap_error *err)
{
	static const struct {
		const char *word;
		enum tmap_type type;
	} words[] = {
		{ "none", TMAP_NODE },  { "hwthread", TMAP_PU },     { "core", TMAP_CORE },
		{ "l1cache", TMAP_L1 }, { "l2cache", TMAP_L2 },      { "l3cache", TMAP_L3 },
		{ "numa", TMAP_NUMA },  { "package", TMAP_PACKAGE },
	};

	if (piece_equals((struct piece){ word.text, word.length < 6 ? word.length : 6 }, "socket"))
		word = (struct piece){ "package", 7 };
	for (size_t i = 0; i < sizeof words / sizeof *words; i++)
		if (piece_is(word, words[i].word)) {
			rq->bind_given = true;
			rq->bind_to = words[i].type;
			return 0;
		}
	return refuse_piece(word, "object",
			    "default, none, package, numa, l3cache, l2cache, l1cache, core, "
			    "hwthread",
			    err);
}

/* Behind an object the first qualifier is one of these; "report" may follow, which changes no binding. */
int tmap_prrte_parse_bind_to(struct tmap_prrte_request *rq, const char *text,
			     struct tmap_error *err)
{
	static const char bind_known[] = "overload-allowed, no-overload, if-supported";
	struct piece word = { text, (int)strcspn(text, ":") };
	bool is_named = word.length > 0;

	rq->bind_given = rq->overload = rq->if_supported = false;
	rq->names_cpu = names(text, "core") || names(text, "hwt");
	if (piece_equals(word, "default") && !word.text[word.length])
		return 0;
	if (*text == '\0')
		return refuse_piece(word, "object", "default, none, core, numa, ...", err);
	if (refuse_colons(text + word.length, "qualifier", bind_known, err) < 0 ||
	    binding_parse(rq, word, err) < 0)
		return -1;
	text += word.length;
	for (int i = 0; (word = piece_next(&text)).length; i++) {
		if (piece_is(word, "if-supported"))
			rq->if_supported = true;
		else if (piece_is(word, "overload-allowed"))
			rq->overload = true;
		else if (piece_is(word, "no-overload"))
			rq->overload = false;
		else if (i == 0 || !is_named || !piece_is(word, "report"))
			return refuse_piece(word, "qualifier", bind_known, err);
	}
	return 0;
}
