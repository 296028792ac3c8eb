"""Formulas in plain letters, for lists of questions and for search engines, where formulas cannot be typeset."""

import re

from docutils import nodes

LETTERS = {"times": "×", "cdot": "·", "top": "T", "lVert": "‖", "rVert": "‖", "odot": "⊙", "approx": "≈", "alpha": "α"}
LETTERS |= {"beta": "β", "nu": "ν", "rho": "ρ", "sigma": "σ", "mu": "μ", "le": "≤", "ge": "≥", "tfrac12": "½"}


def in_letters(node):
    """The words of a node, with formulas as you would type them."""
    words = []
    for part in node.findall(lambda part: isinstance(part, (nodes.math, nodes.Text))):
        if isinstance(part, nodes.math):
            formula = re.sub(r"\\(?:text|operatorname|mathrm)\{([^}]*)\}|\\text(?=\w)", r"\1", part.astext())
            formula = re.sub(r"\\sqrt\{?(\w+)\}?", r"√\1", formula.replace(r"\,", " "))
            words.append(re.sub(r"\\(\w+)", lambda m: LETTERS.get(m[1], m[1]), formula).replace("\\", ""))
        elif not isinstance(part.parent, nodes.math):
            words.append(part.astext())
    return " ".join("".join(words).split())
