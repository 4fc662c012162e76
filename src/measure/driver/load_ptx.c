#include "measure/driver/load_ptx.h"

#include <string.h>

#define LOG_BYTES 4096

gcast_status load_ptx(const driver *d, const char *ptx, CUmodule *module, gcast_error *err)
{
    char log[LOG_BYTES] = "";
    int options[] = {CU_JIT_ERROR_LOG_BUFFER, CU_JIT_ERROR_LOG_BUFFER_SIZE_BYTES};
    void *values[] = {log, (void *)(uintptr_t)(LOG_BYTES - 1)};
    CUresult result = d->cuModuleLoadDataEx(module, ptx, 2, options, values);
    gcast_status status = driver_status(d, result, "cuModuleLoadDataEx", err);
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
