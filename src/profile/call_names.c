#include "profile/call_names.h"

#include <string.h>

typedef struct call_name {
    const char *start; /* of the name behind "cuda" or "cu" */
    prof_call_kind kind;
} call_name;

/* The first that fits counts. */
static const call_name call_names[] = {
    {"LaunchHostFunc", PROF_CALL_OTHER},
    {"Launch", PROF_CALL_LAUNCH},
    {"GraphLaunch", PROF_CALL_GRAPH_LAUNCH},
    {"Memcpy", PROF_CALL_COPY},
    {"Memset", PROF_CALL_MEMSET},
    {"StreamSynchronize", PROF_CALL_STREAM_SYNC},
    {"DeviceSynchronize", PROF_CALL_DEVICE_SYNC},
    {"ThreadSynchronize", PROF_CALL_DEVICE_SYNC},
    {"CtxSynchronize", PROF_CALL_DEVICE_SYNC},
    {"EventSynchronize", PROF_CALL_EVENT_SYNC},
    {"EventRecord", PROF_CALL_EVENT_RECORD},
    {"StreamWaitEvent", PROF_CALL_STREAM_WAIT},
    {"MallocAsync", PROF_CALL_OTHER}, /* in the order of a stream, and without a wait */
    {"MallocFromPoolAsync", PROF_CALL_OTHER},
    {"MemAllocAsync", PROF_CALL_OTHER},
    {"MemAllocFromPoolAsync", PROF_CALL_OTHER},
    {"Malloc", PROF_CALL_MALLOC},
    {"HostAlloc", PROF_CALL_MALLOC},
    {"MemAlloc", PROF_CALL_MALLOC},
    {"MemHostAlloc", PROF_CALL_MALLOC},
    {"FreeAsync", PROF_CALL_OTHER},
    {"MemFreeAsync", PROF_CALL_OTHER},
    {"Free", PROF_CALL_FREE},
    {"MemFree", PROF_CALL_FREE},
};

prof_call_kind call_kind_of(const char *name)
{
    if (strncmp(name, "cuda", 4) == 0)
        name += 4;
    else if (strncmp(name, "cu", 2) == 0)
        name += 2;
    else
        return PROF_CALL_OTHER;
    for (size_t i = 0; i < sizeof call_names / sizeof call_names[0]; i++)
        if (strncmp(name, call_names[i].start, strlen(call_names[i].start)) == 0)
            return call_names[i].kind;
    return PROF_CALL_OTHER;
}

bool call_is_synchronous(const char *name)
{
    return strstr(name, "Async") == NULL;
}
