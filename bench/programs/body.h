// What a block of an experiment does, and the record that it leaves.
#pragma once
#include <cstdint>

// One block. Times are of the GPU's global timer, in ns; 0: did not happen.
struct Record {
    uint64_t start, end;
    uint64_t wait;    // griddepcontrol.wait returned
    uint64_t trigger; // griddepcontrol.launch_dependents was issued
    uint64_t met;     // all the blocks that it waited for had arrived; GAVE_UP: the limit came first
    uint32_t sm, cluster;
};

constexpr uint64_t GAVE_UP = 1;
constexpr uint32_t NEVER = 0xffffffff;
constexpr uint32_t UNHELD = 10000; // ns: long enough that all blocks of a holder start before one ends

// When a block waits for the kernel before it: before its trigger, at its end, after its trigger.
enum Wait : uint32_t { NO_WAIT, WAIT_FIRST, WAIT_LAST, WAIT_SECOND };

// By value to every kernel. All times are ns after the block's start, or after the return of its wait if that was
// before.
struct Body {
    Record *record;    // of block 0 and visit 0; the next visit's are gridDim.x further
    uint32_t *visit;   // one per block: how often it ran
    uint32_t visits;   // records of later visits are dropped
    uint32_t duration; // of a block
    uint32_t step;     // block b takes step * (b * 37 % gridDim.x) longer: ends in a scattered order
    uint32_t odd;      // this block (NEVER: none) takes odd_duration and triggers at odd_trigger
    uint32_t odd_duration;
    uint32_t trigger; // NEVER: no trigger
    uint32_t odd_trigger;
    uint32_t all_trigger; // every thread issues it; 0: thread 0 alone
    uint32_t wait;        // enum Wait
    uint32_t *arrived;    // a counter on which blocks wait for each other; null: none
    uint32_t add;         // what a block adds to it
    uint32_t needed;      // the count that it waits for; 0: none
    uint32_t limit;       // it gives up after this
    uint32_t masked;      // blocks on SMs outside the mask take no more than UNHELD
    uint32_t mask[8];
};

// The kernels, all with the same body.
enum Function {
    F0, // F0 to F3 are alike; the shared memory of their SMs is as large as it can be (carveout 100)
    F1,
    F2,
    F3,
    F_DRIVER, // the driver chooses the carveout
    F_CACHE,  // carveout 0
    F_LOCAL,  // uses 1 KiB of local memory per thread
    F_BIG,    // has 3.5 KiB of parameters
    FUNCTIONS
};

struct BigBody {
    Body body;
    uint32_t rest[800];
};

const void *function_of(Function f);
const void *gate_function(); // (const volatile uint32_t *flag, uint32_t value, Record *): a block until *flag >= value
const void *ping_function(); // (const volatile uint32_t *ask, volatile uint64_t *answer, uint32_t n): the time, n times
constexpr uint32_t GATE_LIMIT = 100000000; // ns: gates and pings give up
