/* SPDX-License-Identifier: BSD-3-Clause */
#include "formats/json/json_members.h"

#include "core/base/nearest.h"

#include <string.h>

static bool members_have(const struct tmap_json_members *members, const char *name)
{
	for (int i = 0; members->member[i]; i++)
		if (strcmp(members->member[i], name) == 0)
			return true;
	return false;
}

static const char *find_where(const struct tmap_json_members *all, const char *name)
{
	for (; all->where; all++)
		if (members_have(all, name))
			return *all->where ? all->where : "the document itself";
	return NULL;
}

int tmap_json_check_members(const struct tmap_json *in, const struct tmap_json_members *all, int at,
			    struct tmap_error *err)
{
	const char *name = NULL;

	while ((name = tmap_json_next_member(in, name))) {
		struct tmap_json member = { NULL, in, name, 0 };
		struct tmap_nearest nearest;
		const char *where;

		if (members_have(&all[at], name))
			continue;
		where = find_where(all, name);
		if (where)
			return tmap_json_fail(&member, err,
					      "there is no such member here, but in %s", where);
		tmap_nearest_init(&nearest, name, strlen(name));
		for (int i = 0; all[at].member[i]; i++)
			tmap_nearest_add(&nearest, all[at].member[i]);
		if (nearest.best)
			return tmap_json_fail(&member, err,
					      "there is no such member (did you mean '%s'?)",
					      nearest.best);
	}
	return 0;
}
