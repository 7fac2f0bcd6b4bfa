/* SPDX-License-Identifier: BSD-3-Clause */
#include "formats/report/times/measured_call.h"

#include "formats/report/times/times_members.h"

#include <string.h>

static void put_topology(struct tmap_json_writer *w, const struct tmap_virtual_topology *it)
{
	tmap_json_open_line(w, "topology", '{');
	tmap_json_put_string(
		w, "stencil",
		tmap_keywords_at(&tmap_stencils, (size_t)tmap_stencil_row(it->stencil))->name);
	if (it->stencil != TMAP_STENCIL_FULL) {
		tmap_json_put_int(w, "radius", it->radius);
		tmap_json_put_int(w, "dimensions", it->dimensions);
		tmap_json_put_int(w, "finite", it->finite);
	}
	tmap_json_put_string(w, "order", tmap_keywords_at(&tmap_neighbor_orders, it->order)->name);
	tmap_json_put_string(w, "constructor",
			     tmap_keywords_at(&tmap_constructors, it->constructor)->name);
	tmap_json_put_bool(w, "reorder", it->reorder);
	tmap_json_close(w);
}

void tmap_json_put_call(struct tmap_json_writer *w, const struct tmap_experiment *it)
{
	tmap_json_put_string(w, "collective", tmap_experiment_call(it));
	if (it->on.call != TMAP_NO_VIRTUAL)
		put_topology(w, &it->on.topology);
	tmap_json_put_string(w, "algorithm", it->algorithm);
	tmap_json_put_string(w, "mode", tmap_keywords_at(&tmap_modes, it->mode)->name);
	tmap_json_put_int(w, "bytes", it->bytes);
	tmap_json_put_int(w, "root", it->root);
}

static int get_topology(const struct tmap_json *in, struct tmap_virtual_topology *it,
			struct tmap_error *err)
{
	struct tmap_json at;
	int stencil, order, constructor;

	if (tmap_json_get_keyword(in, "stencil", &tmap_stencils, &stencil, err) < 0 ||
	    tmap_json_get_keyword(in, "order", &tmap_neighbor_orders, &order, err) < 0 ||
	    tmap_json_get_keyword(in, "constructor", &tmap_constructors, &constructor, err) < 0 ||
	    tmap_json_get(in, "reorder", TMAP_JSON_BOOLEAN, &at, err) < 0 ||
	    tmap_json_find_bool(in, "reorder", &it->reorder, err) < 0)
		return -1;
	it->stencil = tmap_stencil_at(stencil);
	it->order = (enum tmap_neighbor_order)order;
	it->constructor = (enum tmap_constructor)constructor;
	if (it->stencil != TMAP_STENCIL_FULL &&
	    (tmap_json_get_int(in, "radius", 1, TMAP_RADIUS_MAX, &it->radius, err) < 0 ||
	     tmap_json_get_int(in, "dimensions", 1, TMAP_DIMENSIONS_MAX, &it->dimensions, err) <
		     0 ||
	     tmap_json_get_int(in, "finite", 0, it->dimensions, &it->finite, err) < 0))
		return -1;
	return tmap_virtual_check(it, err) < 0 ? tmap_json_wrap(in, err) : 0;
}

/* What is called: a collective, or a call on a virtual topology. */
static int get_collective(const struct tmap_json *in, struct tmap_experiment *it,
			  struct tmap_error *err)
{
	struct tmap_json at;
	int row;

	if (tmap_json_find(in, "topology", TMAP_JSON_OBJECT, &at, err) < 0 ||
	    tmap_json_get_keyword(in, "collective",
				  at.value ? &tmap_virtual_calls : &tmap_collectives, &row,
				  err) < 0)
		return -1;
	it->collective = at.value ? TMAP_COLLECTIVE_COUNT : (enum tmap_collective)row;
	if (!at.value)
		return 0;
	it->on.call = (enum tmap_virtual_call)(TMAP_VIRTUAL_CREATE + row);
	return get_topology(&at, &it->on.topology, err);
}

int tmap_json_get_call(const struct tmap_json *in, int size, struct tmap_experiment *it,
		       struct tmap_error *err)
{
	int mode;

	if (get_collective(in, it, err) < 0 ||
	    tmap_json_get_keyword(in, "mode", &tmap_modes, &mode, err) < 0 ||
	    tmap_json_get_plain(in, "algorithm", &it->algorithm, err) < 0 ||
	    tmap_json_get_int(in, "root", 0, size - 1, &it->root, err) < 0 ||
	    tmap_json_get_int64(in, "bytes", 0, &it->bytes, err) < 0)
		return -1;
	it->mode = (enum tmap_mode)mode;
	if (it->on.call && (it->mode != TMAP_BLOCKING || strcmp(it->algorithm, "native") != 0))
		return tmap_json_fail(in, err,
				      "%s on a topology is native and blocking, not '%s' and %s",
				      tmap_experiment_call(it), it->algorithm,
				      tmap_keywords_at(&tmap_modes, (size_t)mode)->name);
	if (it->on.call == TMAP_VIRTUAL_CREATE && it->bytes)
		return tmap_json_fail(in, err, "%s is of 0 bytes, not of %lld",
				      tmap_experiment_call(it), (long long)it->bytes);
	if (it->root && !tmap_collective_rows[it->collective].has_root)
		return tmap_json_fail(in, err, "%s has no root", tmap_experiment_call(it));
	return 0;
}
