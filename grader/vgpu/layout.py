"""Where variables live: addresses in each state space and the windows of the generic address space.

Every tensor and every module variable has a window of 2**36 bytes to itself, so that an address tells, by a shift,
which one the program meant, however far outside it the address is: the red zones cost nothing.
"""

from __future__ import annotations

from grader.vgpu.errors import LaunchError
from grader.vgpu.lowering import Program, local_variables
from grader.vgpu.ptx import Variable

WINDOW_BITS = 36
SHARED_WINDOW, LOCAL_WINDOW, CONST_WINDOW, PARAM_WINDOW, FIRST_GLOBAL = 1, 2, 3, 4, 8
WINDOW_MASK = (1 << WINDOW_BITS) - 1
MIDDLE = 1 << (WINDOW_BITS - 1)  # objects start in the middle of their window: negative indices stay inside it


def generic_base(space: str) -> int:
    """What cvta adds to an address of a state space."""
    windows = {"shared": SHARED_WINDOW, "local": LOCAL_WINDOW, "const": CONST_WINDOW, "param": PARAM_WINDOW}
    return windows[space] << WINDOW_BITS if space in windows else 0


def object_base(window: int) -> int:
    """The address of the first byte of the object in a global window."""
    return (window << WINDOW_BITS) + MIDDLE


class Layout:
    """Static addresses of a program's variables. Frames of device functions all have the same size."""

    def __init__(self, program: Program) -> None:
        self._program = program
        self.shared: dict[str, tuple[int, Variable]] = {}
        self.const: dict[str, tuple[int, Variable]] = {}
        self.globals: dict[str, int] = {}  # name -> window
        self.param_offsets: dict[str, int] = {}
        self.dynamic_shared: list[str] = []
        self.static_shared = self._place_shared()
        self.const_size = self._place_const()
        self.param_size = self._place_params()
        frames = [self._frame(routine) for routine in range(len(program.routines))]
        self.frames = [offsets for offsets, _ in frames]
        self.frame_size = max(size for _, size in frames)

    def _shared_variables(self) -> list[Variable]:
        module = [v for v in self._program.module.variables.values() if v.space == "shared"]
        mentioned = self._mentioned()
        own = [v for r in self._program.routines for v in r.function.variables.values() if v.space == "shared"]
        return [v for v in module if v.name in mentioned] + own

    def _mentioned(self) -> set[str]:
        found: set[str] = set()
        for ins in self._program.code:
            for operand in ins.operands:
                base = getattr(operand, "base", None) or operand
                name = getattr(base, "name", None)
                if name:
                    found.add(name)
        return found

    def _place_shared(self) -> int:
        end = 0
        variables = self._shared_variables()
        for variable in (v for v in variables if v.size):
            end = align(end, variable.align)
            self.shared[variable.name] = (end, variable)
            end += variable.size
        for variable in (v for v in variables if not v.size):  # dynamic arrays all start behind the static ones
            end = align(end, max(variable.align, 16))
            self.dynamic_shared.append(variable.name)
        for name in self.dynamic_shared:
            variable = next(v for v in variables if v.name == name)
            self.shared[name] = (end, variable)
        return end

    def _place_const(self) -> int:
        end = 0
        for variable in self._program.module.variables.values():
            if variable.space == "const":
                end = align(end, variable.align)
                self.const[variable.name] = (end, variable)
                end += variable.size
            elif variable.space == "global":
                self.globals[variable.name] = FIRST_GLOBAL + len(self.globals)
        return end

    def _place_params(self) -> int:
        end = 0
        for param in self._program.routines[0].function.params:
            end = align(end, param.align)
            self.param_offsets[param.name] = end
            end += param.size
        return end

    def _frame(self, routine: int) -> tuple[dict[str, int], int]:
        offsets: dict[str, int] = {}
        end = 0
        for variable in local_variables(self._program.routines[routine].function):
            end = align(end, variable.align)
            offsets[variable.name] = end
            end += variable.size
        return offsets, align(end, 16)

    def symbols(self, routine: int) -> tuple[dict[str, int], frozenset[str]]:
        """(addresses by name, the names whose address is relative to the call frame)."""
        addresses = {name: offset for name, (offset, _) in self.shared.items()}
        addresses |= {name: offset for name, (offset, _) in self.const.items()}
        addresses |= {name: object_base(window) for name, window in self.globals.items()}
        return addresses | self.frames[routine], frozenset(self.frames[routine])

    def address(self, name: str) -> int:
        """A module variable's address in its own space. Raises LaunchError for an unknown one."""
        if name in self.globals:
            return object_base(self.globals[name])
        if name in self.const:
            return self.const[name][0]
        raise LaunchError(f"no variable named {name} in this module")


def align(value: int, alignment: int) -> int:
    """The smallest multiple of `alignment` that is at least `value`."""
    return -(-value // alignment) * alignment
