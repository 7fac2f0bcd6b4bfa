/* SPDX-License-Identifier: BSD-3-Clause */
#include "formats/machine/hwloc_device.h"

#include "formats/machine/ethernet_ids.h"

#include <hwloc.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Classes of PCI devices. */
enum { ETHERNET = 0x0200, VGA = 0x0300, OTHER_DISPLAY = 0x0380, USB = 0x0c03 };

/* Bytes of a hardware address of InfiniBand and Omni-Path, as text "80:00:...". */
enum { LONG_ADDRESS = 20 * 3 - 1 };

/* States of a port of InfiniBand, which others have, too. */
enum { PORT_DOWN = 1, PORT_ACTIVE = 4, PORTS_MOST = 255 };

#if HWLOC_API_VERSION >= 0x00030000
/* A device is of one type or several. */
bool tmap_hwloc_device_is(hwloc_obj_t obj, unsigned long type)
{
	return obj->attr->osdev.types & type;
}

static const char *device_info(hwloc_obj_t obj, const char *name)
{
	return hwloc_get_info_by_name(&obj->infos, name);
}
#else
bool tmap_hwloc_device_is(hwloc_obj_t obj, unsigned long type)
{
	return (unsigned long)obj->attr->osdev.type == type;
}

static const char *device_info(hwloc_obj_t obj, const char *name)
{
	return hwloc_obj_get_info_by_name(obj, name);
}
#endif

static hwloc_obj_t find_pci(hwloc_obj_t obj)
{
	while (obj && obj->type != HWLOC_OBJ_PCI_DEVICE)
		obj = obj->parent;
	return obj;
}

struct pci_id {
	unsigned short vendor, device;
};

static bool pci_is_among(const struct hwloc_pcidev_attr_s *pci, const struct pci_id *id)
{
	for (; id->vendor; id++)
		if (id->vendor == pci->vendor_id && (!id->device || id->device == pci->device_id))
			return true;
	return false;
}

/* A display adapter counts by whose it is: that of a management controller or of a virtual machine
 * computes nothing. 3D controllers count whoever made them. A screen that is on no PCI is drawn by
 * the firmware. */
static bool is_console(hwloc_obj_t obj, const struct hwloc_pcidev_attr_s *pci)
{
	static const struct pci_id makers[] = { { 0x1002, 0 }, /* AMD */
						{ 0x10de, 0 }, /* NVIDIA */
						{ 0x8086, 0 }, /* Intel */
						{ 0, 0 } };
	static const struct pci_id old_consoles[] = { { 0x1002, 0x515e }, /* AMD ES1000 */
						      { 0x1002, 0x5969 }, /* AMD ES1000 */
						      { 0x1002, 0x4752 }, /* ATI Rage XL */
						      { 0, 0 } };
	static const struct pci_id others[] = { { 0x102b, 0 },      /* Matrox */
						{ 0x1a03, 0 },      /* ASPEED */
						{ 0x126f, 0 },      /* Silicon Motion */
						{ 0x19e5, 0x1711 }, /* Huawei Hi171x */
						{ 0x1013, 0 },      /* Cirrus */
						{ 0x1234, 0x1111 }, /* Bochs */
						{ 0x1414, 0 },      /* Microsoft */
						{ 0x15ad, 0 },      /* VMware */
						{ 0x1af4, 0 },      /* virtio */
						{ 0x1b36, 0 },      /* QXL */
						{ 0x80ee, 0 },      /* VirtualBox */
						{ 0, 0 } };

	if (!pci)
		return strncmp(obj->name, "card", 4) == 0 ||
			strncmp(obj->name, "controlD", 8) == 0 ||
			strncmp(obj->name, "renderD", 7) == 0;
	if (pci->class_id == OTHER_DISPLAY)
		return pci_is_among(pci, others);
	return pci->class_id == VGA &&
		(!pci_is_among(pci, makers) || pci_is_among(pci, old_consoles));
}

/* Of an adapter for message passing: any of its ports, or that of number @p port. */
static enum tmap_link ports_link(hwloc_obj_t adapter, int port)
{
	enum tmap_link link = TMAP_LINK_UNKNOWN;

	for (int i = port ? port : 1; i <= (port ? port : PORTS_MOST); i++) {
		char name[32];
		const char *text;
		int state;

		snprintf(name, sizeof name, "Port%dState", i);
		text = device_info(adapter, name);
		if (!text)
			break;
		state = atoi(text);
		if (state >= PORT_ACTIVE)
			return TMAP_LINK_UP;
		if (state >= PORT_DOWN)
			link = TMAP_LINK_DOWN;
	}
	return link;
}

static bool has_long_address(hwloc_obj_t interface)
{
	const char *address = device_info(interface, "Address");

	return address && strlen(address) == LONG_ADDRESS;
}

/* Of its interfaces one may be of InfiniBand; without interfaces the class says what it is. */
static enum tmap_link_layer adapter_layer(hwloc_obj_t pci)
{
	enum tmap_link_layer layer = TMAP_LAYER_UNKNOWN;

	for (hwloc_obj_t it = pci ? pci->io_first_child : NULL; it; it = it->next_sibling) {
		if (it->type != HWLOC_OBJ_OS_DEVICE ||
		    !tmap_hwloc_device_is(it, HWLOC_OBJ_OSDEV_NETWORK))
			continue;
		if (has_long_address(it))
			return TMAP_LAYER_INFINIBAND;
		if (device_info(it, "Address"))
			layer = TMAP_LAYER_ETHERNET;
	}
	if (!layer && pci && pci->attr->pcidev.class_id == ETHERNET)
		layer = TMAP_LAYER_ETHERNET;
	return layer;
}

/* The adapter for message passing that an interface is of, or NULL. */
static hwloc_obj_t find_adapter(hwloc_obj_t pci)
{
	hwloc_obj_t it = pci ? pci->io_first_child : NULL;

	while (it &&
	       (it->type != HWLOC_OBJ_OS_DEVICE || !it->name ||
		!tmap_hwloc_device_is(it, HWLOC_OBJ_OSDEV_OPENFABRICS)))
		it = it->next_sibling;
	return it;
}

/* False for an interface that is called as its adapter: that stands for both. */
static bool interface_read(struct tmap_device *device, hwloc_obj_t obj, hwloc_obj_t pci)
{
	const char *port = device_info(obj, "Port");
	hwloc_obj_t adapter = find_adapter(pci);

	device->layer = has_long_address(obj) ? TMAP_LAYER_INFINIBAND :
		device_info(obj, "Address")   ? TMAP_LAYER_ETHERNET :
						TMAP_LAYER_UNKNOWN;
	if (!adapter)
		return true;
	if (port && atoi(port) > 0)
		device->link = ports_link(adapter, atoi(port));
	snprintf(device->interface_of, sizeof device->interface_of, "%.31s", adapter->name);
	return strcmp(adapter->name, obj->name) != 0;
}

/* hwloc leaves out controllers of USB, so that what is on them hangs on their bridge. */
static bool is_on_usb(hwloc_obj_t obj, hwloc_obj_t pci)
{
	return pci ? pci->attr->pcidev.class_id == USB :
		     obj->parent && obj->parent->type == HWLOC_OBJ_BRIDGE &&
			tmap_hwloc_device_is(obj, HWLOC_OBJ_OSDEV_NETWORK);
}

static bool adapter_read(struct tmap_device *device, hwloc_obj_t obj, hwloc_obj_t pci)
{
	const struct hwloc_pcidev_attr_s *attr = pci ? &pci->attr->pcidev : NULL;

	if (is_on_usb(obj, pci))
		return false;
	device->type = TMAP_NETWORK;
	if (attr)
		device->bits_per_s = tmap_ethernet_bits_per_s(attr->vendor_id, attr->device_id);
	if (!tmap_hwloc_device_is(obj, HWLOC_OBJ_OSDEV_OPENFABRICS))
		return interface_read(device, obj, pci);
	device->link = ports_link(obj, 0);
	device->layer = adapter_layer(pci);
	return true;
}

bool tmap_hwloc_device_read(struct tmap_device *device, hwloc_obj_t obj)
{
	hwloc_obj_t pci = find_pci(obj);

	if (!obj->name)
		return false;
	*device = (struct tmap_device){ .type = TMAP_GPU };
	snprintf(device->name, sizeof device->name, "%.31s", obj->name);
	if (tmap_hwloc_device_is(obj, HWLOC_OBJ_OSDEV_NETWORK) ||
	    tmap_hwloc_device_is(obj, HWLOC_OBJ_OSDEV_OPENFABRICS))
		return adapter_read(device, obj, pci);
	if (tmap_hwloc_device_is(obj, HWLOC_OBJ_OSDEV_GPU))
		return !is_console(obj, pci ? &pci->attr->pcidev : NULL);
	return tmap_hwloc_device_is(obj, HWLOC_OBJ_OSDEV_COPROC);
}
