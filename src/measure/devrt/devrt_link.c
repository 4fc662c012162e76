#include "measure/devrt/devrt_link.h"

#include <string.h>
#include <unistd.h>

#define LOG_BYTES 4096

const char *devrt_find(const char *given)
{
    static const char *const usual[] = {"/usr/local/cuda/lib64/libcudadevrt.a",
                                        "/usr/local/cuda/targets/x86_64-linux/lib/libcudadevrt.a",
                                        "/usr/local/cuda/targets/sbsa-linux/lib/libcudadevrt.a",
                                        "/usr/local/cuda/targets/aarch64-linux/lib/libcudadevrt.a",
                                        "/usr/lib/x86_64-linux-gnu/libcudadevrt.a",
                                        "/usr/lib/aarch64-linux-gnu/libcudadevrt.a"};
    if (given)
        return access(given, R_OK) == 0 ? given : NULL;
    for (size_t i = 0; i < sizeof usual / sizeof usual[0]; i++)
        if (access(usual[i], R_OK) == 0)
            return usual[i];
    return NULL;
}

static gcast_status link_image(const driver *d, CUlinkState state, const char *ptx, const char *library,
                               CUmodule *module, gcast_error *err)
{
    void *image;
    size_t size;
    gcast_status status = DRIVER_CALL(d, err, cuLinkAddData, state, CU_JIT_INPUT_PTX, (void *)(uintptr_t)ptx,
                                      strlen(ptx) + 1, "child_kernels.ptx", 0, NULL, NULL);
    if (status == GCAST_OK)
        status = DRIVER_CALL(d, err, cuLinkAddFile, state, CU_JIT_INPUT_LIBRARY, library, 0, NULL, NULL);
    if (status == GCAST_OK)
        status = DRIVER_CALL(d, err, cuLinkComplete, state, &image, &size);
    if (status == GCAST_OK) /* the image is the linker's: it is gone with the state */
        status = DRIVER_CALL(d, err, cuModuleLoadDataEx, module, image, 0, NULL, NULL);
    return status;
}

gcast_status devrt_link(const driver *d, const char *ptx, const char *library, CUmodule *module, gcast_error *err)
{
    char log[LOG_BYTES] = "";
    int options[] = {CU_JIT_ERROR_LOG_BUFFER, CU_JIT_ERROR_LOG_BUFFER_SIZE_BYTES};
    void *values[] = {log, (void *)(uintptr_t)(LOG_BYTES - 1)};
    CUlinkState state;
    *module = NULL;
    gcast_status status = DRIVER_CALL(d, err, cuLinkCreate, 2, options, values, &state);
    if (status != GCAST_OK)
        return status;
    status = link_image(d, state, ptx, library, module, err);
    d->cuLinkDestroy(state);
    if (status == GCAST_OK)
        return status;
    *module = NULL;
    log[strcspn(log, "\r\n")] = '\0';
    if (log[0] && err) {
        gcast_error cause = *err;
        gcast_error_set(err, status, NULL, "%s: %.400s", cause.message, log);
    }
    return status;
}
