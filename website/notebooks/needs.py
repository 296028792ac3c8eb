"""What a cell needs of the cells before it: the statements that bind or change the names that it uses.

Names are followed with their scopes, so a variable of a function never leads to a cell's variable of the same name. If
in doubt, a statement counts as needed: a function of the notebook may change its arguments, and a step of training all
that its cell uses. Two things are not seen: an object that has got a second name in a different cell, and numbers from
torch's global generator that an earlier cell has seeded.
"""

import ast
import builtins
import functools
import itertools
import re
import symtable
from dataclasses import dataclass

DEFINITIONS = (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)
MODULES = {"plt", "torch"}  # a cell that changes settings of these inside a block sets them back
TRAINING = {"backward", "step"}  # methods that change tensors which they do not name
BUILTINS = {*dir(builtins)} - {"next", "setattr", "delattr"}  # these leave their arguments alone
DRAWING = {"arrow", "block", "cells", "histogram", "note", "show", "show_table", "strip", "tiles"}  # names in explore


@dataclass(frozen=True)
class Names:
    """Global names in a statement: used now, used later in its functions, always bound anew, changed in place."""

    now: frozenset
    later: frozenset
    bound: frozenset
    mutated: frozenset
    trains: bool


@functools.lru_cache(2000)
def parsed(source):
    """A cell's syntax tree, with its magics as the calls that IPython would make."""
    if re.search(r"^\s*[%!?]|\?$", source, re.M):
        from IPython.core.inputtransformer2 import TransformerManager  # takes half a second; few cells need it

        source = TransformerManager().transform_cell(source)
    return ast.parse(source)


class Needs:
    """What each of a notebook's code cells needs of those before it."""

    def __init__(self, sources):
        self.cells = [parsed(source).body for source in sources]
        self.statements = [(number, s) for number, body in enumerate(self.cells) for s in body]
        self.first = list(itertools.accumulate(map(len, self.cells), initial=0))  # the place where each cell begins
        self.changing = {}  # for each name, the places of the statements that bind or change it
        self.seeds = [place for place, (_, statement) in enumerate(self.statements) if is_seed(statement)]
        others = list(map(other_names, self.cells))
        for place, (number, statement) in enumerate(self.statements):
            for name in changed_by(statement, self.cells[number], others[number]):
                self.changing.setdefault(name, []).append(place)

    def of(self, number):
        """The statements that this cell needs, in order, as pairs (number of the cell, statement)."""
        end, found, waiting = self.first[number], set(), []

        def look_for(names, before):
            waiting.extend((name, before) for name in names)

        def include(place, before):
            found.add(place)
            names = names_of(self.statements[place][1])
            look_for(names.now, place)
            look_for(names.later, before)  # a function sees its names as they are where it is used
            if not isinstance(self.statements[place][1], DEFINITIONS):
                look_for(names.later, place)

        done = set()
        now, later = used_by(self.cells[number])
        look_for(now | later, end)
        while waiting:
            demand = waiting.pop()
            if demand in done:
                continue
            done.add(demand)
            name, before = demand
            for place in reversed([place for place in self.changing.get(name, []) if place < before]):
                include(place, before)
                seeds = [seed for seed in self.seeds if self.first[self.statements[place][0]] <= seed < place]
                for between in range(seeds[0] if seeds else place, place):  # each may draw from the generator
                    include(between, before)
                if name in names_of(self.statements[place][1]).bound:
                    break  # earlier values do not matter
        return [self.statements[place] for place in sorted(found)]


def is_seed(statement):
    """Whether a statement seeds torch's global generator, for the statements after it in its cell."""
    return isinstance(statement, ast.Expr) and ast.unparse(statement).startswith("torch.manual_seed(")


def used_by(statements):
    """The names that statements take from earlier ones: when they run, and later, in their functions."""
    now, later, bound = set(), set(), set()
    for statement in statements:
        names = names_of(statement)
        now |= names.now - bound
        later |= names.later
        bound |= names.bound
    return now, later - bound


def changed_by(statement, cell, others):
    """The names that a statement of this cell binds or may change; ``others`` are the cell's ``other_names``.

    A step of training may change all that the whole cell uses.
    """
    if is_seed(statement):
        return set()
    names = names_of(statement)
    changed, waiting = set(stored_in(statement)), [*names.mutated]
    if names.trains:
        waiting += [name for other in cell for name in names_of(other).now]
    while waiting:
        name = waiting.pop()
        if name not in changed or name in names.mutated:
            changed.add(name)
            waiting += [other for other in others.get(name, ()) if other not in changed]
    return changed


def names_used_and_bound(source):
    """The global names that a cell takes from earlier cells, and the names that it binds."""
    statements = parsed(source).body
    now, later = used_by(statements)
    return now | later, frozenset().union(*(stored_in(statement) for statement in statements))


@functools.cache
def names_of(statement):
    mutated, trains = changes_in(statement)
    if blocks := blocks_of(statement):
        heads, bodies = blocks
        before = [names_of(head) for head in heads]
        given = set().union(*map(stored_in, heads))  # what the body gets from its own head
        inside = [used_by(body) for body in bodies]
        now = set().union(*(names.now for names in before), *(used - given for used, _ in inside))
        later = set().union(*(names.later for names in before), *(later for _, later in inside)) - stored_in(statement)
        return Names(frozenset(now), frozenset(later), frozenset(), frozenset(mutated), trains)
    now, later = set(), set()
    read_scopes(symtable.symtable(ast.unparse(statement), "cell", "exec"), now, later, False)
    if isinstance(statement, ast.AugAssign):
        now |= names_in(statement.target)
    bound = frozenset(stored_in(statement) if is_a_plain_binding(statement) else ())
    return Names(frozenset(now), frozenset(later), bound, frozenset(mutated), trains)


def blocks_of(statement):
    """A loop's or block's own head, as statements that stand for it, and the bodies that it runs; else None."""
    match statement:
        case ast.For(target=target, iter=values):
            heads = [ast.Assign(targets=[target], value=values, lineno=0)]
        case ast.With(items=items):
            heads = [
                ast.Assign(targets=[item.optional_vars], value=item.context_expr, lineno=0)
                if item.optional_vars
                else ast.Expr(item.context_expr)
                for item in items
            ]
        case ast.If(test=test) | ast.While(test=test):
            heads = [ast.Expr(test)]
        case ast.Try(handlers=handlers, finalbody=last):
            return [], [statement.body, statement.orelse, last, *(handler.body for handler in handlers)]
        case _:
            return None
    return heads, [statement.body, getattr(statement, "orelse", [])]


def read_scopes(table, now, later, in_function):
    """Add the global names in a scope and the scopes inside it. A comprehension runs at once, a function later."""
    in_function = in_function or (table.get_type() == "function" and not table.get_name().endswith(("comp", "expr")))
    for symbol in table.get_symbols():
        if symbol.is_referenced() and (table.get_type() == "module" or symbol.is_global()):
            (later if in_function else now).add(symbol.get_name())
    for child in table.get_children():
        read_scopes(child, now, later, in_function)


def is_a_plain_binding(statement):
    """Whether a statement always gives all the names that it stores a new value."""
    if isinstance(statement, (*DEFINITIONS, ast.Import, ast.ImportFrom)):
        return not getattr(statement, "decorator_list", None)
    targets = getattr(statement, "targets", None) or [getattr(statement, "target", None)]
    is_assignment = isinstance(statement, (ast.Assign, ast.AnnAssign))
    return is_assignment and all(isinstance(part, ast.Name) for target in targets for part in flat(target))


def flat(target):
    """The parts of ``a, (b, *c)``."""
    if isinstance(target, ast.Starred):
        return flat(target.value)
    return [part for element in target.elts for part in flat(element)] if hasattr(target, "elts") else [target]


@functools.cache
def stored_in(statement):
    """The global names that a statement binds, also in its loops."""
    table = symtable.symtable(ast.unparse(statement), "cell", "exec")
    return {s.get_name() for s in table.get_symbols() if s.is_assigned() or s.is_imported() or s.is_namespace()}


def changes_in(statement):
    """The names that a statement binds or whose objects it may change, and whether it is a step of training."""
    mutated, trains = set(), False
    for node in outside_functions(statement):
        if isinstance(node, (ast.Assign, ast.AugAssign, ast.AnnAssign, ast.Delete)):
            targets = getattr(node, "targets", None) or [node.target]
            mutated |= {base_of(part) for target in targets for part in flat(target)}
        elif isinstance(node, ast.Expr) and isinstance(node.value, ast.Call):
            receiver = getattr(node.value.func, "value", None)  # a method may change its object
            mutated |= names_in(receiver) - (MODULES if node is not statement else set())
        elif isinstance(node, (*DEFINITIONS, ast.Import, ast.ImportFrom)):  # @words.register changes words
            decorators = getattr(node, "decorator_list", [])
            mutated |= {base_of(getattr(decorator, "func", decorator)) for decorator in decorators}
        if isinstance(node, ast.Call):
            mutated |= {base_of(argument) for argument in arguments_that_may_change(node)}
            trains |= isinstance(node.func, ast.Attribute) and node.func.attr in TRAINING
    return mutated - {None}, trains


def other_names(cell):
    """For names in a cell, the names of which they may be a part: ``row`` after ``row = table[0]`` or in a loop."""
    found = {}
    for node in (node for statement in cell for node in outside_functions(statement)):
        for part, whole in pairs_of(node):
            for name in names_in(part):
                found.setdefault(name, set()).update(whole)
    return found


def pairs_of(node):
    """What a loop or an assignment binds, and the names of what it may be a part of."""
    if isinstance(node, ast.For):
        call = node.iter if isinstance(node.iter, ast.Call) else None
        if isinstance(node.target, ast.Tuple) and getattr(getattr(call, "func", None), "id", "") == "zip":
            return [(part, names_in(values)) for part, values in zip(node.target.elts, call.args, strict=False)]
        return [(node.target, names_in(node.iter))]
    if isinstance(node, ast.Assign):
        return [(target, parts_in(node.value)) for target in node.targets]
    return []


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
    keywords = [keyword.value for keyword in call.keywords]
    if name in DRAWING:
        return call.args[:1]
    is_own = isinstance(call.func, ast.Name) and name not in BUILTINS and not name[0].isupper()
    if is_own or name.endswith("_") or name == "shuffle":
        return [*call.args, *keywords]
    return [keyword.value for keyword in call.keywords if keyword.arg == "generator"]


def base_of(node):
    """The ``a`` of ``a``, ``a.b``, ``a[0]`` and ``*a``; None for anything else."""
    while isinstance(node, (ast.Attribute, ast.Subscript, ast.Starred)):
        node = node.value
    return node.id if isinstance(node, ast.Name) else None
