/* The stub's modules: the kernels that it knows, and the variables that the PTX declares. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "stub.h"

#define OWN_REGISTERS 10 /* of a kernel that holds none */

static const char *const kernels[] = {"spin", "timer_spin", "spin_waiting",  "clock",        "add_one",
                                      "meet", "saxpy",      "gridcast_hold", "launch_warps", "launch_chain"};
#define KERNELS (sizeof kernels / sizeof kernels[0])

int stub_max_shared;

/* Reads what follows ".global": .align N, a type, a name, and [n] of an array. False: it is something else. */
static bool read_global(const char *text, stub_global *g)
{
    static const struct {
        const char *name;
        size_t bytes;
    } types[] = {{".u64", 8}, {".b64", 8}, {".u32", 4}, {".b32", 4}, {".f32", 4}, {".b8", 1}};
    char type[8], name[sizeof g->name];
    unsigned align, count = 1;
    int length = 0;
    if (sscanf(text, " .align %u %7s %63[A-Za-z0-9_$]%n", &align, type, name, &length) < 3)
        return false;
    if (text[length] == '[' && sscanf(text + length, "[%u]", &count) != 1)
        return false;
    for (size_t i = 0; i < sizeof types / sizeof types[0]; i++)
        if (strcmp(types[i].name, type) == 0) {
            *g = (stub_global){.bytes = types[i].bytes * count};
            memcpy(g->name, name, sizeof name);
            return true;
        }
    return false;
}

/* Is there a variable in this line? A copy of the line is read: sanitizers look for the end of a whole text each time.
 */
static bool declares_global(const char *at, size_t size, stub_global *g)
{
    char line[256];
    if (size >= sizeof line)
        return false;
    memcpy(line, at, size);
    line[size] = '\0';
    const char *global = strstr(line, ".global");
    return global && read_global(global + strlen(".global"), g);
}

static CUresult unload(stub_module *m)
{
    for (int i = 0; i < m->globals; i++)
        free(m->global[i].data);
    free(m->function);
    return stub_destroy(m);
}

static bool fill(stub_module *m, const char *text)
{
    const char *held = strstr(text, "%held<"), *target = strstr(text, ".target sm_90");
    int registers = OWN_REGISTERS + (held && atoi(held + 6) > 3 ? atoi(held + 6) - 3 : 0);
    m->function = calloc(KERNELS, sizeof *m->function);
    if (!m->function)
        return false;
    for (size_t i = 0; i < KERNELS; i++)
        m->function[i] = (stub_function){kernels[i], i < 3 ? registers : OWN_REGISTERS, 0, 0, target != NULL, m};
    size_t size;
    for (const char *at = text; *at && m->globals < STUB_MAX_GLOBALS; at += size + (at[size] == '\n')) {
        stub_global *g = &m->global[m->globals];
        size = strcspn(at, "\n");
        if (!declares_global(at, size, g))
            continue;
        if (!(g->data = calloc(1, g->bytes)))
            return false;
        m->globals++;
    }
    return true;
}

static CUresult load(CUmodule *module, const char *text)
{
    stub_module *m = stub_make(sizeof *m);
    if (!m)
        return NO_MEMORY;
    if (!fill(m, text)) {
        unload(m);
        return NO_MEMORY;
    }
    *module = (CUmodule)(void *)m;
    return CUDA_SUCCESS;
}

CALL(cuModuleLoadDataEx, (CUmodule * module, const void *image, unsigned n, int *options, void **values))
{
    MAY_FAIL;
    if (strstr(image, "wrong")) {
        if (n == 2 && options[0] == CU_JIT_ERROR_LOG_BUFFER && options[1] == CU_JIT_ERROR_LOG_BUFFER_SIZE_BYTES)
            snprintf(values[0], (size_t)(uintptr_t)values[1], "ptxas: line 1: wrong\nptxas: line 2");
        return FAILURE;
    }
    return load(module, image);
}

CALL(cuModuleLoadData, (CUmodule * module, const void *image))
{
    MAY_FAIL;
    return strstr(image, "wrong") ? FAILURE : load(module, image);
}

CALL(cuModuleUnload, (CUmodule module))
{
    return unload((stub_module *)(void *)module);
}

CALL(cuModuleGetFunction, (CUfunction * function, CUmodule module, const char *name))
{
    MAY_FAIL;
    stub_module *m = (stub_module *)(void *)module;
    for (size_t i = 0; i < KERNELS; i++)
        if (strcmp(m->function[i].name, name) == 0) {
            *function = (CUfunction)(void *)&m->function[i];
            return CUDA_SUCCESS;
        }
    return CUDA_ERROR_NOT_FOUND;
}

stub_global *stub_find_global(stub_module *m, const char *name)
{
    for (int i = 0; i < m->globals; i++)
        if (strcmp(m->global[i].name, name) == 0)
            return &m->global[i];
    return NULL;
}

CALL(cuModuleGetGlobal_v2, (CUdeviceptr * address, size_t *size, CUmodule module, const char *name))
{
    MAY_FAIL;
    const stub_global *g = stub_find_global((stub_module *)(void *)module, name);
    if (!g)
        return CUDA_ERROR_NOT_FOUND;
    *address = (CUdeviceptr)(uintptr_t)g->data;
    *size = g->bytes;
    return CUDA_SUCCESS;
}

CALL(cuFuncGetAttribute, (int *value, int attribute, CUfunction function))
{
    MAY_FAIL;
    *value = ((stub_function *)(void *)function)->registers;
    return attribute == CU_FUNC_ATTRIBUTE_NUM_REGS ? CUDA_SUCCESS : FAILURE;
}

CALL(cuFuncSetAttribute, (CUfunction function, int attribute, int value))
{
    MAY_FAIL;
    if (attribute == CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES && value > stub_max_shared)
        stub_max_shared = value;
    if (function && attribute == CU_FUNC_ATTRIBUTE_PREFERRED_SHARED_MEMORY_CARVEOUT)
        ((stub_function *)(void *)function)->carveout = value;
    if (function && attribute == CU_FUNC_ATTRIBUTE_NON_PORTABLE_CLUSTER_SIZE_ALLOWED)
        ((stub_function *)(void *)function)->large_clusters = value;
    return function ? CUDA_SUCCESS : FAILURE;
}

CALL(cuOccupancyMaxActiveBlocksPerMultiprocessor, (int *blocks, CUfunction function, int threads, size_t shared))
{
    MAY_FAIL;
    if (!function || threads < 1 || threads > 1024 || (int)shared > stub_max_shared)
        return FAILURE;
    *blocks = threads < 512 ? 4 : 2048 / threads;
    return CUDA_SUCCESS;
}
