"""What does one more token cost after n tokens, with a key-value cache and with a recurrent state?"""

import torch

import attention_core as ac
from benchmarks.measure import DEVICE, medians, store, table

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
    torch.manual_seed(0)
    layer = ac.MultiHeadAttention(512, 8).to(DEVICE)
    token = torch.randn(1, 1, 512).to(DEVICE)
    data = {}
    for n in SIZES:
        cache, state = ac.KVCache(), ac.LinearAttentionState()
        key, value = torch.randn(2, 1, 8, n, 64).to(DEVICE)
        cache.key, cache.value = key, value
        state.append(key, value)
        q, k, v = torch.randn(3, 1, 8, 1, 64).to(DEVICE)
        roomy = CacheWithRoom(key, value, SIZES[-1] + 1)
        start = roomy.key, roomy.value

        def with_cache(cache=cache, key=key, value=value):
            cache.key, cache.value = key, value  # the same length in every round
            return layer(token, cache=cache)

        def with_room(cache=roomy, start=start):
            cache.key, cache.value = start
            return layer(token, cache=cache)

        def joining(cache=cache, key=key, value=value, k=k, v=v):
            cache.key, cache.value = key, value
            return cache.joined(k, v)

        def with_state(state=state, q=q, k=k, v=v):
            return state.attend(q, k, v)  # a state keeps its size, however many steps it has taken

        data[n] = medians(
            {
                "layer with a key-value cache": with_cache,
                "the same, room made beforehand": with_room,
                "joining alone, by torch.cat": joining,
                "linear state, without projections": with_state,
            },
            31,
        )
    forms = list(data[128])
    table("one more token after n, milliseconds", forms, SIZES, lambda form, n: f"{1000 * data[n][form]:.2f}")
    store("decoding", data)


if __name__ == "__main__":
    main()
