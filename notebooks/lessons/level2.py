# %% [markdown]
# # Level 2 · Reductions
#
# **The one idea:** a sum needs every element, so threads must hand values to each other. The nearer they are, the
# cheaper that is: in registers, then within the warp, then within the block, and across the grid only once.
#
# The lesson in words is the [level's page](../levels/level2/README.md). Here it is drawn and counted, on a virtual GPU.

# %%
import matplotlib.pyplot as plt
import numpy as np
from toolbox import BLUE, GREEN, ORANGE, RED, bars, cells, grade, launch, use_style

use_style()

# %% [markdown]
# ## A tree, step by step
# Sixteen numbers, four steps. In each step the first half of what is left adds the second half. A chain would need
# fifteen steps, each waiting for the one before.

# %%
tree = """
__global__ void steps(const float* x, float* all) {       // one block; row s of `all` is the tile after step s
    __shared__ float tile[16];
    int t = threadIdx.x, row = 0;
    tile[t] = x[t];
    __syncthreads();
    all[t] = tile[t];
    for (int half = 8; half > 0; half /= 2) {
        if (t < half) tile[t] += tile[t + half];
        __syncthreads();
        all[++row * 16 + t] = tile[t];
    }
}
"""
x, after = np.arange(1, 17, dtype=np.float32), np.zeros((5, 16), np.float32)
launch(tree, "steps", 1, 16, x, after)

# %%
fig, axes = plt.subplots(figsize=(9.5, 3.6))
shade = np.full((5, 16), 0.05)
for step in range(5):
    shade[step, : 16 >> step] = 0.35 + 0.15 * step
cells(axes, shade, after.astype(int), vmin=0, vmax=1.2)
axes.set_yticks(range(5), ["x", "+ 8 away", "+ 4 away", "+ 2 away", "+ 1 away"])
axes.set_title("tile after each step (dark: still needed)")
plt.show()
print("the sum is", after[4, 0], "and should be", x.sum())

# %% [markdown]
# Those are the values that the kernel itself wrote down, one row for each step. Between two steps stands a barrier:
# nobody may read what has not been written yet.
#
# **Try it:** delete the `__syncthreads();` inside of the loop. The picture may well stay the same, but the virtual GPU
# says which two lines race.

# %% [markdown]
# ## Which threads work?
# Two ways to choose the thread that adds. `t % (2 * step) == 0` leaves the working threads scattered over all warps.
# `t < half` keeps them together. The sums are the same.

# %%
trees = """
__global__ void scattered(const float* x, float* out) {
    __shared__ float tile[256];
    int t = threadIdx.x;
    tile[t] = x[t];
    __syncthreads();
    for (int step = 1; step < 256; step *= 2) {
        if (t % (2 * step) == 0) tile[t] += tile[t + step];
        __syncthreads();
    }
    if (t == 0) out[0] = tile[0];
}
__global__ void together(const float* x, float* out) {
    __shared__ float tile[256];
    int t = threadIdx.x;
    tile[t] = x[t];
    __syncthreads();
    for (int half = 128; half > 0; half /= 2) {
        if (t < half) tile[t] += tile[t + half];
        __syncthreads();
    }
    if (t == 0) out[0] = tile[0];
}
"""
x, out = np.ones(256, np.float32), np.zeros(1, np.float32)
runs = {name: launch(trees, name, 1, 256, x, out) for name in ("scattered", "together")}

# %%
adds = [run.line(word, trees) for run, word in zip(runs.values(), ("t % (2", "t < half"), strict=True)]
bars(list(runs), [line.shared_requests for line in adds], "the line that adds", "requests to shared memory", best=1)

# %% [markdown]
# The scattered tree wakes all eight warps in almost every step, each for a few lanes. A warp costs the same with one
# active lane as with 32.

# %% [markdown]
# ## Divergence
# The lanes of a warp share one instruction. Where they disagree about a branch, both sides run, one after the other. We
# let a kernel choose its side by lane, and then by warp.

# %%
branch = """
__device__ float left(float v) {
    #pragma unroll 1
    for (int k = 0; k < 20; k++) v = v * 1.01f + 0.5f;
    return v;
}
__device__ float right(float v) {
    #pragma unroll 1
    for (int k = 0; k < 20; k++) v = v * v - 0.5f;
    return v;
}
__global__ void by_lane(float* x) {
    int t = threadIdx.x;
    float v = x[t];
    if (t % 2) x[t] = left(v); else x[t] = right(v);
}
__global__ void by_warp(float* x) {
    int t = threadIdx.x;
    float v = x[t];
    if (t / 32 % 2) x[t] = left(v); else x[t] = right(v);
}
"""
sides = [launch(branch, name, 1, 256, np.ones(256, np.float32)) for name in ("by_lane", "by_warp")]
fig, (a, b) = plt.subplots(1, 2, figsize=(9.5, 2.9))
names = ["odd and even lanes", "odd and even warps"]
a.bar_label(a.bar(names, [side.instructions for side in sides], color=[ORANGE, GREEN], width=0.55))
a.set_title("instructions issued")
a.margins(y=0.15)
active = [side.lanes / side.instructions for side in sides]
b.bar_label(b.bar(names, active, color=[ORANGE, GREEN], width=0.55), fmt="%.1f")
b.set(title="active lanes, of 32", ylim=(0, 36))
plt.show()

# %% [markdown]
# Branches are not bad. Branches on which neighbours *disagree* are.

# %% [markdown]
# ## Shared memory has 32 banks
# Word `w` lies in bank `w % 32`, and a bank serves one word at a time. A warp that walks along a row of
# `float tile[32][width]` meets 32 banks. Down a column, it depends on the width.

# %%
fig, panels = plt.subplots(1, 2, figsize=(9.5, 4.2))
for axes, width in zip(panels, (32, 33), strict=True):
    row, column = np.mgrid[0:16, 0:16]
    bank = (row * width + column) % 32
    cells(axes, bank, bank, cmap="viridis_r", vmin=0, vmax=31)
    axes.add_patch(plt.Rectangle((2.5, -0.45), 1, 15.9, fill=False, edgecolor=RED, linewidth=3, zorder=5))
    axes.set_title(f"tile[32][{width}]: the bank of each word")
plt.show()

# %% [markdown]
# (Half of the rows, half of each row, and a column marked.) With 32 words in a row, the whole column is in *one* bank. With 33, each
# of its words has a bank of its own. Now counted, for many widths:

# %%
banks = """
__global__ void column(float* out, int width) {
    extern __shared__ float tile[];
    int t = threadIdx.x;
    for (int i = t; i < 32 * width; i += 32) tile[i] = i;
    __syncwarp();
    out[t] = tile[t * width + 3];
}
"""
widths = list(range(28, 42))
wavefronts = []
for width in widths:
    out = np.zeros(32, np.float32)
    run = launch(banks, "column", 1, 32, out, width, smem=32 * width * 4)
    wavefronts.append(run.line("width + 3", banks).wavefronts_per_request)
fig, axes = plt.subplots(figsize=(8.5, 3.2))
drawn = axes.bar([str(w) for w in widths], wavefronts, color=[GREEN if w == 1 else BLUE for w in wavefronts])
axes.bar_label(drawn, fmt="%d")
axes.set(
    title="reading one column: how many lanes queue at the same bank",
    xlabel="words in a row",
    ylabel="wavefronts",
    ylim=(0, 36),
)
plt.show()

# %% [markdown]
# Odd widths cost nothing. Every factor of two in the width doubles the queue. One word of padding cures it.

# %% [markdown]
# ## Read a row once
# Softmax and the norms reduce a row, and then need the row again. A second loop reads it a second time from memory,
# unless the row stayed in registers. Here each row is divided by its largest element, both ways.

# %%
rows = """
__device__ float largest(float v) {
    for (int offset = 16; offset > 0; offset /= 2) v = fmaxf(v, __shfl_xor_sync(0xffffffff, v, offset));
    return v;
}
__global__ void twice(const float* x, float* out) {                  // a warp for each row of 256
    const float* row = x + blockIdx.x * 256;
    float m = 0.0f;
    for (int i = threadIdx.x; i < 256; i += 32) m = fmaxf(m, row[i]);
    m = largest(m);
    for (int i = threadIdx.x; i < 256; i += 32) out[blockIdx.x * 256 + i] = row[i] / m;
}
__global__ void once(const float* x, float* out) {
    float kept[8], m = 0.0f;
    for (int k = 0; k < 8; k++) m = fmaxf(m, kept[k] = x[blockIdx.x * 256 + k * 32 + threadIdx.x]);
    m = largest(m);
    for (int k = 0; k < 8; k++) out[blockIdx.x * 256 + k * 32 + threadIdx.x] = kept[k] / m;
}
"""
x, out = np.random.default_rng(0).random((16, 256), np.float32), np.zeros((16, 256), np.float32)
moved = [launch(rows, name, 16, 32, x, out).bytes / x.size for name in ("twice", "once")]
bars(
    ["a second loop over x", "the row in registers"],
    moved,
    "a row, scaled by its largest",
    "bytes an element",
    best=1,
)

# %% [markdown]
# 8 bytes for each element is what a copy moves. No kernel that reads and writes a matrix can do with less.

# %% [markdown]
# ## Now you
# Each exercise is a task, its stubs, and a cell that grades it. Open a file, fill in the TODOs, save, run the cell. The
# first one is graded even before you begin.

# %% [exercises]

# %% [readme] When it fails
