/* SPDX-License-Identifier: BSD-3-Clause */
/* Any bytes: the switches above four nodes, a line of address, pattern and name each, as Slurm's
 * environment has them, or a refusal with a sentence. */
#include "formats/network/topology_addr.h"
#include "tests/fuzz/networks.h"

/* What stands up to the next @p mark, which becomes the end of it. */
static const char *cut(char **at, char mark)
{
	char *begin = *at, *end = strchr(begin, mark);

	*at = end ? end + 1 : begin + strlen(begin);
	if (end)
		*end = '\0';
	return begin;
}

static int read(struct tmap_network *net, const char *text, struct tmap_error *err)
{
	static const char *const host[] = { "a", "b", "c", "d" };
	struct tmap_topology_addr node[4];
	char *copy = tmap_strdup(text, err), *at = copy;
	int status;

	for (int n = 0; n < 4; n++) {
		char *line = (char *)cut(&at, '\n');

		node[n].host = host[n];
		node[n].addr = cut(&line, ' ');
		node[n].pattern = cut(&line, ' ');
		node[n].name = line;
	}
	status = tmap_topology_addr_read(net, node, 4, err);
	free(copy);
	return status;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	return fuzz_tree(data, size, read);
}
