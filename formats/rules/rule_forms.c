/* SPDX-License-Identifier: BSD-3-Clause */
#include "formats/rules/rule_forms.h"

#include "core/library/library.h"
#include "formats/base/input.h"
#include "formats/rules/han_rules.h"
#include "formats/rules/openmpi_ranges.h"
#include "formats/rules/openmpi_rules.h"
#include "formats/rules/ucc_rules.h"

#include <stdlib.h>

/* Those of coll/tuned, or of coll/han. */
static int openmpi_read(struct tmap_rule_file *file, const char *path, struct tmap_error *err)
{
	char *text = NULL;
	int status = tmap_input_read_text(path, TMAP_INPUT_MOST_RULES, &text, err);

	if (status == 0) {
		status = (tmap_han_rules_are(text) ? tmap_han_rules_parse :
						     tmap_openmpi_rules_parse)(file, text, err);
		if (status < 0)
			tmap_at(err, tmap_input_name(path), 0);
	}
	free(text);
	return status;
}

int tmap_rules_read(struct tmap_rule_file *file, const char *path, int library,
		    struct tmap_error *err)
{
	if (tmap_library_is_ucc(library))
		return tmap_ucc_rules_read(file, path, err);
	if (tmap_library_rules_by_range(library))
		return tmap_openmpi_ranges_read(file, path, err);
	return openmpi_read(file, path, err);
}

int tmap_rules_write(const struct tmap_rule_file *file, int library, FILE *out,
		     struct tmap_error *err)
{
	if (tmap_library_is_ucc(library))
		return tmap_ucc_rules_write(file, out, err);
	if (tmap_library_rules_by_range(library))
		return tmap_openmpi_ranges_write(file, out, err);
	return (file->lookup == TMAP_LOOKUP_HAN ? tmap_han_rules_write :
						  tmap_openmpi_rules_write)(file, out, err);
}
