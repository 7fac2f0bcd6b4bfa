#include "formats/text_sharing.h"

#include "core/inspect/overlap.h"

int tm_text_write_sharing(FILE *out, const struct tm_placement *p, struct tm_error *err)
{
	int count;

	if (tm_overlap_count(&count, p, err) < 0)
		return -1;
	if (count)
		fprintf(out, "%d ranks share a core with others; times count each as alone (topomap "
			"inspect --lint)\n", count);
	return 0;
}
