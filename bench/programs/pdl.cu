// Programmatic dependent launch: when the second kernel starts, and what its wait waits for.
#include "lab.h"

namespace
{
void trigger_at(Kernel &k, int us)
{
    k.body().trigger = us < 0 ? NEVER : (uint32_t)us * 1000;
}

// The first kernel has a block on every SM; the second fits beside it.
void pdl_trigger(Lab &lab)
{
    for (int allowed : {1, 0})
        for (int all : {0, 1})
            for (int trigger : {0, 20, 50, 100, 200, -1}) {
                Trial t(lab, "pdl-trigger");
                t.p("allowed", allowed).p("all_threads", all).p("trigger_us", trigger);
                attempt(t, [&] {
                    Stream stream;
                    Kernel &a = t.add("A", lab.sms, 512, 300), &b = t.add("B", lab.sms, 512, 50);
                    trigger_at(a, trigger);
                    a.body().all_trigger = all;
                    b.programmatic = allowed;
                    b.after = {0};
                    t.repeat(allowed ? 8 : 3, [&] {
                        t.gate(stream);
                        t.launch(a, stream);
                        t.launch(b, stream);
                        t.open();
                    });
                });
            }
}

// One block differs: it triggers late or never, ends late or early.
void pdl_late(Lab &lab)
{
    struct Odd {
        const char *name;
        int duration, trigger;
    };
    for (Odd odd : {Odd{"triggers late", 300, 250}, Odd{"never triggers, ends with the others", 300, -1},
                    Odd{"never triggers, ends late", 450, -1}, Odd{"never triggers, ends early", 20, -1},
                    Odd{"triggers early, ends late", 450, 50}})
        for (int block : {0, 66, 131}) {
            Trial t(lab, "pdl-late");
            t.p("odd", odd.name).p("block", block);
            attempt(t, [&] {
                Stream stream;
                Kernel &a = t.add("A", lab.sms, 512, 300), &b = t.add("B", lab.sms, 512, 50);
                trigger_at(a, 50);
                a.body().odd = block;
                a.body().odd_duration = odd.duration * 1000;
                a.body().odd_trigger = odd.trigger < 0 ? NEVER : odd.trigger * 1000;
                b.programmatic = true;
                b.body().wait = WAIT_FIRST;
                b.after = {0};
                t.repeat(4, [&] {
                    t.gate(stream);
                    t.launch(a, stream);
                    t.launch(b, stream);
                    t.open();
                });
            });
        }
}

// The first kernel has more blocks than fit. limit: by what. The second would fit beside it, or would not.
void pdl_waves(Lab &lab)
{
    for (const char *limit : {"shared", "threads"})
        for (int tenths : {10, 15, 20, 30}) // of a wave
            for (int trigger : {0, 30, -1})
                for (const char *second : {"small", "one-wave", "two-waves"}) {
                    Trial t(lab, "pdl-waves");
                    std::string l = limit, s = second;
                    t.p("limit", l).p("tenths", tenths).p("trigger_us", trigger).p("second", s);
                    attempt(t, [&] {
                        Stream stream;
                        bool shared = l == "shared";
                        int wave = shared ? lab.sms : 2 * lab.sms;
                        Kernel &a = t.add("A", wave * tenths / 10, shared ? 256 : 1024, 100);
                        a.shared = shared ? 150 * KIB : 0;
                        trigger_at(a, trigger);
                        int blocks = s == "small" ? 4 : s == "one-wave" ? wave : 2 * wave;
                        Kernel &b = t.add("B", blocks, a.threads, 60);
                        b.shared = s == "small" ? 0 : a.shared;
                        if (s == "small")
                            b.threads = 64;
                        b.programmatic = true;
                        b.body().wait = WAIT_FIRST;
                        b.after = {0};
                        t.repeat(3, [&] {
                            t.gate(stream);
                            t.launch(a, stream);
                            t.launch(b, stream);
                            t.open();
                        });
                    });
                }
}

// Three programmatic launches and a plain one behind them. A is the longest.
void pdl_three(Lab &lab)
{
    for (int b_waits : {0, 1, 2, 3})
        for (int c_waits : {0, 1})
            for (int b_trigger : {20, -1})
                for (int b_us : {60, 700}) {
                    Trial t(lab, "pdl-three");
                    t.p("b_waits", b_waits).p("c_waits", c_waits).p("b_trigger_us", b_trigger).p("b_us", b_us);
                    attempt(t, [&] {
                        Stream stream, other;
                        Event event;
                        Kernel &a = t.add("A", 64, 256, 500), &b = t.add("B", 64, 256, b_us);
                        Kernel &c = t.add("C", 64, 256, 50), &d = t.add("D", 64, 256, 20);
                        Kernel &e = t.add("E", 1, 256, 20);
                        trigger_at(a, 50);
                        trigger_at(b, b_trigger);
                        b.programmatic = c.programmatic = true;
                        b.body().wait = b_waits;
                        c.body().wait = c_waits;
                        b.after = {0}, c.after = {1}, d.after = {2}, e.after = {2};
                        e.stream = 1;
                        t.repeat(4, [&] {
                            t.gate(stream);
                            t.launch(a, stream);
                            t.launch(b, stream);
                            t.launch(c, stream);
                            MUST(cudaEventRecord(event, stream));
                            MUST(cudaStreamWaitEvent(other, event));
                            t.launch(d, stream);
                            t.launch(e, other);
                            t.open();
                        });
                    });
                }
}

// How deep do programmatic launches overlap; and what a chain gains that triggers and waits first.
void pdl_depth(Lab &lab)
{
    for (const char *way : {"stream", "captured"})
        for (const char *body : {"trigger first", "trigger first, then wait", "wait first, trigger then",
                                 "wait first, trigger last", "no trigger", "wait last"})
            for (int us : {10, 300}) {
                Trial t(lab, "pdl-depth");
                std::string w = body;
                t.p("way", way).p("body", w).p("us", us);
                attempt(t, [&] {
                    Stream stream;
                    Graph g(t);
                    for (int i = 0; i < 24; i++) {
                        Kernel &k = t.add("N", 2, 256, us);
                        if (i)
                            k.programmatic = true, k.after = {i - 1};
                        trigger_at(k, w == "no trigger" ? -1 : w == "wait first, trigger last" ? us - 2 : 0);
                        if (w == "trigger first, then wait")
                            k.body().wait = WAIT_SECOND;
                        if (w == "wait first, trigger then" || w == "wait first, trigger last" || w == "no trigger")
                            k.body().wait = WAIT_FIRST;
                        if (w == "wait last")
                            k.body().wait = WAIT_LAST;
                    }
                    bool captured = std::string(way) == "captured";
                    auto calls = [&] {
                        for (size_t i = 0; i < t.size(); i++)
                            t.launch(t[i], stream);
                    };
                    if (captured) {
                        g.capture(stream, calls);
                        g.make();
                    }
                    t.repeat(5, [&] {
                        t.gate(stream);
                        if (captured)
                            g.launch(stream);
                        else
                            calls();
                        t.open();
                    });
                });
            }
}

// A big kernel of another stream enters between the first kernel and its programmatic second one.
void pdl_between(Lab &lab)
{
    for (int trigger : {20, 250})
        for (int second_priority : {0, -5})
            for (int big_priority : {0, -5})
                for (const char *room : {"beside", "full"}) {
                    Trial t(lab, "pdl-between");
                    std::string r = room;
                    t.p("trigger_us", trigger)
                        .p("priority", second_priority)
                        .p("big_priority", big_priority)
                        .p("room", r);
                    attempt(t, [&] {
                        Stream stream(second_priority), other(big_priority);
                        Kernel &a = t.add("A", 32, 256, 1000), &b = t.add("B", 32, 256, 50);
                        Kernel &big = t.add("big", 2 * lab.sms * 4, r == "full" ? 1024 : 256, 150);
                        big.shared = r == "full" ? 0 : 100 * KIB;
                        big.stream = 1;
                        trigger_at(a, trigger);
                        b.programmatic = true;
                        b.after = {0};
                        t.repeat(4, [&] {
                            t.launch(a, stream);
                            t.launch(b, stream);
                            t.pace(120);
                            t.launch(big, other);
                        });
                    });
                }
}

// What lies between the two kernels in their stream, and who waits for an event of the first.
void pdl_events(Lab &lab)
{
    for (const char *between :
         {"nothing", "event", "event-other-waits", "wait-done-event", "memset", "other-stream-kernel",
          "programmatic-event", "programmatic-event-plain", "programmatic-event-start", "launch-completion-event"})
        for (int trigger : {50, -1})
            for (int waits : {0, 1}) {
                Trial t(lab, "pdl-events");
                std::string w = between;
                t.p("between", w).p("trigger_us", trigger).p("waits", waits);
                attempt(t, [&] {
                    Stream stream, other;
                    Event event;
                    Kernel &a = t.add("A", 64, 256, 300), &b = t.add("B", 64, 256, 50), &c = t.add("C", 64, 256, 20);
                    trigger_at(a, trigger);
                    b.programmatic = true;
                    b.body().wait = c.body().wait = waits ? WAIT_FIRST : NO_WAIT;
                    b.after = c.after = {0};
                    c.stream = 1;
                    bool by_launch = w.substr(0, 13) == "programmatic-" || w == "launch-completion-event";
                    a.event_kind = w == "programmatic-event-start" ? 2 : w == "launch-completion-event" ? 3 : by_launch;
                    a.event = event;
                    c.programmatic = w == "programmatic-event" || w == "programmatic-event-start";
                    bool c_waits = by_launch || w == "event-other-waits";
                    t.repeat(4, [&] {
                        if (w == "wait-done-event") {
                            MUST(cudaEventRecord(event, other));
                            MUST(cudaStreamSynchronize(other));
                        }
                        t.gate(stream);
                        t.launch(a, stream);
                        if (w == "event" || w == "event-other-waits")
                            MUST(cudaEventRecord(event, stream));
                        if (w == "wait-done-event")
                            MUST(cudaStreamWaitEvent(stream, event));
                        if (w == "memset")
                            MUST(cudaMemsetAsync(lab.device, 0, 4096, stream));
                        if (c_waits)
                            MUST(cudaStreamWaitEvent(other, event));
                        if (c_waits || w == "other-stream-kernel")
                            t.launch(c, other);
                        t.launch(b, stream);
                        t.open();
                    });
                });
            }
}
} // namespace

const std::vector<Experiment> pdl_experiments = {
    {"pdl-trigger", "gap from the last trigger to the first block of the second kernel; who must trigger", pdl_trigger},
    {"pdl-late", "do blocks that trigger late, never, or ended without a trigger count", pdl_late},
    {"pdl-waves", "do blocks of the first kernel that have not started count; which room does the second take",
     pdl_waves},
    {"pdl-three", "what does a wait wait for in a chain; may a kernel be complete before the one before it", pdl_three},
    {"pdl-depth", "how many programmatic launches overlap; gaps of chains; the same captured", pdl_depth},
    {"pdl-between", "where does the second kernel enter the queue, against a kernel of another stream", pdl_between},
    {"pdl-events", "what between two kernels prevents the overlap; events of launches", pdl_events},
};
