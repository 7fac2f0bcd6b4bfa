/* SPDX-License-Identifier: BSD-3-Clause */
#include "formats/rules/rule_forms.h"

#include "core/library/library.h"
#include "formats/rules/openmpi_ranges.h"
#include "formats/rules/openmpi_rules.h"
#include "formats/rules/ucc_rules.h"

int tmap_rules_read(struct tmap_rule_file *file, const char *path, int library,
		    struct tmap_error *err)
{
	if (tmap_library_is_ucc(library))
		return tmap_ucc_rules_read(file, path, err);
	if (tmap_library_rules_by_range(library))
		return tmap_openmpi_ranges_read(file, path, err);
	return tmap_openmpi_rules_read(file, path, err);
}

int tmap_rules_write(const struct tmap_rule_file *file, int library, FILE *out,
		     struct tmap_error *err)
{
	if (tmap_library_is_ucc(library))
		return tmap_ucc_rules_write(file, out, err);
	if (tmap_library_rules_by_range(library))
		return tmap_openmpi_ranges_write(file, out, err);
	return tmap_openmpi_rules_write(file, out, err);
}
