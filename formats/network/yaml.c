#include "formats/network/yaml.h"

#include "core/base/mem.h"
#include "formats/base/lines.h"
#include "formats/network/yaml_words.h"

#include <stdlib.h>
#include <string.h>

enum { DEPTH_MAX = 32 };

/* A line that says something: its indentation, and the rest of it. */
struct row {
	const char *text;
	size_t length;
	int indent, number;
};

struct parser {
	struct tmap_yaml *yaml;
	struct row *row;
	size_t capacity;
	int count, at; /* rows; the one at hand */
	int depth;
};

void tmap_yaml_fini(struct tmap_yaml *yaml)
{
	for (int i = 0; i < yaml->count; i++) {
		free(yaml->node[i].key);
		free(yaml->node[i].text);
	}
	free(yaml->node);
	*yaml = (struct tmap_yaml){ 0 };
}

int tmap_yaml_find(const struct tmap_yaml *yaml, int in, const char *key)
{
	int child = yaml->node[in].kind == TMAP_YAML_MAPPING ? yaml->node[in].first : TMAP_NONE;

	while (child != TMAP_NONE && strcmp(yaml->node[child].key, key) != 0)
		child = yaml->node[child].next;
	return child;
}

/* Add a node behind *last, the last child of @p parent so far; TMAP_NONE with *err set. */
static int add(struct parser *p, enum tmap_yaml_kind kind, int parent, int *last, int line,
	       struct tmap_error *err)
{
	struct tmap_yaml *yaml = p->yaml;
	int made = yaml->count;

	if (tmap_grow(&yaml->node, &yaml->capacity, (size_t)made + 1, sizeof *yaml->node, err) < 0)
		return TMAP_NONE;
	yaml->node[made] = (struct tmap_yaml_node){ kind, NULL, NULL, TMAP_NONE, TMAP_NONE, line };
	yaml->count++;
	if (*last != TMAP_NONE)
		yaml->node[*last].next = made;
	else if (parent != TMAP_NONE)
		yaml->node[parent].first = made;
	*last = made;
	return made;
}

/* A value in brackets, which may go on over several rows. */
struct flow {
	struct parser *p;
	const char *text;
	size_t length;
	int line;
};

static void flow_skip(struct flow *flow)
{
	for (;;) {
		tmap_yaml_trim(&flow->text, &flow->length);
		if (flow->length || flow->p->at + 1 >= flow->p->count)
			return;
		flow->p->at++;
		flow->text = flow->p->row[flow->p->at].text;
		flow->length = flow->p->row[flow->p->at].length;
		flow->line = flow->p->row[flow->p->at].number;
	}
}

static bool flow_take(struct flow *flow, char c)
{
	flow_skip(flow);
	if (!flow->length || *flow->text != c)
		return false;
	flow->text++;
	flow->length--;
	return true;
}

/* A word ends at a comma, a bracket or ": "; brackets of a hostlist need quotes here. */
static size_t flow_word(const struct flow *flow)
{
	size_t at = 0;

	if (flow->length && tmap_yaml_is_quote(*flow->text))
		return tmap_yaml_quoted_length(flow->text, flow->length);
	while (at < flow->length && !strchr(",[]{}", flow->text[at]) &&
	       !(flow->text[at] == ':' &&
		 (at + 1 == flow->length || strchr(" \t", flow->text[at + 1]))))
		at++;
	while (at && strchr(" \t", flow->text[at - 1]))
		at--;
	return at;
}

static int flow_text(struct flow *flow, char **out, struct tmap_error *err)
{
	size_t length = flow_word(flow);

	if (!length)
		return tmap_yaml_fail(flow->line, err, "a value is missing in brackets");
	if (tmap_yaml_set_word(out, flow->text, length, flow->line, err) < 0)
		return -1;
	flow->text += length;
	flow->length -= length;
	return 0;
}

static int flow_value(struct flow *flow, int parent, int *last, char *key, struct tmap_error *err);

static int flow_member(struct flow *flow, int parent, int *last, struct tmap_error *err)
{
	char *key = NULL;

	flow_skip(flow);
	if (flow_text(flow, &key, err) < 0)
		return -1;
	if (!flow_take(flow, ':')) {
		free(key);
		return tmap_yaml_fail(flow->line, err, "a ':' is expected behind a key in braces");
	}
	return flow_value(flow, parent, last, key, err);
}

static int flow_items(struct flow *flow, int parent, char close, struct tmap_error *err)
{
	int last = TMAP_NONE;

	if (flow_take(flow, close))
		return 0;
	do {
		int status = close == '}' ? flow_member(flow, parent, &last, err) :
					    flow_value(flow, parent, &last, NULL, err);

		if (status < 0)
			return -1;
	} while (flow_take(flow, ','));
	if (flow_take(flow, close))
		return 0;
	return tmap_yaml_fail(flow->line, err, "a bracket does not close");
}

/* Takes @p key over. */
static int flow_value(struct flow *flow, int parent, int *last, char *key, struct tmap_error *err)
{
	bool sequence = flow_take(flow, '['), mapping = !sequence && flow_take(flow, '{');
	int made = add(flow->p,
		       sequence        ? TMAP_YAML_SEQUENCE :
			       mapping ? TMAP_YAML_MAPPING :
					 TMAP_YAML_TEXT,
		       parent, last, flow->line, err);
	int status;

	if (made == TMAP_NONE) {
		free(key);
		return -1;
	}
	flow->p->yaml->node[made].key = key;
	if (!sequence && !mapping) {
		char *text = NULL;

		status = flow_text(flow, &text, err);
		flow->p->yaml->node[made].text = text;
		return status;
	}
	if (++flow->p->depth > DEPTH_MAX)
		return tmap_yaml_fail(flow->line, err, "brackets are nested too deep");
	status = flow_items(flow, made, sequence ? ']' : '}', err);
	flow->p->depth--;
	return status;
}

static int parse_block(struct parser *p, int parent, int *last, char *key, struct tmap_error *err);

/* A value on the row of its key or dash: brackets or a word. Takes @p key over. */
static int parse_inline(struct parser *p, const char *text, size_t length, int parent, int *last,
			char *key, struct tmap_error *err)
{
	struct flow flow = { p, text, length, p->row[p->at].number };
	int made;

	if (length && strchr("[{", *text)) {
		if (flow_value(&flow, parent, last, key, err) < 0)
			return -1;
		tmap_yaml_trim(&flow.text, &flow.length);
		p->at++;
		return flow.length ? tmap_yaml_fail(flow.line, err, "something follows a bracket") :
				     0;
	}
	made = add(p, TMAP_YAML_TEXT, parent, last, flow.line, err);
	if (made == TMAP_NONE) {
		free(key);
		return -1;
	}
	p->yaml->node[made].key = key;
	p->at++;
	return tmap_yaml_set_word(&p->yaml->node[made].text, text, length, flow.line, err);
}

static bool is_dash(const struct row *row)
{
	return *row->text == '-' && (row->length == 1 || strchr(" \t", row->text[1]));
}

/* What follows a key or a dash with nothing behind it: rows further in, or nothing. Below a key
 * the dashes of a sequence may stand at its own indentation. */
static int parse_nested(struct parser *p, int indent, bool dashes, int parent, int *last, char *key,
			struct tmap_error *err)
{
	const struct row *next = p->at + 1 < p->count ? &p->row[p->at + 1] : NULL;
	int line = p->row[p->at].number, made = p->yaml->count, status;

	if (!next ||
	    (next->indent <= indent && !(dashes && next->indent == indent && is_dash(next))))
		return parse_inline(p, "", 0, parent, last, key, err);
	p->at++;
	status = parse_block(p, parent, last, key, err);
	if (status == 0)
		p->yaml->node[made].line = line;
	return status;
}

static int parse_member(struct parser *p, int parent, int *last, struct tmap_error *err)
{
	const struct row *row = &p->row[p->at];
	int length = tmap_yaml_key_length(row->text, row->length), indent = row->indent;
	const char *rest = row->text + length + 1, *name = row->text;
	size_t rest_length = row->length - (size_t)length - 1, name_length = (size_t)length;
	char *key = NULL;

	if (length == TMAP_NONE)
		return tmap_yaml_fail(row->number, err, "'key: value' is expected");
	tmap_yaml_trim(&name, &name_length);
	if (tmap_yaml_set_word(&key, name, name_length, row->number, err) < 0)
		return -1;
	if (tmap_yaml_find(p->yaml, parent, key) != TMAP_NONE) {
		tmap_fail(err, TMAP_INPUT, "line %d: '%s' stands twice", row->number, key);
		free(key);
		return -1;
	}
	tmap_yaml_trim(&rest, &rest_length);
	if (!rest_length)
		return parse_nested(p, indent, true, parent, last, key, err);
	return parse_inline(p, rest, rest_length, parent, last, key, err);
}

/* What stands behind a dash is a row of its own, further in. */
static int parse_element(struct parser *p, int parent, int *last, struct tmap_error *err)
{
	struct row *row = &p->row[p->at];
	const char *rest = row->text + 1;
	size_t length = row->length - 1;

	tmap_yaml_trim(&rest, &length);
	if (!length)
		return parse_nested(p, row->indent, false, parent, last, NULL, err);
	row->indent += (int)(rest - row->text);
	row->text = rest;
	row->length = length;
	return parse_block(p, parent, last, NULL, err);
}

/* The rows at the indentation of the one at hand. Takes @p key over. */
static int parse_block(struct parser *p, int parent, int *last, char *key, struct tmap_error *err)
{
	const struct row first = p->row[p->at];
	bool sequence = is_dash(&first);
	int child = TMAP_NONE, made, status = 0;

	if (!sequence && tmap_yaml_key_length(first.text, first.length) == TMAP_NONE)
		return parse_inline(p, first.text, first.length, parent, last, key, err);
	made = add(p, sequence ? TMAP_YAML_SEQUENCE : TMAP_YAML_MAPPING, parent, last, first.number,
		   err);
	if (made == TMAP_NONE) {
		free(key);
		return -1;
	}
	p->yaml->node[made].key = key;
	if (++p->depth > DEPTH_MAX)
		return tmap_yaml_fail(first.number, err, "the text is nested too deep");
	while (status == 0 && p->at < p->count && p->row[p->at].indent == first.indent &&
	       is_dash(&p->row[p->at]) == sequence)
		status = sequence ? parse_element(p, made, &child, err) :
				    parse_member(p, made, &child, err);
	p->depth--;
	if (status == 0 && p->at < p->count && p->row[p->at].indent > first.indent)
		return tmap_yaml_fail(p->row[p->at].number, err, "this line stands too far in");
	return status;
}

/* The lines that say something. */
static int collect_rows(struct parser *p, const char *text, struct tmap_error *err)
{
	struct tmap_line line = { 0 };

	while (tmap_line_next(&line, &text)) {
		const char *from = line.text;
		size_t length = tmap_yaml_without_comment(line.text, line.length), indent = 0;

		while (indent < length && line.text[indent] == ' ')
			indent++;
		tmap_yaml_trim(&from, &length);
		if (!length || (!p->count && length == 3 && strncmp(from, "---", 3) == 0))
			continue;
		if (*from == '-' && length >= 3 && strncmp(from, "---", 3) == 0)
			return tmap_yaml_fail(line.number, err, "only one document is read");
		if (line.text[indent] == '\t')
			return tmap_yaml_fail(line.number, err, "a tab cannot indent");
		if (tmap_grow(&p->row, &p->capacity, (size_t)p->count + 1, sizeof *p->row, err) < 0)
			return -1;
		p->row[p->count++] = (struct row){ from, length, (int)indent, line.number };
	}
	return p->count ? 0 : tmap_fail(err, TMAP_INPUT, "the text is empty");
}

int tmap_yaml_parse(struct tmap_yaml *yaml, const char *text, struct tmap_error *err)
{
	struct tmap_yaml made = { 0 };
	struct parser p = { .yaml = &made };
	int last = TMAP_NONE, status = collect_rows(&p, text, err);

	if (status == 0)
		status = parse_block(&p, TMAP_NONE, &last, NULL, err);
	if (status == 0 && p.at < p.count)
		status = tmap_yaml_fail(p.row[p.at].number, err,
					"this line does not belong to what is "
					"above it");
	free(p.row);
	if (status < 0)
		tmap_yaml_fini(&made);
	else
		*yaml = made;
	return status;
}
