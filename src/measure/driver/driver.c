#include "measure/driver/driver.h"

#include <dlfcn.h>
#include <errno.h>
#include <string.h>

typedef struct symbol {
    const char *name; /* as the library spells it */
    size_t offset;    /* of its pointer in a driver */
} symbol;

#define X(name, version, arguments) {#name version, offsetof(driver, name)},
static const symbol required[] = {DRIVER_REQUIRED(X)};
static const symbol optional[] = {DRIVER_OPTIONAL(X)};
static const symbol linking[] = {DRIVER_LINKING(X)};
static const symbol attributes[] = {DRIVER_ATTRIBUTES(X)};
static const symbol graphs[] = {DRIVER_GRAPHS(X)};
static const symbol ports[] = {DRIVER_PORTS(X)};
#undef X
#define COUNT(table) (sizeof(table) / sizeof(table)[0])

/* Fills in the symbols; returns NULL, or the first one that is missing. */
static const char *resolve(driver *d, const symbol *table, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        void *address = dlsym(d->library, table[i].name);
        if (!address)
            return table[i].name;
        memcpy((char *)d + table[i].offset, &address, sizeof address);
    }
    return NULL;
}

/* Where the process lacks memory or files, that says nothing about the GPU. The loader tells this by errno, in its
 * message, or not at all. */
static gcast_status cannot_open(const char *library, int reason, gcast_error *err)
{
    static const int resources[] = {ENOMEM, EMFILE, ENFILE};
    const char *why = dlerror();
    for (size_t i = 0; i < COUNT(resources); i++)
        if (reason == resources[i] || (why && strstr(why, strerror(resources[i]))))
            return gcast_error_set(err, GCAST_RESOURCE, NULL, "%s: %s", library, strerror(resources[i]));
    return gcast_error_set(err, GCAST_GPU, NULL, "no usable GPU: %s cannot be opened", library);
}

gcast_status driver_open(driver *d, const char *library, gcast_error *err)
{
    errno = 0;
    *d = (driver){.library = dlopen(library, RTLD_NOW | RTLD_LOCAL)};
    if (!d->library)
        return cannot_open(library, errno, err);
    const char *missing = resolve(d, required, COUNT(required));
    if (missing) {
        driver_close(d);
        return gcast_error_set(err, GCAST_GPU, NULL, "no usable GPU: %s has no %s", library, missing);
    }
    d->partitions = !resolve(d, optional, COUNT(optional));
    d->linking = !resolve(d, linking, COUNT(linking));
    d->attributes = !resolve(d, attributes, COUNT(attributes));
    d->graphs = !resolve(d, graphs, COUNT(graphs));
    d->ports = !resolve(d, ports, COUNT(ports));
    return GCAST_OK;
}

void driver_close(driver *d)
{
    if (d->library)
        dlclose(d->library);
    d->library = NULL;
}

gcast_status driver_status(const driver *d, CUresult result, const char *name, gcast_error *err)
{
    const char *text = NULL;
    if (result == CUDA_SUCCESS)
        return GCAST_OK;
    if (d->cuGetErrorName(result, &text) != CUDA_SUCCESS || !text)
        return gcast_error_set(err, GCAST_GPU, NULL, "%s: CUDA error %d", name, result);
    return gcast_error_set(err, GCAST_GPU, NULL, "%s: %s", name, text);
}
