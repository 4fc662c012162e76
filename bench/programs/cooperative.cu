// Cooperative launches, and blocks that wait for each other.
#include "lab.h"
#include <algorithm>

namespace
{
constexpr size_t WHOLE = 200 * KIB;  // one block to an SM
constexpr uint32_t LIMIT = 15000000; // ns: blocks that wait for others give up

// A kernel of which every block waits until all have started.
Kernel &add_meeting(Trial &t, const char *name, int blocks, int counter, bool cooperative, double us)
{
    Kernel &k = t.add(name, blocks, 64, us);
    k.shared = WHOLE;
    k.cooperative = cooperative;
    k.body().arrived = t.lab.counters + counter;
    k.body().add = 1;
    k.body().needed = blocks;
    k.body().limit = LIMIT;
    return k;
}

// Holds the first n SMs.
Kernel &add_holder(Trial &t, int n, double us)
{
    Kernel &k = t.add("holder", t.lab.sms, 64, us);
    k.shared = WHOLE;
    k.body().masked = 1;
    for (int sm = 0; sm < n; sm++)
        k.body().mask[sm / 32] |= 1u << sm % 32;
    return k;
}

// Grids around the largest that is resident at once, with an idle GPU and beside a kernel that holds half of it.
void coop_size(Lab &lab)
{
    struct Shape {
        int threads;
        size_t shared;
    };
    for (Shape shape : {Shape{64, WHOLE}, Shape{1024, 0}, Shape{256, 0}, Shape{128, 20 * KIB}})
        for (int held : {0, 66})
            for (int more : {-1, 0, 1, 1000})
                for (int cooperative : {1, 0}) {
                    Trial t(lab, "coop-size");
                    int per_sm = 0;
                    t.p("threads", shape.threads).p("shared", (long long)shape.shared).p("held", held).p("more", more);
                    t.p("cooperative", cooperative);
                    attempt(t, [&] {
                        MUST(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&per_sm, function_of(F0), shape.threads,
                                                                           shape.shared));
                        t.p("most", per_sm * lab.sms);
                        Stream a, b;
                        Kernel &holder = add_holder(t, held, 500);
                        Kernel &k = t.add("K", per_sm * lab.sms + more, shape.threads, 50);
                        k.shared = shape.shared;
                        k.cooperative = cooperative;
                        k.stream = 1;
                        t.repeat(2, [&] {
                            if (held)
                                t.launch(holder, a);
                            t.pace(100);
                            t.try_launch(k, b);
                        });
                    });
                }
}

// A cooperative kernel that does not fit beside the holder: do some of its blocks start before the rest fit?
void coop_start(Lab &lab)
{
    for (int cooperative : {1, 0})
        for (int graph : {0, 1})
            for (int held : {0, 1, 33, 66, 131})
                for (int step : {0, 2}) {
                    Trial t(lab, "coop-start");
                    t.p("cooperative", cooperative).p("graph", graph).p("held", held).p("step_us", step);
                    attempt(t, [&] {
                        Stream a, b;
                        Graph g(t);
                        Kernel &holder = add_holder(t, held, 500);
                        holder.body().step = step * 1000;
                        Kernel &k = add_meeting(t, "K", lab.sms, 0, cooperative, 100);
                        k.stream = 1;
                        if (graph) {
                            g.kernel(k);
                            g.make();
                        }
                        t.repeat(4, [&] {
                            if (held)
                                t.launch(holder, a);
                            t.pace(100);
                            if (graph)
                                g.launch(b, "K");
                            else
                                t.launch(k, b);
                        });
                    });
                }
}

// Two kernels of a whole wave each, called while SMs are held. May each get a part of the GPU?
void coop_two(Lab &lab)
{
    for (int cooperative : {1, 0})
        for (int held : {0, 66})
            for (int second : {0, -5})
                for (int apart : {0, 50})
                    for (int blocks : {132, 100, 66}) {
                        Trial t(lab, "coop-two");
                        t.p("cooperative", cooperative)
                            .p("held", held)
                            .p("second_priority", second)
                            .p("apart_us", apart);
                        t.p("blocks", blocks);
                        attempt(t, [&] {
                            Stream a, b, c(second);
                            Kernel &holder = add_holder(t, held, 400);
                            Kernel &k = add_meeting(t, "first", std::min(blocks, lab.sms), 0, cooperative, 100);
                            Kernel &q = add_meeting(t, "second", std::min(blocks, lab.sms), 1, cooperative, 100);
                            k.stream = 1, q.stream = 2;
                            t.repeat(3, [&] {
                                if (held)
                                    t.launch(holder, a);
                                t.pace(100);
                                t.launch(k, b);
                                t.pace(100 + apart);
                                t.launch(q, c);
                            });
                        });
                    }
}

// Small cooperative kernels in several streams, plain kernels between and behind them: what overlaps?
void coop_overlap(Lab &lab)
{
    for (const char *way : {"cooperative", "plain", "mixed"})
        for (int streams : {2, 4, 8, 16})
            for (int blocks : {1, 8}) {
                Trial t(lab, "coop-overlap");
                std::string w = way;
                t.p("way", w).p("streams", streams).p("blocks", blocks);
                attempt(t, [&] {
                    std::deque<Stream> all;
                    for (int i = 0; i < streams; i++) {
                        all.emplace_back();
                        bool cooperative = w == "cooperative" || (w == "mixed" && i % 2 == 0);
                        Kernel &k = t.add(cooperative ? "coop" : "plain", blocks, 256, 800);
                        k.cooperative = cooperative, k.stream = i;
                    }
                    all.emplace_back();
                    Kernel &probe = t.add("probe", 1, 64, 20);
                    probe.stream = streams;
                    Kernel &behind = t.add("behind", 1, 64, 20);
                    behind.after = {0};
                    t.repeat(4, [&] {
                        for (int i = 0; i < streams; i++) {
                            t.launch(t[i], all[i]);
                            t.pace(30 * (i + 1));
                        }
                        t.launch(probe, all[streams]);
                        t.launch(behind, all[0]);
                    });
                });
            }
}

// A persistent kernel of exactly one wave that meets, beside others: near-simultaneous calls, a kernel with a few
// blocks that waits for it, a late one of higher priority.
void coop_persistent(Lab &lab)
{
    for (const char *way :
         {"two at once", "waiter first", "waiter second", "waiter second, high", "many small first", "clusters first"})
        for (int cooperative : {0, 1})
            for (int waiters : {1, 8}) {
                std::string w = way;
                if (w == "two at once" && waiters > 1)
                    continue;
                Trial t(lab, "coop-persistent");
                t.p("way", w).p("cooperative", cooperative).p("waiters", waiters);
                attempt(t, [&] {
                    Stream a, b(w == "waiter second, high" ? -5 : 0);
                    Kernel &k = add_meeting(t, "persistent", lab.sms, 0, cooperative, 300);
                    bool two = w == "two at once",
                         first = w == "waiter first" || w == "many small first" || w == "clusters first";
                    Kernel &q =
                        add_meeting(t, two ? "other" : "waiter", two ? lab.sms : waiters, two ? 1 : 0, false, 20);
                    q.stream = 1;
                    if (two) {
                        q.cooperative = cooperative;
                    } else if (w == "many small first") { // these do not wait; they only take room
                        q.body().arrived = nullptr;
                        q.body().duration = 700000;
                        q.shared = 40 * KIB;
                    } else if (w == "clusters first") {
                        q.body().arrived = nullptr;
                        q.body().duration = 700000;
                        if (waiters > 1)
                            q.function = F3, q.cluster = 8;
                    } else { // they wait for the persistent kernel's blocks, and take SMs that it needs
                        q.body().add = 0;
                        q.body().needed = lab.sms;
                    }
                    t.repeat(two ? 10 : 4, [&] {
                        t.launch(first ? q : k, first ? b : a);
                        if (!two)
                            t.pace(100);
                        t.launch(first ? k : q, first ? a : b);
                    });
                });
            }
}
} // namespace

const std::vector<Experiment> cooperative_experiments = {
    {"coop-size", "which grids are refused, with which error, also beside a running kernel", coop_size},
    {"coop-start", "does a cooperative kernel start block by block or only when all of it fits", coop_start},
    {"coop-two", "can two kernels of a whole wave each hold a part of the GPU", coop_two},
    {"coop-overlap", "do small cooperative kernels of several streams overlap; who waits behind them", coop_overlap},
    {"coop-persistent", "persistent kernels of one wave beside others: which never meet", coop_persistent},
};
