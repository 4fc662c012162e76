/* A libcupti without a GPU, for tests of libgridcast-record.so: it has the functions that recording uses, and
 * stub_play(), which hands out records of every kind, laid out as those of the version that STUB_CUPTI_VERSION names
 * (as cuptiGetVersion tells it; default 130001). Offsets and sizes are written down here on their own, from the headers
 * of the toolkits, so that a mistake in src/record/records.h does not go unnoticed. What lies behind the end of a
 * record in its version is filled with 0xEE.
 *   STUB_CUPTI_FAIL=NAME   the function of this name fails
 *   STUB_CUPTI_KILL=1      the process is killed when it loads this
 *   STUB_CUPTI_DROPPED=N   that many records were dropped */
#include <signal.h>
#include <stdlib.h>
#include <string.h>

#include "record/stub_cupti.h"

stub stub_state;

__attribute__((constructor)) static void kill_process(void)
{
    if (getenv("STUB_CUPTI_KILL"))
        raise(SIGKILL);
}

int stub_fails(const char *name)
{
    const char *wanted = getenv("STUB_CUPTI_FAIL");
    return wanted && strcmp(wanted, name) == 0;
}

uint32_t stub_version(void)
{
    const char *text = getenv("STUB_CUPTI_VERSION");
    return text ? (uint32_t)strtoul(text, NULL, 10) : 130001;
}

#define FAILS                                                                                                          \
    if (stub_fails(__func__))                                                                                          \
        return 15;

EXPORT int cuptiGetVersion(uint32_t *v)
{
    FAILS
    *v = stub_version();
    return 0;
}

EXPORT int cuptiGetTimestamp(uint64_t *ns)
{
    *ns = 1000000000;
    return 0;
}

EXPORT int cuptiGetResultString(int result, const char **text)
{
    *text = "CUPTI_ERROR_NOT_INITIALIZED";
    return result == 15 ? 0 : 1;
}

EXPORT int cuptiGetCallbackName(int domain, uint32_t id, const char **name)
{
    static const struct {
        int domain;
        uint32_t id;
        const char *name;
    } known[] = {{2, 211, "cudaLaunchKernel_v7000"},     {1, 307, "cuLaunchKernel"},
                 {2, 41, "cudaMemcpyAsync_v3020"},       {2, 51, "cudaMemsetAsync_v3020"},
                 {2, 135, "cudaEventRecord_v3020"},      {2, 147, "cudaStreamWaitEvent_v3020"},
                 {2, 430, "cudaLaunchKernelExC_v11060"}, {1, 652, "cuLaunchKernelEx"},
                 {2, 311, "cudaGraphLaunch_v10000"},     {2, 165, "cudaDeviceSynchronize_v3020"},
                 {2, 1, "cudaDriverGetVersion_v3020"}};
    for (size_t i = 0; i < sizeof known / sizeof known[0]; i++)
        if (known[i].domain == domain && known[i].id == id) {
            *name = known[i].name;
            return 0;
        }
    return 1;
}

EXPORT int cuptiActivityRegisterCallbacks(requested *r, completed *c)
{
    FAILS
    stub_state.on_requested = r;
    stub_state.on_completed = c;
    return 0;
}

EXPORT int cuptiActivityEnable(int kind)
{
    FAILS
    stub_state.enabled[kind] = 1;
    return 0;
}

EXPORT int cuptiActivityDisable(int kind)
{
    stub_state.enabled[kind] = 0;
    return 0;
}

EXPORT int cuptiSetThreadIdType(int type)
{
    stub_state.thread_type = type;
    return 0;
}

EXPORT int cuptiSubscribe(void **subscriber, callback *c, void *data)
{
    FAILS
    *subscriber = &stub_state;
    stub_state.on_callback = c;
    stub_state.callback_data = data;
    return 0;
}

EXPORT int cuptiUnsubscribe(void *subscriber)
{
    return subscriber != &stub_state;
}

EXPORT int cuptiEnableCallback(uint32_t enable, void *subscriber, int domain, uint32_t id)
{
    (void)domain, (void)id;
    stub_state.enabled_callbacks += enable && subscriber == &stub_state;
    return 0;
}

/* A node and a graph of this stub are numbers, as pointers. */
EXPORT int cuptiGetGraphNodeId(void *node, uint64_t *id)
{
    *id = (uintptr_t)node;
    return 0;
}

EXPORT int cuptiGetGraphId(void *graph, uint32_t *id)
{
    *id = (uint32_t)(uintptr_t)graph;
    return 0;
}

EXPORT int cuptiGetGraphExecId(void *exec, uint32_t *id)
{
    *id = (uint32_t)(uintptr_t)exec;
    return 0;
}

EXPORT int cuptiActivityGetNumDroppedRecords(void *context, uint32_t stream, size_t *dropped)
{
    (void)context, (void)stream;
    const char *text = getenv("STUB_CUPTI_DROPPED");
    *dropped = text ? strtoul(text, NULL, 10) : 0;
    return 0;
}

/* Records are MAX_RECORD apart here, which CUPTI leaves open: users go from one to the next by this function. */
EXPORT int cuptiActivityGetNextRecord(uint8_t *bytes, size_t valid_size, const uint8_t **record)
{
    const uint8_t *next = *record ? *record + MAX_RECORD : bytes;
    if (next >= bytes + valid_size)
        return 12;
    *record = next;
    return 0;
}

EXPORT int cuptiActivityFlushAll(uint32_t flag)
{
    (void)flag;
    stub_deliver();
    return 0;
}
