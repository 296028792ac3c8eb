"""What a statement uses, binds and changes; what a cell needs of the cells before it; what a file imports.

Names are followed with their scopes, so a variable of a function never leads to a cell's variable of the same name. If
in doubt, a statement counts as needed: a function of the notebook may change its arguments, and a step of training all
that its cell uses. Two things are not seen: an object that has got a second name in a different cell, and numbers from
torch's global generator that an earlier cell has seeded.
"""

import ast
import builtins
import copy
import functools
import itertools
import re
import symtable
from dataclasses import dataclass

DEFINITIONS = (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)
IMPORTS = (ast.Import, ast.ImportFrom)
COMPREHENSIONS = (ast.ListComp, ast.SetComp, ast.DictComp)
# A cell that changes settings of these inside a block sets them back, and whoever gets one of their functions leaves
# them alone.
MODULES = {"F", "ac", "math", "nn", "np", "plt", "torch"}
TRAINING = {"backward", "step"}  # methods that change tensors which they do not name
BUILTINS = {*dir(builtins)} - {"next", "setattr", "delattr"}  # these leave their arguments alone
DRAWING = {"arrow", "block", "cells", "histogram", "note", "show", "show_table", "strip", "tiles"}  # names in explore


@dataclass(frozen=True)
class Names:
    """Global names in a statement: used now, used later by its functions, bound, always bound, changed in place."""

    now: set
    later: set
    bound: set
    always: set
    changed: set
    trains: bool


@functools.lru_cache(2000)
def statements_of(source):
    """A cell's statements, with its magics as the calls that IPython would make, and one import for each name."""
    if re.search(r"^\s*[%!?]|\?$", source, re.M):
        from IPython.core.inputtransformer2 import TransformerManager  # takes half a second; few cells need it

        source = TransformerManager().transform_cell(source)
    return one_by_one(ast.parse(source).body)


def one_by_one(statements):
    """The statements, with one import for each name: ``from core import a, b`` becomes two."""
    return [
        type(s)(**vars(s) | {"names": [alias]}) if alias else s
        for s in statements
        for alias in (s.names if isinstance(s, IMPORTS) else [None])
    ]


def imported_by(*trees):
    """The full names of the modules that this code imports, and of the things that it imports from them."""
    for node in (node for tree in trees for node in ast.walk(tree)):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom) and not node.level:
            yield node.module
            yield from (f"{node.module}.{alias.name}" for alias in node.names)


def packages_in(*trees):
    return set().union(*map(_packages_in, trees))


@functools.cache
def _packages_in(tree):
    return {name.partition(".")[0] for name in imported_by(tree)}


class Needs:
    """What each of a notebook's code cells needs of those before it."""

    def __init__(self, sources):
        self.cells = [statements_of(source) for source in sources]
        self.statements = [statement for body in self.cells for statement in body]
        self.first = list(itertools.accumulate(map(len, self.cells), initial=0))  # the place where each cell begins
        self.changing = {}  # for each name, the places of the statements that bind or change it
        self.seeded = []  # for each place, the first of its cell's statements that it may get random numbers from
        for first, body in zip(self.first, self.cells, strict=False):
            wholes, seeds = wholes_in(body), []
            for place, statement in enumerate(body, first):
                self.seeded.append(min(seeds, default=place))
                if ast.unparse(statement).startswith("torch.manual_seed("):
                    seeds.append(place)  # for the statements after it in its cell
                    continue
                for name in changed_by(statement, body, wholes):
                    self.changing.setdefault(name, []).append(place)

    def of(self, number):
        """The statements that this cell needs of the cells before it, in order."""
        found, done = set(), set()
        waiting = [(name, self.first[number]) for name in set.union(*used_by(self.cells[number]))]
        while waiting:
            demand = name, before = waiting.pop()
            if demand in done:
                continue
            done.add(demand)
            for place in reversed([place for place in self.changing.get(name, []) if place < before]):
                for needed in range(self.seeded[place], place + 1):  # each may draw numbers
                    found.add(needed)
                    names = names_of(self.statements[needed])
                    waiting += [(name, needed) for name in names.now]
                    waiting += [(name, before) for name in names.later]  # as they are where the function is used
                    if not isinstance(self.statements[needed], DEFINITIONS):
                        waiting += [(name, needed) for name in names.later]
                if name in names.always:
                    break  # earlier values do not matter
        return [self.statements[place] for place in sorted(found)]

    def with_own(self, number):
        """The statements of this cell and those that it needs, in order, without imports that none of these uses."""
        statements = [*self.of(number), *self.cells[number]]
        used = set().union(*(names.now | names.later for names in map(names_of, statements)))
        return [s for s in statements if not isinstance(s, IMPORTS) or names_of(s).bound & used]


def used_by(statements):
    """The names that statements take from earlier ones: when they run, and later, in their functions."""
    now, later, bound = set(), set(), set()
    for names in map(names_of, statements):
        now |= names.now - bound
        later |= names.later
        bound |= names.always
    return now, later - bound


def changed_by(statement, cell, wholes):
    """The names that a statement of this cell binds or may change; ``wholes`` are the cell's ``wholes_in``.

    A step of training may change all that the whole cell uses.
    """
    names = names_of(statement)
    changed, waiting = set(names.bound), [*names.changed]
    if names.trains:
        waiting += [name for other in cell for name in names_of(other).now]
    while waiting:
        name = waiting.pop()
        if name not in changed or name in names.changed:
            changed.add(name)
            waiting += [whole for whole in wholes.get(name, ()) if whole not in changed]
    return changed


def names_used_and_bound(source):
    """The global names that a cell takes from earlier cells, and the names that it binds."""
    statements = statements_of(source)
    return set.union(*used_by(statements)), set().union(*(names_of(statement).bound for statement in statements))


@functools.cache
def names_of(statement):
    # Most statements have no comprehension, and a copy takes as long as all else.
    has_any = any(isinstance(node, COMPREHENSIONS) for node in ast.walk(statement))
    text = ast.unparse(AsGenerators().visit(copy.deepcopy(statement)) if has_any else statement)
    bound = bound_in(symtable.symtable(text, "cell", "exec"))
    bodies = []
    if not isinstance(statement, (*DEFINITIONS, ast.Match)):
        parts = [statement, *getattr(statement, "handlers", [])]
        bodies = [getattr(part, name, []) for part in parts for name in ("body", "orelse", "finalbody")]
    if any(bodies):  # what is left is the head of a loop, `with x as y: pass` or the like
        text = "\n".join(f"{line} pass" for line in re.findall(r"^\S.*", text, re.M))
    table = symtable.symtable(text, "cell", "exec")
    used = set(used_in(table))
    now, later = ({name for name, is_later in used if is_later is wanted} for wanted in (False, True))
    for body_now, body_later in map(used_by, bodies):
        now |= body_now - bound_in(table)
        later |= body_later - bound
    if isinstance(statement, ast.AugAssign):
        now |= names_in(statement.target)
    is_plain = isinstance(statement, (ast.Assign, *DEFINITIONS, *IMPORTS))
    always = bound if is_plain and not getattr(statement, "decorator_list", []) else set()
    changed, trains = changes_in(statement)
    return Names(now, later, bound, always, changed & (now | later | bound), trains)  # a class has names of its own


class AsGenerators(ast.NodeTransformer):
    """Since Python 3.12 a table of symbols counts a comprehension's own names as those of the code around it, but not
    those of a generator."""

    def visit_ListComp(self, node):
        self.generic_visit(node)
        elt = ast.Tuple([node.key, node.value], ast.Load()) if isinstance(node, ast.DictComp) else node.elt
        return ast.GeneratorExp(elt, node.generators)

    visit_SetComp = visit_DictComp = visit_ListComp


def bound_in(table):
    return {s.get_name() for s in table.get_symbols() if s.is_assigned() or s.is_imported() or s.is_namespace()}


def used_in(table, in_function=False):
    """The global names in a scope and the scopes inside it, each with whether a function uses it later.

    A comprehension runs at once.
    """
    in_function |= table.get_type() == "function" and not table.get_name().endswith(("comp", "expr"))
    for symbol in table.get_symbols():
        if symbol.is_referenced() and (table.get_type() == "module" or symbol.is_global()):
            yield symbol.get_name(), in_function
    for child in table.get_children():
        yield from used_in(child, in_function)


def changes_in(statement):
    """The names whose objects a statement may change, and whether it is a step of training."""
    changed, trains = set(), False
    for node in outside_functions(statement):
        if isinstance(node, (ast.Attribute, ast.Subscript)) and not isinstance(node.ctx, ast.Load):
            changed.add(base_of(node))
        elif isinstance(node, ast.AugAssign):
            changed.add(base_of(node.target))
        elif isinstance(node, ast.Expr) and isinstance(node.value, ast.Call):
            receiver = getattr(node.value.func, "value", None)  # a method may change its object
            changed |= names_in(receiver) - (MODULES if node is not statement else set())
        elif isinstance(node, DEFINITIONS):  # @words.register changes words
            decorators = [getattr(decorator, "func", decorator) for decorator in node.decorator_list]
            changed |= {base_of(x) for x in decorators if getattr(x, "attr", "").startswith("register")}
        elif isinstance(node, ast.Call):
            changed |= {base_of(argument) for argument in arguments_that_may_change(node)} - MODULES
            trains |= isinstance(node.func, ast.Attribute) and node.func.attr in TRAINING
    return changed, trains


def wholes_in(cell):
    """For names in a cell, the names of which they may be a part: ``row`` after ``row = table[0]`` or in a loop."""
    found = {}
    for node in (node for statement in cell for node in outside_functions(statement)):
        pairs = []
        if isinstance(node, ast.Assign):
            pairs = [(target, parts_in(node.value)) for target in node.targets]
        elif isinstance(node, ast.For):
            is_zip = isinstance(node.target, ast.Tuple) and getattr(getattr(node.iter, "func", 0), "id", 0) == "zip"
            pairs = zip(node.target.elts, node.iter.args, strict=False) if is_zip else [(node.target, node.iter)]
            pairs = [(part, names_in(values)) for part, values in pairs]
        for part, wholes in pairs:
            for name in names_in(part):
                found.setdefault(name, set()).update(wholes)
    return found


def parts_in(value):
    """The names of which a value may be a part, or one of them; a call makes a new object."""
    if isinstance(value, ast.IfExp):
        return parts_in(value.body) | parts_in(value.orelse)
    if isinstance(value, (ast.Tuple, ast.List)):
        return set().union(*map(parts_in, value.elts))
    return {base_of(value)} - {None}


def names_in(node):
    return {part.id for part in ast.walk(node) if isinstance(part, ast.Name)} - BUILTINS if node else set()


def outside_functions(node):
    """A statement's nodes, without those inside functions, which do not run now."""
    yield node
    for child in ast.iter_child_nodes(node):
        if not isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef, ast.Lambda)):
            yield from outside_functions(child)


def arguments_that_may_change(call):
    """All, if a function of the notebook is called, or ``shuffle``, or one whose name ends in ``_``; else a generator.

    A function that draws changes its first argument. A class, a builtin or a module's function changes none.
    """
    name = call.func.attr if isinstance(call.func, ast.Attribute) else getattr(call.func, "id", "A")
    if name in DRAWING:
        return call.args[:1]
    is_own = isinstance(call.func, ast.Name) and name not in BUILTINS and not name[0].isupper()
    if is_own or name.endswith("_") or name == "shuffle":
        return [*call.args, *(keyword.value for keyword in call.keywords)]
    return [keyword.value for keyword in call.keywords if keyword.arg == "generator"]


def base_of(node):
    """The ``a`` of ``a``, ``a.b``, ``a[0]`` and ``*a``; None for anything else."""
    while isinstance(node, (ast.Attribute, ast.Subscript, ast.Starred)):
        node = node.value
    return node.id if isinstance(node, ast.Name) else None
