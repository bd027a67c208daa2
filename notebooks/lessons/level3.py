# %% [markdown]
# # Level 3 · Matrix multiplication
#
# **The one idea:** a matrix product needs each of its inputs again and again. Fetch a value from far away once, keep it
# near, use it often.
#
# The lesson in words is the [level's page](../levels/level3/README.md). Here it is drawn and counted, on a virtual GPU.

# %%
import matplotlib.pyplot as plt
import numpy as np
from toolbox import BLUE, GREEN, GREY, ORANGE, bars, cells, grade, launch, roofline, use_style

use_style()

# %% [markdown]
# ## What one tile needs
# A tile of the result needs a band of rows of `a` and a band of columns of `b`. Drawn for 12 x 12 matrices and a tile of
# 4 x 4.

# %%
fig, panels = plt.subplots(1, 3, figsize=(9.5, 3.3))
row, column = np.mgrid[0:12, 0:12]
in_rows, in_columns = row // 4 == 1, column // 4 == 2
for axes, used, title in zip(
    panels, (in_rows, in_columns, in_rows & in_columns), ("a: 4 rows", "b: 4 columns", "a tile of a @ b"), strict=True
):
    cells(axes, np.where(used, 1.0, 0.12), vmin=0, vmax=1.3)
    axes.set_title(title)
plt.show()

# %% [markdown]
# 16 results from 48 + 48 values. Each value is used 4 times. For a single element it would be 12 + 12 values for *one*
# result, each used once. The larger the tile, the more often each value is used.

# %% [markdown]
# ## Reuse, counted
# To see that on a kernel that is *not* your exercise: each of n particles adds up something over all n others. It
# needs all of `x` as often as there are groups of particles that share what they fetch.

# %%
pairs = """
template <int TILE> __global__ void pairs(const float* x, float* out, int n) {     // TILE threads in a block
    __shared__ float tile[TILE];
    int i = blockIdx.x * TILE + threadIdx.x;
    float mine = x[i], sum = 0.0f;
    for (int start = 0; start < n; start += TILE) {
        tile[threadIdx.x] = x[start + threadIdx.x];        // fetched once for the block
        __syncthreads();
        for (int k = 0; k < TILE; k++) sum += fabsf(mine - tile[k]);       // used TILE times
        __syncthreads();
    }
    out[i] = sum;
}
"""
n = 512
x, out = np.random.default_rng(0).random(n, np.float32), np.zeros(n, np.float32)
tiles = [32, 64, 128, 256]
runs = [launch(pairs, f"pairs<{tile}>", n // tile, tile, x, out, n) for tile in tiles]
assert np.allclose(out, np.abs(x[:, None] - x).sum(axis=1), rtol=1e-4)

# %%
fig, axes = plt.subplots(figsize=(8.5, 3.4))
axes.plot(tiles, [4 * (n * n / t + 2 * n) for t in tiles], color=GREY, label="napkin: n²/TILE + 2n floats")
axes.plot(tiles, [run.bytes for run in runs], "o", color=BLUE, markersize=9, label="counted")
axes.set_xscale("log", base=2)
axes.set(title="bytes from global memory, 512 particles", xlabel="TILE", ylabel="bytes", ylim=(0, None))
axes.set_xticks(tiles, tiles)
axes.legend(frameon=False)
plt.show()

# %% [markdown]
# Twice the tile, half the bytes, until what is left is reading and writing everything once. The dots are counts, the
# line is a formula; they agree, so you can trust the napkin before you write a kernel.

# %% [markdown]
# ## The same for a matrix product
# Now the napkin alone. For `n x n` matrices and square tiles, each tile of `a` and `b` comes `n / TILE` times.

# %%
n, tiles = 4096, np.array([1, 2, 4, 8, 16, 32, 64, 128, 256])
moved = 4 * (2 * n**3 / tiles + n * n)
fig, axes = plt.subplots(figsize=(8.5, 3.8))
axes.loglog(tiles, moved / 1e9, "o-", color=BLUE, base=2)
axes.axhline(4 * 3 * n * n / 1e9, color=GREEN, linestyle="--")
axes.text(1, 4 * 3 * n * n / 1e9 * 1.25, "each matrix once: 0.2 GB", color=GREEN)
enough = 2 * n**3 / 51e12 * 4.26e12 / 1e9
axes.axhline(enough, color=ORANGE, linestyle="--")
axes.text(1, enough / 2, f"what memory can bring meanwhile: {enough:.0f} GB", color=ORANGE)
axes.set(title="4096 x 4096 in float32: bytes against tile size", xlabel="TILE", ylabel="GB from far away")
axes.set_xticks(tiles, tiles)
axes.set_yticks([0.25, 1, 4, 16, 64, 256], ["0.25", "1", "4", "16", "64", "256"])
plt.show()

# %% [markdown]
# Where the blue line crosses the orange one, the bound moves from memory to arithmetic. If all of
# it came from DRAM, tiles of 32 would not quite do, and tiles of 128 leave room. (The L2 cache helps the small ones.)

# %% [markdown]
# ## On the roofline
# The same product stands in different places, depending on how often a fetched value is used.

# %%
points = [(f"tiles of {tile}", 2 * n**3 / (4 * (2 * n**3 / tile + n * n))) for tile in (1, 8, 32, 128)]
roofline(points, "A matrix product moves to the right as its tiles grow")

# %% [markdown]
# ## Tiles in registers
# Shared memory is near, but it serves a multiprocessor only 32 words in a cycle, while its arithmetic units would like
# 256. So a thread, too, should use what it reads more than once. Here each thread takes `PER` particles.

# %%
registers = """
template <int PER> __global__ void pairs(const float* x, float* out, int n) {        // 64 threads in a block
    __shared__ float tile[64];
    float mine[PER], sum[PER];
    int first = blockIdx.x * 64 * PER + threadIdx.x;
    for (int p = 0; p < PER; p++) { mine[p] = x[first + p * 64]; sum[p] = 0.0f; }
    for (int start = 0; start < n; start += 64) {
        tile[threadIdx.x] = x[start + threadIdx.x];
        __syncthreads();
        for (int k = 0; k < 64; k++) {
            float other = tile[k];                                       // read once, used PER times
            for (int p = 0; p < PER; p++) sum[p] += fabsf(mine[p] - other);
        }
        __syncthreads();
    }
    for (int p = 0; p < PER; p++) out[first + p * 64] = sum[p];
}
"""
n, each = 512, [1, 2, 4, 8]
runs = [launch(registers, f"pairs<{per}>", n // (64 * per), 64, x, out, n) for per in each]
names = [f"{per} a thread" for per in each]
bars(names, [run.shared_wavefronts for run in runs], "traffic of shared memory", "wavefronts", best=3)

# %%
per_flop = [run.instructions * 32 / run.flops for run in runs]
bars(names, per_flop, "instructions for each flop", "thread instructions", best=3)

# %% [markdown]
# The work is the same. What shrinks is everything around it. Registers are the price: too many, and fewer warps fit.

# %% [markdown]
# ## Now you
# Each exercise is a task, its stubs, and a cell that grades it. Open a file, fill in the TODOs, save, run the cell. The
# first one is graded even before you begin.

# %% [exercises]

# %% [readme] When it fails
