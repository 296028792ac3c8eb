"""Checkers for the exercises: they run a reader's function and say what was verified, or which mistake they recognise.

    check_softmax(my_softmax)

``practice.engine`` judges an answer; each chapter's exercises have their own module.
"""

from .chapter_01 import check_softmax, check_softmax_vjp
from .chapter_02 import check_dot_product_variance, check_scale
from .chapter_03 import check_attention
from .chapter_04 import check_multi_head, check_split_heads
from .chapter_05 import check_causal_mask, check_masked_attention
from .chapter_06 import check_positions
from .chapter_07 import check_shifted
from .chapter_08 import check_local_mask
from .chapter_09 import check_efficient_attention, check_linear_attention
from .chapter_10 import check_online_softmax
from .chapter_13 import check_induction
from .chapter_14 import check_capped_weights
from .chapter_15 import check_delta_rule
from .engine import Verdict

__all__ = [
    "Verdict",
    "check_attention",
    "check_capped_weights",
    "check_causal_mask",
    "check_delta_rule",
    "check_dot_product_variance",
    "check_efficient_attention",
    "check_induction",
    "check_linear_attention",
    "check_local_mask",
    "check_masked_attention",
    "check_multi_head",
    "check_online_softmax",
    "check_positions",
    "check_scale",
    "check_shifted",
    "check_softmax",
    "check_softmax_vjp",
    "check_split_heads",
]
