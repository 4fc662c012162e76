#include "failing.h"

#include <dlfcn.h>
#include <errno.h>
#include <execinfo.h>
#include <jansson.h>
#include <pthread.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "blocks.h"

static failing_plan *plan_in_force;
static _Thread_local bool inside; /* backtrace() may allocate */

/* Libraries in which no call fails: without memory fontconfig loops or crashes while it reads its files, pixman crashes
 * in its cache of glyphs, and cairo leaves parts out of a PDF. The command asks for as much as they will take before it
 * calls them, which is tested by limiting the address space; so it does with OpenMP, which ends the process. A CUDA
 * driver reports such errors itself. */
static const char *const exempt_libraries[] = {"/libcairo.",      "/libpixman-", "/libfreetype.",
                                               "/libfontconfig.", "/libpng",     "/libexpat.",
                                               "/libgomp.",       "/libomp.",    "/libstub_cuda"};
/* Libraries that call on behalf of others. */
static const char *const relaying_libraries[] = {"/libc.", "/libz.", "/ld-linux"};

/* Libraries of the program itself and of jansson, whose blocks must be freed. */
static const char *const own_libraries[] = {"/failures", "/libjansson."};

/* Whose code a caller is. */
enum { LOOKED_UP = 1, EXEMPT = 2, RELAYING = 4, OWN = 8 };

static int kind_if(const char *library, const char *const *names, size_t count, int kind)
{
    for (size_t i = 0; i < count; i++)
        if (strstr(library, names[i]))
            return kind;
    return 0;
}
#define KIND_IF(library, names, kind) kind_if(library, names, sizeof names / sizeof names[0], kind)

/* Looked up once for each place that calls, as dladdr goes through all symbols. */
static int kinds_of(const void *caller)
{
    static _Thread_local struct {
        const void *caller;
        int kinds;
    } seen[4096];
    size_t at = (uintptr_t)caller * UINT64_C(0x9e3779b97f4a7c15) >> 52;
    if (!seen[at].kinds || seen[at].caller != caller) {
        Dl_info info;
        const char *library = dladdr(caller, &info) && info.dli_fname ? info.dli_fname : "";
        seen[at].caller = caller;
        seen[at].kinds = LOOKED_UP | KIND_IF(library, exempt_libraries, EXEMPT) |
                         KIND_IF(library, relaying_libraries, RELAYING) | KIND_IF(library, own_libraries, OWN);
    }
    return seen[at].kinds;
}

static bool caller_is_exempt(const void *caller)
{
    void *callers[12];
    if (!(kinds_of(caller) & RELAYING))
        return kinds_of(caller) & EXEMPT;
    int depth = backtrace(callers, 12), i = 0;
    while (i < depth && callers[i] != caller)
        i++;
    while (i < depth && kinds_of(callers[i]) & RELAYING)
        i++;
    return i < depth && kinds_of(callers[i]) & EXEMPT;
}

/* Tracks blocks of the program itself and of jansson, which must be freed, also where the command fails. */
static void *track_block(void *block, const void *caller)
{
    if (block && plan_in_force && !inside && kinds_of(caller) & OWN)
        blocks_add(block, caller);
    return block;
}

static bool fails(const void *caller)
{
    failing_plan *p = plan_in_force;
    if (!p || inside)
        return false;
    inside = true;
    bool is_exempt = caller_is_exempt(caller);
    inside = false;
    if (is_exempt)
        return false;
    long n = __atomic_add_fetch(&p->calls, 1, __ATOMIC_RELAXED);
    if (!p->fail_at || (n != p->fail_at && !(p->all_after && n > p->fail_at)))
        return false;
    if (n == p->fail_at) {
        inside = true;
        p->depth = backtrace(p->backtrace, FAILING_DEPTH);
        inside = false;
    }
    return true;
}

/* Without sanitizers the functions have the names of libc's and come before them; with them the linker sends calls
 * here (--wrap). */
#ifdef FAILING_BY_WRAP
#define NAME(f) __wrap_##f
#define REAL(f) __real_##f
const bool failing_sees_libraries = false;
#else
#define NAME(f) f
#define REAL(f) __libc_##f
const bool failing_sees_libraries = true;
#endif

void *REAL(malloc)(size_t size);
void *REAL(calloc)(size_t count, size_t size);
void *REAL(realloc)(void *old_block, size_t size);

static void *no_memory(void)
{
    errno = ENOMEM;
    return NULL;
}

void *NAME(malloc)(size_t size);
void *NAME(malloc)(size_t size)
{
    const void *caller = __builtin_return_address(0);
    return fails(caller) ? no_memory() : track_block(REAL(malloc)(size), caller);
}

void *NAME(calloc)(size_t count, size_t size);
void *NAME(calloc)(size_t count, size_t size)
{
    const void *caller = __builtin_return_address(0);
    return fails(caller) ? no_memory() : track_block(REAL(calloc)(count, size), caller);
}

void *NAME(realloc)(void *old_block, size_t size);
void *NAME(realloc)(void *old_block, size_t size)
{
    const void *caller = __builtin_return_address(0);
    if (fails(caller))
        return no_memory();
    void *block = REAL(realloc)(old_block, size);
    if (block && old_block && plan_in_force)
        blocks_remove(old_block);
    return track_block(block, caller);
}

#ifdef FAILING_BY_WRAP
void *__real_aligned_alloc(size_t unit, size_t size);
void *__wrap_aligned_alloc(size_t unit, size_t size);
void *__wrap_aligned_alloc(size_t unit, size_t size)
{
    return fails(__builtin_return_address(0)) ? no_memory() : __real_aligned_alloc(unit, size);
}

char *__real_strdup(const char *text);
char *__wrap_strdup(const char *text);
char *__wrap_strdup(const char *text)
{
    return fails(__builtin_return_address(0)) ? no_memory() : __real_strdup(text);
}

char *__real_strndup(const char *text, size_t max_bytes);
char *__wrap_strndup(const char *text, size_t max_bytes);
char *__wrap_strndup(const char *text, size_t max_bytes)
{
    return fails(__builtin_return_address(0)) ? no_memory() : __real_strndup(text, max_bytes);
}
#else
void *__libc_memalign(size_t unit, size_t size);
void __libc_free(void *block);

void *aligned_alloc(size_t unit, size_t size)
{
    const void *caller = __builtin_return_address(0);
    return fails(caller) ? no_memory() : track_block(__libc_memalign(unit, size), caller);
}

void free(void *block)
{
    if (block && plan_in_force)
        blocks_remove(block);
    __libc_free(block);
}

void *memalign(size_t unit, size_t size);
void *memalign(size_t unit, size_t size)
{
    return aligned_alloc(unit, size);
}

int posix_memalign(void **out, size_t unit, size_t size)
{
    void *p = aligned_alloc(unit, size);
    *out = p ? p : *out;
    return p ? 0 : ENOMEM;
}
#endif

int __real_pthread_create(pthread_t *thread, const pthread_attr_t *attr, void *(*start)(void *), void *data);
int __wrap_pthread_create(pthread_t *thread, const pthread_attr_t *attr, void *(*start)(void *), void *data);
int __wrap_pthread_create(pthread_t *thread, const pthread_attr_t *attr, void *(*start)(void *), void *data)
{
    if (!fails(__builtin_return_address(0)))
        return __real_pthread_create(thread, attr, start, data);
    plan_in_force->thread = plan_in_force->thread || plan_in_force->calls == plan_in_force->fail_at;
    return EAGAIN;
}

int __real_linkat(int from, const char *existing, int to, const char *name, int flags);
int __wrap_linkat(int from, const char *existing, int to, const char *name, int flags);
int __wrap_linkat(int from, const char *existing, int to, const char *name, int flags)
{
    if (!plan_in_force || !plan_in_force->no_links)
        return __real_linkat(from, existing, to, name, flags);
    errno = EPERM;
    return -1;
}

void failing_start(failing_plan *plan)
{
    void *first[4];
    backtrace(first, 4); /* loads what it needs */
#ifdef FAILING_BY_WRAP
    json_set_alloc_funcs(__wrap_malloc, free);
#endif
    plan_in_force = plan;
}

void failing_end(void)
{
    const void *caller = NULL;
    if (failing_sees_libraries) {
        plan_in_force->leaked = blocks_leaked(&caller);
        plan_in_force->leak_caller = caller;
    }
}

/* The processes have the same addresses, since one is the other's fork. */
void failing_print(const failing_plan *plan)
{
    Dl_info leak;
    if (plan->leaked && dladdr(plan->leak_caller, &leak))
        fprintf(report, "    %ld blocks are left, one from: addr2line -ipfe %s %#tx\n", plan->leaked, leak.dli_fname,
                (char *)plan->leak_caller - (char *)leak.dli_fbase - 1);
    const char *file = "";
    for (int i = 2; i < plan->depth; i++) {
        Dl_info info;
        if (!dladdr(plan->backtrace[i], &info))
            continue;
        if (strcmp(file, info.dli_fname) != 0)
            fprintf(report, "%saddr2line -pfe %s", *file ? "\n    " : "    failed in: ", info.dli_fname);
        file = info.dli_fname;
        fprintf(report, " %#tx", (char *)plan->backtrace[i] - (char *)info.dli_fbase - 1);
    }
    fprintf(report, "\n");
}
