/* SPDX-License-Identifier: BSD-3-Clause */
#include "mpi_run/operation/message_buffer.h"

#include "core/base/mem.h"
#include "mpi_run/operation/channel.h"

#include <limits.h>
#include <stdlib.h>

int tmap_element_of_type(MPI_Datatype type, struct tmap_data_element *element,
			 struct tmap_error *err)
{
	MPI_Count size, low, extent, true_low, true_extent;

	if (tmap_mpi_check(MPI_Type_size_x(type, &size), "MPI_Type_size_x", err) < 0 ||
	    tmap_mpi_check(MPI_Type_get_extent_x(type, &low, &extent), "MPI_Type_get_extent_x",
			   err) < 0 ||
	    tmap_mpi_check(MPI_Type_get_true_extent_x(type, &true_low, &true_extent),
			   "MPI_Type_get_true_extent_x", err) < 0)
		return -1;
	*element = (struct tmap_data_element){ size, extent, true_low, true_extent,
					       .is_dense = size == extent && size == true_extent &&
						       !true_low };
	return 0;
}

/* So many elements as one: counts of MPI are ints. */
static int type_of_many(int64_t count, MPI_Datatype type, int64_t extent, MPI_Datatype *made,
			struct tmap_error *err)
{
	enum { CHUNK = 1 << 30 };
	int lengths[] = { (int)(count / CHUNK), (int)(count % CHUNK) };
	MPI_Aint at[] = { 0, (MPI_Aint)(count - count % CHUNK) * (MPI_Aint)extent };
	MPI_Datatype types[] = { MPI_DATATYPE_NULL, type };
	int status;

	if (tmap_mpi_check(MPI_Type_contiguous(CHUNK, type, &types[0]), "MPI_Type_contiguous",
			   err) < 0)
		return -1;
	status = tmap_mpi_check(MPI_Type_create_struct(2, lengths, at, types, made),
				"MPI_Type_create_struct", err);
	MPI_Type_free(&types[0]);
	return status;
}

/* Several pieces, by their addresses. */
static int type_of_pieces(const struct tmap_message_types *types,
			  const struct tmap_data_piece *piece, size_t count,
			  char *const area[TMAP_AREAS], MPI_Datatype *made, struct tmap_error *err)
{
	MPI_Datatype *type = tmap_alloc_raw(count, sizeof *type, err);
	int *lengths = tmap_alloc_raw(count, sizeof *lengths, err);
	MPI_Aint *at = tmap_alloc_raw(count, sizeof *at, err);
	int status = type && lengths && at ? 0 : -1;
	size_t large = 0;

	for (size_t i = 0; i < count && status == 0; i++) {
		MPI_Get_address(area[piece[i].area] + piece[i].offset, &at[i]);
		lengths[i] = 1;
		type[i] = types->type[piece[i].type];
		if (piece[i].count <= INT_MAX) {
			lengths[i] = (int)piece[i].count;
			continue;
		}
		status = type_of_many(piece[i].count, types->type[piece[i].type],
				      types->element[piece[i].type].extent, &type[i], err);
		large = i + 1;
	}
	if (status == 0)
		status = tmap_mpi_check(MPI_Type_create_struct((int)count, lengths, at, type, made),
					"MPI_Type_create_struct", err);
	for (size_t i = 0; status == 0 && i < large; i++)
		if (piece[i].count > INT_MAX)
			MPI_Type_free(&type[i]);
	free(type);
	free(lengths);
	free(at);
	return status;
}

/* So many elements from an address on. */
static int buffer_fill(struct tmap_message_buffer *buffer, void *address, int64_t count,
		       MPI_Datatype type, int64_t extent, struct tmap_error *err)
{
	*buffer = (struct tmap_message_buffer){ address, 1, type, MPI_DATATYPE_NULL };
	if (count <= INT_MAX) {
		buffer->count = (int)count;
		return 0;
	}
	if (type_of_many(count, type, extent, &buffer->made, err) < 0)
		return -1;
	buffer->type = buffer->made;
	return tmap_mpi_check(MPI_Type_commit(&buffer->made), "MPI_Type_commit", err);
}

int tmap_message_buffer_init_piece(struct tmap_message_buffer *buffer,
				   const struct tmap_message_types *types,
				   const struct tmap_data_piece *piece,
				   char *const area[TMAP_AREAS], struct tmap_error *err)
{
	return buffer_fill(buffer, area[piece->area] + piece->offset, piece->count,
			   types->type[piece->type], types->element[piece->type].extent, err);
}

int tmap_message_buffer_init(struct tmap_message_buffer *buffer,
			     const struct tmap_message_types *types, const struct tmap_steps *steps,
			     size_t step, char *const area[TMAP_AREAS], struct tmap_error *err)
{
	const struct tmap_step *is = &steps->step[step];
	const struct tmap_data_piece *piece = &steps->piece[is->first];

	if (!is->count)
		return buffer_fill(buffer, types->blank, is->blank_bytes, MPI_BYTE, 1, err);
	if (is->count == 1)
		return tmap_message_buffer_init_piece(buffer, types, piece, area, err);
	*buffer =
		(struct tmap_message_buffer){ MPI_BOTTOM, 1, MPI_DATATYPE_NULL, MPI_DATATYPE_NULL };
	if (type_of_pieces(types, piece, is->count, area, &buffer->made, err) < 0 ||
	    tmap_mpi_check(MPI_Type_commit(&buffer->made), "MPI_Type_commit", err) < 0)
		return -1;
	buffer->type = buffer->made;
	return 0;
}

void tmap_message_buffer_fini(struct tmap_message_buffer *buffer)
{
	if (buffer->made != MPI_DATATYPE_NULL)
		MPI_Type_free(&buffer->made);
}
