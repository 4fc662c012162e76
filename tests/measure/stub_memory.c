/* The stub's memory, copies and events, and what a program must give back: the device's memory is the
 * host's. */
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#include "stub.h"

#define MAX_BYTES ((size_t)1 << 30) /* at a time */
#define MAX_COPIED ((size_t)4 << 20)

atomic_int stub_made;

/* What a run leaves behind on a GPU that hangs stays in this list. */
typedef struct allocation {
    struct allocation *next, **at;
    max_align_t data[];
} allocation;

static allocation *allocations;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

void *stub_make(size_t size)
{
    allocation *m = calloc(1, sizeof *m + size);
    if (!m)
        return NULL;
    pthread_mutex_lock(&lock);
    *m = (allocation){allocations, &allocations};
    if (m->next)
        m->next->at = &m->next;
    allocations = m;
    stub_made++;
    pthread_mutex_unlock(&lock);
    return m->data;
}

CUresult stub_destroy(void *data)
{
    allocation *m = (allocation *)(void *)((char *)data - offsetof(allocation, data));
    pthread_mutex_lock(&lock);
    *m->at = m->next;
    if (m->next)
        m->next->at = m->at;
    stub_made--;
    pthread_mutex_unlock(&lock);
    free(m);
    return CUDA_SUCCESS;
}

CALL(cuMemAlloc_v2, (CUdeviceptr * memory, size_t size))
{
    MAY_FAIL;
    if (size > MAX_BYTES)
        return FAILURE;
    return CREATED(*memory = (CUdeviceptr)(uintptr_t)stub_make(size));
}

CALL(cuMemFree_v2, (CUdeviceptr memory))
{
    return stub_destroy((void *)(uintptr_t)memory);
}

CALL(cuMemHostAlloc, (void **memory, size_t size, unsigned flags))
{
    MAY_FAIL;
    if (size > MAX_BYTES)
        return FAILURE;
    return CREATED(*memory = stub_make(size + flags));
}

CALL(cuMemFreeHost, (void *memory))
{
    return stub_destroy(memory);
}

/* Of large copies only the beginning: what is in them matters to no test, and hundreds of megabytes take seconds. */
static void copy(void *to, const void *from, size_t size)
{
    memcpy(to, from, size < MAX_COPIED ? size : MAX_COPIED);
}

CALL(cuMemcpyHtoDAsync_v2, (CUdeviceptr to, const void *from, size_t size, CUstream stream))
{
    MAY_FAIL;
    (void)stream;
    copy((void *)(uintptr_t)to, from, size);
    return CUDA_SUCCESS;
}

CALL(cuMemcpyDtoHAsync_v2, (void *to, CUdeviceptr from, size_t size, CUstream stream))
{
    MAY_FAIL;
    (void)stream;
    copy(to, (const void *)(uintptr_t)from, size);
    return CUDA_SUCCESS;
}

CALL(cuMemcpyHtoD_v2, (CUdeviceptr to, const void *from, size_t size))
{
    return cuMemcpyHtoDAsync_v2(to, from, size, NULL);
}

CALL(cuMemcpyDtoH_v2, (void *to, CUdeviceptr from, size_t size))
{
    return cuMemcpyDtoHAsync_v2(to, from, size, NULL);
}

CALL(cuMemcpyDtoDAsync_v2, (CUdeviceptr to, CUdeviceptr from, size_t size, CUstream stream))
{
    MAY_FAIL;
    (void)stream;
    copy((void *)(uintptr_t)to, (const void *)(uintptr_t)from, size);
    return CUDA_SUCCESS;
}

CALL(cuMemsetD8Async, (CUdeviceptr to, unsigned char value, size_t size, CUstream stream))
{
    MAY_FAIL;
    (void)stream;
    memset((void *)(uintptr_t)to, value, size);
    return CUDA_SUCCESS;
}

CALL(cuEventCreate, (CUevent * event, unsigned flags))
{
    MAY_FAIL;
    *event = stub_make(sizeof(int64_t));
    return *event ? (CUresult)(flags & ~(unsigned)CU_EVENT_DISABLE_TIMING) : NO_MEMORY;
}

CALL(cuEventDestroy_v2, (CUevent event))
{
    return stub_destroy(event);
}

CALL(cuEventRecord, (CUevent event, CUstream stream))
{
    MAY_FAIL;
    (void)stream;
    *(int64_t *)(void *)event = stub_gpu_now();
    return CUDA_SUCCESS;
}

CALL(cuStreamWaitEvent, (CUstream stream, CUevent event, unsigned flags))
{
    (void)stream;
    MAY_FAIL;
    return event ? (CUresult)flags : FAILURE;
}

CALL(cuEventElapsedTime, (float *ms, CUevent from, CUevent to))
{
    MAY_FAIL;
    *ms = (float)((double)(*(int64_t *)(void *)to - *(int64_t *)(void *)from) / 1e6);
    return CUDA_SUCCESS;
}
