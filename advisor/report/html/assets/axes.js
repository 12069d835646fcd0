/* What every chart of a report shares: its data, the look of axes, figures as people read them, legends, and redrawing. */
"use strict";
const report = (() => {
  const charts = JSON.parse(document.getElementById("charts").textContent);
  const dark = matchMedia("(prefers-color-scheme: dark)");
  const root = document.documentElement;
  const css = (name) => getComputedStyle(root).getPropertyValue(name).trim();
  const FONT = 'system-ui, "Segoe UI", Roboto, "Liberation Sans", sans-serif';
  const plots = [];
  let printing = false;

  const figure = (value) => {
    if (value === null || value === undefined) return "–";
    const size = Math.abs(value);
    return value.toLocaleString("en", size >= 100 ? { maximumFractionDigits: 0 } : { maximumSignificantDigits: 3 });
  };
  const [MILLION, THOUSAND, PLAIN] = [[1e6, "M"], [1e3, "k"], [1, ""]];
  const unitOf = (most) => (most >= 1e6 ? MILLION : most >= 1e4 ? THOUSAND : PLAIN);
  /* The ticks of a linear axis, all in one unit; those of a logarithmic one, each in its own. */
  const marks = (plot, ticks) => {
    const [unit, letter] = unitOf(ticks[ticks.length - 1]);
    return ticks.map((tick) => (tick ? figure(tick / unit) + letter : "0"));
  };
  const marksEach = (plot, ticks) => ticks.map((tick) => marks(plot, [tick])[0]);

  const element = (name, properties, ...children) => {
    const made = Object.assign(document.createElement(name), properties);
    made.append(...children);
    return made;
  };

  const axis = (extra) => ({
    stroke: () => css("--quiet"),
    grid: { stroke: () => css("--line"), width: 1 },
    ticks: { stroke: () => css("--line"), width: 1 },
    font: `12px ${FONT}`,
    labelFont: `12px ${FONT}`,
    labelSize: 20,
    labelGap: 0,
    ...extra,
  });
  /* Text over the grid, on a ground of its own so that no line strikes it through. */
  const write = (plot, text, left, top) => {
    const { ctx } = plot, pixel = devicePixelRatio;
    ctx.font = `${11 * pixel}px ${FONT}`;
    ctx.textBaseline = "top";
    ctx.textAlign = "left";
    ctx.fillStyle = css("--card");
    ctx.fillRect(left - 2 * pixel, top - pixel, ctx.measureText(text).width + 4 * pixel, 14 * pixel);
    ctx.fillStyle = css("--quiet");
    ctx.fillText(text, left, top);
  };

  /* An entry of a legend: a button that hides what it names, and points it out while it has the focus. */
  const entry = (swatch, name, series, plotOf) => {
    const value = element("output");
    const button = element("button", { type: "button" }, swatch, name, value);
    button.setAttribute("aria-pressed", "true");
    button.onclick = () => {
      const shown = button.getAttribute("aria-pressed") !== "true";
      button.setAttribute("aria-pressed", String(shown));
      plotOf().setSeries(series, { show: shown });
    };
    const focus = (on) => plotOf().setSeries(on ? series : null, { focus: on });
    button.onpointerenter = button.onfocus = () => focus(true);
    button.onpointerleave = button.onblur = () => focus(false);
    return { button, value };
  };

  const placeOf = (chart) => document.querySelector(`[data-chart="${chart.id}"]`);
  /* Draws a chart; `height` is that for a width. How many ticks each axis has can be read from the place. */
  const draw = (chart, options, data, height) => {
    const place = placeOf(chart);
    const count = (plot) => {
      const told = (one) => (one._values || []).filter((text) => text !== "" && text !== null).length;
      place.dataset.ticks = plot.axes.map(told).join(" ");
    };
    const hooks = { ...options.hooks, draw: [...(options.hooks.draw || []), count] };
    const width = place.clientWidth;
    const plot = new uPlot({ ...options, hooks, width, height: height(width), legend: { show: false } }, data, place);
    plots.push({ plot, place, height });
    root.dataset.charts = String(plots.length);
    return plot;
  };

  const fit = (width) =>
    plots.forEach(({ plot, place, height }) => {
      const wide = width || place.clientWidth;
      plot.setSize({ width: wide, height: height(wide) });
      plot.redraw(false, true);
    });
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
  return { charts, css, FONT, figure, marks, marksEach, element, axis, write, entry, placeOf, draw };
})();
