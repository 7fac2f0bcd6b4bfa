/* SPDX-License-Identifier: BSD-3-Clause */
#include "cli/base/call_options.h"

int tmap_profile_option(struct tmap_profile_request *choice, const char *name,
			const struct tmap_placement *placement, struct tmap_error *err)
{
	if (tmap_profile_choose(choice, name, placement->machine, err) < 0)
		return tmap_wrap(err, "--profile");
	return 0;
}
