/* Any bytes as a tree and as a ring document: refused as bad input, or what was read is one,
 * and is written and read back the same. */
#include "formats/report/ring/json_ring.h"
#include "formats/report/tree/json_tree.h"

#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static FILE *open_text(char **text, size_t *length)
{
	FILE *out = open_memstream(text, length);

	if (!out)
		abort();
	return out;
}

static struct tm_json parse_again(FILE *out, char **text, size_t *length)
{
	struct tm_json doc;
	struct tm_error err;

	fclose(out);
	if (tm_json_parse(&doc, *text, *length, "written", &err) < 0)
		abort();
	free(*text);
	return doc;
}

static void check_tree(const struct tm_json *doc, struct tm_error *err)
{
	struct tm_tree tree, back;
	struct tm_json again;
	size_t length;
	char *text;
	FILE *out;

	if (tm_json_get_tree(doc, &tree, NULL, err) < 0) {
		if (err->kind != TM_INPUT)
			abort();
		return;
	}
	out = open_text(&text, &length);
	if (tm_tree_write_json(&tree, "process", NULL, out, err) < 0)
		abort();
	again = parse_again(out, &text, &length);
	if (tm_json_get_tree(&again, &back, NULL, err) < 0 || back.root != tree.root ||
	    memcmp(back.parent, tree.parent, (size_t)tree.size * sizeof *tree.parent) != 0)
		abort();
	tm_json_fini(&again);
	tm_tree_fini(&back);
	tm_tree_fini(&tree);
}

static void check_ring(const struct tm_json *doc, struct tm_error *err)
{
	struct tm_ring ring, back;
	struct tm_json again;
	size_t length;
	char *text;
	FILE *out;

	if (tm_json_get_ring(doc, &ring, NULL, err) < 0) {
		if (err->kind != TM_INPUT)
			abort();
		return;
	}
	out = open_text(&text, &length);
	if (tm_ring_write_json(&ring, "process", NULL, out, err) < 0)
		abort();
	again = parse_again(out, &text, &length);
	if (tm_json_get_ring(&again, &back, NULL, err) < 0 || back.size != ring.size ||
	    memcmp(back.order, ring.order, (size_t)ring.size * sizeof *ring.order) != 0)
		abort();
	tm_json_fini(&again);
	tm_ring_fini(&back);
	tm_ring_fini(&ring);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct tm_json doc;
	struct tm_error err;

	if (tm_json_parse(&doc, (const char *)data, size, "input", &err) < 0) {
		if (err.kind != TM_INPUT)
			abort();
		return 0;
	}
	check_tree(&doc, &err);
	check_ring(&doc, &err);
	tm_json_fini(&doc);
	return 0;
}
