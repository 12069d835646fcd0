/* Draws the charts of a report: hover shows every curve's value, dragging zooms all charts, buttons hide curves. */
"use strict";
(() => {
  const charts = JSON.parse(document.getElementById("charts").textContent);
  const dark = matchMedia("(prefers-color-scheme: dark)");
  const root = document.documentElement;
  const css = (name) => getComputedStyle(root).getPropertyValue(name).trim();
  const members = [...new Set(charts.flatMap((chart) => chart.curves.map((curve) => curve.member)))];
  const tint = (curve) => `--c${members.indexOf(curve.member) % 8}`;
  // Members beyond the eighth share a colour with an earlier one and are told apart by their dashes.
  const dashes = (curve) => {
    const round = Math.floor(members.indexOf(curve.member) / 8);
    return curve.dashed ? [6, 4] : round ? [2 + 8 * round, 3] : [];
  };
  const last = Math.max(...charts.flatMap((chart) => chart.curves.map((curve) => curve.x[curve.x.length - 1])));
  const plots = [];
  let printing = false;

  const figure = (value) => {
    if (value === null || value === undefined) return "–";
    const size = Math.abs(value);
    return value.toLocaleString("en", size >= 100 ? { maximumFractionDigits: 0 } : { maximumSignificantDigits: 3 });
  };
  /* The marks of an axis, all in one unit. */
  const marks = (plot, ticks) => {
    const most = ticks[ticks.length - 1];
    const [unit, letter] = most >= 1e6 ? [1e6, "M"] : most >= 1e4 ? [1e3, "k"] : [1, ""];
    return ticks.map((tick) => (tick ? figure(tick / unit) + letter : "0"));
  };
  const element = (name, properties, ...children) => {
    const made = Object.assign(document.createElement(name), properties);
    made.append(...children);
    return made;
  };

  const time = element("span", { className: "time" });

  /* Moments of all members in one list: null is a gap, undefined a moment another member was read at. */
  const joined = (curves) => {
    const tables = curves.map(({ x, y, steps }) => [x, steps ? [...y, y[y.length - 1]] : y]);
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
    ctx.beginPath();
    ctx.rect(bbox.left, bbox.top, bbox.width, bbox.height);
    ctx.clip();
    ctx.font = `${11 * devicePixelRatio}px system-ui, sans-serif`;
    ctx.textBaseline = "top";
    spans.forEach(([name, begin, end], position) => {
      const left = plot.valToPos(begin, "x", true), right = plot.valToPos(end, "x", true);
      ctx.fillStyle = css("--span");
      if (position % 2 === 0) ctx.fillRect(left, bbox.top, right - left, bbox.height);
      const from = Math.max(left, bbox.left), room = Math.min(right, bbox.left + bbox.width) - from;
      if (ctx.measureText(name).width + 8 * devicePixelRatio > room) return;
      ctx.fillStyle = css("--quiet");
      ctx.fillText(name, from + 4 * devicePixelRatio, bbox.top + 3 * devicePixelRatio);
    });
    ctx.restore();
  };

  const zoomTo = (begin, end) => {
    const wide = Math.min(Math.max(end - begin, last / 1000), last);
    const min = Math.min(Math.max(begin, 0), last - wide);
    plots.forEach(({ plot }) => plot.setScale("x", { min, max: min + wide }));
  };
  const zoomBy = (factor, shift) => {
    const { min, max } = plots[0].plot.scales.x, wide = (max - min) * factor, middle = (min + max) / 2 + (max - min) * shift;
    zoomTo(middle - wide / 2, middle + wide / 2);
  };

  const axis = (extra) => ({
    stroke: () => css("--quiet"),
    grid: { stroke: () => css("--line"), width: 1 },
    ticks: { stroke: () => css("--line"), width: 1 },
    font: "12px system-ui, sans-serif",
    ...extra,
  });
  const options = (chart, width, show) => {
    const longest = Math.max(...chart.curves.map((curve) => curve.x.length));
    return {
      width,
      height: width < 500 ? 200 : 250,
      legend: { show: false },
      scales: {
        x: { time: false, range: (plot, min, max) => (min === null ? [0, last] : [min, max]) },
        y: { range: (plot, min, max) => [0, max > 0 ? max * (chart.spans.length ? 1.18 : 1.06) : 1] },
      },
      axes: [
        axis({ values: (plot, ticks) => ticks.map((tick) => `${figure(tick)} s`), space: 70 }),
        axis({ values: marks, size: 52 }),
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
  const legend = (chart, toggle, focus) =>
    chart.curves.map((curve, position) => {
      const swatch = element("span", { className: dashes(curve).length ? "swatch dashed" : "swatch" });
      swatch.style.setProperty("--tint", `var(${tint(curve)})`);
      const value = element("output");
      const button = element("button", { type: "button" }, swatch, `${curve.member} ${curve.name}`.trim(), value);
      button.setAttribute("aria-pressed", "true");
      button.onclick = () => {
        const shown = button.getAttribute("aria-pressed") !== "true";
        button.setAttribute("aria-pressed", String(shown));
        toggle(position + 1, shown);
      };
      button.onpointerenter = button.onfocus = () => focus(position + 1);
      button.onpointerleave = button.onblur = () => focus(null);
      return { button, value };
    });

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
    const place = document.querySelector(`[data-chart="${chart.id}"]`);
    let keys = [];
    const show = (plot) => {
      const at = plot.cursor.left >= 0 ? plot.posToVal(plot.cursor.left, "x") : null;
      time.textContent = at === null ? "" : `at ${at.toFixed(1)} s`;
      keys.forEach(({ value }, position) => {
        const index = plot.cursor.idxs ? plot.cursor.idxs[position + 1] : null;
        const known = at !== null && index !== null && index !== undefined;
        value.textContent = known ? figure(plot.data[position + 1][index]) : "";
      });
    };
    const plot = new uPlot(options(chart, place.clientWidth, show), joined(chart.curves), place);
    const toggle = (series, shown) => plot.setSeries(series, { show: shown });
    keys = legend(chart, toggle, (series) => plot.setSeries(series, { focus: series !== null }));
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
    plots.push({ plot, place });
  };

  const fit = (width) =>
    plots.forEach(({ plot, place }) => {
      const wide = width || place.clientWidth;
      plot.setSize({ width: wide, height: wide < 500 ? 200 : 250 });
      plot.redraw(false, true);
    });

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
  document.querySelector("figure.chart").before(tools);
  charts.forEach(draw);
  zoomTo(0, last);
  addEventListener("resize", () => printing || fit());
  dark.addEventListener("change", () => fit());
  // Paper of either common size leaves some 640 pixels beside margins and frames.
  // Folded parts of the report come out unfolded, but for tables of what the charts show.
  const folded = document.querySelectorAll("details:not(.figures):not([open])");
  const unfold = (open) => folded.forEach((details) => { details.open = open; });
  addEventListener("beforeprint", () => {
    printing = true;
    root.dataset.paper = "yes";
    unfold(true);
    fit(640);
  });
  addEventListener("afterprint", () => {
    printing = false;
    delete root.dataset.paper;
    unfold(false);
    fit();
  });
  root.dataset.charts = String(plots.length);
})();
