"""What would be measured at points nobody has tried? A Gaussian process in numpy, small enough to fit between trials.

Matérn 5/2 with a length for every feature; lengths, noise and size are the most probable ones under broad priors
(lengths grow with the root of the number of features, Hvarfner et al., arXiv 2402.02229).
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from advisor.model.record import record

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    Array = NDArray[np.float64]

_ROOT5: Final = 5.0**0.5
_STEPS: Final = 25  # of the optimiser
_SEARCHED: Final = 90  # points the kernel is chosen on; its cost grows with their cube, what they tell does not


@record
class Surrogate:
    """A fitted process: `mean` and `spread` of the targets were taken out; `kernel`: logs of the parameters."""

    points: Array
    mean: float
    spread: float
    kernel: Array
    weights: Array
    factor: Array

    def predict(self, points: Array) -> tuple[Array, Array]:
        """Mean and standard deviation (without measuring noise) at points, in the targets' unit."""
        import numpy as np
        from scipy.linalg import solve_triangular

        lengths, size = np.exp(self.kernel[:-2]), float(np.exp(self.kernel[-2]))
        cross = _matern(_scaled(points, lengths), _scaled(self.points, lengths)) * size
        inner = solve_triangular(self.factor, cross.T, lower=True, check_finite=False)
        variance = np.maximum(size - np.sum(inner**2, axis=0), 1e-10)
        return cross @ self.weights * self.spread + self.mean, np.sqrt(variance) * self.spread


def fit(points: Array, targets: Array) -> Surrogate:
    """The most probable process behind targets at points (one row each).

    Of many points the kernel is chosen on the half that is highest and on every so many-th of the rest.
    """
    import numpy as np
    from scipy.linalg import cho_solve
    from scipy.optimize import minimize
    from threadpoolctl import threadpool_limits

    mean, spread = float(np.mean(targets)), float(np.std(targets)) or 1.0
    wanted = (targets - mean) / spread
    chosen = _telling(wanted)
    count = points.shape[1]
    prior = np.append(np.full(count, 0.5 * np.log(count)), [0.0, -4.0])
    bounds = [(-3.0, 5.0)] * count + [(-3.0, 3.0), (-9.0, 0.5)]
    with threadpool_limits(1):  # threads cost more than they give on matrices of this size
        found: Any = minimize(
            _negative_log_posterior, prior, (_squares(points[chosen]), wanted[chosen], prior), jac=True,
            method="L-BFGS-B", bounds=bounds, options={"maxiter": _STEPS},
        )  # fmt: skip
    kernel = found.x
    covariance = _covariance(_squares(points), kernel)[0]
    factor = np.asarray(np.linalg.cholesky(covariance), dtype=np.float64)
    return Surrogate(points, mean, spread, kernel, cho_solve((factor, True), wanted), factor)


def _telling(wanted: Array) -> NDArray[np.intp]:
    import numpy as np

    order = np.argsort(-wanted, kind="stable")
    if len(order) <= _SEARCHED:
        return order
    high, rest = order[: _SEARCHED // 2], order[_SEARCHED // 2 :]
    places = np.linspace(0, len(rest) - 1, _SEARCHED - len(high)).round().astype(int)
    return np.concatenate([high, rest[places]])


def _squares(points: Array) -> Array:
    between: Array = points[:, None, :] - points[None, :, :]
    return between**2


def _negative_log_posterior(kernel: Array, squares: Array, wanted: Array, prior: Array) -> tuple[float, Array]:
    import numpy as np
    from scipy.linalg import cho_solve

    covariance, slope = _covariance(squares, kernel)
    try:
        factor = np.linalg.cholesky(covariance)
    except np.linalg.LinAlgError:
        return 1e10, np.zeros_like(kernel)
    weights = cho_solve((factor, True), wanted)
    inverse = cho_solve((factor, True), np.eye(len(wanted)))
    misfit = 0.5 * wanted @ weights + float(np.sum(np.log(np.diag(factor))))
    pull = 0.5 * (inverse - np.outer(weights, weights))
    noise = float(np.exp(kernel[-1]))
    gradient = np.empty_like(kernel)
    gradient[:-2] = np.tensordot(pull * slope, squares, axes=([0, 1], [0, 1])) * np.exp(-2.0 * kernel[:-2])
    gradient[-2] = np.sum(pull * (covariance - noise * np.eye(len(wanted))))
    gradient[-1] = noise * np.trace(pull)
    widths = np.append(np.full(len(kernel) - 2, 1.0), [1.0, 1.5])
    away = (kernel - prior) / widths
    return misfit + 0.5 * float(away @ away), gradient + away / widths


def _covariance(squares: Array, kernel: Array) -> tuple[Array, Array]:
    """The covariance of the targets, and what its derivative by a log length is per unit of squared scaled distance."""
    import numpy as np

    size, noise = float(np.exp(kernel[-2])), float(np.exp(kernel[-1]))
    distance = np.sqrt(np.maximum(squares @ np.exp(-2.0 * kernel[:-2]), 0.0))
    fading = size * np.exp(-_ROOT5 * distance)
    covariance = fading * (1.0 + _ROOT5 * distance + 5.0 / 3.0 * distance**2)
    covariance[np.diag_indices_from(covariance)] += noise + 1e-8
    return covariance, fading * (5.0 / 3.0) * (1.0 + _ROOT5 * distance)


def _scaled(points: Array, lengths: Array) -> Array:
    return points / lengths


def _matern(one: Array, other: Array) -> Array:
    import numpy as np

    squared = np.sum(one**2, 1)[:, None] + np.sum(other**2, 1)[None, :] - 2.0 * one @ other.T
    distance = np.sqrt(np.maximum(squared, 0.0))
    return np.asarray(np.exp(-_ROOT5 * distance) * (1.0 + _ROOT5 * distance + 5.0 / 3.0 * distance**2))
