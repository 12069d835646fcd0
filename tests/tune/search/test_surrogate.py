"""The surrogate predicts what it has not seen, and knows where it knows nothing."""

from __future__ import annotations

import numpy as np

from advisor.tune.search.surrogate import fit


def test_the_surrogate_foretells_what_it_has_not_seen_and_knows_where_it_knows_nothing():
    dice = np.random.default_rng(0)
    points = dice.random((60, 12))

    def truth(at):
        return np.sin(4 * at[:, 0]) + at[:, 1]

    model = fit(points, truth(points) + 0.02 * dice.standard_normal(60))
    new = dice.random((200, 12))
    mean, spread = model.predict(new)
    assert np.corrcoef(mean, truth(new))[0, 1] > 0.98
    assert np.mean(np.abs(mean - truth(new)) < 2.5 * spread + 0.05) > 0.9
    far = model.predict(np.full((1, 12), 5.0))[1]
    assert far[0] > 2 * np.median(spread)
