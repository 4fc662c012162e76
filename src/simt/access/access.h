/* Loads and stores of warps. */
#ifndef SIMT_ACCESS_ACCESS_H
#define SIMT_ACCESS_ACCESS_H

#include "simt/program/op.h"

/* Any load or store. */
memory_function memory_load, memory_store;
/* 32 bits per lane, with 32-bit addresses of shared memory or 64-bit addresses of global memory. */
memory_function memory_load_shared_32, memory_store_shared_32, memory_load_global_32, memory_store_global_32;

#endif
