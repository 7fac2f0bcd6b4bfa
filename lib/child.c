/* SPDX-License-Identifier: BSD-3-Clause */
/* libtopomap starts no process in the program that it is part of: the work is done here, and a crash
 * in it is that program's. */
#include "formats/base/child.h"

int tmap_child_run(const struct tmap_child_work *work, void *data, struct tmap_error *err)
{
	return work->make(data, err);
}
