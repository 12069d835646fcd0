/* Draws the curves of a report: hover shows every curve's value, dragging zooms all of them, buttons hide one. */
"use strict";
(() => {
  const { css, figure, marks, element, axis, write, entry, placeOf } = report;
  const charts = report.charts.filter((chart) => chart.curves);
  const members = [...new Set(charts.flatMap((chart) => chart.curves.map((curve) => curve.member)))];
  const tint = (curve) => `--c${members.indexOf(curve.member) % 8}`;
  // Members beyond the eighth share a colour with an earlier one and are told apart by their dashes.
  const dashes = (curve) => {
    const round = Math.floor(members.indexOf(curve.member) / 8);
    return curve.dashed ? [6, 4] : round ? [2 + 8 * round, 3] : [];
  };
  const last = Math.max(...charts.flatMap((chart) => chart.curves.map((curve) => curve.x[curve.x.length - 1])));
  // The zone is that of the machine that made the report, as in its text.
  const clock = (chart, at) => new Date((chart.clock + at) * 1000).toISOString().slice(11, 19);
  const plots = [];
  const time = element("span", { className: "time" });

  /* Times are marked in the unit that fits how much of them is in sight. */
  const UNITS = [[3 * 86400, 86400, "d"], [3 * 3600, 3600, "h"], [600, 60, "min"], [0, 1, "s"]];
  const unitOf = (plot) => {
    const { min, max } = plot.scales.x;
    return UNITS.find(([least]) => max - min >= least);
  };
  const STEPS = [1, 2, 5, 10, 15, 20, 30].flatMap((step) => [step, 60 * step, 3600 * step, 86400 * step]);
  const BELOW = [1e-3, 1e-2, 1e-1].flatMap((power) => [power, 2 * power, 5 * power]);
  const steps = [...new Set([...BELOW, ...STEPS])].sort((one, other) => one - other);

  /* Moments of all members in one list: null is a gap, undefined a moment another member was read at. */
  const joined = (curves) => {
    const tables = curves.map(({ x, y, steps: mean }) => [x, mean ? [...y, y[y.length - 1]] : y]);
    return uPlot.join(tables, tables.map((table) => table.slice(1).map(() => 1)));
  };
  /* The value a curve has at a moment: a mean holds until its interval ends, a reading counts where it is nearest. */
  const indexAt = (plot, series, index, curve) => {
    const x = plot.data[0], y = plot.data[series], at = plot.posToVal(plot.cursor.left, "x");
    let before = index;
    while (before >= 0 && (y[before] === undefined || x[before] > at)) before--;
    if (curve.steps) return before >= 0 ? before : index;
    let after = Math.max(before + 1, 0);
    while (after < x.length && y[after] === undefined) after++;
    if (before < 0) return after < x.length ? after : index;
    return after < x.length && x[after] - at < at - x[before] ? after : before;
  };

  const shade = (spans) => (plot) => {
    const { ctx, bbox } = plot;
    ctx.save();
    ctx.fillStyle = css("--span");
    spans.forEach(([, begin, end], position) => {
      const from = Math.max(plot.valToPos(begin, "x", true), bbox.left);
      const to = Math.min(plot.valToPos(end, "x", true), bbox.left + bbox.width);
      if (position % 2 === 0 && to > from) ctx.fillRect(from, bbox.top, to - from, bbox.height);
    });
    ctx.restore();
  };
  const nameSpans = (spans) => (plot) => {
    const { ctx, bbox } = plot, pixel = devicePixelRatio;
    ctx.save();
    spans.forEach(([name, begin, end]) => {
      const from = Math.max(plot.valToPos(begin, "x", true), bbox.left);
      const room = Math.min(plot.valToPos(end, "x", true), bbox.left + bbox.width) - from;
      ctx.font = `${11 * pixel}px ${report.FONT}`;
      if (ctx.measureText(name).width + 10 * pixel <= room) write(plot, name, from + 5 * pixel, bbox.top + 3 * pixel);
    });
    ctx.restore();
  };

  const zoomTo = (begin, end) => {
    const wide = Math.min(Math.max(end - begin, last / 1000), last);
    const min = Math.min(Math.max(begin, 0), last - wide);
    plots.forEach((plot) => plot.setScale("x", { min, max: min + wide }));
  };
  const zoomBy = (factor, shift) => {
    const { min, max } = plots[0].scales.x, wide = (max - min) * factor, middle = (min + max) / 2 + (max - min) * shift;
    zoomTo(middle - wide / 2, middle + wide / 2);
  };

  const options = (chart, show) => {
    const longest = Math.max(...chart.curves.map((curve) => curve.x.length));
    const timed = (plot, ticks) => {
      if (chart.clock !== null) return ticks.map((tick) => clock(chart, tick));
      const [, seconds, unit] = unitOf(plot);
      return ticks.map((tick) => `${figure(tick / seconds)} ${unit}`);
    };
    return {
      scales: {
        x: { time: false, range: (plot, min, max) => (min === null ? [0, last] : [min, max]) },
        y: { range: (plot, min, max) => [0, max > 0 ? max * (chart.spans.length ? 1.18 : 1.06) : 1] },
      },
      axes: [
        axis({ values: timed, space: (plot) => (plot.width < 500 ? 54 : 74), incrs: steps }),
        axis({ values: marks, size: 50, space: 28, label: chart.unit }),
      ],
      focus: { alpha: 0.15 },
      cursor: {
        sync: { key: "report", setSeries: false },
        drag: { x: true, y: false, setScale: false },
        points: { size: 7 },
        dataIdx: (plot, series, index) => (series === 0 ? index : indexAt(plot, series, index, chart.curves[series - 1])),
      },
      series: [
        {},
        ...chart.curves.map((curve) => ({
          label: `${curve.member} ${curve.name}`,
          stroke: () => css(tint(curve)),
          width: longest > 200 ? 1.25 : 2,
          dash: dashes(curve),
          points: { show: longest <= 60 && !curve.steps, size: 5 },
          paths: curve.steps ? uPlot.paths.stepped({ align: 1 }) : undefined,
        })),
      ],
      hooks: {
        drawClear: [shade(chart.spans)],
        drawAxes: [nameSpans(chart.spans)],
        setCursor: [show],
        setSelect: [
          (plot) => {
            const { left, width: wide } = plot.select;
            if (wide > 3) zoomTo(plot.posToVal(left, "x"), plot.posToVal(left + wide, "x"));
            plot.setSelect({ left: 0, width: 0, top: 0, height: 0 }, false);
          },
        ],
      },
    };
  };

  const zoomButton = (text, label, action) => {
    const button = element("button", { type: "button", className: "zoom", textContent: text, title: label, onclick: action });
    button.setAttribute("aria-label", label);
    return button;
  };
  const swatchOf = (curve) => {
    const swatch = element("span", { className: dashes(curve).length ? "swatch dashed" : "swatch" });
    swatch.style.setProperty("--tint", `var(${tint(curve)})`);
    return swatch;
  };

  /* All figures of a chart, written only when somebody opens the table: there may be tens of thousands. */
  const fullTable = (chart) => {
    const moments = joined(chart.curves);
    const cell = (name, text, right) => element(name, { textContent: text, className: right ? "n" : "" });
    const head = element("tr", {}, cell("th", "second"), ...chart.curves.map((c) => cell("th", `${c.member} ${c.name}`, true)));
    const body = moments[0].map((at, row) => {
      const values = chart.curves.map((curve, position) => {
        const ended = curve.steps && at === curve.x[curve.x.length - 1];
        const value = ended ? undefined : moments[position + 1][row];
        return cell("td", value === undefined ? "" : figure(value), true);
      });
      return element("tr", {}, cell("td", at.toFixed(1)), ...values);
    });
    return element("table", {}, element("thead", {}, head), element("tbody", {}, ...body));
  };

  const draw = (chart) => {
    const place = placeOf(chart);
    let plot = null, keys = [];
    const show = (shown) => {
      const at = shown.cursor.left >= 0 ? shown.posToVal(shown.cursor.left, "x") : null;
      time.textContent = at === null ? "" : chart.clock === null ? `at ${at.toFixed(1)} s` : `at ${clock(chart, at)}`;
      keys.forEach(({ value }, position) => {
        const index = shown.cursor.idxs ? shown.cursor.idxs[position + 1] : null;
        const known = at !== null && index !== null && index !== undefined;
        value.textContent = known ? figure(shown.data[position + 1][index]) : "";
      });
    };
    plot = report.draw(chart, options(chart, show), joined(chart.curves), (width) => (width < 500 ? 210 : 250));
    keys = chart.curves.map((curve, position) =>
      entry(swatchOf(curve), `${curve.member} ${curve.name}`.trim(), position + 1, () => plot));
    place.after(element("div", { className: "tools legend" }, ...keys.map(({ button }) => button)));
    plot.over.addEventListener("dblclick", () => zoomTo(0, last));
    const details = place.parentElement.querySelector("details.figures");
    details.addEventListener("toggle", () => {
      if (details.open && !details.dataset.full) {
        details.dataset.full = "yes";
        const all = element("div", { className: "wide", tabIndex: 0, role: "region" }, fullTable(chart));
        all.setAttribute("aria-label", `${chart.title}: every figure`);
        details.append(all);
      }
    });
    plots.push(plot);
  };

  const tools = element(
    "div",
    { className: "tools all" },
    zoomButton("+", "zoom in", () => zoomBy(0.5, 0)),
    zoomButton("−", "zoom out", () => zoomBy(2, 0)),
    zoomButton("←", "earlier", () => zoomBy(1, -0.5)),
    zoomButton("→", "later", () => zoomBy(1, 0.5)),
    zoomButton("all", "show the whole time", () => zoomTo(0, last)),
    time,
  );
  placeOf(charts[0]).closest("figure").before(tools);
  charts.forEach(draw);
  zoomTo(0, last);
})();
