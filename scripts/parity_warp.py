"""The parity forms in which lanes work together: shuffles, votes, matrices, atomics, asynchronous copies.

The statements may use %lane and %w (the thread's number in its warp and block), %in and %out (the addresses of its
first input and output), %s (16 bytes of shared memory of its own, of the 16 KiB array `mem`) and scratch registers.
"""

from __future__ import annotations

from collections.abc import Iterator

from parity_forms import Form

_BITS = {"f16": 16, "bf16": 16, "tf32": 32, "s8": 8, "u8": 8, "s4": 4, "u4": 4, "e4m3": 8, "e5m2": 8, "f64": 64}
_KINDS = {"f16": "f16x2:unit", "bf16": "bf16x2:unit", "tf32": "tf32:unit", "f64": "f64:unit", "f32": "f32:unit"}
_KINDS |= {"e4m3": "b32:octets", "e5m2": "b32:octets", "s32": "s32"}
_HELD = {"f16": "f16x2", "f32": "f32", "s32": "s32", "f64": "f64"}
FULL, HALVES = "mov.b32 %x7, -1;", "setp.lt.u32 %r, %lane, 16; selp.b32 %x7, 0xffff, 0xffff0000, %r;"


def shuffles() -> Iterator[Form]:
    for mode in ("up", "down", "bfly", "idx"):
        for lanes in (32, 16, 4):
            c = (32 - lanes) << 8 | (0 if mode == "up" else 31)
            for kind in ("u32:small", "u32:any"):
                code = f"shfl.sync.{mode}.b32 %d0|%p, %a0, %a1, {c}, -1; selp.b32 %d1, 1, 0, %p;"
                name = f"shfl.sync.{mode}.b32 width {lanes} by {kind[4:]}"
                yield Form(name, code, ("b32", kind), ("b32", "u32"))


def votes() -> Iterator[Form]:
    # The threshold differs from warp to warp, so that some warps agree and others do not.
    threshold = "shr.u32 %x0, %t, 5; rem.u32 %x0, %x0, 6; setp.ge.u32 %p, %a0, %x0;"
    for masks, name in ((FULL, ""), (HALVES, " by halves")):
        for mode in ("all", "any", "uni"):
            code = f"{threshold}{masks} vote.sync.{mode}.pred %q, %p, %x7; selp.b32 %d0, 1, 0, %q;"
            yield Form(f"vote.sync.{mode}.pred{name}", code, ("u32:small",), ("u32",))
        code = f"{threshold}{masks} vote.sync.ballot.b32 %d0, %p, %x7;"
        yield Form(f"vote.sync.ballot.b32{name}", code, ("u32:small",), ("b32",))
        for bits in (32, 64):
            code = f"{masks} match.any.sync.b{bits} %d0, %a0, %x7;"
            yield Form(f"match.any.sync.b{bits}{name}", code, (f"u{bits}:small",), ("b32",))
            equal = f"shr.u32 %x0, %t, 5; and.b32 %x0, %x0, 3; cvt.u{bits}.u32 %d2, %x0; and.b{bits} %d2, %d2, %a0;"
            code = f"{equal}{masks} match.all.sync.b{bits} %d0|%p, %d2, %x7; selp.b32 %d1, 1, 0, %p;"
            yield Form(f"match.all.sync.b{bits}{name}", code, (f"u{bits}:small",), ("b32", "u32", f"u{bits}"))
        for op in ("add.u32", "add.s32", "min.u32", "min.s32", "max.u32", "max.s32", "and.b32", "or.b32", "xor.b32"):
            code = f"{masks} redux.sync.{op} %d0, %a0, %x7;"
            yield Form(f"redux.sync.{op}{name}", code, (op[-3:],), (op[-3:],))
    for op in ("and", "or"):
        code = f"{threshold} bar.red.{op}.pred %q, 0, %p; selp.b32 %d0, 1, 0, %q;"
        yield Form(f"bar.red.{op}.pred", code, ("u32:small",), ("u32",))
    yield Form("bar.red.popc.u32", f"{threshold} bar.red.popc.u32 %d0, 0, %p;", ("u32:small",), ("u32",))
    relations = ("eq", "lt", "le", "gt", "ge")
    code = "".join(f"mov.u32 %d{i}, %lanemask_{name};" for i, name in enumerate(relations))
    yield Form("lanemask", code, (), ("b32",) * 5)


def atomics() -> Iterator[Form]:
    table = [("add", "u32 s32 u64 f32 f64"), ("min", "u32 s32 u64 s64"), ("max", "u32 s32 u64 s64")]
    table += [("and", "b32 b64"), ("or", "b32 b64"), ("xor", "b32 b64"), ("exch", "b32 b64"), ("cas", "b16 b32 b64")]
    table += [("inc", "u32"), ("dec", "u32"), ("add.noftz", "f16 f16x2 bf16 bf16x2")]
    for op, types in table:
        for type_ in types.split():
            bits = {"x2": 32}.get(type_[-2:]) or int("".join(filter(str.isdigit, type_)))
            for space, cell in (("global", "%out"), ("shared", "%s")):
                values = "%a1, %a2" if op == "cas" else "%a1"
                code = f"st.{space}.b{bits} [{cell}], %a0; atom.{space}.{op}.{type_} %d0, [{cell}], {values};"
                code += f"ld.{space}.b{bits} %d1, [{cell}];"
                inputs = (type_,) * (3 if op == "cas" else 2)
                yield Form(f"atom.{space}.{op}.{type_}", code, inputs, (type_, type_))
    for op in ("add.u32", "min.s32", "max.u32", "and.b32", "or.b32", "xor.b32", "inc.u32", "dec.u32"):
        value = "1000" if op[:3] in ("inc", "dec") else "%a0"
        cell = "and.b32 %x0, %w, 7; shl.b32 %x0, %x0, 4; mov.u32 %x1, mem; add.u32 %x0, %x0, %x1;"
        code = f"{cell} st.shared.b32 [%s], %a0; bar.sync 0; red.shared.{op} [%x0], {value};"
        code += "bar.sync 0; ld.shared.b32 %d0, [%x0];"
        yield Form(f"red.shared.{op} by 16 threads", code, (op[-3:],), (op[-3:],))
    code = "and.b32 %x0, %a1, 7; cp.async.ca.shared.global [%s], [%in], 8, %x0;"
    code += "cp.async.wait_all; ld.shared.b64 %d0, [%s];"
    yield Form("cp.async.ca.shared.global zero-fill", code, ("b64", "u32"), ("b64",))


def _names(letter: str, start: int, count: int) -> str:
    return "{" + ", ".join(f"%{letter}{start + i}" for i in range(count)) + "}"


def matrix_moves() -> Iterator[Form]:
    rows = "mad.lo.u32 %x0, %lane, 5, 3; and.b32 %x0, %x0, 31; and.b32 %x1, %w, 0xffffffe0; add.u32 %x0, %x0, %x1;"
    rows += "shl.b32 %x0, %x0, 4; mov.u32 %x1, mem; add.u32 %x0, %x0, %x1;"
    head = "st.shared.v4.b32 [%s], {%a0, %a1, %a2, %a3}; bar.sync 0;" + rows
    for count in (1, 2, 4):
        for transpose in ("", ".trans"):
            name = f"ldmatrix.sync.aligned.m8n8.x{count}{transpose}.shared.b16"
            yield Form(name, f"{head} {name} {_names('d', 0, count)}, [%x0];", ("b32:any",) * 4, ("b32",) * count)
    name = "movmatrix.sync.aligned.m8n8.trans.b16"
    yield Form(name, f"{name} %d0, %a0;", ("b32:any",), ("b32",))


_MMA = [("16n8k16", "f32 f16 f16 f32"), ("16n8k16", "f16 f16 f16 f16"), ("16n8k8", "f32 f16 f16 f32")]
_MMA += [("16n8k8", "f16 f16 f16 f16"), ("16n8k16", "f32 bf16 bf16 f32"), ("16n8k8", "f32 bf16 bf16 f32")]
_MMA += [("16n8k8", "f32 tf32 tf32 f32"), ("16n8k4", "f32 tf32 tf32 f32"), ("8n8k4", "f64 f64 f64 f64")]
_MMA += [("16n8k4", "f64 f64 f64 f64"), ("16n8k8", "f64 f64 f64 f64"), ("16n8k16", "f64 f64 f64 f64")]
_MMA += [
    (shape, f"s32 {a} {b} s32")
    for a in ("s8", "u8")
    for b in ("s8", "u8")
    for shape in ("8n8k16", "16n8k16", "16n8k32")
]
_MMA += [
    (shape, f"s32 {a} {b} s32")
    for a in ("s4", "u4")
    for b in ("s4", "u4")
    for shape in ("8n8k32", "16n8k32", "16n8k64")
]
_MMA += [("16n8k32", f"f32 {a} {b} f32") for a in ("e4m3", "e5m2") for b in ("e4m3", "e5m2")]
# Bits of the sum of magnitudes that must agree: half accumulators round, 8-bit products are added in fewer bits.
_AGREE = {"f16": "magnitude 9", "f32": "magnitude 20", "f64": "magnitude 50"}


def multiplications() -> Iterator[Form]:
    for shape, types in _MMA:
        m, n, k = (int(part) for part in shape.replace("n", " ").replace("k", " ").split())
        d, a, b, c = types.split()
        word = max(_BITS.get(a, 32), 32)
        counts = [m * k * _BITS[a] // (32 * word), k * n * _BITS[b] // (32 * word)]
        size = {"f16": 16, "f64": 64}.get(c, 32)
        results = m * n * size // (32 * max(size, 32))
        inputs = [_KINDS.get(a, "b32:any")] * counts[0] + [_KINDS.get(b, "b32:any")] * counts[1]
        inputs += [_KINDS[c]] * results
        for finite in ("", ".satfinite") if d == "s32" else ("",):
            name = f"mma.sync.aligned.m{shape}.row.col{finite}.{d}.{a}.{b}.{c}"
            sources = [
                _names("a", 0, counts[0]),
                _names("a", counts[0], counts[1]),
                _names("a", sum(counts), results),
            ]
            code = f"{name} {_names('d', 0, results)}, {', '.join(sources)};"
            rule = "magnitude 11" if a in ("e4m3", "e5m2") else _AGREE.get(d, "exact")
            yield Form(name, code, tuple(inputs), (_HELD[d],) * results, rule)


# shape, types of D, A, B, C, registers of A, B, C; a warp's matrices lie one after the other in shared memory
_WMMA = [((16, 16, 16), "f32 f16 f16 f32", (8, 8, 8)), ((16, 16, 16), "f16 f16 f16 f16", (8, 8, 4))]
_WMMA += [((32, 8, 16), "f32 f16 f16 f32", (8, 8, 8)), ((8, 32, 16), "f32 f16 f16 f32", (8, 8, 8))]
_WMMA += [((16, 16, 16), "f32 bf16 bf16 f32", (4, 4, 8)), ((16, 16, 8), "f32 tf32 tf32 f32", (4, 4, 8))]
_WMMA += [((16, 16, 16), "s32 s8 s8 s32", (2, 2, 8)), ((16, 16, 16), "s32 u8 u8 s32", (2, 2, 8))]


def wmma() -> Iterator[Form]:
    for (m, n, k), types, registers in _WMMA:
        d, a, b, c = types.split()
        for layouts in ("row.col", "col.row") if a == "f16" else ("row.col",):
            yield _wmma(m, n, k, (d, a, b, c), registers, layouts)


def _wmma(m: int, n: int, k: int, types: tuple[str, str, str, str], registers: tuple[int, ...], layouts: str) -> Form:
    d, a, b, c = types
    shape, (first, second) = f"m{m}n{n}k{k}", layouts.split(".")
    sizes = [m * k * _BITS[a] // 1024, k * n * _BITS[b] // 1024, m * n * (16 if c == "f16" else 32) // 1024]
    total = 4 * sum(sizes)  # bytes of a lane
    starts = [0, 128 * sizes[0], 128 * (sizes[0] + sizes[1])]
    code = f"shr.u32 %x0, %w, 5; mul.lo.u32 %x0, %x0, {32 * total}; mov.u32 %x1, mem; add.u32 %x0, %x0, %x1;"
    at = 0
    for start, size in zip(starts, sizes, strict=True):
        code += f"mad.lo.u32 %x1, %lane, {4 * size}, %x0;"
        for i in range(size):
            code += f"st.shared.b32 [%x1+{start + 4 * i}], %a{at};"
            at += 1
    code += "bar.sync 0; .reg .b32 %f<32>;" + "".join(f"add.u32 %x{2 + i}, %x0, {starts[i]};" for i in range(3))
    names = [_names("f", 0, registers[0]), _names("f", 8, registers[1]), _names("f", 16, registers[2])]
    stride_a, stride_b = (k if first == "row" else m), (n if second == "row" else k)
    code += f"wmma.load.a.sync.aligned.{first}.{shape}.shared.{a} {names[0]}, [%x2], {stride_a};"
    code += f"wmma.load.b.sync.aligned.{second}.{shape}.shared.{b} {names[1]}, [%x3], {stride_b};"
    code += f"wmma.load.c.sync.aligned.row.{shape}.shared.{c} {names[2]}, [%x4], {n};"
    named = f"{d}.{c}" if a == "f16" else f"{d}.{a}.{b}.{c}"
    code += f"wmma.mma.sync.aligned.{layouts}.{shape}.{named} {names[2]}, {names[0]}, {names[1]}, {names[2]};"
    code += f"wmma.store.d.sync.aligned.row.{shape}.shared.{d} [%x4], {names[2]}, {n}; bar.sync 0;"
    code += f"mad.lo.u32 %x1, %lane, {4 * sizes[2]}, %x4;"
    code += "".join(f"ld.shared.b32 %d{i}, [%x1+{4 * i}];" for i in range(sizes[2]))
    inputs = [_KINDS.get(a, "b32:any")] * sizes[0] + [_KINDS.get(b, "b32:any")] * sizes[1] + [_KINDS[c]] * sizes[2]
    name = f"wmma.mma.sync.aligned.{layouts}.{shape}.{named}"
    return Form(name, code, tuple(inputs), (_HELD[d],) * sizes[2], _AGREE.get(d, "exact"))


def warpwide() -> list[Form]:
    """Every form of a warp or block."""
    return [*shuffles(), *votes(), *atomics(), *matrix_moves(), *multiplications(), *wmma()]
