/* SPDX-License-Identifier: BSD-3-Clause */
/* Any bytes as a rule file of Open MPI: refused with a sentence and a line, or rules that are written
 * and read to the same. */
#include "formats/rules/openmpi_rules.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void write_and_read(const struct tmap_rule_file *file)
{
	struct tmap_rule_file again;
	struct tmap_error err;
	char *text = NULL;
	size_t length = 0;
	FILE *out = open_memstream(&text, &length);

	if (!out)
		return;
	if (tmap_openmpi_rules_write(file, out, &err) < 0 || fclose(out) != 0 ||
	    tmap_openmpi_rules_parse(&again, text, &err) < 0 ||
	    !tmap_rule_file_is_equal(file, &again))
		abort();
	tmap_rule_file_fini(&again);
	free(text);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct tmap_rule_file file;
	struct tmap_error err = { 0 };
	char *text = malloc(size + 1);

	if (!text)
		return 0;
	memcpy(text, data, size);
	text[size] = '\0';
	if (tmap_openmpi_rules_parse(&file, text, &err) == 0) {
		write_and_read(&file);
		for (int64_t ranks = 0; ranks < 20; ranks += 7)
			tmap_rule_find(&file, 7, ranks, ranks * 1000);
		tmap_rule_file_fini(&file);
	} else if (err.kind != TMAP_INPUT || !*err.text) {
		abort();
	}
	free(text);
	return 0;
}
