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

static struct tmap_json parse_again(FILE *out, char **text, size_t *length)
{
	struct tmap_json doc;
	struct tmap_error err;

	fclose(out);
	if (tmap_json_parse(&doc, *text, *length, "written", &err) < 0)
		abort();
	free(*text);
	return doc;
}

static void check_tree(const struct tmap_json *doc, struct tmap_error *err)
{
	struct tmap_tree tree, back;
	struct tmap_json again;
	size_t length;
	char *text;
	FILE *out;

	if (tmap_json_get_tree(doc, &tree, NULL, err) < 0) {
		if (err->kind != TMAP_INPUT)
			abort();
		return;
	}
	out = open_text(&text, &length);
	if (tmap_tree_write_json(&tree, "process", NULL, out, err) < 0)
		abort();
	again = parse_again(out, &text, &length);
	if (tmap_json_get_tree(&again, &back, NULL, err) < 0 || back.root != tree.root ||
	    memcmp(back.parent, tree.parent, (size_t)tree.size * sizeof *tree.parent) != 0)
		abort();
	tmap_json_fini(&again);
	tmap_tree_fini(&back);
	tmap_tree_fini(&tree);
}

static void check_ring(const struct tmap_json *doc, struct tmap_error *err)
{
	struct tmap_ring ring, back;
	struct tmap_json again;
	size_t length;
	char *text;
	FILE *out;

	if (tmap_json_get_ring(doc, &ring, NULL, err) < 0) {
		if (err->kind != TMAP_INPUT)
			abort();
		return;
	}
	out = open_text(&text, &length);
	if (tmap_ring_write_json(&ring, "process", NULL, out, err) < 0)
		abort();
	again = parse_again(out, &text, &length);
	if (tmap_json_get_ring(&again, &back, NULL, err) < 0 || back.size != ring.size ||
	    memcmp(back.order, ring.order, (size_t)ring.size * sizeof *ring.order) != 0)
		abort();
	tmap_json_fini(&again);
	tmap_ring_fini(&back);
	tmap_ring_fini(&ring);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct tmap_json doc;
	struct tmap_error err;

	if (tmap_json_parse(&doc, (const char *)data, size, "input", &err) < 0) {
		if (err.kind != TMAP_INPUT)
			abort();
		return 0;
	}
	check_tree(&doc, &err);
	check_ring(&doc, &err);
	tmap_json_fini(&doc);
	return 0;
}
