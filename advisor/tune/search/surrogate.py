"""What would be measured at points nobody has tried? A Gaussian process in numpy, small enough to fit between trials.

Matérn 5/2 with a length for every feature; lengths, noise and size are the most probable ones under broad priors
(lengths grow with the root of the number of features, Hvarfner et al., arXiv 2402.02229).

Why not scikit-learn's GaussianProcessRegressor: it maximises the likelihood alone and takes no priors of the lengths,
which two dozen knobs and a few dozen trials need; a proposal fits several processes and must take some 0.3 s; and with
this one the search is ahead of Optuna's GPSampler in the recorded benchmark (benchmarks/tuner).
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
_MOST_POINTS: Final = 90  # that the kernel is chosen on; the cost grows with their cube, the information does not


@record
class Surrogate:
    """A fitted process: `mean` and `spread` of the targets were removed; `kernel`: logs of the parameters."""

    points: Array
    mean: float
    spread: float
    kernel: Array
    weights: Array
    inverse: Array

    def predict(self, points: Array) -> tuple[Array, Array]:
        """Mean and standard deviation (without measuring noise) at points, in the targets' unit."""
        import numpy as np

        lengths, size = np.exp(self.kernel[:-2]), float(np.exp(self.kernel[-2]))
        scaled, own = points / lengths, self.points / lengths
        squared = np.sum(scaled**2, 1)[:, None] + np.sum(own**2, 1)[None, :] - 2.0 * scaled @ own.T
        cross, _ = _matern(np.maximum(squared, 0.0), size)
        variance = np.maximum(size - np.sum((cross @ self.inverse) * cross, axis=1), 1e-10)
        return cross @ self.weights * self.spread + self.mean, np.sqrt(variance) * self.spread


@record
class _Pairs:
    """Every pair of points once: which two, and the squares of their differences feature by feature."""

    one: NDArray[np.intp]
    other: NDArray[np.intp]
    squares: Array
    count: int


def fit(points: Array, targets: Array) -> Surrogate:
    """The most probable process behind targets at points (one row each).

    Of many points the kernel is chosen on the half that is highest and on every so many-th of the rest.
    """
    import numpy as np
    from scipy.optimize import minimize
    from threadpoolctl import threadpool_limits

    mean, spread = float(np.mean(targets)), float(np.std(targets)) or 1.0
    standardised = (targets - mean) / spread
    chosen = _informative(standardised)
    count = points.shape[1]
    prior = np.append(np.full(count, 0.5 * np.log(count)), [0.0, -4.0])
    bounds = [(-3.0, 5.0)] * count + [(-3.0, 3.0), (-9.0, 0.5)]
    with threadpool_limits(1):  # threads cost more than they give on matrices of this size
        optimum: Any = minimize(
            _negative_log_posterior, prior, (_pairs(points[chosen]), standardised[chosen], prior), jac=True,
            method="L-BFGS-B", bounds=bounds, options={"maxiter": _STEPS},
        )  # fmt: skip
        pairs = _pairs(points)
        inverse, _ = _inverted(pairs, _matern(_squared(pairs, optimum.x), float(np.exp(optimum.x[-2])))[0], optimum.x)
    return Surrogate(points, mean, spread, optimum.x, inverse @ standardised, inverse)


def _informative(standardised: Array) -> NDArray[np.intp]:
    import numpy as np

    order = np.argsort(-standardised, kind="stable")
    if len(order) <= _MOST_POINTS:
        return order
    high, rest = order[: _MOST_POINTS // 2], order[_MOST_POINTS // 2 :]
    places = np.linspace(0, len(rest) - 1, _MOST_POINTS - len(high)).round().astype(int)
    return np.concatenate([high, rest[places]])


def _pairs(points: Array) -> _Pairs:
    import numpy as np

    one, other = np.tril_indices(len(points), -1)
    return _Pairs(one, other, (points[one] - points[other]) ** 2, len(points))


def _squared(pairs: _Pairs, kernel: Array) -> Array:
    import numpy as np

    return np.asarray(pairs.squares @ np.exp(-2.0 * kernel[:-2]))


def _matern(squared: Array, size: float) -> tuple[Array, Array]:
    """The covariance at squared scaled distances, and minus twice its derivative by the squared distance."""
    import numpy as np

    distance = _ROOT5 * np.sqrt(squared)
    fading = size * np.exp(-distance)
    return fading * (1.0 + distance + distance**2 / 3.0), fading * (5.0 / 3.0) * (1.0 + distance)


def _inverted(pairs: _Pairs, covariances: Array, kernel: Array) -> tuple[Array, float]:
    """The inverse of the targets' covariance, and the log of its determinant; LinAlgError where there is none."""
    import numpy as np
    from scipy.linalg.lapack import dpotrf, dpotri

    covariance = np.zeros((pairs.count, pairs.count), order="F")
    covariance[pairs.one, pairs.other] = covariances
    np.fill_diagonal(covariance, np.exp(kernel[-2]) + np.exp(kernel[-1]) + 1e-8)
    factor, failed = dpotrf(covariance, lower=1, overwrite_a=1)
    if failed:
        raise np.linalg.LinAlgError("not positive definite")
    size = 2.0 * float(np.sum(np.log(np.diag(factor))))
    inverse, _ = dpotri(factor, lower=1, overwrite_c=1)
    inverse[pairs.other, pairs.one] = inverse[pairs.one, pairs.other]
    return np.asarray(inverse), size


def _negative_log_posterior(kernel: Array, pairs: _Pairs, standardised: Array, prior: Array) -> tuple[float, Array]:
    import numpy as np

    size, noise = float(np.exp(kernel[-2])), float(np.exp(kernel[-1]))
    covariances, slope = _matern(_squared(pairs, kernel), size)
    try:
        inverse, logs = _inverted(pairs, covariances, kernel)
    except np.linalg.LinAlgError:
        return 1e10, np.zeros_like(kernel)
    weights = inverse @ standardised
    pull = inverse[pairs.one, pairs.other] - weights[pairs.one] * weights[pairs.other]  # of both halves
    trace_term = 0.5 * float(np.trace(inverse) - weights @ weights)
    gradient = np.empty_like(kernel)
    gradient[:-2] = (pull * slope) @ pairs.squares * np.exp(-2.0 * kernel[:-2])
    gradient[-2] = pull @ covariances + trace_term * size
    gradient[-1] = trace_term * noise
    widths = np.append(np.full(len(kernel) - 2, 1.0), [1.0, 1.5])
    deviations = (kernel - prior) / widths
    return 0.5 * (float(standardised @ weights) + logs) + 0.5 * float(
        deviations @ deviations
    ), gradient + deviations / widths
