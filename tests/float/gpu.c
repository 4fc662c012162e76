#include "float/gpu.h"

#include <stdio.h>
#include <stdlib.h>

static char *read_file(const char *path)
{
    FILE *f = fopen(path, "rb");
    long size;
    char *text = NULL;
    if (f && !fseek(f, 0, SEEK_END) && (size = ftell(f)) > 0 && (text = calloc(1, (size_t)size + 1))) {
        rewind(f);
        if (fread(text, 1, (size_t)size, f) != (size_t)size) {
            free(text);
            text = NULL;
        }
    }
    if (f)
        fclose(f);
    return text;
}

#define OK(name, ...) (DRIVER_CALL(&g->cuda, &g->error, name, __VA_ARGS__) == GCAST_OK)

static bool report_error(const gpu *g, bool ok)
{
    if (!ok)
        fprintf(stderr, "%s\n", g->error.message);
    return ok;
}

bool gpu_open(gpu *g, const char *kernels)
{
    CUdevice first;
    CUcontext context;
    char *image = read_file(kernels);
    bool ok = image && driver_open(&g->cuda, "libcuda.so.1", &g->error) == GCAST_OK && OK(cuInit, 0) &&
              OK(cuDeviceGet, &first, 0) && OK(cuDevicePrimaryCtxRetain, &context, first) &&
              OK(cuCtxSetCurrent, context) && OK(cuModuleLoadDataEx, &g->module, image, 0, NULL, NULL);
    free(image);
    return report_error(g, ok);
}

bool gpu_run(gpu *g, const char *entry, const uint64_t *in, uint64_t *out, uint32_t count)
{
    enum { THREADS = 256 };
    const size_t in_size = (size_t)count * 24, out_size = (size_t)count * 8;
    CUdeviceptr inputs, outputs;
    CUfunction function;
    if (!report_error(g, OK(cuMemAlloc, &inputs, in_size) && OK(cuMemAlloc, &outputs, out_size)))
        return false;
    void *parameters[] = {&inputs, &outputs, &count};
    bool ok =
        OK(cuModuleGetFunction, &function, g->module, entry) && OK(cuMemcpyHtoDAsync, inputs, in, in_size, NULL) &&
        OK(cuLaunchKernel, function, (count + THREADS - 1) / THREADS, 1, 1, THREADS, 1, 1, 0, NULL, parameters, NULL) &&
        OK(cuMemcpyDtoHAsync, out, outputs, out_size, NULL) && OK(cuCtxSynchronize);
    return report_error(g, OK(cuMemFree, inputs) && OK(cuMemFree, outputs) && ok);
}
