/* SPDX-License-Identifier: GPL-3.0-or-later */
/* pointer.c - returns the attributes of an address. */
#include "record/cuda/driver.h"

#include <string.h>

/* Bytes of the value of an attribute; 0: unknown attribute. */
static size_t
get_value_bytes(CUpointer_attribute a)
{
	switch (a) {
	case CU_POINTER_ATTRIBUTE_CONTEXT:
	case CU_POINTER_ATTRIBUTE_DEVICE_POINTER:
	case CU_POINTER_ATTRIBUTE_HOST_POINTER:
	case CU_POINTER_ATTRIBUTE_RANGE_START_ADDR:
	case CU_POINTER_ATTRIBUTE_RANGE_SIZE:
	case CU_POINTER_ATTRIBUTE_BUFFER_ID:
		return 8;
	case CU_POINTER_ATTRIBUTE_MEMORY_TYPE:
	case CU_POINTER_ATTRIBUTE_DEVICE_ORDINAL:
		return 4;
	case CU_POINTER_ATTRIBUTE_SYNC_MEMOPS:
	case CU_POINTER_ATTRIBUTE_IS_MANAGED:
	case CU_POINTER_ATTRIBUTE_IS_LEGACY_CUDA_IPC_CAPABLE:
	case CU_POINTER_ATTRIBUTE_MAPPED:
		return 1;
	default:
		return 0;
	}
}

/* Finds the value of an attribute. m NULL: a variable of a module. False: the address does not have
 * this attribute. */
static bool
find_value(CUpointer_attribute a, const struct memory *m, uint64_t addr, uint64_t start,
	   uint64_t bytes, uint64_t *v)
{
	bool host = m && (m->kind == MEM_HOST || m->kind == MEM_REGISTERED);
	bool shared = host || (m && m->kind == MEM_MANAGED);

	*v = 0;
	switch (a) {
	case CU_POINTER_ATTRIBUTE_CONTEXT:
		*v = (uintptr_t)(m ? m->o.ctx : context_current());
		break;
	case CU_POINTER_ATTRIBUTE_MEMORY_TYPE:
		*v = host ? CU_MEMORYTYPE_HOST : CU_MEMORYTYPE_DEVICE;
		break;
	case CU_POINTER_ATTRIBUTE_DEVICE_POINTER:
		*v = addr;
		return !m || !m->outside;
	case CU_POINTER_ATTRIBUTE_HOST_POINTER:
		*v = addr;
		return shared;
	case CU_POINTER_ATTRIBUTE_RANGE_START_ADDR:
		*v = start;
		break;
	case CU_POINTER_ATTRIBUTE_RANGE_SIZE:
		*v = bytes;
		break;
	case CU_POINTER_ATTRIBUTE_BUFFER_ID:
		*v = m ? m->id : 0;
		break;
	case CU_POINTER_ATTRIBUTE_IS_MANAGED:
		*v = m && m->kind == MEM_MANAGED;
		break;
	case CU_POINTER_ATTRIBUTE_MAPPED:
		*v = !m || !m->outside;
		break;
	default: /* the device is number 0, the rest is false */
		break;
	}
	return true;
}

static CUresult
get_attribute(struct driver *d, void *value, CUpointer_attribute a, uint64_t addr)
{
	struct memory *m = memory_at(d, addr);
	uint64_t start = addr, bytes = m ? m->bytes : 0, v;
	size_t n = get_value_bytes(a);

	if (!n)
		return CUDA_ERROR_NOT_SUPPORTED;
	memset(value, 0, n);
	if (!ptx_allocation(d->device, addr, &start, &bytes) && !m)
		return CUDA_ERROR_INVALID_VALUE;
	if (!find_value(a, m, addr, start, bytes, &v))
		return CUDA_ERROR_INVALID_VALUE;
	memcpy(value, &v, n); /* little endian */
	return CUDA_SUCCESS;
}

EXPORT
cuPointerGetAttribute(void *value, CUpointer_attribute attribute, CUdeviceptr addr)
{
	ENTER(NEED_CONTEXT);

	return value ? get_attribute(d, value, attribute, addr) : CUDA_ERROR_INVALID_VALUE;
}

/* Unlike the call for one attribute, this succeeds for unknown addresses and returns zeros. */
EXPORT
cuPointerGetAttributes(unsigned int n, CUpointer_attribute *attribute, void **value,
		       CUdeviceptr addr)
{
	ENTER(NEED_CONTEXT);

	if (!n || !attribute || !value)
		return CUDA_ERROR_INVALID_VALUE;
	for (unsigned i = 0; i < n; i++) {
		if (!get_value_bytes(attribute[i]))
			return CUDA_ERROR_NOT_SUPPORTED;
		if (value[i])
			get_attribute(d, value[i], attribute[i], addr);
	}
	return CUDA_SUCCESS;
}

EXPORT
cuPointerSetAttribute(const void *value, CUpointer_attribute attribute, CUdeviceptr addr)
{
	ENTER(NEED_CONTEXT);

	/* copies are always complete when they return */
	return value && attribute == CU_POINTER_ATTRIBUTE_SYNC_MEMOPS && memory_at(d, addr)
		       ? CUDA_SUCCESS
		       : CUDA_ERROR_INVALID_VALUE;
}
