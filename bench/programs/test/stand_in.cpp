// A stand-in for the CUDA runtime: enough of it to run bench/programs without a GPU. Kernels do not run; their records
// are made up by simple rules (streams in order, graphs by their edges, triggers, no limit of room). It checks the
// host's part and gives bench/programs/analyze something to read. It says nothing about a GPU.
#include "stand_in.h"
#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <ctime>
#include <map>
#include <thread>

uint64_t now()
{
    timespec t;
    clock_gettime(CLOCK_MONOTONIC_RAW, &t);
    return (uint64_t)t.tv_sec * 1000000000u + (uint64_t)t.tv_nsec + 5000000000ull;
}

uint64_t all_end;

static std::map<const void *, std::string> &functions() // made when first used, which is before main
{
    static std::map<const void *, std::string> map;
    return map;
}

const std::string &name_of(const void *function)
{
    auto found = functions().find(function);
    if (found == functions().end()) {
        fprintf(stderr, "stand-in: not a kernel\n");
        exit(9);
    }
    return found->second;
}

static int per_sm(int threads, size_t shared)
{
    return (int)std::min<size_t>({32, 2048 / (size_t)threads, 228 * 1024 / (shared + 1024)});
}

cudaError_t check(const Node &n)
{
    if (n.threads < 1 || n.threads > 1024 || n.blocks < 1 || n.shared > 227 * 1024)
        return cudaErrorInvalidValue;
    if (n.cluster && (n.blocks % n.cluster || n.cluster > 16))
        return cudaErrorInvalidClusterSize;
    if (n.cooperative && n.blocks > SMS * per_sm(n.threads, n.shared))
        return cudaErrorCooperativeLaunchTooLarge;
    return cudaSuccess;
}

void run_kernel(Node &n, uint64_t start)
{
    Body &b = n.all.body;
    Span span;
    for (int i = 0; i < n.blocks; i++) {
        Record r = {};
        int rank = n.cluster ? i % n.cluster : 0, c = n.cluster ? i / n.cluster : 0;
        r.sm = n.cluster > 1 ? c % 7 * GPC + (c / 7 * n.cluster + rank) % GPC : i % SMS;
        r.cluster = c;
        r.start = start + 32 * (i / SMS);
        bool odd = (uint32_t)i == b.odd;
        uint64_t duration = odd ? b.odd_duration : b.duration + (uint64_t)b.step * (i * 37 % n.blocks);
        if (b.masked && !(b.mask[r.sm / 32] >> r.sm % 32 & 1))
            duration = std::min<uint64_t>(duration, UNHELD);
        uint32_t trigger = odd ? b.odd_trigger : b.trigger;
        r.end = r.start + duration;
        if (trigger != NEVER)
            r.trigger = r.start + trigger;
        if (b.wait)
            r.wait = r.start + 100;
        if (b.arrived)
            r.met = r.start + 500;
        uint32_t visit = b.visit[i]++;
        if (visit < b.visits)
            b.record[(uint64_t)visit * n.blocks + i] = r;
        span.end = std::max(span.end, r.end);
        span.release = std::max(span.release, r.trigger ? r.trigger : r.end);
    }
    n.span = span;
    all_end = std::max(all_end, span.end);
}

static void launch(Node &n, StreamData &s)
{
    uint64_t start = std::max(now() + 8000, n.programmatic ? s.last.release + EARLY : s.last.end + GAP);
    run_kernel(n, start);
    s.last.end = std::max(s.last.end, n.span.end);
    s.last.release = n.span.release;
}

StreamData &data(cudaStream_t s)
{
    return *(StreamData *)s;
}

extern "C" {
void **__cudaRegisterFatBinary(void *)
{
    static void *handle;
    return &handle;
}
void __cudaRegisterFatBinaryEnd(void **)
{
}
void __cudaUnregisterFatBinary(void **)
{
}
void __cudaRegisterFunction(void **, const char *host, char *, const char *name, int, void *, void *, void *, void *,
                            int *)
{
    functions()[host] = name;
}
cudaError_t __cudaGetKernel(void *, const void *)
{
    return cudaErrorNotSupported;
}
cudaError_t __cudaLaunchKernel(void *, dim3, dim3, void **, size_t, cudaStream_t)
{
    return cudaErrorNotSupported;
}
unsigned __cudaPopCallConfiguration(dim3 *, dim3 *, size_t *, void *)
{
    return 1;
}

cudaError_t cudaSetDevice(int)
{
    return cudaSuccess;
}
cudaError_t cudaDeviceGetAttribute(int *value, cudaDeviceAttr, int)
{
    return *value = SMS, cudaSuccess;
}
cudaError_t cudaGetDeviceProperties(cudaDeviceProp *d, int)
{
    memset((void *)d, 0, sizeof *d);
    strcpy(d->name, "stand-in");
    d->multiProcessorCount = SMS;
    return cudaSuccess;
}
cudaError_t cudaDriverGetVersion(int *v)
{
    return *v = 0, cudaSuccess;
}
cudaError_t cudaRuntimeGetVersion(int *v)
{
    return *v = 0, cudaSuccess;
}
cudaError_t cudaDeviceGetStreamPriorityRange(int *least, int *greatest)
{
    return *least = 0, *greatest = -5, cudaSuccess;
}
const char *cudaGetErrorName(cudaError_t e)
{
    return e == cudaErrorCooperativeLaunchTooLarge ? "cudaErrorCooperativeLaunchTooLarge" : "cudaErrorOther";
}
cudaError_t cudaGetLastError()
{
    return cudaSuccess;
}
cudaError_t cudaMalloc(void **p, size_t n)
{
    return *p = calloc(1, n), cudaSuccess;
}
cudaError_t cudaHostAlloc(void **p, size_t n, unsigned)
{
    return *p = calloc(1, n), cudaSuccess;
}
cudaError_t cudaMemcpy(void *to, const void *from, size_t n, cudaMemcpyKind)
{
    return memcpy(to, from, n), cudaSuccess;
}
cudaError_t cudaMemset(void *to, int value, size_t n)
{
    return memset(to, value, n), cudaSuccess;
}
static void operate(cudaStream_t s, size_t n)
{
    data(s).last.end = std::max(now() + 3000, data(s).last.end + GAP) + 2000 + n / 50;
    data(s).last.release = data(s).last.end;
}
cudaError_t cudaMemcpyAsync(void *to, const void *from, size_t n, cudaMemcpyKind, cudaStream_t s)
{
    memmove(to, from, n);
    return operate(s, n), cudaSuccess;
}
cudaError_t cudaMemsetAsync(void *to, int value, size_t n, cudaStream_t s)
{
    memset(to, value, n);
    return operate(s, n), cudaSuccess;
}
cudaError_t cudaFuncSetAttribute(const void *f, cudaFuncAttribute, int)
{
    return name_of(f), cudaSuccess;
}
cudaError_t cudaOccupancyMaxActiveBlocksPerMultiprocessor(int *n, const void *f, int threads, size_t shared)
{
    return name_of(f), *n = per_sm(threads, shared), cudaSuccess;
}
cudaError_t cudaOccupancyMaxActiveClusters(int *n, const void *, const cudaLaunchConfig_t *c)
{
    *n = 7 * (GPC * per_sm(c->blockDim.x, c->dynamicSmemBytes) / (int)c->attrs[0].val.clusterDim.x);
    return cudaSuccess;
}
cudaError_t cudaStreamCreateWithPriority(cudaStream_t *s, unsigned, int)
{
    return *s = (cudaStream_t) new StreamData(), cudaSuccess;
}
cudaError_t cudaStreamDestroy(cudaStream_t s)
{
    return delete (StreamData *)s, cudaSuccess;
}
cudaError_t cudaStreamSynchronize(cudaStream_t s)
{
    while (now() < data(s).last.end) {
    }
    return cudaSuccess;
}
cudaError_t cudaDeviceSynchronize()
{
    while (now() < all_end) {
    }
    return cudaSuccess;
}
cudaError_t cudaEventCreateWithFlags(cudaEvent_t *e, unsigned)
{
    return *e = (cudaEvent_t) new Span(), cudaSuccess;
}
cudaError_t cudaEventDestroy(cudaEvent_t e)
{
    return delete (Span *)e, cudaSuccess;
}
cudaError_t cudaEventRecord(cudaEvent_t e, cudaStream_t s)
{
    return *(Span *)e = data(s).last, cudaSuccess;
}
cudaError_t cudaStreamWaitEvent(cudaStream_t s, cudaEvent_t e, unsigned)
{
    uint64_t end = ((Span *)e)->end + 250;
    data(s).last.end = std::max(data(s).last.end, end);
    data(s).last.release = data(s).last.end;
    return cudaSuccess;
}

cudaError_t cudaLaunchKernel(const void *f, dim3, dim3, void **arguments, size_t, cudaStream_t s)
{
    const std::string &name = name_of(f);
    if (name.find("ping") != std::string::npos) {
        auto *ask = *(const volatile uint32_t **)arguments[0];
        auto *answer = *(volatile uint64_t **)arguments[1];
        uint32_t n = *(uint32_t *)arguments[2];
        std::thread([=] {
            for (uint32_t i = 1; i <= n; i++) {
                while (*ask < i)
                    std::this_thread::yield();
                *answer = now();
            }
        }).detach();
        return cudaSuccess;
    }
    Record *record = *(Record **)arguments[2];
    *record = {};
    record->start = now();
    record->end = std::max(now() + 1000000, data(s).last.end + GAP);
    record->met = record->end;
    data(s).last.end = data(s).last.release = record->end;
    return cudaSuccess;
}

cudaError_t cudaLaunchKernelExC(const cudaLaunchConfig_t *c, const void *f, void **arguments)
{
    name_of(f);
    Node *n = new Node();
    n->kind = 1, n->function = f, n->blocks = c->gridDim.x, n->threads = c->blockDim.x,
    n->shared = (int)c->dynamicSmemBytes;
    memcpy(&n->all, arguments[0], sizeof(Body));
    for (unsigned i = 0; i < c->numAttrs; i++) {
        const cudaLaunchAttribute &a = c->attrs[i];
        if (a.id == cudaLaunchAttributeClusterDimension)
            n->cluster = a.val.clusterDim.x;
        if (a.id == cudaLaunchAttributeCooperative)
            n->cooperative = true;
        if (a.id == cudaLaunchAttributeProgrammaticStreamSerialization)
            n->programmatic = true;
    }
    StreamData &s = data(c->stream);
    cudaError_t status = check(*n);
    if (status == cudaSuccess && s.capture) {
        if (!s.capture->nodes.empty())
            n->after.emplace_back(s.capture->nodes.back(), n->programmatic);
        s.capture->nodes.push_back(n);
        return status;
    }
    if (status == cudaSuccess)
        launch(*n, s);
    delete n;
    return status;
}
}
