// What all experiments share: the device, checked calls, clocks, trials (kernels and their records) and graphs.
#pragma once
#include "body.h"
#include <cstdio>
#include <cuda_runtime_api.h>
#include <deque>
#include <functional>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

struct Failure : std::runtime_error {
    using std::runtime_error::runtime_error;
};

void must(cudaError_t status, const char *what); // throws Failure
#define MUST(call) must(call, #call)

uint64_t host_ns();

constexpr int NO_PRIORITY = 1000;
constexpr size_t KIB = 1024, MIB = 1024 * 1024;

struct Kernel { // one launch, or one node of a graph
    std::string name;
    Function function = F0;
    int blocks = 1, threads = 256, visits = 1;
    size_t shared = 0;
    int stream = 0, node = -1, index = 0;
    int cluster = 0, policy = 0, priority = NO_PRIORITY;
    bool cooperative = false, programmatic = false;
    cudaEvent_t event = nullptr; // recorded by the launch itself
    int event_kind = 0;          // 1: when all blocks triggered, 2: have started (trigger), 3: launch completion
    std::vector<int> after;      // kernels that must end first, by index
    BigBody all = {};
    uint32_t base = 0; // of its records

    Body &body()
    {
        return all.body;
    }
    std::vector<cudaLaunchAttribute> attributes() const;
};

struct Stream {
    cudaStream_t s = nullptr;
    explicit Stream(int priority = 0);
    ~Stream();
    Stream(const Stream &) = delete;
    operator cudaStream_t() const
    {
        return s;
    }
};

struct Event {
    cudaEvent_t e = nullptr;
    Event();
    ~Event();
    Event(const Event &) = delete;
    operator cudaEvent_t() const
    {
        return e;
    }
};

class Lab
{
  public:
    Lab(FILE *out, double seconds);
    Record *records = nullptr;                                   // on the device, CAPACITY of them
    uint32_t *visits = nullptr;                                  // as many
    uint32_t *counters = nullptr;                                // 16, on which blocks wait for each other
    char *host = nullptr, *device = nullptr, *device2 = nullptr; // BUFFER bytes each, for copies
    static constexpr size_t CAPACITY = 400000, BUFFER = 64 * MIB;
    int sms = 0;
    FILE *out;
    int64_t offset = 0; // GPU time less host time
    uint64_t trip = 0;  // how long the question took that told the offset
    bool late() const;
    void sync_clock();
    void close_gate(cudaStream_t stream); // what is called behind it waits until open_gate, or for 100 ms
    void open_gate();
    Record gate_record(); // of the last gate

  private:
    bool ask_clock();
    Stream *clock_stream = nullptr;
    volatile uint32_t *flag = nullptr, *ask = nullptr;
    volatile uint64_t *answer = nullptr;
    Record *gate = nullptr;
    uint32_t gate_value = 0;
    uint64_t end;
};

class Trial
{
  public:
    Trial(Lab &lab, const char *experiment);
    Trial &p(const char *key, long long value);
    Trial &p(const char *key, const std::string &value);
    Kernel &add(const std::string &name, int blocks, int threads, double us, int visits = 1);
    Kernel &operator[](size_t i)
    {
        return kernels[i];
    }
    size_t size() const
    {
        return kernels.size();
    }
    // Calls once() for a warm-up (repetition -1, printed only with keep_first) and reps times, and prints the records.
    void repeat(int reps, const std::function<void()> &once, bool keep_first = false); // small trials: more often
    cudaError_t call(const std::string &what, const std::function<cudaError_t()> &f);  // times it, prints its error
    void did(const std::string &what, const std::function<cudaError_t()> &f);          // the same, and must succeed
    cudaError_t try_launch(Kernel &k, cudaStream_t stream);
    void launch(Kernel &k, cudaStream_t stream);
    void gate(cudaStream_t stream);
    void open();
    void pace(double us); // waits until that long after the repetition began
    void print_error(const std::string &what);
    std::string value(const char *key) const;
    Lab &lab;
    std::vector<Record> got; // of the last repetition, by base

  private:
    void begin();
    void finish(int rep, bool print);
    void print(int rep, const Record *gate);
    void print_kernel(const Kernel &k, int visit, uint64_t zero, bool &first);
    std::string experiment, parameters;
    std::deque<Kernel> kernels;
    struct Call {
        std::string what;
        uint64_t from, to;
        cudaError_t error;
    };
    std::vector<Call> calls;
    size_t used = 0;
    bool gated = false;
    uint64_t began = 0;
};

// Runs one configuration. A failure is printed and does not stop the others, unless the device is lost.
void attempt(Trial &t, const std::function<void()> &f);

class Graph
{
  public:
    explicit Graph(Trial &t);
    ~Graph();
    Graph(const Graph &) = delete;
    // Ports and types are those of cudaGraphEdgeData, the same for all of after (numbers of nodes).
    int kernel(Kernel &k, const std::vector<int> &after = {}, int port = 0, int type = 0);
    int copy(void *to, const void *from, size_t bytes, cudaMemcpyKind kind, const std::vector<int> &after = {});
    int set(void *to, size_t bytes, const std::vector<int> &after = {});
    void edge(int from, int to, int port = 0, int type = 0);
    void make(unsigned long long flags = 0);
    void capture(cudaStream_t stream, const std::function<void()> &calls); // in place of nodes
    void launch(cudaStream_t stream, const char *what = "graph");
    uint64_t instantiate_ns = 0, upload_ns = 0;
    void upload(cudaStream_t stream);

  private:
    int added(cudaGraphNode_t node, int kernel);
    Trial &trial;
    cudaGraph_t graph = nullptr;
    cudaGraphExec_t exec = nullptr;
    std::vector<cudaGraphNode_t> nodes;
    std::vector<int> kernel_of; // index of a node's kernel, or -1
};

struct Experiment {
    const char *name, *question;
    void (*run)(Lab &lab);
};
extern const std::vector<Experiment> chain_experiments, branch_experiments, node_experiments, pdl_experiments,
    cluster_experiments, cooperative_experiments;
