"""Modules, kernels and launches: the package's interface."""

import numpy as np
import pytest
import torch

from grader.vgpu import InitialisedMap, LaunchError, Module, PtxError, Unsupported, nvrtc

ADD = """
extern "C" __global__ void add(const float* a, const float* b, float* c, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) c[i] = a[i] + b[i];
}
"""


def test_vector_add_on_numpy_and_torch(cuda):
    kernel = cuda(ADD).kernel("add")
    a, b = np.arange(1000, dtype=np.float32), np.ones(1000, np.float32)
    c = np.empty_like(a)
    report = kernel.launch(4, 256, (a, b, c, 1000))
    assert report.findings == ()
    assert np.array_equal(c, a + b)
    out = torch.empty(1000)
    kernel.launch(4, (256, 1, 1), (torch.from_numpy(a), torch.from_numpy(b), out, 1000))
    assert torch.equal(out, torch.from_numpy(c))


def test_parameters_are_described(cuda):
    params = cuda(ADD).kernel("add").params
    assert [(p.type, p.size, p.is_pointer) for p in params] == [("u64", 8, True)] * 3 + [("u32", 4, False)]


def test_wrong_arguments_are_refused(cuda):
    kernel = cuda(ADD).kernel("add")
    a = np.zeros(4, np.float32)
    for args in [(a, a, a), (a, a, a, 1.5), (a, a, a, 1 << 40), (a, a, a, "x")]:
        with pytest.raises(LaunchError):
            kernel.launch(1, 32, args)
    for grid, block in [(0, 32), (1, 2048), ((1, 1, 1, 1), 32), (1, (1, 1, 65))]:
        with pytest.raises(LaunchError):
            kernel.launch(grid, block, (a, a, a, 4))
    with pytest.raises(LaunchError, match="no kernel named"):
        cuda(ADD).kernel("sub")


def test_seed_changes_only_the_order_of_blocks(cuda):
    source = """
    extern "C" __global__ void ticket(int* counter, int* order) {
        if (threadIdx.x == 0) order[atomicAdd(counter, 1)] = blockIdx.x;
    }
    """
    orders = []
    for seed in (0, 1, 2):
        counter, order = np.zeros(1, np.int32), np.zeros(64, np.int32)
        assert cuda(source).kernel("ticket").launch(64, 32, (counter, order), seed=seed).findings == ()
        assert sorted(order) == list(range(64))
        orders.append(order.tolist())
    assert orders[0] != orders[1] != orders[2]


def test_unwritten_output_is_known(cuda):
    kernel = cuda(ADD).kernel("add")
    a, c = np.ones(100, np.float32), np.empty(100, np.float32)
    marks = InitialisedMap()
    marks.mark_uninitialised(c)
    assert marks.unwritten(c) == 400
    kernel.launch(1, 64, (a, a, c, 100), initialised=marks)
    assert marks.unwritten(c) == 36 * 4
    report = kernel.launch(1, 128, (a, c, a, 100), initialised=marks, names=("x", "y", "z", "n"))
    assert [f.kind for f in report.findings] == ["uninitialised"]
    assert "y[64]" in report.findings[0].message


SHARED = """
extern "C" __global__ void once(int* out) {
    __shared__ int cell;
    cell = threadIdx.x;
    __syncthreads();
    out[threadIdx.x] = cell;
}
extern "C" __global__ void twice(int* out) {
    __shared__ int cell;
    if (threadIdx.x == 3) cell = 5;
    asm volatile("" ::: "memory");  // or the compiler makes one store of the two
    if (threadIdx.x == 4) cell = 6;
    __syncthreads();
    out[threadIdx.x] = cell;
}
"""


@pytest.mark.parametrize(("kernel", "in_order", "found"), [("once", False, 1), ("once", True, 0), ("twice", True, 1)])
def test_a_block_in_order_may_store_copies_in_one_instruction_only(cuda, kernel, in_order, found):
    report = cuda(SHARED).kernel(kernel).launch(1, 32, (np.zeros(32, np.int32),), block_in_order=in_order)
    assert [finding.kind for finding in report.findings] == ["race"] * found


def test_unknown_instructions_are_named():
    ptx = """.version 8.0
    .target sm_80
    .address_size 64
    .visible .entry k() { .reg .b32 %r<2>; foo.bar.u32 %r1, 3; ret; }
    """
    with pytest.raises(Unsupported, match=r"foo\.bar\.u32"):
        Module(ptx).kernel("k")
    with pytest.raises(Unsupported, match=r"add\.weird\.u32"):
        Module(ptx.replace("foo.bar.u32 %r1, 3", "add.weird.u32 %r1, %r1, 3")).kernel("k")


def test_a_move_keeps_what_its_source_held():
    """Half of the lanes exchange two registers, and change a third after it was moved."""
    module = Module(
        """
    .version 8.0
    .target sm_80
    .address_size 64
    .visible .entry k(.param .u64 out) {
        .reg .pred %p<2>; .reg .b32 %r<9>; .reg .b64 %rd<4>;
        ld.param.u64 %rd1, [out];
        mov.u32 %r1, %tid.x;
        mul.wide.u32 %rd2, %r1, 4;
        add.s64 %rd3, %rd1, %rd2;
        add.s32 %r2, %r1, 100;
        add.s32 %r3, %r1, 200;
        add.s32 %r4, %r1, 300;
        mov.u32 %r7, 0;
        setp.gt.u32 %p1, %r1, 15;
        @%p1 bra $there;
        mov.u32 %r6, %r2;
        mov.u32 %r2, %r3;
        mov.u32 %r3, %r6;
        mov.u32 %r7, %r4;
        add.s32 %r4, %r4, 64;
    $there:
        st.global.u32 [%rd3], %r2;
        st.global.u32 [%rd3+128], %r3;
        st.global.u32 [%rd3+256], %r4;
        st.global.u32 [%rd3+384], %r7;
        ret;
    }
    """
    )
    out, lane = np.zeros((4, 32), np.int32), np.arange(32)
    module.kernel("k").launch(1, 32, (out,))
    first = lane < 16
    assert np.array_equal(out[0], lane + np.where(first, 200, 100))
    assert np.array_equal(out[1], lane + np.where(first, 100, 200))
    assert np.array_equal(out[2], lane + np.where(first, 364, 300))
    assert np.array_equal(out[3], np.where(first, lane + 300, 0))


def test_malformed_text_is_refused():
    for text in ("nonsense", ".visible .entry k( {", ".visible .entry k() { mov.u32 %r1, 0; }"):
        with pytest.raises(PtxError):
            Module(text).kernel("k")


def test_module_variables_keep_their_values(cuda):
    source = """
    __device__ int total;
    __constant__ int weights[4] = {1, 2, 3, 4};
    extern "C" __global__ void k() { atomicAdd(&total, weights[threadIdx.x & 3]); }
    """
    module = cuda(source)
    module.kernel("k").launch(1, 32, ())
    module.kernel("k").launch(2, 32, ())
    assert module.variable("total").view(np.int32)[0] == 3 * 80


@pytest.mark.parametrize("form", ["<c{}>", "<{}.h>"])
def test_headers_of_the_host_library_may_be_included(form: str) -> None:
    names = ["assert", "float", "limits", "math", "stddef", "stdint", "stdio"]
    includes = "\n".join(f"#include {form.format(name)}" for name in names)
    body = """
    __global__ void limits(float* out, int32_t n, size_t count) {
        assert(n > 0 && n < INT_MAX && count < UINT_MAX);
        printf("%d", n);
        out[0] = FLT_MAX, out[1] = INFINITY, out[2] = float(M_PI);
    }"""
    compiled = nvrtc.compile(f"{includes}\n{body}", name="k.cu", arch="compute_80", expressions=["limits"])
    out = np.zeros(3, np.float32)
    kernel = Module(compiled.image.decode()).kernel(compiled.lowered["limits"])
    assert kernel.launch(1, 1, (out, 7, 7)).printed == "7"
    assert out.tolist() == [np.finfo(np.float32).max, np.inf, np.float32(np.pi)]


def test_names_of_libcuxx_are_known_in_std() -> None:
    source = """
    #include <array>
    #include <limits>
    #include <type_traits>
    #include <utility>
    template <class T> __global__ void least(T* out) {
        static_assert(std::is_same<T, float>::value);
        std::array<T, 2> both = {std::numeric_limits<T>::lowest(), T(1)};
        out[0] = both[0];
    }"""
    compiled = nvrtc.compile(source, name="k.cu", arch="compute_80", expressions=["least<float>"])
    out = np.zeros(1, np.float32)
    Module(compiled.image.decode()).kernel(compiled.lowered["least<float>"]).launch(1, 1, (out,))
    assert out[0] == np.finfo(np.float32).min


def test_a_fragment_of_one_block_alone_comes_from_its_own_shared_memory(cuda):
    """Its 16 x 16 elements are as many as eight blocks of 32 have threads, and must not be taken for all of those."""
    source = """
    #include <mma.h>
    using namespace nvcuda;
    extern "C" __global__ void last(float* out) {
        __shared__ float tile[256];
        for (int i = threadIdx.x; i < 256; i += 32) tile[i] = 1000 * blockIdx.x + i;
        __syncthreads();
        if (blockIdx.x == 7) {
            wmma::fragment<wmma::accumulator, 16, 16, 16, float> f;
            wmma::load_matrix_sync(f, tile, 16, wmma::mem_row_major);
            __syncwarp();
            wmma::store_matrix_sync(tile, f, 16, wmma::mem_col_major);
        }
        __syncthreads();
        for (int i = threadIdx.x; i < 256; i += 32) out[blockIdx.x * 256 + i] = tile[i];
    }
    """
    out = np.empty((8, 256), np.float32)
    assert cuda(source).kernel("last").launch(8, 32, (out,)).findings == ()
    expected = 1000 * np.arange(8)[:, None] + np.arange(256)
    expected[7] = expected[7].reshape(16, 16).T.reshape(-1)
    assert np.array_equal(out, expected)
