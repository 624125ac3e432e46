"""A tree as rules, as Python, as text, and as plain DOT.

Every function takes a tree as it stands in its view: a node that is not split there answers with
its majority. Names and levels come from a person's file, so each format escapes them in its way.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from engine.ingest import MISSING as MISSING_WORDS
from engine.prepare import fill_value
from engine.settings import Missing
from engine.splits import Condition, Op, Split, is_numeric
from engine.tree import Tree

# Python refuses more than 100 levels of indentation; deeper parts become functions of their own.
_MOST_NESTING = 40


def as_rules(tree: Tree) -> str:
    r"""One rule a leaf, one a line, in depth-first order.

    A tree that is a single leaf has the condition `true`. Control characters in names are written
    as escapes (``\n``), so that a rule always stays on its line.

    Returns
    -------
    str
        Lines such as ``IF outlook is sunny AND humidity is high THEN play is no (3 rows, 3 right)``:
        the training rows that end in the leaf, and those of them that it gets right.
    """
    conditions = branch_conditions(tree)
    lines = []
    for node in _visible(tree):
        if tree.is_split[node]:
            continue
        path = [condition_words(conditions[place]) for place in tree.ancestors(node)[1:]]
        lines.append(f"IF {' AND '.join(path) or 'true'} THEN {_answer(tree, node)}\n")
    return "".join(lines)


def as_text(tree: Tree) -> str:
    """An outline: one line a node, indented by its depth, with the answer at every leaf."""
    conditions = branch_conditions(tree)
    lines = []
    for node in _visible(tree):
        words = condition_words(conditions[node]) if node else plain(tree.table.target.name)
        if not tree.is_split[node]:
            words = f"{words}: {_answer(tree, node)}" if node else _answer(tree, node)
        elif not node:
            words = f"{words} ({_root_words(tree)})"
        depth = int(tree.nodes.depth[node])
        lines.append(f"{'|   ' * (depth - 1)}{'|-- ' if depth else ''}{words}\n")
    return "".join(lines)


def as_dot(tree: Tree) -> str:
    """The tree in the language of Graphviz, without colours or fonts."""
    conditions = branch_conditions(tree)
    lines = ["digraph tree {", "  node [shape=box];"]
    for node in _visible(tree):
        heading = f"{tree.table.target.name} is {tree.label(node)}"
        if tree.is_split[node]:
            heading = tree.table.features[int(tree.nodes.feature[node])].name
        elif tree.is_open[node]:
            heading = "?"
        lines.append(f'  n{node} [label="{_dot(heading)}\\n{_dot(_counts(tree, node))}"];')
        if node:
            label = _dot(_test_words(conditions[node]))
            lines.append(f'  n{int(tree.nodes.parent[node])} -> n{node} [label="{label}"];')
    return "\n".join([*lines, "}", ""])


@dataclass(frozen=True)
class Line:
    """One line of the printed Python.

    Attributes
    ----------
    text : str
    node : int
        The node that is reached where the line is: a condition leads to the node of its branch.
    fallback : bool
        Whether the line answers for rows that no branch of the node takes.
    """

    text: str
    node: int
    fallback: bool = False

    def taken(self, path: Sequence[int]) -> bool:
        """Whether a row whose nodes are `path`, from the root to the one that answers, runs the line."""
        return self.node == path[-1] if self.fallback else self.node in path


def as_python(tree: Tree) -> str:
    """A program with a function ``predict(row)`` that agrees with the tree on every row.

    `row` is a dict of column names to cells, as `csv.DictReader` gives them. A level that the table
    does not have gets the majority of the node that asked; so does a missing value, unless missing
    values were filled before growing: then the same stand-in is taken. Where rows with a missing
    value go down every branch, so does the program. The program imports nothing.
    """
    spreads = tree.missing is Missing.FRACTIONAL and tree.is_split[0]
    body = _spreading_program(tree) if spreads else "\n".join(line.text for line in python_lines(tree))
    name = tree.table.target.name
    return f"# Predicts {name!r}. {tree.table.n_rows} rows, {tree.n_leaves} leaves.\n{_preamble(tree)}\n\n{body}\n"


def python_lines(tree: Tree) -> list[Line]:
    """The functions of the program: nested conditions, each line with the node that it leads to."""
    functions = [0]
    lines: list[Line] = []
    for root in functions:  # grows while it is walked: a deep part is added as a function of its own
        lines += [Line("", root), Line("", root)] if root else []
        lines.append(Line(f"def {_function_name(root)}(row):", root))
        if not root and tree.is_split[0]:
            lines.append(Line("    row = cells(row)", root))
        lines += _body(tree, root, functions)
    return lines


def branch_conditions(tree: Tree) -> dict[int, Condition]:
    """The condition on the branch to each visible node but the root."""
    found: dict[int, Condition] = {}
    for node in _visible(tree):
        if tree.is_split[node]:
            split = _split(tree, node)
            conditions = split.conditions(tree.table.features[split.feature])
            found.update(zip(tree.children(node).tolist(), conditions, strict=True))
    return found


def condition_words(condition: Condition) -> str:
    """A condition as people write it, with thresholds in full precision.

    >>> condition_words(Condition("outlook", Op.IN, ("rain", "sunny")))
    'outlook is rain or sunny'
    >>> condition_words(Condition("petal length", Op.LESS, 2.45))
    'petal length < 2.45'
    """
    return plain(f"{condition.feature} {_test_words(condition)}")


def plain(text: str) -> str:
    r"""The text on one line: everything that does not print is written as an escape.

    >>> print(plain("two\nlines"))
    two\nlines
    """
    if text.isprintable():
        return text
    return "".join(c if c.isprintable() else c.encode("unicode_escape").decode("ascii") for c in text)


def _test_words(condition: Condition) -> str:
    match condition.op, condition.value:
        case Op.MISSING, _:
            return "is missing"
        case Op.IN, tuple(levels):
            return "is " + " or ".join(levels)
        case _, value:
            return f"{condition.op} {value!r}"


def _visible(tree: Tree) -> list[int]:
    return [int(node) for node in tree.is_visible.nonzero()[0]]


def _split(tree: Tree, node: int) -> Split:
    split = tree.split(node)
    if split is None:
        raise ValueError(f"node {node} is a leaf")
    return split


def quantity(amount: float) -> str:
    """Rows as a whole number; a weight with up to six digits.

    >>> quantity(3.0), quantity(2.0 / 3)
    ('3', '0.666667')
    """
    return f"{int(amount)}" if float(amount).is_integer() else f"{amount:.6g}"


def _n_rows(tree: Tree, node: int) -> str:
    return quantity(tree.nodes.size[node])


def _answer(tree: Tree, node: int) -> str:
    nodes = tree.nodes
    if nodes.variance is not None:
        how = f"variance {nodes.variance[node]:.6g}"
    else:
        how = f"{quantity(nodes.counts[node][nodes.prediction[node]])} right"
    return plain(f"{tree.table.target.name} is {tree.label(node)} ({_n_rows(tree, node)} rows, {how})")


def _counts(tree: Tree, node: int) -> str:
    if tree.nodes.mean is not None:
        return f"{_n_rows(tree, node)} rows, mean {tree.nodes.mean[node]:.6g}"
    counts = zip(tree.nodes.counts[node].tolist(), tree.table.target.classes, strict=True)
    return plain(", ".join(f"{quantity(count)} {name}" for count, name in counts if count) or "no rows")


def _root_words(tree: Tree) -> str:
    return _counts(tree, 0) if tree.is_number else f"{_n_rows(tree, 0)} rows: {_counts(tree, 0)}"


def _dot(text: str) -> str:
    """Text inside a quoted DOT string: Graphviz reads backslashes, quotes and HTML entities there."""
    return plain(text).replace("\\", "\\\\").replace('"', '\\"').replace("&", "&amp;")


def _function_name(root: int) -> str:
    return f"node_{root}" if root else "predict"


def _body(tree: Tree, root: int, functions: list[int]) -> list[Line]:
    """The lines of one function, written with a stack of our own: trees may be deeper than Python's."""
    lines: list[Line] = []
    waiting: list[Line | tuple[int, int]] = [(root, 1)]
    while waiting:
        item = waiting.pop()
        if isinstance(item, Line):
            lines.append(item)
            continue
        node, level = item
        if not tree.is_split[node]:
            lines.append(Line(f"{'    ' * level}return {tree.label(node)!r}", node))
        elif level > _MOST_NESTING:
            functions.append(node)
            lines.append(Line(f"{'    ' * level}return {_function_name(node)}(row)", node))
        else:
            waiting.extend(reversed(_branches(tree, node, level)))
    return lines


def _branches(tree: Tree, node: int, level: int) -> list[Line | tuple[int, int]]:
    """A condition and its child for each branch, then the answer where no branch fits.

    Every branch returns, so plain ``if``s do; a chain of ``elif`` could outgrow Python's parser.
    """
    split = _split(tree, node)
    feature = tree.table.features[split.feature]
    indent = "    " * level
    always = split.threshold is not None and tree.missing is Missing.MOST_COMMON and not split.missing_branch
    found: list[Line | tuple[int, int]] = []
    children = tree.children(node).tolist()
    for child, condition in zip(children, split.conditions(feature), strict=True):
        test = "else:" if always and child == children[-1] else f"if {_python_test(condition)}:"
        found += [Line(indent + test, child), (child, level + 1)]
    if not always:
        found.append(Line(f"{indent}return {tree.label(node)!r}", node, fallback=True))
    return found


def _spreading_program(tree: Tree) -> str:
    """A function a split node: a missing value goes down every branch, by the branches' shares of the rows."""
    nodes = tree.nodes
    head = _SPREADING_NUMBER if tree.is_number else _SPREADING.format(classes=list(tree.table.target.classes))
    parts = [head.lstrip("\n")]
    for node in tree.is_split.nonzero()[0].tolist():
        split, children = _split(tree, node), tree.children(node)
        feature = tree.table.features[split.feature]
        cell = f"row[{feature.name!r}]"
        shares = (nodes.size[children] / nodes.size[children].sum()).tolist()
        lines = [f"def node_{node}(row, weight, votes):"]
        lines.append(f"    if {cell} != {cell}:" if is_numeric(feature) else f"    if {cell} == '':")
        lines += [
            f"        {_call(tree, child, f'weight * {share!r}')}"
            for child, share in zip(children.tolist(), shares, strict=True)
            if share > 0
        ]
        for child, condition in zip(children.tolist(), split.conditions(feature), strict=True):
            lines += [f"    elif {_python_test(condition)}:", f"        {_call(tree, child, 'weight')}"]
        lines += ["    else:", f"        {_vote(tree, node, 'weight')}"]
        parts.append("\n".join(lines) + "\n")
    return "\n\n".join(parts)


def _call(tree: Tree, node: int, weight: str) -> str:
    if tree.is_split[node]:
        return f"node_{node}(row, {weight}, votes)"
    return _vote(tree, node, weight)


def _vote(tree: Tree, node: int, weight: str) -> str:
    answer = tree.label(node) if tree.is_number else list(tree.probabilities(node).values())
    return f"votes.append(({weight}, {answer!r}{'' if tree.is_number else f', {tree.label(node)!r}'}))"


_SPREADING = '''
CLASSES = {classes!r}


def predict(row):
    """The class of greatest share over all leaves that the row reaches."""
    votes = []
    node_0(cells(row), 1.0, votes)
    if len(votes) == 1:
        return votes[0][2]
    shares = [sum(weight * of[i] for weight, of, _ in votes) for i in range(len(CLASSES))]
    most = max(shares)
    return next(name for name, share in zip(CLASSES, shares) if share >= most - 1e-12)
'''

_SPREADING_NUMBER = '''
def predict(row):
    """The mean of all leaves that the row reaches, by weight."""
    votes = []
    node_0(cells(row), 1.0, votes)
    return sum(weight * mean for weight, mean in votes)
'''


def _python_test(condition: Condition) -> str:
    cell = f"row[{condition.feature!r}]"
    match condition.value:
        case None:
            return f"missing({cell})"
        case (level,):
            return f"{cell} == {level!r}"
        case tuple(levels):
            return f"{cell} in {levels!r}"
        case value:
            return f"{cell} {condition.op} {value!r}"


def _preamble(tree: Tree) -> str:
    """What the program needs before `predict`: how the cells of a row are read."""
    tested = sorted({int(feature) for feature in tree.nodes.feature[tree.is_split]})
    if not tested:
        return ""
    stand_ins = "".join(f"    {tree.table.features[i].name!r}: {_stand_in(tree, i)},\n" for i in tested)
    asks = any(_split(tree, node).missing_branch for node in tree.is_split.nonzero()[0].tolist())
    return _PREAMBLE.format(missing=MISSING_WORDS, stand_ins=stand_ins) + (_ASKS if asks else "")


_ASKS = '''

def missing(number):
    """Whether a number is missing: only then is it unlike itself."""
    return number != number
'''


_PREAMBLE = '''
MISSING = {missing!r}

# The columns that are tested: how a cell is read, and what stands in for a missing one.
TESTED = {{
{stand_ins}}}


def text(cell):
    """A cell as a table spells it: no spaces around it, no point in a whole number."""
    if isinstance(cell, bool):
        return str(cell).lower()
    if isinstance(cell, float) and cell.is_integer():
        return str(int(cell))
    return "" if cell is None else str(cell).strip()


def cells(row):
    """The tested cells of a row, as text or numbers."""
    found = {{}}
    for name, (kind, stand_in) in TESTED.items():
        cell = text(row[name])
        found[name] = kind(stand_in if cell in MISSING else cell)
    return found
'''


def _stand_in(tree: Tree, index: int) -> str:
    feature = tree.table.features[index]
    filled = tree.missing is Missing.MOST_COMMON
    if is_numeric(feature):
        return f"(float, {fill_value(tree.source, index) if filled else 'nan'!r})"
    # An empty cell is never a level, so no branch takes it, unless missing is a level of its own.
    level = feature.levels[int(fill_value(tree.source, index))] if filled else ""
    if feature.levels != tree.source.features[index].levels:
        level = feature.levels[-1]
    return f"(str, {level!r})"
