/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * props.c - fills the properties of the device, struct cudaDeviceProp of each version, from the
 * driver's attributes (props.def), so that both APIs agree. The exception are memory pools, which
 * only the runtime has (memory.c).
 */
#include "record/runtime/runtime.h"

#include <string.h>

static CUresult
query_attribute(int *value, CUdevice_attribute a, int device)
{
	CUresult r = cuDeviceGetAttribute(value, a, device);

	if (r == CUDA_SUCCESS && a == CU_DEVICE_ATTRIBUTE_MEMORY_POOLS_SUPPORTED)
		*value = 1;
	return r;
}

EXPORT
cudaDeviceGetAttribute(int *value, int attribute, int device)
{
	FORWARD(query_attribute(value, (CUdevice_attribute)attribute, device));
}

static int
get_attribute_value(CUdevice_attribute a)
{
	int v = 0;

	return query_attribute(&v, a, 0) == CUDA_SUCCESS ? v : 0;
}

/* Fills the first fields, which all versions of the struct share. */
static cudaError_t
fill_head(struct cudaDeviceProp11 *p, int device)
{
	CUdevice d;

	TRY(runtime_ready());
	TRY(cuDeviceGet(&d, device));
	TRY(cuDeviceGetName(p->name, sizeof(p->name), d));
	TRY(cuDeviceGetUuid_v2(&p->uuid, d));
	TRY(cuDeviceTotalMem_v2(&p->totalGlobalMem, d));
	return cudaSuccess;
}

#define FILL(type, field, a) p->field = (type)get_attribute_value(CU_DEVICE_ATTRIBUTE_##a);
#define SKIP(type, field, a)
#define ALL FILL
#define ALL2(type, field, a, b)                                           \
	p->field[0] = (type)get_attribute_value(CU_DEVICE_ATTRIBUTE_##a); \
	p->field[1] = (type)get_attribute_value(CU_DEVICE_ATTRIBUTE_##b);
#define ALL3(type, field, a, b, c)                                        \
	p->field[0] = (type)get_attribute_value(CU_DEVICE_ATTRIBUTE_##a); \
	p->field[1] = (type)get_attribute_value(CU_DEVICE_ATTRIBUTE_##b); \
	p->field[2] = (type)get_attribute_value(CU_DEVICE_ATTRIBUTE_##c);

/* Defines the function for one version. */
#define GET(name, version, rows)                                      \
	EXPORT                                                        \
	name(struct cudaDeviceProp##version *p, int device)           \
	{                                                             \
		if (!p)                                               \
			return runtime_done(cudaErrorInvalidValue);   \
		memset(p, 0, sizeof(*p));                             \
		TRY(fill_head((struct cudaDeviceProp11 *)p, device)); \
		rows(p);                                              \
		return cudaSuccess;                                   \
	}                                                             \
	_Static_assert(1, "")

#if CUDART_MAJOR <= 12
#define OLD FILL
#define NEW SKIP
#define NEW13 SKIP
static void fill11(struct cudaDeviceProp11 *p){
#include "record/runtime/props.def"
}
#undef OLD
#undef NEW
#undef NEW13
GET(cudaGetDeviceProperties, 11, fill11);
#endif

#if CUDART_MAJOR == 12
#define OLD FILL
#define NEW FILL
#define NEW13 SKIP
static void fill12(struct cudaDeviceProp12 *p){
#include "record/runtime/props.def"
}
#undef OLD
#undef NEW
#undef NEW13
GET(cudaGetDeviceProperties_v2, 12, fill12);
#endif

#if CUDART_MAJOR >= 13
#define OLD SKIP
#define NEW FILL
#define NEW13 FILL
static void fill13(struct cudaDeviceProp13 *p){
#include "record/runtime/props.def"
}
#undef OLD
#undef NEW
#undef NEW13
GET(cudaGetDeviceProperties, 13, fill13);
#endif
