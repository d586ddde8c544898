/* SPDX-License-Identifier: GPL-3.0-or-later */
/* device.c - returns the only device and its properties, which are those of the chosen machine. */
#include "record/cuda/driver.h"

#include <string.h>

#define NAME "ctascope emulated GPU"
#define BUS_ID "0000:01:00.0"

EXPORT
cuDeviceGet(CUdevice *device, int ordinal)
{
	ENTER(NEED_INIT);

	if (!device)
		return CUDA_ERROR_INVALID_VALUE;
	if (ordinal != 0)
		return CUDA_ERROR_INVALID_DEVICE;
	*device = 0;
	return CUDA_SUCCESS;
}

EXPORT
cuDeviceGetCount(int *count)
{
	ENTER(NEED_INIT);

	if (!count)
		return CUDA_ERROR_INVALID_VALUE;
	*count = 1;
	return CUDA_SUCCESS;
}

/* Checks the arguments that all of the following functions have. */
static CUresult
check_query(const void *out, CUdevice dev)
{
	if (!out)
		return CUDA_ERROR_INVALID_VALUE;
	return dev == 0 ? CUDA_SUCCESS : CUDA_ERROR_INVALID_DEVICE;
}

static CUresult
put_string(char *buf, int len, CUdevice dev, const char *text)
{
	CUresult r = check_query(buf, dev);

	if (r != CUDA_SUCCESS || len <= 0)
		return r ? r : CUDA_ERROR_INVALID_VALUE;
	snprintf(buf, (size_t)len, "%s", text);
	return CUDA_SUCCESS;
}

EXPORT
cuDeviceGetName(char *name, int len, CUdevice dev)
{
	ENTER(NEED_INIT);

	return put_string(name, len, dev, NAME);
}

EXPORT
cuDeviceGetPCIBusId(char *id, int len, CUdevice dev)
{
	ENTER(NEED_INIT);

	return put_string(id, len, dev, BUS_ID);
}

EXPORT
cuDeviceGetByPCIBusId(CUdevice *dev, const char *id)
{
	ENTER(NEED_INIT);

	if (!dev || !id)
		return CUDA_ERROR_INVALID_VALUE;
	if (strcmp(id, BUS_ID) != 0)
		return CUDA_ERROR_INVALID_DEVICE;
	*dev = 0;
	return CUDA_SUCCESS;
}

EXPORT
cuDeviceGetUuid_v2(CUuuid *uuid, CUdevice dev)
{
	ENTER(NEED_INIT);
	CUresult r = check_query(uuid, dev);

	if (r == CUDA_SUCCESS)
		memcpy(uuid->bytes, "ctascope-emulate", sizeof(uuid->bytes));
	return r;
}

ALIAS(cuDeviceGetUuid_v2, cuDeviceGetUuid);

EXPORT
cuDeviceTotalMem_v2(size_t *bytes, CUdevice dev)
{
	ENTER(NEED_INIT);
	CUresult r = check_query(bytes, dev);

	if (r == CUDA_SUCCESS)
		*bytes = ptx_capacity(d->device);
	return r;
}

static bool
get_attribute(const struct machine *m, int number, int *value)
{
	switch (number) {
#define ATTR(name, n, v)    \
	case n:             \
		*value = v; \
		return true;
#include "record/cuda/attributes.def"
#undef ATTR
	default:
		return false;
	}
}

EXPORT
cuDeviceGetAttribute(int *value, CUdevice_attribute number, CUdevice dev)
{
	ENTER(NEED_INIT);
	CUresult r = check_query(value, dev);

	if (r != CUDA_SUCCESS)
		return r;
	return get_attribute(&d->machine, (int)number, value) ? CUDA_SUCCESS
							      : CUDA_ERROR_INVALID_VALUE;
}

EXPORT
cuDeviceGetProperties(CUdevprop *prop, CUdevice dev)
{
	ENTER(NEED_INIT);
	CUresult r = check_query(prop, dev);

	if (r != CUDA_SUCCESS)
		return r;
	*prop = (CUdevprop){.maxThreadsDim = {1024, 1024, 64},
			    .maxGridSize = {2147483647, 65535, 65535},
			    .sharedMemPerBlock = SHARED_DEFAULT_MAX,
			    .totalConstantMemory = 65536,
			    .SIMDWidth = WARP_SIZE,
			    .memPitch = 2147483647,
			    .regsPerBlock = (int)d->machine.registers,
			    .clockRate = (int)d->machine.clock_khz,
			    .textureAlign = 512};
	get_attribute(&d->machine, CU_DEVICE_ATTRIBUTE_MAX_THREADS_PER_BLOCK,
		      &prop->maxThreadsPerBlock);
	return CUDA_SUCCESS;
}

EXPORT
cuDeviceComputeCapability(int *major, int *minor, CUdevice dev)
{
	ENTER(NEED_INIT);
	CUresult r = check_query(minor, dev);

	if (r != CUDA_SUCCESS || !major)
		return r ? r : CUDA_ERROR_INVALID_VALUE;
	*major = (int)d->machine.cc / 10;
	*minor = (int)d->machine.cc % 10;
	return CUDA_SUCCESS;
}

EXPORT
cuDeviceCanAccessPeer(int *can, CUdevice dev, CUdevice peer)
{
	ENTER(NEED_INIT);
	CUresult r = check_query(can, dev);

	if (r != CUDA_SUCCESS)
		return r;
	*can = 0;
	return peer == 0 ? CUDA_SUCCESS : CUDA_ERROR_INVALID_DEVICE;
}
