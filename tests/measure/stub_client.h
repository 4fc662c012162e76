/* What tests that measure with the stub as their driver have in common. */
#ifndef TESTS_STUB_CLIENT_H
#define TESTS_STUB_CLIENT_H

#include <dlfcn.h>
#include <stdlib.h>
#include <string.h>

#include "support/support.h"

static void *stub; /* stays open, so that its counts outlive a run */

static inline void *stub_symbol(const char *name)
{
    void *symbol = dlsym(stub, name);
    assert_non_null(symbol);
    return symbol;
}

/* A number that the stub counts, such as stub_outstanding. */
static inline int stub_ask(const char *name)
{
    int (*function)(void);
    void *symbol = stub_symbol(name);
    memcpy(&function, &symbol, sizeof function);
    return function();
}

/* No settings, no counts. */
static inline int stub_restart(void **state)
{
    (void)state;
    static const char *const settings[] = {"STUB_FAIL", "STUB_HANG",    "STUB_SM",   "STUB_ANSWERS",
                                           "STUB_CC",   "STUB_STARVED", "STUB_LOST", "STUB_DRIFT"};
    for (size_t i = 0; i < sizeof settings / sizeof settings[0]; i++)
        unsetenv(settings[i]);
    void (*repeated)(void);
    void *symbol = stub_symbol("stub_reset");
    memcpy(&repeated, &symbol, sizeof repeated);
    repeated();
    return 0;
}

static inline int stub_open(void **state)
{
    (void)state;
    stub = dlopen(STUB_CUDA, RTLD_NOW);
    return !stub;
}

static inline int stub_close(void **state)
{
    (void)state;
    return dlclose(stub);
}

#endif
