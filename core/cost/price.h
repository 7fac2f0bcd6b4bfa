/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * price.h - what a message takes of its ranks, and of the ports that its bytes leave and come by.
 *
 *     sender      |# out_s #|
 *     its port    |---- port_s ----|                      where an adapter takes the bytes
 *     on its way  |-- latency_s --|------ moving_s ------|
 *     receiver                       |---- port_s ----|   and in_s of its own time
 *
 * The latency has the overhead of both ranks in it. A stream of messages is as fast as large ones: what
 * short ones take longer for each byte is no time of a port.
 */
#ifndef TMAP_CORE_COST_PRICE_H
#define TMAP_CORE_COST_PRICE_H

#include "core/cost/profile.h"

/** Where a profile does not say how, messages of so many bytes keep their sender until they end. */
enum { TMAP_RENDEZVOUS_BYTES = 65536 };

/** Messages of one rank that begin together, or a single one. */
struct tmap_price {
	double bytes;
	double latency_s;   /**< from their start to the first byte of the last of them */
	double overhead_s;  /**< of all of them */
	double moving_s;    /**< their bytes, after the first one */
	double port_s;      /**< so long they keep a port */
	double adding_s;    /**< to combine them with what is there */
	double out_s, in_s; /**< of the sender's own time, and of the receiver's */
	double held_s;      /**< of the sender's time, where both ranks begin together */
	bool together; /**< begins only when both ranks are ready; an eager one leaves at once */
	bool awaited;  /**< its sender goes on when it has ended, not when the bytes have left */
	bool pulled;   /**< by the receiver: the bytes take no time of the sender's port */
	bool copied;   /**< by the receiver, when its clock lets it, and not its port */
	bool by_port;  /**< an adapter takes the bytes: the sender goes on before they have left */
};

/** The row for a size, from the first row of its distance on. */
static inline const struct tmap_profile_row *tmap_price_row(const struct tmap_profile_row *row,
							    double bytes)
{
	while (row->below_bytes != INT64_MAX && bytes >= (double)row->below_bytes)
		row++;
	return row;
}

/** Seconds that bytes keep a port, which sends those of short messages as fast as those of the largest
 *  ones: by the row of their size, and the first row of its distance. */
static inline double tmap_price_port(const struct tmap_profile_row *row,
				     const struct tmap_profile_row *first, double bytes)
{
	double large = tmap_price_row(first, (double)INT64_MAX)->byte_s;

	return bytes * (large < row->byte_s ? large : row->byte_s);
}

/** Messages of @p bytes together by the rows of a distance, of which @p first is the first: @p share of
 *  them at once (1: a single one), and each of @p each bytes; @p within a node. @p add_byte_s: to
 *  combine a byte. */
static inline struct tmap_price tmap_price_make(const struct tmap_profile_row *first, bool within,
						double bytes, double each, double share,
						double add_byte_s)
{
	const struct tmap_profile_row *row = tmap_price_row(first, each);
	enum tmap_copier unknown = within ? TMAP_COPIER_SHARED : TMAP_COPIER_ADAPTER;
	enum tmap_copier copier = row->copier == TMAP_COPIER_UNKNOWN ? unknown : row->copier;
	bool sent = copier == TMAP_COPIER_SENDER || copier == TMAP_COPIER_SHARED;
	bool copied = copier == TMAP_COPIER_RECEIVER || copier == TMAP_COPIER_SHARED;
	bool by_port = copier == TMAP_COPIER_ADAPTER, pulled = copier == TMAP_COPIER_RECEIVER;
	double own = share * row->overhead_s, moving = bytes * row->byte_s;
	double port = by_port ? tmap_price_port(row, first, bytes) : moving;
	double adding = bytes * add_byte_s;

	return (struct tmap_price){
		.bytes = bytes,
		.latency_s = row->latency_s + (share - 1) * row->overhead_s,
		.overhead_s = own,
		.moving_s = moving,
		.port_s = port,
		.adding_s = adding,
		.out_s = own + (sent ? moving : 0),
		.in_s = own + (copied ? moving : 0) + adding,
		.held_s = own + (pulled ? 0 : port),
		.together = row->protocol != TMAP_PROTOCOL_EAGER,
		.awaited = row->protocol == TMAP_PROTOCOL_UNKNOWN ?
			each >= TMAP_RENDEZVOUS_BYTES :
			row->protocol == TMAP_PROTOCOL_RENDEZVOUS,
		.pulled = pulled,
		.copied = copied,
		.by_port = by_port,
	};
}

#endif
