/* SPDX-License-Identifier: BSD-3-Clause */
#include "mpi_run/executor/layout.h"

static const struct tmap_blocks *blocks_of(const struct tmap_layout *layout, enum tmap_area area)
{
	return area == TMAP_SEND_AREA ? &layout->send : &layout->recv;
}

struct tmap_data_piece tmap_blocks_piece(const struct tmap_layout *layout, enum tmap_area area,
					 int64_t block)
{
	const struct tmap_blocks *blocks = blocks_of(layout, area);
	struct tmap_data_piece piece = { area, blocks->type, 0, blocks->count };

	if (blocks->types)
		piece.type = blocks->types[block];
	if (blocks->counts) {
		piece.count = blocks->counts[block];
		piece.offset = blocks->offsets[block];
	} else {
		piece.offset = block * blocks->count * layout->type[blocks->type].extent;
	}
	return piece;
}

struct tmap_data_piece tmap_vector_piece(const struct tmap_layout *layout, enum tmap_area area,
					 int64_t first, int64_t count)
{
	int type = blocks_of(layout, area)->type;

	return (struct tmap_data_piece){ area, type, first * layout->type[type].extent, count };
}

bool tmap_piece_precedes(const struct tmap_layout *layout, const struct tmap_data_piece *piece,
			 const struct tmap_data_piece *next)
{
	return next->area == piece->area && next->type == piece->type &&
		next->offset == piece->offset + piece->count * layout->type[piece->type].extent;
}

int64_t tmap_type_span(const struct tmap_data_element *type, int64_t count)
{
	int64_t stride = type->extent < 0 ? -type->extent : type->extent;

	return count ? (count - 1) * stride + type->span : 0;
}

int64_t tmap_type_low(const struct tmap_data_element *type, int64_t count)
{
	return type->low + (type->extent < 0 && count ? (count - 1) * type->extent : 0);
}
