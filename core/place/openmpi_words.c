#include "core/place/openmpi_job.h"

#include "core/base/units.h"

#include <ctype.h>
#include <string.h>
#include <strings.h>

/* In the order in which Open MPI tries them, so that cut words mean the same: these before its
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
static const struct tmap_keyword *find_row(size_t index, enum tmap_ompi_level *level)
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

static const struct tmap_keyword *word_at(size_t index)
{
	enum tmap_ompi_level level;

	return find_row(index, &level);
}

const struct tmap_keywords tmap_ompi_words = TMAP_KEYWORDS_BY("object", word_at);

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

static struct piece next_piece(const char **at, const char *ends)
{
	struct piece piece = { *at, (int)strcspn(*at, ends) };

	*at += piece.length;
	*at += **at != '\0';
	return piece;
}

/* Is it the beginning of the word, not empty? */
static bool is_cut(struct piece piece, const char *word)
{
	return piece.length > 0 && piece.length <= (int)strlen(word) &&
		strncasecmp(piece.text, word, (size_t)piece.length) == 0;
}

static int find_level(struct piece piece, uint64_t among, bool may_be_cut,
		      enum tmap_ompi_level *level, struct tmap_error *err)
{
	const struct tmap_keyword *row;
	enum tmap_ompi_level found;
	char word[32];

	for (size_t i = 0; (row = find_row(i, &found)); i++) {
		bool is_whole = piece.length == (int)strlen(row->name);

		if (!tmap_keywords_among(among, i) || found == TMAP_OMPI_PPR ||
		    !is_cut(piece, row->name) ||
		    ((!may_be_cut || found == TMAP_OMPI_DEFAULT) && !is_whole))
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

static int parse_number(struct piece piece, int most, int *number, struct tmap_error *err)
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
static int parse_modifiers(struct tmap_ompi_request *rq, const char *text, struct tmap_error *err)
{
	while (*text) {
		struct piece piece = next_piece(&text, ",");

		if (is_cut(piece, "span")) {
			rq->span = true;
		} else if (is_cut(piece, "oversubscribe")) {
			rq->oversubscribe = true;
		} else if (is_cut(piece, "nooversubscribe")) {
			rq->oversubscribe = false;
		} else if (piece.length > 3 && strncasecmp(piece.text, "pe=", 3) == 0) {
			piece.text += 3;
			piece.length -= 3;
			if (parse_number(piece, 32768, &rq->pe, err) < 0)
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
static int parse_ppr(struct tmap_ompi_request *rq, const char *text, struct tmap_error *err)
{
	struct piece number = next_piece(&text, ":"), object = next_piece(&text, ":");

	if (number.length == 0 || object.length == 0)
		return tmap_fail(err, TMAP_INPUT, "a pattern is written ppr:N:OBJECT");
	if (memchr(object.text, ',', (size_t)object.length))
		return tmap_fail(err, TMAP_INPUT,
				 "a pattern of several levels is not supported: Open MPI "
				 "4.1 fails when it applies them");
	if (parse_number(number, 1 << 27, &rq->ppr, err) < 0 ||
	    find_level(object, TMAP_OMPI_PPR_WORDS, true, &rq->map_by, err) < 0)
		return tmap_wrap(err, "ppr");
	return parse_modifiers(rq, text, err);
}

int tmap_ompi_parse_map_by(struct tmap_ompi_request *rq, const char *text, struct tmap_error *err)
{
	bool has_modifiers = strchr(text, ':') != NULL;
	struct piece word = next_piece(&text, ":");

	rq->ppr = rq->pe = 0;
	rq->span = rq->oversubscribe = false;
	if (is_cut(word, "ppr") && has_modifiers)
		return parse_ppr(rq, text, err);
	rq->map_by = TMAP_OMPI_DEFAULT;
	if ((word.length || !has_modifiers) &&
	    find_level(word, TMAP_OMPI_MAP_WORDS, true, &rq->map_by, err) < 0)
		return -1;
	if (parse_modifiers(rq, text, err) < 0)
		return -1;
	/* modifiers alone: SPAN counts as a mapping by package, the others do not */
	if (!word.length && rq->span)
		rq->map_by = TMAP_OMPI_SOCKET;
	return 0;
}

int tmap_ompi_parse_rank_by(struct tmap_ompi_request *rq, const char *text, struct tmap_error *err)
{
	struct piece word = next_piece(&text, ":"), directive;

	if (find_level(word, TMAP_OMPI_RANK_WORDS, true, &rq->rank_by, err) < 0)
		return -1;
	rq->ranking = TMAP_OMPI_CYCLE;
	if (!*text)
		return 0;
	directive = next_piece(&text, "");
	if (is_cut(directive, "span"))
		rq->ranking = TMAP_OMPI_SPAN;
	else if (is_cut(directive, "fill"))
		rq->ranking = TMAP_OMPI_FILL;
	else
		return tmap_fail(err, TMAP_INPUT, "unknown modifier '%.40s' (one of: SPAN, FILL)",
				 directive.text);
	return 0;
}

int tmap_ompi_parse_bind_to(struct tmap_ompi_request *rq, const char *text, struct tmap_error *err)
{
	struct piece word = next_piece(&text, ":");

	rq->overload = false;
	rq->bind_to = TMAP_OMPI_DEFAULT;
	if ((word.length || text[-1] != ':') &&
	    find_level(word, TMAP_OMPI_BIND_WORDS, false, &rq->bind_to, err) < 0)
		return -1;
	while (*text) {
		struct piece qualifier = next_piece(&text, ",");

		if (is_cut(qualifier, "if-supported"))
			continue;
		if (!is_cut(qualifier, "overload-allowed") &&
		    !is_cut(qualifier, "oversubscribe-allowed"))
			return tmap_fail(err, TMAP_INPUT,
					 "unknown qualifier '%.*s' (one of: "
					 "overload-allowed, if-supported)",
					 qualifier.length < 40 ? qualifier.length : 40,
					 qualifier.text);
		rq->overload = true;
	}
	return 0;
}
