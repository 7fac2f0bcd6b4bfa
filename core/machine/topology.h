/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * topology.h - one kind of node: packages, memory controllers, caches, cores, PUs.
 *
 * PUs are numbered as one walks the machine from left to right (logical indexes);
 * every object covers an interval of them, and the intervals nest:
 *
 *     object 0   node                [0 ................ 8)
 *     object 1     package 0         [0 ...... 4)
 *     object 2       l3 0            [0 ...... 4)
 *     object 3         core 0        [0 . 2)
 *     object 4           pu 0        [0 1)
 *
 * Objects stand in preorder: a parent before its children, siblings from left to
 * right. Objects over the same PUs are one inside the other in the order of enum
 * tmap_type. So the object that contains PUs a and b is found by climbing, and a
 * subtree is an interval of objects as well as of PUs.
 *
 * A "numa" object is a memory controller: a distinct non-empty set of PUs to which
 * memory is local, however many memories hang on it, unless it strictly contains
 * another controller's. A "board" is a Group of several packages that is not the
 * whole node; other Groups stay "group" (Ma et al., section IV-A; hwloc's objects).
 */
#ifndef TMAP_CORE_MACHINE_TOPOLOGY_H
#define TMAP_CORE_MACHINE_TOPOLOGY_H

#include "core/base/idset.h"
#include "core/machine/types.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct tmap_object {
	enum tmap_type type;
	int nest;     /**< how many ancestors have this type: 0 but for nested groups */
	int parent;   /**< TMAP_NONE for object 0 */
	int first_pu; /**< covers the logical PUs [first_pu, end_pu) */
	int end_pu;
	int logical;        /**< index among the objects of its type, in preorder */
	int os;             /**< index that the operating system uses, or TMAP_NONE */
	int64_t size_bytes; /**< of a cache; 0 where unknown and for everything else */
	bool bare;          /**< it counts in tmap_topology.bare */
};

struct tmap_pu {
	int os;       /**< what taskset, cgroups and cpusets call it */
	int object;   /**< its object, of type TMAP_PU */
	int kind;     /**< of core, the faster the larger; TMAP_NONE: unknown, or all are alike */
	bool allowed; /**< may this job run on it (cgroup)? */
};

/** A memory: a NUMA node of the operating system. */
struct tmap_memory {
	int os;
	int object; /**< smallest object that covers its PUs; TMAP_NONE if it has none (GPU memory) */
	int64_t size_bytes;
	char kind[16];      /**< "DRAM", "MCDRAM", "HBM", ...; "" where unknown */
	bool disallowed;    /**< this job may not use it; false where unknown */
	int64_t huge_bytes; /**< of it in huge pages, set apart at boot or later; 0 where unknown */
};

/** A kind of core, of a node that has several: performance and efficiency cores. */
struct tmap_core_kind {
	char name[32]; /**< hwloc's or the user's: "IntelAtom"; "" where unknown */
};

enum tmap_device_type { TMAP_NETWORK, TMAP_GPU };

/** Can messages go over a network adapter? It can where one of its ports is up. */
enum tmap_link { TMAP_LINK_UNKNOWN, TMAP_LINK_UP, TMAP_LINK_DOWN };

/** The link layer of its ports, as the operating system calls it. */
enum tmap_link_layer { TMAP_LAYER_UNKNOWN, TMAP_LAYER_ETHERNET, TMAP_LAYER_INFINIBAND };

/** What the user wants of a network adapter (core/machine/adapter_choice.h). */
enum tmap_choice { TMAP_CHOICE_NONE, TMAP_CHOICE_YES, TMAP_CHOICE_NO };

/** A network adapter or a GPU; what follows object is known of adapters alone. */
struct tmap_device {
	enum tmap_device_type type;
	char name[32]; /**< the operating system's: "ib0", "mlx5_0", "cuda0" */
	int object;    /**< the object that it hangs on */
	enum tmap_link link;
	enum tmap_link_layer layer;
	int64_t bits_per_s; /**< of its fastest port, where none is up what it can at most; 0 where
				 unknown */
	char interface_of[32]; /**< the adapter, "mlx5_0", that "ib0" is an interface of; "" where
				    there is none or it is not known */
	enum tmap_choice choice;
};

/** hwloc's kinds of I/O objects; storage and whatever else there is are TMAP_IO_OTHER. */
enum tmap_io_type {
	TMAP_IO_GPU,
	TMAP_IO_COPROCESSOR,
	TMAP_IO_NETWORK,
	TMAP_IO_OPENFABRICS,
	TMAP_IO_OTHER,
	TMAP_IO_PCI
};

/** How an ID is written, of domain, bus, device and function. */
#define TMAP_IO_PCI_ID "%04x:%02x:%02x.%01x"

/** An I/O object, as launchers see it that bind to devices. */
struct tmap_io {
	enum tmap_io_type type;
	char name[32]; /**< the operating system's; of a PCI device its ID, "0000:41:00.0" */
	int object;    /**< the smallest object that covers the PUs it is close to; TMAP_NONE if it
			    is close to none */
};

struct tmap_topology {
	int object_count, pu_count, memory_count, device_count, io_count;
	struct tmap_object *object;
	struct tmap_pu *pu;
	int *by_os; /**< [pu_count] logical PUs in the order of their OS indexes */
	struct tmap_memory *memory;
	struct tmap_device *device;
	/** The devices of the operating system, as hwloc counts them, then the PCI devices. Empty
	 *  unless they were asked for. */
	struct tmap_io *io;
	int kind_count; /**< kinds of cores, from slow to fast; 0 where all are alike or nobody
			     knows */
	struct tmap_core_kind *kind;
	/** Of each type the objects without a PU that the job may use, which hwloc keeps for their
	 *  memory or devices, so that launchers count them. No part of equality; 0 where unknown. */
	int bare[TMAP_TYPE_COUNT];
	size_t object_capacity, memory_capacity, device_capacity, io_capacity, kind_capacity;
};

/** A node of @p pu_count >= 1 PUs, all allowed, whose OS indexes are their logical ones;
 *  it has no other object yet. Release with tmap_topology_fini(). */
int tmap_topology_init(struct tmap_topology *topo, int pu_count, struct tmap_error *err);
void tmap_topology_fini(struct tmap_topology *topo);

/** Add an object over the logical PUs [first_pu, end_pu); any order. PUs and the node
 *  itself (object 0, type TMAP_NODE) need not be added. */
int tmap_topology_add(struct tmap_topology *topo, enum tmap_type type, int first_pu, int end_pu,
		      int os, int64_t size_bytes, struct tmap_error *err);

/** Put the objects into preorder and find parents and indexes; O(n log n) over n objects.
 *  Refuses intervals that cross, leave the node or are empty, OS indexes of PUs that
 *  repeat, and two objects of one type over the same PUs (but groups, which are merged). */
int tmap_topology_finish(struct tmap_topology *topo, struct tmap_error *err);

/** Sort by_os, which tmap_topology_finish() does, after OS indexes have changed. Refuses OS indexes
 *  that repeat. O(PUs log PUs). */
int tmap_topology_sort_pus(struct tmap_topology *topo, struct tmap_error *err);

/** Memories, devices and I/O objects, after tmap_topology_finish(), copied from *memory, *device
 *  and *io; a memory without PUs is a bare object. */
int tmap_topology_add_memory(struct tmap_topology *topo, const struct tmap_memory *memory,
			     struct tmap_error *err);
int tmap_topology_add_device(struct tmap_topology *topo, const struct tmap_device *device,
			     struct tmap_error *err);
int tmap_topology_add_io(struct tmap_topology *topo, const struct tmap_io *io,
			 struct tmap_error *err);

/** The next kind of core, faster than those before it: the PUs with these OS indexes. Refuses a PU
 *  that the node lacks, or that has a kind. O(PUs). */
int tmap_topology_add_kind(struct tmap_topology *topo, const char *name,
			   const struct tmap_idset *pus, struct tmap_error *err);

/** Number of objects of one type. */
int tmap_topology_count(const struct tmap_topology *topo, enum tmap_type type);

/** Object of @p type with logical index @p logical, or TMAP_NONE. O(objects). */
int tmap_topology_find(const struct tmap_topology *topo, enum tmap_type type, int logical);

/** Cores that hold an allowed PU, and allowed PUs; where a node has no Core objects, its PUs
 *  are its cores. O(objects + PUs). */
int tmap_topology_allowed_cores(const struct tmap_topology *topo);
int tmap_topology_allowed_pus(const struct tmap_topology *topo);

/** Allowed PUs of an object. O(its PUs). */
int tmap_topology_allowed_of(const struct tmap_topology *topo, int object);

/** Add the OS indexes of the allowed PUs to a set, or of those of an object. O(PUs). */
int tmap_topology_add_allowed(struct tmap_idset *pus, const struct tmap_topology *topo,
			      struct tmap_error *err);
int tmap_topology_add_allowed_of(struct tmap_idset *pus, const struct tmap_topology *topo,
				 int object, struct tmap_error *err);

/** Has a set of OS indexes every allowed PU? O(PUs), and no more than to the first that it lacks. */
bool tmap_topology_is_all(const struct tmap_topology *topo, const struct tmap_idset *pus);

/** Refuse (TMAP_INPUT) a set of OS indexes with a PU that the node lacks, or that is not allowed.
 *  O(members log PUs). */
int tmap_topology_check_allowed(const struct tmap_topology *topo, const struct tmap_idset *pus,
				struct tmap_error *err);

/** Logical PU with OS index @p os, or TMAP_NONE; after tmap_topology_finish(). O(log PUs). */
int tmap_topology_find_pu(const struct tmap_topology *topo, int os);

/** Smallest object that covers the logical PUs [first_pu, end_pu); the deepest where several
 *  cover the same PUs. O(depth). */
int tmap_topology_cover(const struct tmap_topology *topo, int first_pu, int end_pu);

/** PUs of the smallest object that holds both objects: how far apart they are. O(depth). */
int tmap_topology_common_pus(const struct tmap_topology *topo, int a, int b);

/** The object itself or its nearest ancestor of @p type; TMAP_NONE where there is none. O(depth). */
int tmap_topology_ancestor(const struct tmap_topology *topo, int object, enum tmap_type type);

/** Same objects, PUs (OS indexes, allowed or not), memories, devices and I/O objects. */
bool tmap_topology_equal(const struct tmap_topology *a, const struct tmap_topology *b);

/** A copy that shares nothing; *copy is set only on success. */
int tmap_topology_copy(struct tmap_topology *copy, const struct tmap_topology *topo,
		       struct tmap_error *err);

#endif
