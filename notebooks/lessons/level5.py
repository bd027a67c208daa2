# %% [markdown]
# # Level 5 · Attention
#
# **The one idea:** a softmax stands between two matrix products, and it needs whole rows. Step by step, the matrix
# between them is larger than everything else together. *Online*, tile by tile, it never exists.
#
# The lesson in words is the [level's page](../levels/level5/README.md). Here it is drawn and counted, on a virtual GPU,
# for a toy: queries, keys and values are single numbers instead of vectors.

# %%
import matplotlib.pyplot as plt
import numpy as np
from matplotlib.colors import ListedColormap
from toolbox import BLUE, GREEN, ORANGE, RED, cells, grade, launch, roofline, use_style

use_style()

# %% [markdown]
# ## What it computes
# A query is compared with every key. A softmax makes weights of the scores; the result is the weighted mean of the
# values.

# %%
rng = np.random.default_rng(3)
n = 12
q, k, v = (rng.normal(size=n).astype(np.float32) for _ in range(3))
scores = np.outer(q, k) * 2
weights = np.exp(scores - scores.max(axis=1, keepdims=True))
weights /= weights.sum(axis=1, keepdims=True)
fig, panels = plt.subplots(1, 2, figsize=(9.5, 4.2))
for axes, values, title, cmap in zip(
    panels, (scores, weights), ("scores", "weights"), ("RdBu_r", "Blues"), strict=True
):
    cells(axes, values, cmap=cmap)
    axes.set(title=f"{title}: a row for each query", xlabel="keys", ylabel="queries")
plt.show()

# %% [markdown]
# Each row of weights adds up to 1. And there it is, the trouble: both pictures have n x n cells, while q, k and v have n.

# %% [markdown]
# ## Online, step by step
# A walk over the keys keeps three numbers: the largest score so far `m`, the sum of exponentials `l`, the weighted sum
# `o`. Where `m` grows, `l` and `o` are multiplied by the same factor. This kernel writes down what it has after each tile
# of four keys.

# %%
online = """
__global__ void walk(const float* score, const float* value, float* trace, int n) {     // one query, one thread
    float m = __int_as_float(0xff800000), l = 0.0f, o = 0.0f;     // -infinity
    for (int start = 0; start < n; start += 4) {
        float largest = m;
        for (int j = start; j < start + 4; j++) largest = fmaxf(largest, score[j]);
        float factor = expf(m - largest);                        // the first time e^(-inf) = 0
        l *= factor;
        o *= factor;
        for (int j = start; j < start + 4; j++) {
            float e = expf(score[j] - largest);
            l += e;
            o += e * value[j];
        }
        m = largest;
        float* now = trace + start / 4 * 4;
        now[0] = m; now[1] = l; now[2] = o; now[3] = factor;
    }
}
"""
n = 40
score, value = np.cumsum(rng.normal(0.25, 0.9, n)).astype(np.float32), rng.normal(size=n).astype(np.float32)
trace = np.zeros((n // 4, 4), np.float32)
launch(online, "walk", 1, 1, score, value, trace, n)
m, l, o, factor = trace.T

# %%
tiles = np.arange(n // 4)
weights = np.exp(score - score.max())
exact = (weights * value).sum() / weights.sum()
fig, (top, middle, bottom) = plt.subplots(3, 1, figsize=(9, 6.4), sharex=True)
top.plot(np.arange(n) / 4 - 0.375, score, ".", color=BLUE, label="scores")
top.step(tiles, m, where="mid", color=ORANGE, label="m, the largest so far")
top.legend(frameon=False, loc="upper left")
top.set_title("the largest score grows, now and then")
middle.bar(tiles, factor, color=[ORANGE if f < 1 else GREEN for f in factor], width=0.6)
middle.set(title="the factor for what was summed up so far (1: m did not grow)", ylim=(0, 1.1))
bottom.plot(tiles, o / l, "o-", color=BLUE, label="o / l")
bottom.axhline(exact, color=GREEN, linestyle="--", label="softmax over all keys at once")
bottom.legend(frameon=False)
bottom.set(title="the weighted mean, if the walk ended here", xlabel="tiles of 4 keys", xticks=tiles)
plt.show()
print(f"online {o[-1] / l[-1]:.6f}, all at once {exact:.6f}")

# %% [markdown]
# The last point is not close to the dashed line, it is *on* it. Online softmax is no approximation: all terms before
# lack the same factor, and they get it.
#
# **Try it:** delete `o *= factor;`. When does the result part from the true one?

# %% [markdown]
# ## The matrix in memory, counted
# Three kernels that pass an S x S matrix on, against one that never has it. Both for the toy, both right; the virtual
# GPU counts the bytes.

# %%
attention = """
__global__ void compare(const float* q, const float* k, float* s, int n) {
    int j = blockIdx.x * blockDim.x + threadIdx.x, i = blockIdx.y;
    s[i * n + j] = q[i] * k[j];
}
__global__ void softmax(float* s, int n) {                              // a warp for each row
    float* row = s + blockIdx.x * n;
    float m = __int_as_float(0xff800000), l = 0.0f;
    for (int j = threadIdx.x; j < n; j += 32) m = fmaxf(m, row[j]);
    for (int d = 16; d > 0; d /= 2) m = fmaxf(m, __shfl_xor_sync(~0u, m, d));
    for (int j = threadIdx.x; j < n; j += 32) l += expf(row[j] - m);
    for (int d = 16; d > 0; d /= 2) l += __shfl_xor_sync(~0u, l, d);
    for (int j = threadIdx.x; j < n; j += 32) row[j] = expf(row[j] - m) / l;
}
__global__ void mean(const float* s, const float* v, float* out, int n) {
    float sum = 0.0f;
    for (int j = threadIdx.x; j < n; j += 32) sum += s[blockIdx.x * n + j] * v[j];
    for (int d = 16; d > 0; d /= 2) sum += __shfl_xor_sync(~0u, sum, d);
    if (threadIdx.x == 0) out[blockIdx.x] = sum;
}
__global__ void one(const float* q, const float* k, const float* v, float* out, int n) {
    __shared__ float keys[32], values[32];
    int t = threadIdx.x, i = blockIdx.x * 32 + t;
    float m = __int_as_float(0xff800000), l = 0.0f, o = 0.0f;     // -infinity
    for (int start = 0; start < n; start += 32) {
        __syncwarp();
        keys[t] = k[start + t];
        values[t] = v[start + t];
        __syncwarp();
        for (int j = 0; j < 32; j++) {
            float s = q[i] * keys[j], largest = fmaxf(m, s), factor = expf(m - largest), e = expf(s - largest);
            l = l * factor + e;
            o = o * factor + e * values[j];
            m = largest;
        }
    }
    out[i] = o / l;
}
"""
sizes, apart, fused = [32, 64, 128, 256], [], []
for n in sizes:
    q, k, v = (rng.normal(size=n).astype(np.float32) for _ in range(3))
    s, first, second = np.zeros((n, n), np.float32), np.zeros(n, np.float32), np.zeros(n, np.float32)
    three = [
        launch(attention, "compare", (n // 32, n), 32, q, k, s, n),
        launch(attention, "softmax", n, 32, s, n),
        launch(attention, "mean", n, 32, s, v, first, n),
    ]
    apart.append(sum(run.bytes for run in three))
    fused.append(launch(attention, "one", n // 32, 32, q, k, v, second, n).bytes)
    assert np.allclose(first, second, rtol=1e-3, atol=1e-5)

# %%
fig, axes = plt.subplots(figsize=(8.5, 3.8))
axes.loglog(sizes, apart, "o-", color=RED, label="three kernels, S x S in memory")
axes.loglog(sizes, fused, "o-", color=GREEN, label="one kernel, online")
axes.set(title="bytes against sequence length S (counted)", xlabel="S", ylabel="bytes")
axes.set_xticks(sizes, sizes)
axes.minorticks_off()
axes.legend(frameon=False)
plt.show()
print("with S =", sizes[-1], "three kernels move", round(apart[-1] / fused[-1]), "times as many bytes as one")

# %% [markdown]
# Both lines climb with the square of S, but look at the distance. The three kernels move *every score* across memory,
# again and again. The one fetches a tile of keys once for 32 queries; a larger block of queries would fetch it less often
# still.

# %% [markdown]
# ## What need not be computed
# In a language model a token sees only those before it. The scores above the diagonal are masked, and whole tiles of
# them need not be visited. Here the walk itself ticks off each tile that it visits: blue needs no mask, orange does.

# %%
mask = """
__global__ void visit(int* seen, int tiles, int size, int causal, int window) {   // a block: a row of tiles
    int row = blockIdx.x, first = row * size, last = first + size - 1;
    int begin = window ? max(0, first - window + 1) / size : 0;
    int end = causal ? row + 1 : tiles;
    for (int column = begin; column < end; column++) {
        bool edge = causal && column == row;
        if (window && last - column * size >= window) edge = true;              // its oldest key is too old for some
        seen[row * tiles + column] = edge ? 2 : 1;
    }
}
"""
tiles, size = 12, 64
fig, panels = plt.subplots(1, 3, figsize=(9.5, 3.7))
for axes, title, causal, window in zip(
    panels, ("full", "causal", "window of 256"), (0, 1, 1), (0, 0, 256), strict=True
):
    seen = np.zeros((tiles, tiles), np.int32)
    launch(mask, "visit", tiles, 1, seen, tiles, size, causal, window)
    cells(axes, seen, cmap=ListedColormap(["#e9ebee", BLUE, ORANGE]), vmin=0, vmax=2)
    axes.set(
        title=f"{title}: {np.count_nonzero(seen)} of {tiles * tiles}", xlabel="tiles of keys", ylabel="of queries"
    )
plt.show()

# %% [markdown]
# Setting scores to -inf saves nothing; a loop that ends earlier does. The longer the sequence, the closer causal comes to
# a half, and the window to nothing.

# %% [markdown]
# ## On the roofline
# What the page counts, in float32 and for heads of 64 numbers: passing the matrix on is 4 * dim flops for 16 bytes, and
# moving only q, k, v and the result is seq / 4 flops for each byte.

# %%
dim = 64
points = [("S x S in memory", 4 * dim / 16)] + [(f"online, seq {seq}", seq / 4) for seq in (128, 1024, 8192)]
roofline(points, "From memory-bound to compute-bound")

# %% [markdown]
# In float32 the matrix in memory would still be just beyond the ridge; on Tensor Cores, whose roof is 14 times as high,
# the ridge is at 163, and it is far below. There, only the online form can be fast.

# %% [markdown]
# ## Now you
# Each exercise is a task, its stubs, and a cell that grades it. Open a file, fill in the TODOs, save, run the cell.

# %% [exercises]

# %% [readme] When it fails
