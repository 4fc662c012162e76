"""Real programs for `gridcast record`, each in variants that a what-if should foresee.
    programs.py PROGRAM [REPEATS]     records itself: an NVTX range VARIANT around each repeat of each variant
    programs.py --list
A range begins and ends with an idle GPU. Variants run in turn, so that what drifts hits all of them."""
import sys
import threading

import torch
import torch.nn.functional as F

torch.manual_seed(1)
DEVICE, TYPE = "cuda", torch.bfloat16
PROGRAMS = {}


def program(f):
    PROGRAMS[f.__name__] = f
    return f


def random(*shape):
    return torch.randn(*shape, device=DEVICE, dtype=TYPE)


def graph_of(work, warm=3):
    """`work` as one CUDA graph."""
    side = torch.cuda.Stream()
    side.wait_stream(torch.cuda.current_stream())
    with torch.cuda.stream(side):
        for _ in range(warm):
            work()
    torch.cuda.current_stream().wait_stream(side)
    graph = torch.cuda.CUDAGraph()
    with torch.cuda.graph(graph):
        work()
    return graph.replay


def beside(streams, works):
    """Each of `works` in a stream of its own, behind what the current stream has, which then waits for all of them."""
    here = torch.cuda.current_stream()
    for stream, work in zip(streams, works):
        stream.wait_stream(here)
        with torch.cuda.stream(stream):
            work()
    for stream in streams[: len(works)]:
        here.wait_stream(stream)


def one_after_the_other(works):
    for work in works:
        work()


def times(n, work):
    def repeat():
        for _ in range(n):
            work()

    return repeat


class Encoder:
    """Layers of a transformer, as inference runs them."""

    def __init__(self, layers, width, heads):
        self.heads = heads
        self.layers = [
            (random(width, 3 * width) / 32, random(width, width) / 32, random(width, 4 * width) / 32, random(4 * width, width) / 32)
            for _ in range(layers)
        ]

    def __call__(self, x):
        for qkv, out, up, down in self.layers:
            b, s, w = x.shape
            q, k, v = (F.layer_norm(x, (w,)) @ qkv).view(b, s, 3, self.heads, -1).permute(2, 0, 3, 1, 4)
            a = F.scaled_dot_product_attention(q, k, v)
            x = x + a.transpose(1, 2).reshape(b, s, w) @ out
            x = x + F.gelu(F.layer_norm(x, (w,)) @ up) @ down
        return x


@program
def encoder_small():
    model, x = Encoder(4, 512, 8), random(8, 128, 512)
    work = lambda: model(x)
    return {"launches": times(4, work), "graph": times(4, graph_of(work))}


@program
def encoder_large():
    model, x = Encoder(2, 2048, 16), random(16, 512, 2048)
    work = lambda: model(x)
    return {"launches": times(3, work), "graph": times(3, graph_of(work))}


@program
def encoder_two_streams():
    models = [Encoder(2, 1024, 16) for _ in range(2)]
    xs, streams = [random(4, 256, 1024) for _ in range(2)], [torch.cuda.Stream() for _ in range(2)]
    works = [lambda m=m, x=x: m(x) for m, x in zip(models, xs)]
    return {
        "two_streams": times(3, lambda: beside(streams, works)),
        "one_stream": times(3, lambda: one_after_the_other(works)),
        "graph_two": times(3, graph_of(lambda: beside(streams, works))),
        "graph_one": times(3, graph_of(lambda: one_after_the_other(works))),
    }


@program
def decode():
    """Token by token: many kernels of a few blocks."""
    model, x = Encoder(6, 1024, 16), random(1, 1, 1024)
    work = lambda: model(x)
    return {"launches": times(4, work), "graph": times(4, graph_of(work))}


@program
def gemm_beside_memory():
    a, m, streams = random(4096, 4096), random(1 << 27), [torch.cuda.Stream() for _ in range(2)]
    works = [times(4, lambda: a @ a), times(4, lambda: m.mul_(1.0))]
    return {"two_streams": lambda: beside(streams, works), "one_stream": lambda: one_after_the_other(works)}


@program
def small_gemm_beside_memory():
    a, m, streams = random(512, 512), random(1 << 17), [torch.cuda.Stream() for _ in range(2)]
    works = [times(10, lambda: a @ a), times(10, lambda: m.mul_(1.0))]
    return {
        "two_streams": lambda: beside(streams, works),
        "one_stream": lambda: one_after_the_other(works),
        "graph_two": graph_of(lambda: beside(streams, works)),
        "graph_one": graph_of(lambda: one_after_the_other(works)),
    }


@program
def eight_streams():
    """Products whose blocks fill a quarter of the GPU."""
    xs, streams = [random(1024, 8192) for _ in range(8)], [torch.cuda.Stream() for _ in range(8)]
    works = [times(4, lambda x=x: x @ x.T) for x in xs]
    two = lambda: beside(streams, [lambda: one_after_the_other(works[:4]), lambda: one_after_the_other(works[4:])])
    return {"eight": lambda: beside(streams, works), "two": two, "one": lambda: one_after_the_other(works)}


@program
def priorities():
    """Long kernels of low priority, short ones that come later."""
    m, a = random(1 << 26), random(256, 256)
    low, high, equal = torch.cuda.Stream(priority=0), torch.cuda.Stream(priority=-5), torch.cuda.Stream(priority=0)
    long = lambda: [torch.cumsum(m.view(8192, -1), 1) for _ in range(3)]
    short = times(20, lambda: a @ a)
    return {"high": lambda: beside([low, high], [long, short]), "equal": lambda: beside([low, equal], [long, short])}


@program
def branches():
    """Four branches, in streams and as a graph."""
    xs, streams = [random(768, 768) for _ in range(4)], [torch.cuda.Stream() for _ in range(4)]
    works = [times(6, lambda x=x: torch.relu(x @ x)) for x in xs]
    return {
        "streams": times(2, lambda: beside(streams, works)),
        "one_stream": times(2, lambda: one_after_the_other(works)),
        "graph_branches": times(2, graph_of(lambda: beside(streams, works))),
        "graph_chain": times(2, graph_of(lambda: one_after_the_other(works))),
    }


@program
def loader():
    """Batches are copied to the GPU while the one before is worked on."""
    hosts = [torch.randn(2048, 2048, dtype=TYPE).pin_memory() for _ in range(2)]
    batches, w = [random(2048, 2048) for _ in range(2)], random(2048, 2048)
    copies, works = torch.cuda.Stream(), torch.cuda.Stream()

    def compute(x):
        for _ in range(6):
            x = torch.relu(x @ w)
        return x

    def overlapped():
        free = [None, None]
        for i in range(8):
            k = i % 2
            with torch.cuda.stream(copies):
                if free[k]:
                    copies.wait_event(free[k])
                batches[k].copy_(hosts[k], non_blocking=True)
            works.wait_stream(copies)
            with torch.cuda.stream(works):
                compute(batches[k])
                free[k] = works.record_event()

    def in_turn():
        with torch.cuda.stream(works):
            for i in range(8):
                batches[i % 2].copy_(hosts[i % 2], non_blocking=True)
                compute(batches[i % 2])

    return {"two_streams": overlapped, "one_stream": in_turn}


@program
def results_back():
    """Copies in, work, copies out: three streams or one."""
    n = 4
    hosts = [torch.randn(1 << 21, dtype=torch.float32).pin_memory() for _ in range(n)]
    outs = [torch.empty(1 << 21, dtype=torch.float32).pin_memory() for _ in range(n)]
    xs = [torch.empty(1 << 21, device=DEVICE) for _ in range(n)]
    streams = [torch.cuda.Stream() for _ in range(3)]

    def one(i):
        xs[i].copy_(hosts[i], non_blocking=True)
        for _ in range(10):
            xs[i].sin_()
        outs[i].copy_(xs[i], non_blocking=True)

    def three():
        s_in, s_work, s_out = streams
        for i in range(n):
            with torch.cuda.stream(s_in):
                xs[i].copy_(hosts[i], non_blocking=True)
            s_work.wait_stream(s_in)
            with torch.cuda.stream(s_work):
                for _ in range(10):
                    xs[i].sin_()
            s_out.wait_stream(s_work)
            with torch.cuda.stream(s_out):
                outs[i].copy_(xs[i], non_blocking=True)

    def single():
        with torch.cuda.stream(streams[1]):
            for i in range(n):
                one(i)

    return {"three_streams": three, "one_stream": single}


@program
def pageable():
    """Copies of memory that is not page-locked: the host takes part in them."""
    host, w = torch.randn(1024, 1024, dtype=TYPE), random(1024, 1024)

    def work():
        for _ in range(4):
            x = host.to(DEVICE)
            for _ in range(4):
                x = x @ w

    return {"pageable": work}


@program
def train():
    """Forward, backward and a step of an optimizer."""
    net = torch.nn.Sequential(*[torch.nn.Sequential(torch.nn.Linear(1024, 1024), torch.nn.ReLU()) for _ in range(4)]).to(DEVICE, TYPE)
    x, y = random(512, 1024), random(512, 1024)
    rule = torch.optim.SGD(net.parameters(), lr=1e-3, momentum=0.9, foreach=True)

    def step():
        rule.zero_grad(set_to_none=False)
        F.mse_loss(net(x), y).backward()
        rule.step()

    return {"launches": times(3, step), "graph": times(3, graph_of(step))}


@program
def convolutions():
    net = torch.nn.Sequential(
        *[m for i in range(5) for m in (torch.nn.Conv2d(64, 64, 3, padding=1), torch.nn.BatchNorm2d(64), torch.nn.ReLU())]
    ).to(DEVICE, TYPE, memory_format=torch.channels_last).eval()
    x = random(8, 64, 56, 56).to(memory_format=torch.channels_last)

    def work():
        with torch.no_grad():
            net(x)

    return {"launches": times(4, work), "graph": times(4, graph_of(work))}


@program
def loss_each_step():
    """The host asks for a number after each step, or only at the end."""
    x, w = random(1024, 1024), random(1024, 1024) / 32

    def step():
        return torch.relu(x @ w @ w).float().mean()

    def asks():
        for _ in range(6):
            step().item()

    return {"asks": asks, "asks_not": times(6, step)}


@program
def sort_and_scan():
    x = torch.rand(1 << 20, device=DEVICE)

    def work():
        s, _ = torch.sort(x)
        torch.cumsum(s, 0)
        torch.topk(x, 64)

    return {"launches": times(2, work)}


@program
def triton_beside_gemm():
    import triton
    import triton.language as tl

    @triton.jit
    def softmax(y, x, n, SIZE: tl.constexpr):
        row = tl.program_id(0)
        at = row * n + tl.arange(0, SIZE)
        inside = tl.arange(0, SIZE) < n
        v = tl.load(x + at, mask=inside, other=-float("inf")).to(tl.float32)
        e = tl.exp(v - tl.max(v, 0))
        tl.store(y + at, e / tl.sum(e, 0), mask=inside)

    a, x = random(1024, 1024), random(64, 4096)
    y, streams = torch.empty_like(x), [torch.cuda.Stream() for _ in range(2)]
    works = [times(8, lambda: a @ a), times(8, lambda: softmax[(64,)](y, x, 4096, SIZE=4096))]
    return {"two_streams": lambda: beside(streams, works), "one_stream": lambda: one_after_the_other(works)}


@program
def threads():
    """Two threads of the host, each with its stream."""
    xs, streams = [random(1024, 1024) for _ in range(2)], [torch.cuda.Stream() for _ in range(2)]

    def work(i):
        with torch.cuda.stream(streams[i]):
            for _ in range(10):
                xs[i] @ xs[i]
            streams[i].synchronize()

    def two():
        both = [threading.Thread(target=work, args=(i,)) for i in range(2)]
        [t.start() for t in both]
        [t.join() for t in both]

    return {"two_threads": two, "one_thread": lambda: [work(i) for i in range(2)]}


@program
def attention():
    """Long sequences: a few kernels that fill the GPU."""
    q = random(2, 16, 4096, 64)
    work = lambda: F.scaled_dot_product_attention(q, q, q, is_causal=True)
    return {"launches": times(6, work), "graph": times(6, graph_of(work))}


def main():
    if sys.argv[1:] == ["--list"]:
        print("\n".join(PROGRAMS))
        return
    variants = PROGRAMS[sys.argv[1]]()
    repeats = int(sys.argv[2]) if len(sys.argv) > 2 else 3
    with torch.no_grad() if sys.argv[1] != "train" else torch.enable_grad():
        for work in variants.values():
            for _ in range(3):
                work()
                torch.cuda.synchronize()
        for _ in range(repeats):
            for name, work in variants.items():
                torch.cuda.synchronize()
                torch.cuda.nvtx.range_push(name)
                work()
                torch.cuda.synchronize()
                torch.cuda.nvtx.range_pop()


main()
