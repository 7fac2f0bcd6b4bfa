/* SPDX-License-Identifier: BSD-3-Clause */
#include "core/machine/device.h"

#include <string.h>

/* The kinds of adapters; of a node those of the highest kind count. */
enum grade {
	NO_ADAPTER,
	ETHERNET,      /* an interface of an Ethernet */
	OVER_ETHERNET, /* made for message passing, on an Ethernet */
	INTERFACE,     /* of a network made for message passing: ib0 */
	OWN_NETWORK,   /* made for message passing, on a network of that kind: mlx5_0 */
};

/* The fastest Ethernet that is for management. */
static const int64_t slow_bits_per_s = INT64_C(1000000000);

/* Of networks made for message passing a slower adapter is used beside a faster one as long as it
 * is not slower than that by this factor: UCX's default for its lanes (UCX_MULTI_LANE_MAX_RATIO). */
static const int most_ratio = 4;

/* How names begin: of adapters made for message passing, of those of them that are on an Ethernet
 * unless more is known, of the interfaces of networks for message passing, and of interfaces that
 * no cable leads to, or one of an office or of a management controller. */
static const char *const message_passing[] = {
	"mlx",    "hfi",     "qib",   "opa",   "cxi",   "bxi",     "efa",   "rdma",
	"mthca",  "ipath",   "irdma", "roce",  "usnic", "bnxt_re", "i40iw", "qedr",
	"ocrdma", "iw_cxgb", "hns_",  "mana_", "erdma", NULL,
};
static const char *const over_ethernet[] = {
	"irdma",  "roce",    "usnic", "bnxt_re", "i40iw", "qedr",
	"ocrdma", "iw_cxgb", "hns_",  "mana_",   "erdma", NULL,
};
static const char *const interfaces[] = { "ib", "hsi", "hsn", NULL };
static const char *const no_adapters[] = {
	"docker", "br-",   "br0",  "br1",    "virbr",  "veth",    "vnet",    "tap",
	"tun",    "dummy", "bond", "team",   "vlan",   "cni",     "flannel", "cali",
	"vxlan",  "lxc",   "lxd",  "podman", "ifb",    "macvlan", "macvtap", "ovs",
	"vmnet",  "wg",    "gre",  "sit",    "ip6tnl", "kube",    "rxe",     "siw",
	"idrac",  "usb",   "enx",  "wl",     "ww",     NULL,
};

static bool begins_with(const char *name, const char *const *prefix)
{
	for (; *prefix; prefix++)
		if (strncmp(name, *prefix, strlen(*prefix)) == 0)
			return true;
	return false;
}

/* "enp0s20f0u1": of USB, by systemd's scheme of names. */
static bool is_usb(const char *name)
{
	const char *u = strncmp(name, "en", 2) == 0 ? strchr(name, 'u') : NULL;

	return u && u[1] >= '0' && u[1] <= '9';
}

/* A dot is a VLAN's. */
static bool has_cable(const char *name)
{
	return strcmp(name, "lo") != 0 && !begins_with(name, no_adapters) && !is_usb(name) &&
		!strchr(name, '.');
}

static enum grade grade_of(const struct tmap_device *device)
{
	bool is_ethernet = device->layer == TMAP_LAYER_ETHERNET;
	bool is_slow = device->bits_per_s && device->bits_per_s <= slow_bits_per_s;

	if (device->type != TMAP_NETWORK || device->link == TMAP_LINK_DOWN)
		return NO_ADAPTER;
	if (begins_with(device->name, message_passing)) {
		if (!is_ethernet && (device->layer || !begins_with(device->name, over_ethernet)))
			return OWN_NETWORK;
		return is_slow ? NO_ADAPTER : OVER_ETHERNET;
	}
	if (begins_with(device->name, interfaces) || device->layer == TMAP_LAYER_INFINIBAND)
		return INTERFACE;
	return is_slow || !has_cable(device->name) ? NO_ADAPTER : ETHERNET;
}

/* Is one of two adapters of a grade too slow to be used beside the other? */
static bool is_outrun(enum grade grade, const struct tmap_device *it,
		      const struct tmap_device *other)
{
	int ratio = grade < INTERFACE ? 1 : most_ratio;

	return it->bits_per_s && other->bits_per_s / ratio > it->bits_per_s;
}

bool tmap_device_is_adapter(const struct tmap_topology *topo, int device)
{
	const struct tmap_device *it = &topo->device[device];
	enum grade grade = grade_of(it);

	if (it->choice)
		return it->choice == TMAP_CHOICE_YES;
	for (int d = 0; d < topo->device_count && grade; d++) {
		const struct tmap_device *other = &topo->device[d];
		enum grade its = grade_of(other);

		if (its > grade || (its == grade && is_outrun(grade, it, other)))
			return false;
	}
	return grade > NO_ADAPTER;
}

bool tmap_device_is_of_kind(const struct tmap_device *device, const struct tmap_device *kind)
{
	size_t length = strcspn(kind->name, "0123456789");

	return device->type == kind->type && strncmp(device->name, kind->name, length) == 0 &&
		strcspn(device->name, "0123456789") == length;
}

bool tmap_device_is_interface(const struct tmap_topology *topo, int device)
{
	const struct tmap_device *it = &topo->device[device];

	if (it->type != TMAP_NETWORK || begins_with(it->name, message_passing))
		return false;
	if (*it->interface_of)
		return true;
	for (int d = 0; d < topo->device_count && begins_with(it->name, interfaces); d++)
		if (topo->device[d].type == TMAP_NETWORK &&
		    begins_with(topo->device[d].name, message_passing))
			return true;
	return false;
}

int tmap_adapter_common_pus(const struct tmap_topology *topo, int object)
{
	int best = topo->pu_count;

	for (int d = 0; d < topo->device_count; d++) {
		int pus = tmap_topology_common_pus(topo, object, topo->device[d].object);

		if (pus < best && tmap_device_is_adapter(topo, d))
			best = pus;
	}
	return best;
}

int tmap_device_closest(const struct tmap_topology *topo, int object, enum tmap_device_type type,
			int *count)
{
	int closest = TMAP_NONE, best = 0;

	*count = 0;
	for (int d = 0; d < topo->device_count; d++) {
		int pus;

		if (topo->device[d].type != type ||
		    (type == TMAP_NETWORK && !tmap_device_is_adapter(topo, d)))
			continue;
		pus = tmap_topology_common_pus(topo, object, topo->device[d].object);
		if (closest == TMAP_NONE || pus < best) {
			closest = d;
			best = pus;
			*count = 0;
		}
		*count += pus == best;
	}
	return closest;
}
