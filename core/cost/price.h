/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * price.h - what a message takes of its ranks, and of the ports that its bytes leave and come by.
 *
 *     rank        out_s |##|                              own time: o, and n G where it copies
 *     its port          |-- moving_s --|                  where an adapter takes the bytes
 *     receiver              latency_s |-- moving_s --|    in_s of its own time after that
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
	double moving_s;    /**< their bytes, on one port */
	double adding_s;    /**< to combine them with what is there */
	double out_s, in_s; /**< of the sender's own time, and of the receiver's */
	bool together; /**< begins only when both ranks are ready; an eager one leaves at once */
	bool awaited;  /**< its sender goes on when it has ended, not when the bytes have left */
	bool pulled;   /**< by the receiver: the bytes take no time of the sender's port */
	bool copied;   /**< by the receiver, when its clock lets it, and not its port */
	bool by_port;  /**< an adapter takes the bytes: the sender goes on before they have left */
};

/** Messages of @p bytes together by their row: @p share of them at once (1: a single one), and each of
 *  @p each bytes; @p within a node. @p add_byte_s: to combine a byte. */
static inline struct tmap_price tmap_price_make(const struct tmap_profile_row *row, bool within,
						double bytes, double each, double share,
						double add_byte_s)
{
	enum tmap_copier unknown = within ? TMAP_COPIER_SHARED : TMAP_COPIER_ADAPTER;
	enum tmap_copier copier = row->copier == TMAP_COPIER_UNKNOWN ? unknown : row->copier;
	bool sent = copier == TMAP_COPIER_SENDER || copier == TMAP_COPIER_SHARED;
	bool copied = copier == TMAP_COPIER_RECEIVER || copier == TMAP_COPIER_SHARED;
	double own = share * row->overhead_s, moving = bytes * row->byte_s;
	double adding = bytes * add_byte_s;

	return (struct tmap_price){
		.bytes = bytes,
		.latency_s = row->latency_s + (share - 1) * row->overhead_s,
		.overhead_s = own,
		.moving_s = moving,
		.adding_s = adding,
		.out_s = own + (sent ? moving : 0),
		.in_s = own + (copied ? moving : 0) + adding,
		.together = row->protocol != TMAP_PROTOCOL_EAGER,
		.awaited = row->protocol == TMAP_PROTOCOL_UNKNOWN ?
			each >= TMAP_RENDEZVOUS_BYTES :
			row->protocol == TMAP_PROTOCOL_RENDEZVOUS,
		.pulled = copier == TMAP_COPIER_RECEIVER,
		.copied = copied,
		.by_port = copier == TMAP_COPIER_ADAPTER,
	};
}

#endif
