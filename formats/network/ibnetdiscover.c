/* SPDX-License-Identifier: BSD-3-Clause */
#include "formats/network/ibnetdiscover.h"

#include "formats/base/lines.h"

#include <string.h>

struct span {
	const char *text; /* NULL: there is none */
	size_t length;
};

/* What is read, and the first adapter that is not described by its host's name. */
struct hosts {
	struct tmap_fabric *fabric;
	struct span unnamed;
};

/* What stands between the next two marks of the line, which moves behind them. */
static struct span quoted(struct tmap_line *line, char mark)
{
	const char *begin = memchr(line->text, mark, line->length), *end;
	struct span span = { NULL, 0 };
	size_t rest;

	if (!begin)
		return span;
	rest = line->length - (size_t)(begin + 1 - line->text);
	end = memchr(begin + 1, mark, rest);
	if (!end)
		return span;
	span = (struct span){ begin + 1, (size_t)(end - begin - 1) };
	line->length = rest - span.length - 1;
	line->text = end + 1;
	return span;
}

/* The description behind the first "#". */
static struct span description(struct tmap_line line)
{
	const char *mark = memchr(line.text, '#', line.length);

	if (!mark)
		return (struct span){ NULL, 0 };
	line.length -= (size_t)(mark - line.text);
	line.text = mark;
	return quoted(&line, '"');
}

static size_t first_word(struct span text)
{
	size_t length = 0;

	while (length < text.length && text.text[length] != ' ')
		length++;
	return length;
}

/* What adapters are called before anybody gives them their host's name. */
static const char *const makers[] = { "Mellanox Technologies", "Infiniband HCA" };

static bool span_has(struct span text, const char *words)
{
	return memmem(text.text, text.length, words, strlen(words)) != NULL;
}

/* The port of a host, which the description of its adapter begins with; one without it has none. */
static int add_port(struct hosts *hosts, struct span title, int under, struct tmap_error *err)
{
	size_t length = title.text ? first_word(title) : 0;

	for (size_t i = 0; length && i < sizeof makers / sizeof makers[0]; i++)
		if (span_has(title, makers[i])) {
			hosts->unnamed = hosts->unnamed.text ? hosts->unnamed : title;
			return 0;
		}
	return length ? tmap_fabric_port(hosts->fabric, title.text, length, under, err) : 0;
}

static bool is_id(struct span id, char kind)
{
	return id.text && id.length > 2 && id.text[0] == kind && id.text[1] == '-';
}

/* "Switch 65 "S-guid" # "name" ...": the switch whose cables follow, or TMAP_NONE. */
static int read_head(struct tmap_fabric *fabric, struct tmap_line line, struct tmap_error *err)
{
	struct span title = description(line), id = quoted(&line, '"');

	if (!is_id(id, 'S')) {
		tmap_fail(err, TMAP_INPUT, "a switch has no \"S-GUID\"");
		return TMAP_NONE;
	}
	return tmap_fabric_switch(fabric, id.text, id.length, title.text, title.length, err);
}

/* "[1] "H-guid"[1](guid) # "host adapter" ..." of the switch @p s. */
static int read_cable(struct hosts *hosts, struct tmap_line line, int s, struct tmap_error *err)
{
	struct tmap_fabric *fabric = hosts->fabric;
	struct span title = description(line), id = quoted(&line, '"');
	int other;

	if (is_id(id, 'S')) {
		other = tmap_fabric_switch(fabric, id.text, id.length, title.text, title.length,
					   err);
		return other == TMAP_NONE ? -1 : tmap_fabric_cable(fabric, s, other, err);
	}
	if (is_id(id, 'H'))
		return add_port(hosts, title, s, err);
	if (is_id(id, 'R'))
		return 0;
	return tmap_fail(err, TMAP_INPUT,
			 "a cable leads neither to a switch (\"S-...\"), an adapter "
			 "(\"H-...\") nor a router (\"R-...\")");
}

/* One end of a line of the -p form: kind, lid, port, GUID. */
struct end {
	struct span kind, guid;
};

static bool read_end(struct tmap_line *line, struct end *end)
{
	const char *word;
	size_t length;

	return tmap_line_word(line, &end->kind.text, &end->kind.length) &&
		tmap_line_word(line, &word, &length) && tmap_line_word(line, &word, &length) &&
		tmap_line_word(line, &end->guid.text, &end->guid.length);
}

static bool is_kind(const struct end *end, const char *kind)
{
	return tmap_keyword_is(end->kind.text, end->kind.length, kind);
}

static int add_end(struct tmap_fabric *fabric, const struct end *end, struct span title,
		   struct tmap_error *err)
{
	return tmap_fabric_switch(fabric, end->guid.text, end->guid.length, title.text,
				  title.length, err);
}

/* "SW lid port guid width speed - CA lid port guid ( 'a' - 'b' )"; a port without a cable has
 * no second end. */
static int read_pair(struct hosts *hosts, struct tmap_line line, struct tmap_error *err)
{
	struct tmap_fabric *fabric = hosts->fabric;
	struct span left_title, right_title, dash = { NULL, 0 };
	struct end left, right;
	int a, b;

	if (!read_end(&line, &left))
		return tmap_fail(err, TMAP_INPUT, "an end of a cable is not 'KIND LID PORT GUID'");
	while (tmap_line_word(&line, &dash.text, &dash.length))
		if (tmap_keyword_is(dash.text, dash.length, "-") || *dash.text == '\'')
			break;
	if (dash.length != 1 || *dash.text != '-' || !is_kind(&left, "SW"))
		return 0;
	if (!read_end(&line, &right))
		return tmap_fail(err, TMAP_INPUT, "an end of a cable is not 'KIND LID PORT GUID'");
	left_title = quoted(&line, '\'');
	right_title = quoted(&line, '\'');
	a = add_end(fabric, &left, left_title, err);
	if (a == TMAP_NONE)
		return -1;
	if (is_kind(&right, "SW")) {
		b = add_end(fabric, &right, right_title, err);
		return b == TMAP_NONE ? -1 : tmap_fabric_cable(fabric, a, b, err);
	}
	return is_kind(&right, "CA") ? add_port(hosts, right_title, a, err) : 0;
}

static bool is_pair(const struct tmap_line *line)
{
	return tmap_line_begins(line, "SW ") || tmap_line_begins(line, "CA ") ||
		tmap_line_begins(line, "RT ") || tmap_line_begins(line, "SW\t") ||
		tmap_line_begins(line, "CA\t") || tmap_line_begins(line, "RT\t");
}

static bool is_head(const struct tmap_line *line, const char *kind)
{
	size_t length = strlen(kind);

	return tmap_line_begins(line, kind) && line->length > length &&
		(line->text[length] == ' ' || line->text[length] == '\t');
}

/* *s: the switch whose block we are in, TMAP_NONE outside of one. */
static int read_line(struct hosts *hosts, struct tmap_line line, int *s, struct tmap_error *err)
{
	if (is_head(&line, "Switch")) {
		*s = read_head(hosts->fabric, line, err);
		return *s == TMAP_NONE ? -1 : 0;
	}
	if (is_head(&line, "Ca") || is_head(&line, "Rt"))
		*s = TMAP_NONE;
	else if (tmap_line_begins(&line, "[") && *s != TMAP_NONE)
		return read_cable(hosts, line, *s, err);
	else if (is_pair(&line))
		return read_pair(hosts, line, err);
	return 0;
}

int tmap_ibnetdiscover_read(struct tmap_fabric *fabric, const char *text, struct tmap_error *err)
{
	struct hosts hosts = { .fabric = fabric };
	struct tmap_line line = { 0 };
	int s = TMAP_NONE;

	while (tmap_line_next(&line, &text))
		if (read_line(&hosts, line, &s, err) < 0)
			return tmap_at(err, NULL, line.number);
	if (!fabric->switches.count)
		return tmap_fail(err, TMAP_INPUT, "there are no switches");
	if (!fabric->hosts.count && hosts.unnamed.text)
		return tmap_fail(err, TMAP_INPUT,
				 "no adapter is described by the name of its host, but as by its "
				 "maker, '%.*s': ibnetdiscover --node-name-map FILE takes names, "
				 "0xGUID \"HOST\" in each line",
				 hosts.unnamed.length > 64 ? 64 : (int)hosts.unnamed.length,
				 hosts.unnamed.text);
	return 0;
}

bool tmap_ibnetdiscover_is(const char *text)
{
	struct tmap_line line = { 0 };

	while (tmap_line_next(&line, &text)) {
		if (!line.length || *line.text == '#')
			continue;
		return tmap_line_begins(&line, "vendid=") ||
			tmap_line_begins(&line, "switchguid=") ||
			tmap_line_begins(&line, "caguid=") || tmap_line_begins(&line, "DR path") ||
			is_head(&line, "Switch") || is_head(&line, "Ca") || is_pair(&line);
	}
	return false;
}
