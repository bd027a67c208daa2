# ruff: noqa: E501
"""Wrong kernels, each with the kind of finding it must get and the line that must be named.

The line is the one that holds the comment `//!`. A kernel that only crosses over in time is still wrong: most of
these give the right numbers in lock-step. Every kernel is called `k` and takes int* x (filled with 0, 1, 2 ...), int* y
(zeros), int n; all buffers hold 256 elements, and n is 256 unless stated.
"""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Planted:
    name: str
    kind: str
    body: str
    grid: object = 1
    block: object = 64
    n: int = 256
    head: str = ""
    smem: int = 0
    severity: str = "error"

    @property
    def source(self) -> str:
        return f'{self.head}\nextern "C" __global__ void k(int* x, int* y, int n) {{\n{self.body}\n}}\n'

    @property
    def line(self) -> int:
        return next(i for i, text in enumerate(self.source.split("\n"), 1) if "//!" in text)


CP = "#include <cuda_pipeline.h>"
T = "int t = threadIdx.x, i = blockIdx.x * blockDim.x + t;\n"
S = "__shared__ int s[64];\n"

PLANTED = [
    Planted("no_bounds_check", "out of bounds", T + "y[i] = x[i];  //!", 5),
    Planted("less_or_equal", "out of bounds", T + "if (i <= n)\n y[i] = 1;  //!", 5),
    Planted("read_one_past", "out of bounds", T + "if (i < n)\n y[i] = x[i + 1];  //!", 4),
    Planted("read_before_start", "out of bounds", T + "y[i] = x[i - 1];  //!", 4),
    Planted("wrong_row_length", "out of bounds", T + "y[t * 8] = x[t];  //!"),
    Planted("vector_tail", "out of bounds", T + "if (i * 4 < n + 4)\n ((int4*)y)[i] = make_int4(1, 2, 3, 4);  //!", 2),
    Planted("misaligned_vector", "misaligned", T + "y[t] = 1; if (t < 8)\n *(int2*)(y + 1 + 2 * t) = make_int2(1, 2);  //!"),
    Planted("misaligned_shared", "misaligned", S + T + "s[t] = t; __syncthreads(); if (t < 8)\n ((int4*)y)[t] = ((int4*)(s + 1))[t];  //!"),
    Planted("shared_too_small", "out of bounds", S + T + "s[t] = t;  //!\n__syncthreads(); y[t] = s[t & 31];", 1, 128),
    Planted("shared_row_overrun", "out of bounds", "__shared__ int s[8][8];\n" + T + "s[t / 8][t % 8 + 1] = t;  //!\n__syncthreads(); if (t > 0) y[t] = s[0][t & 7 | 1];"),
    Planted("shared_negative", "out of bounds", S + T + "s[t] = t; __syncthreads();\n y[t] = s[t - 1];  //!"),
    Planted("dynamic_shared_forgotten", "out of bounds", "extern __shared__ int d[];\n" + T + "d[t] = t;  //!"),
    Planted("dynamic_shared_half", "out of bounds", "extern __shared__ int d[];\n" + T + "d[t] = t;  //!", smem=128),
    Planted("local_array_overrun", "out of bounds", T + "int a[4]; for (int j = 0; j < 4; j++) a[j] = j;\n"
            "#pragma unroll 1\nfor (int j = 0; j < n; j++)\n y[t] += a[j];  //!", n=64),
    Planted("null_pointer", "null pointer", T + "int* p = (int*)(size_t)(n - 256);\n p[t] = 1;  //!"),
    Planted("index_as_address", "null pointer", T + "*(int*)(size_t)(4 * t) = 1;  //!"),
    Planted("shared_never_written", "uninitialised", S + T + "if (t < 32) s[t] = t; __syncthreads();\n y[t] = s[t];  //!"),
    Planted("shared_accumulator", "uninitialised", "__shared__ int s;\n" + T + "atomicAdd(&s, 1);  //!\n__syncthreads(); y[t] = s;"),
    Planted("shared_halo_missing", "uninitialised", "__shared__ int s[66];\n" + T + "s[t + 1] = x[t]; __syncthreads();\n y[t] = s[t] + s[t + 2];  //!"),
    Planted("local_never_written", "uninitialised", T + "volatile int a[4];\n y[t] = a[t & 3];  //!"),
    Planted("no_barrier_after_store", "race", S + T + "s[t] = x[t];\n y[t] = s[63 - t];  //!"),
    Planted("no_barrier_in_tree", "race", S + T + "s[t] = x[t]; __syncthreads();\nfor (int h = 32; h; h /= 2) if (t < h)\n s[t] += s[t + h];  //!\n"
            "__syncthreads(); y[0] = s[0];"),
    Planted("no_barrier_before_reuse", "race", S + T + "for (int j = 0; j < 2; j++) {\n s[t] = x[t + j];  //!\n __syncthreads();\n y[t] += s[63 - t]; }"),
    Planted("no_barrier_after_init", "race", "__shared__ int s;\n" + T + "if (t == 0)\n s = x[7];  //!\n y[t] = s;"),
    Planted("all_write_one", "race", "__shared__ int s;\n" + T + "s = t;  //!\n__syncthreads(); y[t] = s;"),
    Planted("plain_increment", "race", "__shared__ int s;\n" + T + "if (t == 0) s = 0; __syncthreads();\n s++;  //!\n__syncthreads(); y[t] = s;"),
    Planted("scan_in_place", "race", S + T + "s[t] = x[t]; __syncthreads();\nfor (int d = 1; d < 64; d *= 2) { if (t >= d)\n s[t] += s[t - d];  //!\n"
            "__syncthreads(); } y[t] = s[t];"),
    Planted("no_syncwarp", "race", S + T + "s[t] = x[t];\n y[t] = s[t ^ 1];  //!", 1, 32),
    Planted("warp_reduction_without_sync", "race", S + T + "s[t] = x[t]; __syncwarp();\nif (t < 16)\n { s[t] += s[t + 16]; }\n"
            "if (t < 16) y[t] = s[15 - t];  //!", 1, 32),
    Planted("syncwarp_across_warps", "race", S + T + "s[t] = x[t]; __syncwarp();\n y[t] = s[63 - t];  //!"),
    Planted("read_while_atomic", "race", "__shared__ int s;\n" + T + "if (t == 0) s = 0; __syncthreads(); atomicAdd(&s, 1);\n y[t] = s;  //!"),
    Planted("double_buffer_not_swapped", "race", "__shared__ int s[2][64];\n" + T + "int p = 0; s[0][t] = x[t]; __syncthreads();\n"
            "for (int d = 1; d < 64; d *= 2) {\n s[p][t] = s[p][t] + s[p][(t + d) & 63];  //!\n __syncthreads(); }\ny[t] = s[p][t];"),
    Planted("barrier_in_branch", "divergent barrier", S + T + "s[t] = t; if (t < 32) {\n __syncthreads();  //!\n y[t] = s[t + 32]; } else {"
            "__syncthreads(); y[t] = s[t - 32]; }"),
    Planted("barrier_for_half", "exited threads", S + T + "s[t] = t; if (t < 32) {\n __syncthreads();  //!\n y[t] = s[63 - t]; }", severity="advice"),
    Planted("return_before_barrier", "exited threads", S + T + "if (t >= 40) return; s[t] = t;\n __syncthreads();  //!\n y[t] = s[39 - t];",
            severity="advice"),
    Planted("barrier_count_too_large", "deadlock", T + 'if (t < 32)\n asm volatile("bar.sync 1, 64;");  //!\ny[t] = 1; __syncthreads();'),
    Planted("two_barriers_crossed", "deadlock", T + 'if (t < 32)\n asm volatile("bar.sync 1, 64;");  //!\nelse asm volatile("bar.sync 2, 64;");\ny[t] = 1;'),
    Planted("shuffle_in_branch", "inactive lane", T + "int v = t; if (t < 16)\n v = __shfl_down_sync(~0u, t, 8);  //!\ny[t] = v;", 1, 32),
    Planted("shuffle_after_exit", "inactive lane", T + "if (t >= 20) return;\n y[t] = __shfl_xor_sync(~0u, t, 16);  //!", 1, 32),
    Planted("shuffle_mask_too_small", "inactive lane", T + "\n y[t] = __shfl_xor_sync(0xffffu, t, 1);  //!", 1, 32),
    Planted("shuffle_in_partial_warp", "inactive lane", T + "\n y[t] = __shfl_down_sync(~0u, t, 16);  //!", 1, 40),
    Planted("ballot_in_branch", "inactive lane", T + "if (t & 1)\n y[t] = __ballot_sync(~0u, t > 4);  //!\nelse y[t] = 7;", 1, 32),
    Planted("syncwarp_in_branch", "inactive lane", T + "if (t < 16)\n __syncwarp();  //!\nelse __syncthreads(); y[t] = 1;", 1, 32),
    Planted("copy_without_wait", "async copy", "__shared__ int s[64];\n" + T + "__pipeline_memcpy_async(&s[t], &x[t], 4); __pipeline_commit();\n"
            "__syncthreads();\n y[t] = s[t];  //!", head=CP),
    Planted("wait_for_too_few", "async copy", "__shared__ int s[2][64];\n" + T + "for (int j = 0; j < 2; j++) { __pipeline_memcpy_async(&s[j][t], &x[j * 64 + t], 4);"
            "__pipeline_commit(); }\n__pipeline_wait_prior(1); __syncthreads();\n y[t] = s[1][t];  //!", head=CP),
    Planted("copy_without_barrier", "race", "__shared__ int s[64];\n" + T + "__pipeline_memcpy_async(&s[t], &x[t], 4); __pipeline_commit();\n"
            "__pipeline_wait_prior(0);\n y[t] = s[63 - t];  //!", head=CP),
    Planted("blocks_add_up", "conflict", T + "if (t == 0)\n y[0] += x[blockIdx.x];  //!", 4),
    Planted("blocks_overlap", "conflict", T + "y[blockIdx.x * 32 + t] = i;  //!", 4),
    Planted("neighbour_block", "conflict", T + "x[i] = 1 + i * 2;\n if (i >= 1) y[i] = x[i - 1];  //!", 4),
    Planted("ticket_without_fence", "conflict", T + "__shared__ int last; if (t == 0) { y[blockIdx.x] = i + 5; last = atomicAdd(&x[0], 1) == gridDim.x - 1; }\n"
            "__syncthreads(); if (last && t == 0) { int a = 0; for (int j = 0; j < gridDim.x; j++)\n a += y[j];  //!\n y[100] = a; }", 4),
    Planted("global_neighbour_in_block", "race", T + "x[t] = 1 + t * 2;\n y[t] = x[63 - t];  //!"),
    Planted("global_shift_in_place", "race", T + "if (t < 63)\n x[t] = x[t + 1];  //!"),
    Planted("global_tree_without_barrier", "race", T + "for (int h = 32; h; h /= 2) if (t < h)\n x[t] += x[t + h];  //!"),
    Planted("global_sum_by_thread_zero", "race", T + "y[t] = x[t] * 2; if (t == 0) { int a = 0; for (int j = 0; j < 64; j++)\n a += y[j];  //!\n y[100] = a; }"),
    Planted("all_threads_write_one_global", "race", T + "\n y[0] = t;  //!"),
    Planted("threads_add_up", "race", T + "\n y[t / 2] += x[t];  //!"),
    Planted("global_read_while_atomic", "race", T + "atomicAdd(&y[0], 1);\n y[t + 1] = y[0];  //!"),
    Planted("global_exchange_without_syncwarp", "race", T + "y[t] = x[t];\n y[t + 64] = y[t ^ 1];  //!", 1, 32),
    Planted("fence_is_no_barrier", "race", T + "y[t] = x[t] + 5; __threadfence_block();\n y[t + 64] = y[63 - t];  //!"),
    Planted("counter_read_plainly", "conflict", T + "if (t == 0) { atomicAdd(&y[0], 1);\n y[1 + blockIdx.x] = y[0]; }  //!", 4),
    Planted("loop_never_ends", "infinite loop", T + "volatile int* p = y;\nwhile (p[0] == 0) {}  //!\ny[1] = 2;"),
    Planted("step_is_zero", "infinite loop", T + "for (int j = n; j < 300; j += n - 256)  //!\n  atomicAdd(y, 1);"),
    Planted("trap", "trap", T + "if (x[t] == 9)\n __trap();  //!"),
    Planted("failed_assert", "assert", T + "\nassert(x[t] < 60);  //!"),
    Planted("endless_recursion", "stack overflow", T + "y[t] = f(t);",
            head="__device__ __noinline__ int f(int v) { volatile int a[4]; a[v & 3] = v;\n return f(v + 1) + a[1];  //!\n}"),
]  # fmt: skip
