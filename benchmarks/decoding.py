"""What does the attention of one more token cost after n tokens, with a key-value cache and with a recurrent state?"""

import torch
from torch.nn import functional as F

import attention_core as ac
from benchmarks.measure import DEVICE, MILLISECOND, medians, store, table

SIZES = (128, 1024, 8192, 65536)


class CacheWithRoom(ac.KVCache):
    """A cache that starts with ``key`` and ``value`` and reserves memory for S positions in all.

    New positions are written into that memory, and old ones are not copied. Earlier results
    of ``joined`` change when their positions are written again.
    """

    def __init__(self, key, value, S):
        super().__init__()
        self.room = [x.new_empty(*x.shape[:-2], S, x.shape[-1]) for x in (key, value)]
        self.key, self.value = self._written(0, key, value)

    def joined(self, key, value):
        return self._written(len(self), key, value)

    def _written(self, start, *new):
        end = start + new[0].shape[-2]
        for room, x in zip(self.room, new, strict=True):
            room[..., start:end, :] = x
        return [room[..., :end, :] for room in self.room]


@torch.no_grad()
def main():
    generator = torch.Generator().manual_seed(0)
    data = {}
    for n in SIZES:
        state = ac.LinearAttentionState()
        key, value = torch.randn(2, 1, 8, n, 64, generator=generator).to(DEVICE)
        state.append(key, value)
        q, k, v = torch.randn(3, 1, 8, 1, 64, generator=generator).to(DEVICE)
        cache = CacheWithRoom(key, value, SIZES[-1] + 1)
        start = cache.key, cache.value

        def with_cache(cache=cache, start=start, q=q, k=k, v=v):
            cache.key, cache.value = start  # the same length in every round
            cache.key, cache.value = cache.joined(k, v)
            return F.scaled_dot_product_attention(q, cache.key, cache.value)

        def with_state(state=state, q=q, k=k, v=v):
            return state.attend(q, k, v)  # a state keeps its size, however many steps it has taken

        data[n] = medians({"softmax, a cache with room": with_cache, "linear, a state": with_state}, 101)
    table("one more token after n, milliseconds", data, 2, MILLISECOND)
    store("decoding", data)


if __name__ == "__main__":
    main()
