// What the two files of the stand-in for the CUDA runtime share.
#pragma once
#include "../body.h"
#include <cuda_runtime_api.h>
#include <string>
#include <utility>
#include <vector>

constexpr int SMS = 132, GPC = 18;
constexpr uint64_t GAP = 1300, EARLY = 900;

struct Span {
    uint64_t release = 0, end = 0; // of the last trigger or end; of the last end
};

struct Node {
    int kind = 0; // 1: kernel, 2: copy
    const void *function = nullptr;
    int blocks = 1, threads = 1, cluster = 0, shared = 0;
    bool cooperative = false, programmatic = false;
    BigBody all = {};
    std::vector<std::pair<Node *, int>> after; // and the port
    Span span;
};

struct GraphData {
    std::vector<Node *> nodes;
};

struct StreamData {
    Span last;
    GraphData *capture = nullptr;
};

extern uint64_t all_end; // of all that was launched
uint64_t now();
const std::string &name_of(const void *function);
cudaError_t check(const Node &n);
void run_kernel(Node &n, uint64_t start);
StreamData &data(cudaStream_t s);
