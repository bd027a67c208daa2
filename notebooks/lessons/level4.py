# %% [markdown]
# # Level 4 · Transformer pieces
#
# **The one idea:** between the matrix products of a Transformer lie small operations, each bound by memory. Written one
# by one, each reads and writes the whole activation once more. Fused, they cost only the traffic they cannot avoid.
#
# The lesson in words is the [level's page](../levels/level4/README.md). Here it is drawn and counted, on a virtual GPU.

# %%
import matplotlib.pyplot as plt
import numpy as np
import torch
from toolbox import BLUE, GREEN, GREY, ORANGE, RED, bars, cells, grade, intensity, launch, roofline, use_style

use_style()

# %% [markdown]
# ## Three kernels or one
# A small chain that is not your exercise: `out = r + w * tanh(x)`. Once as three kernels, each of which hands the whole
# array on through memory, once as one.

# %%
chain = """
__device__ int mine() { return blockIdx.x * 256 + threadIdx.x; }
__global__ void tanh_(const float* x, float* out)                 { int i = mine(); out[i] = tanhf(x[i]); }
__global__ void scale(const float* w, const float* x, float* out) { int i = mine(); out[i] = w[i] * x[i]; }
__global__ void add(const float* r, const float* x, float* out)   { int i = mine(); out[i] = r[i] + x[i]; }
__global__ void fused(const float* r, const float* w, const float* x, float* out) {
    int i = mine();
    out[i] = r[i] + w[i] * tanhf(x[i]);
}
"""
n = 4096
rng = np.random.default_rng(0)
r, w, x = (rng.normal(size=n).astype(np.float32) for _ in range(3))
t, u, apart, out = (np.zeros(n, np.float32) for _ in range(4))
runs = {
    "tanh(x)": launch(chain, "tanh_", n // 256, 256, x, t),
    "w *": launch(chain, "scale", n // 256, 256, w, t, u),
    "r +": launch(chain, "add", n // 256, 256, r, u, apart),
}
fused = launch(chain, "fused", n // 256, 256, r, w, x, out)
assert np.allclose(apart, out, atol=1e-6)

# %%
fig, axes = plt.subplots(figsize=(9, 2.2))
left = 0.0
for (name, run), colour in zip(runs.items(), (BLUE, ORANGE, RED), strict=True):
    axes.barh("apart", run.bytes / n, left=left, color=colour, height=0.6)
    axes.text(left + run.bytes / n / 2, 0, f"{name}\n{run.bytes / n:.0f}", ha="center", va="center", color="white")
    left += run.bytes / n
axes.barh("fused", fused.bytes / n, color=GREEN, height=0.6)
axes.text(fused.bytes / n / 2, 1, f"all three\n{fused.bytes / n:.0f}", ha="center", va="center", color="white")
axes.set(title="bytes for each element (counted)")
axes.invert_yaxis()
plt.show()
print("flops:", sum(run.flops for run in runs.values()), "apart,", fused.flops, "fused")

# %% [markdown]
# The flops are the same, the bytes differ by a factor of two. Since bytes decide, so does the time.

# %% [markdown]
# ## What fusion saves in this level
# The same sum for the operations of this level, from the page: bytes for each element of the activations.

# %%
names = ["rotate q and k", "residual, then RMSNorm", "log-softmax, then pick"]
before, after = np.array([18, 10, 8]), np.array([4, 8, 4])
fig, axes = plt.subplots(figsize=(9, 2.8))
y = np.arange(3)
axes.bar_label(axes.barh(y - 0.19, before, 0.36, color=BLUE, label="apart"), padding=3)
axes.bar_label(axes.barh(y + 0.19, after, 0.36, color=GREEN, label="fused"), padding=3)
axes.set_yticks(y, names)
axes.set(title="bytes for each element", xlim=(0, 21))
axes.invert_yaxis()
axes.legend(frameon=False, loc="lower right")
plt.show()

# %% [markdown]
# The norm saves least: its sum of x and residual is needed again by the next block, so it must be written anyway. What
# somebody else needs in memory cannot be fused away.

# %% [markdown]
# ## Half the bits, half the bytes
# The other way to move less. The same kernel, in float32 and in bfloat16:

# %%
types = """
#include <cuda_bf16.h>
template <typename T> __global__ void twice(const T* x, T* out) {
    int i = blockIdx.x * 256 + threadIdx.x;
    out[i] = T(2.0f * float(x[i]));
}
"""
moved = []
for dtype, name in ((torch.float32, "float"), (torch.bfloat16, "__nv_bfloat16")):
    a, b = torch.ones(n, dtype=dtype), torch.zeros(n, dtype=dtype)
    moved.append(launch(types, f"twice<{name}>", n // 256, 256, a, b).bytes / n)
bars(["float32", "bfloat16"], moved, "out = 2 x", "bytes for each element", best=1)

# %% [markdown]
# ## Round once
# bfloat16 keeps some two decimal digits. Compute in float32 and round at the store, and the error is what a single
# rounding costs. Round in between, and it grows.

# %%
torch.manual_seed(0)
p, q, s = (torch.randn(20000).bfloat16() for _ in range(3))
exact = p.double() * q.double() + s.double()
once = (p.float() * q.float() + s.float()).bfloat16()
between = (p.float() * q.float()).bfloat16() + s
edges = np.logspace(-5, 1, 60)
fig, axes = plt.subplots(figsize=(8.5, 3.4))
for result, label, colour in ((between, "product rounded, then added", ORANGE), (once, "rounded once", GREEN)):
    error = ((result.double() - exact) / exact).abs().numpy()
    axes.hist(error, edges, color=colour, alpha=0.75, label=label)
axes.axvline(2**-8, color=GREY, linestyle="--", label="half a step of bfloat16")
axes.set(title="p * q + s in bfloat16", xlabel="relative error", ylabel="results", xscale="log")
axes.legend(frameon=False, loc="upper left", fontsize=9)
plt.show()

# %% [markdown]
# Nothing green lies beyond the dashed line. The orange tail does: there the sum nearly cancels, and what is left is mostly
# the rounding error of the product. The grader looks for that tail.

# %% [markdown]
# ## Pairs, half a head apart
# RoPE rotates pairs of numbers. Which numbers make a pair is a convention, and mixing two conventions up is a classic bug.
# For a head of 16, the colour says which pair an element belongs to:

# %%
pairs = """
__global__ void pair(int* half, int* neighbour, int dim) {
    int i = threadIdx.x;
    half[i] = i % (dim / 2);
    neighbour[i] = i / 2;
}
"""
half, neighbour = np.zeros(16, np.int32), np.zeros(16, np.int32)
launch(pairs, "pair", 1, 16, half, neighbour, 16)
fig, axes = plt.subplots(figsize=(9, 1.7))
cells(axes, [half, neighbour], [half, neighbour], cmap="Set3", vmin=0, vmax=11)
axes.set_yticks([0, 1], ["half-split (here)", "neighbours (not here)"])
axes.set_title("which pair element 0 … 15 of a head belongs to")
plt.show()

# %% [markdown]
# ## On the roofline
# Where the level's operations stand, from each exercise's own sizes: the flops that it declares, over the bytes of its
# inputs and outputs.

# %%
rungs = ["rope", "swiglu", "fused_mlp", "fused_rmsnorm"]
roofline([(name, intensity(name)) for name in rungs], "The level's rungs, at the sizes that are timed")

# %% [markdown]
# Only the MLP has matrix products in it. Everything else stands far down on the slope: there, fusing is all that helps.

# %% [markdown]
# ## Now you
# Each exercise is a task, its stubs, and a cell that grades it. Open a file, fill in the TODOs, save, run the cell.

# %% [exercises]

# %% [readme] When it fails
