# %% [markdown]
# # Level 1 · Elementwise
#
# **The one idea:** a GPU hides the time that memory takes by having very many threads wait at once. Say which thread
# makes which element, let neighbours touch neighbouring addresses, touch nothing twice.
#
# The whole lesson in words is the [level's page](../levels/level1/README.md). Here you *see* it. The kernels below are
# compiled by NVIDIA's compiler and run on a virtual GPU, which counts what they do. You need no GPU.

# %%
import matplotlib.pyplot as plt
import numpy as np
from toolbox import BLUE, GREY, ORANGE, bars, cells, grade, launch, roofline, use_style

use_style()

# %% [markdown]
# ## How far away is the data?
# To use a value, a thread needs it in a register. The bars show how many cycles of waiting lie between, for each place
# that a value may come from.

# %%
places = ["register", "shared memory, L1", "L2 cache", "global memory"]
cycles, kilobytes = [1, 30, 250, 600], [256, 256, 60e3, 141e6]
fig, (left, right) = plt.subplots(1, 2, figsize=(9.5, 3), sharey=True)
left.bar_label(left.barh(places, cycles, color=BLUE), padding=3)
left.set(title="cycles away", xlim=(0, 720))
right.barh(places, kilobytes, color=ORANGE, log=True)
right.set(title="size, each step a factor of ten", xlim=(1e2, 3e10), xticks=[1e3, 1e6, 1e9])
right.set_xticklabels(["1 MB", "1 GB", "1 TB"])
for row, label in enumerate(["256 KB an SM", "256 KB an SM", "60 MB", "141 GB"]):
    right.text(kilobytes[row] * 1.4, row, label, va="center", fontsize=9)
left.invert_yaxis()
plt.show()

# %% [markdown]
# A CPU would try to avoid the 600 cycles. A GPU accepts them: while one warp waits, another runs. That is why it wants
# so many threads.

# %% [markdown]
# ## Which element is mine?
# Nobody tells a thread. It works it out from its block and its place in the block. Here the kernel writes down *who*
# it was, for each element.

# %%
who = """
__global__ void who(int* block, int* thread, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) {
        block[i] = blockIdx.x;
        thread[i] = threadIdx.x;
    }
}
"""
n, threads = 28, 8
block, thread = np.zeros(n, np.int32), np.zeros(n, np.int32)
launch(who, "who", -(-n // threads), threads, block, thread, n)

# %%
fig, axes = plt.subplots(figsize=(9.5, 1.6))
texts = [[f"b{b}\nt{t}" for b, t in zip(block, thread, strict=True)] + ["idle"] * (-n % threads)]
cells(axes, [list(block + 1.0) + [0.0] * (-n % threads)], texts, vmin=0, vmax=6)
axes.set_title(f"thread t of block b wrote element i ({n} elements, blocks of {threads} threads)")
plt.show()

# %% [markdown]
# 28 elements in blocks of 8 need 3.5 blocks, so 4 are launched and the last 4 threads find nothing to do. `if (i < n)` is what keeps
# them from writing past the end.
#
# **Try it:** set `threads = 5`, and run both cells again. How many are idle now?

# %% [markdown]
# ## Two dimensions
# A grid may have two or three axes. `x` comes first, and along `x` the threads are neighbours in a warp.

# %%
who2d = """
__global__ void who2d(int* block, int rows, int columns) {
    int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x < columns && y < rows) block[y * columns + x] = blockIdx.y * gridDim.x + blockIdx.x;
}
"""
rows, columns = 7, 18
block = np.zeros((rows, columns), np.int32)
launch(who2d, "who2d", (-(-columns // 8), -(-rows // 4)), (8, 4), block, rows, columns)

fig, axes = plt.subplots(figsize=(8, 3.4))
cells(axes, block, block, cmap="Set3", vmin=0, vmax=11)
axes.set_title("a 7 x 18 matrix, each element with the number of its block (8 x 4 threads)")
plt.show()

# %% [markdown]
# ## Coalescing
# Memory arrives in sectors of 32 bytes. The 32 loads of a warp become one request; its cost is the number of sectors
# that it touches. We let neighbouring threads read elements that are `stride` apart, and let the virtual GPU count.

# %%
strided = """
__global__ void strided(const float* x, float* out, int stride) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    out[i] = x[i * stride];
}
"""
strides = [1, 2, 4, 8, 16, 32]
x, out = np.ones(32 * 256, np.float32), np.zeros(256, np.float32)
counted = [launch(strided, "strided", 1, 256, x, out, stride).line("out[i]", strided) for stride in strides]

# the line also writes out[i]: 4 sectors for a warp, 32 for the 8 warps
sectors = [(line.global_sectors - 32) / 8 for line in counted]
bars([f"x[{s} * i]" if s > 1 else "x[i]" for s in strides], sectors, "one load of a warp", "sectors", best=0)

# %% [markdown]
# From a stride of 8 on, each thread has a sector for itself: 32 bytes move, 4 are used. No other habit of this level
# costs a factor of eight.
#
# The same loads, drawn: each small square is a float, each group of 8 a sector.

# %%
fig, axes = plt.subplots(3, 1, figsize=(9.5, 2.6))
for row, stride in zip(axes, (1, 2, 4), strict=True):
    used = np.zeros(128)
    used[np.arange(32) * stride] = 2
    touched = np.repeat(used.reshape(16, 8).max(axis=1) > 0, 8)
    cells(row, [np.where(used > 0, 2, np.where(touched, 0.7, 0.0))], vmin=0, vmax=2.4, aspect="auto")
    row.set_ylabel(f"stride {stride}", rotation=0, ha="right", va="center")
    for edge in range(8, 128, 8):
        row.axvline(edge - 0.5, color=GREY, linewidth=1)
axes[0].set_title("dark: used   light: moved for nothing   palest: not touched")
plt.show()

# %% [markdown]
# ## The napkin
# `out = a + b` moves 12 bytes for 1 flop. We need not believe that: the counts say it.

# %%
elementwise = """
__global__ void add(const float* a, const float* b, float* out, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) out[i] = a[i] + b[i];
}
__global__ void polynomial(const float* a, float* out, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    float x = a[i], y = 1.0f;
    for (int k = 0; k < 16; k++) y = y * x + 0.5f;
    out[i] = y;
}
"""
n = 4096
a, b, out = (np.ones(n, np.float32) for _ in range(3))
add = launch(elementwise, "add", n // 256, 256, a, b, out, n)
polynomial = launch(elementwise, "polynomial", n // 256, 256, a, out, n)
print(f"add: {add.bytes / n:.0f} bytes and {add.flops / n:.0f} flop for each element")
roofline(
    [("add", add.flops / add.bytes), ("a polynomial of degree 16", polynomial.flops / polynomial.bytes)],
    "Both stand on the slope: memory decides",
)

# %% [markdown]
# The roof has a slope, where bytes decide, and a flat part, where arithmetic does. Even sixteen multiply-adds for each
# element leave a kernel on the slope. So its best time is simply bytes / bandwidth.

# %% [markdown]
# ## Fusion
# If bytes decide, do not move them twice. `(a + b)²` as two kernels writes the sum, and reads it again.

# %%
fusion = """
__global__ void add(const float* a, const float* b, float* out, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) out[i] = a[i] + b[i];
}
__global__ void square(const float* a, float* out, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) out[i] = a[i] * a[i];
}
__global__ void add_then_square(const float* a, const float* b, float* out, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    float sum = a[i] + b[i];
    out[i] = sum * sum;
}
"""
grid = n // 256
apart = launch(fusion, "add", grid, 256, a, b, out, n).bytes + launch(fusion, "square", grid, 256, out, out, n).bytes
fused = launch(fusion, "add_then_square", grid, 256, a, b, out, n).bytes
bars(["two kernels", "one kernel"], [apart / n, fused / n], "(a + b)²", "bytes for each element", best=1)

# %% [markdown]
# ## Now you
# Each exercise is a task, its stubs, and a cell that grades it. Open a file, fill in the TODOs, save, run the cell. The
# first one is graded even before you begin, to show what the verdict looks like.
#
# Stuck? `!grade hint vector_add` in a cell of your own gives one more hint each time.

# %% [exercises]

# %% [readme] Reading the report
