/* Draws single measurements: a mark for each, its interval as a line, and a limit; pointing at a mark says what it is. */
"use strict";
(() => {
  const { css, marks, marksEach, element, axis, write, entry, placeOf } = report;
  const ROUND = "M4.5 0A4.5 4.5 0 1 1 -4.5 0A4.5 4.5 0 1 1 4.5 0Z";
  // Outlines around (0, 0), the same on the canvas and in the legend.
  const SHAPES = {
    dot: ROUND, ring: ROUND, cross: "M-4 -4L4 4M-4 4L4 -4", square: "M-4.5 -4.5H4.5V4.5H-4.5Z",
    diamond: "M0 -7L7 0L0 7L-7 0Z", steps: "M-10 4H0V-4H10",
  };
  const FILLED = ["dot", "square", "diamond"];
  const NEAR = 24; // pixels between the pointer and the mark it means
  const tint = (group) => `--${group.colour}`;

  const swatchOf = (group) => {
    const svg = document.createElementNS("http://www.w3.org/2000/svg", "svg");
    const path = document.createElementNS("http://www.w3.org/2000/svg", "path");
    svg.setAttribute("class", "mark");
    svg.setAttribute("viewBox", group.mark === "steps" ? "-12 -9 24 18" : "-9 -9 18 18");
    svg.setAttribute("aria-hidden", "true");
    path.setAttribute("d", SHAPES[group.mark]);
    path.style.stroke = `var(${tint(group)})`;
    path.style.fill = FILLED.includes(group.mark) ? `var(${tint(group)})` : "none";
    svg.append(path);
    return svg;
  };

  /* The groups share rows; in a chart of rows each group has a line of its own within a row. */
  const heightOf = (chart, group, y) => {
    if (!chart.y.rows.length) return y;
    const others = chart.groups.length, position = chart.groups.indexOf(group);
    return y + (position - (others - 1) / 2) * Math.min(0.26, 0.7 / others);
  };
  const aligned = (chart) => {
    const all = chart.groups.flatMap((group) => group.points.map((point) => ({ group, point })));
    all.sort((one, other) => one.point[0] - other.point[0]);
    const column = (group) => all.map((one) => (one.group === group ? heightOf(chart, group, one.point[1]) : null));
    return [all.map((one) => one.point[0]), ...chart.groups.map(column)];
  };

  const extent = (chart) => {
    const points = chart.groups.flatMap((group) => group.points);
    const across = points.flatMap(([x, , , low, high]) => [x, low ?? x, high ?? x]);
    if (chart.limit) across.push(chart.limit[0]);
    const [least, most] = [Math.min(...across), Math.max(...across)];
    if (chart.x.log) return [least / 1.25, most * 1.25];
    if (chart.x.whole) return [0, most + 1];
    return [Math.min(0, least), most > 0 ? most * 1.06 : 1];
  };
  /* Ticks of a logarithmic axis: powers of ten with 2 and 5 between them, or fewer or more as there is room. */
  const decades = (plot, position, min, max) => {
    const powers = [];
    for (let power = Math.floor(Math.log10(min)); power <= Math.log10(max); power++) powers.push(10 ** power);
    const ticks = (steps) => powers.flatMap((power) => steps.map((step) => power * step)).filter((at) => at >= min && at <= max);
    const room = plot.bbox.width / devicePixelRatio / 44;
    const choices = [[1, 2, 3, 4, 5, 6, 7, 8, 9], [1, 1.5, 2, 3, 5, 7], [1, 2, 5], [1, 3], [1]].map(ticks);
    return choices.find((choice) => choice.length <= Math.min(room, 9)) || choices[choices.length - 1];
  };

  /* Long names of rows in several lines, broken where words end. */
  const wrapped = (name, most, ctx) => {
    const lines = [""];
    for (const word of name.split(/(?<=[ _.-])/)) {
      if (lines[0] && ctx.measureText(lines[lines.length - 1] + word).width > most) lines.push("");
      lines[lines.length - 1] += word;
    }
    return lines.join("\n");
  };
  const rowAxis = (chart) => ({
    splits: () => chart.y.rows.map((name, position) => position),
    values: (plot) => {
      plot.ctx.font = `12px ${report.FONT}`;
      return chart.y.rows.map((name) => wrapped(name, plot.width * 0.32, plot.ctx));
    },
    size: (plot, values) => {
      plot.ctx.font = `12px ${report.FONT}`;
      const widths = (values || []).flatMap((text) => text.split("\n")).map((line) => plot.ctx.measureText(line).width);
      return Math.max(40, ...widths.map((width) => width + 18));
    },
    ticks: { show: false },
  });

  const drawMarks = (chart) => (plot) => {
    const { ctx } = plot, pixel = devicePixelRatio;
    ctx.save();
    ctx.setLineDash([]); // a line before this one may be dashed
    chart.groups.forEach((group, position) => {
      const series = plot.series[position + 1];
      if (!series.show || group.mark === "steps") return;
      ctx.globalAlpha = series._focus === false ? 0.15 : 1;
      ctx.strokeStyle = ctx.fillStyle = css(tint(group));
      for (const [x, y, , low, high] of group.points) {
        const top = plot.valToPos(heightOf(chart, group, y), "y", true);
        if (low !== null && high !== null) {
          const [from, to] = [plot.valToPos(low, "x", true), plot.valToPos(high, "x", true)];
          ctx.lineWidth = 2 * pixel;
          ctx.stroke(new Path2D(`M${from} ${top}H${to}M${from} ${top - 5 * pixel}v${10 * pixel}M${to} ${top - 5 * pixel}v${10 * pixel}`));
        }
        ctx.save();
        ctx.translate(plot.valToPos(x, "x", true), top);
        ctx.scale(pixel, pixel);
        ctx.lineWidth = 2;
        const shape = new Path2D(SHAPES[group.mark]);
        if (FILLED.includes(group.mark)) ctx.fill(shape);
        ctx.stroke(shape);
        ctx.restore();
      }
    });
    ctx.restore();
  };
  const drawLimit = (chart) => (plot) => {
    if (!chart.limit) return;
    const { ctx, bbox } = plot, pixel = devicePixelRatio, [value, name] = chart.limit;
    const left = plot.valToPos(value, "x", true);
    ctx.save();
    ctx.strokeStyle = css("--ink");
    ctx.lineWidth = 1.5 * pixel;
    ctx.setLineDash([6 * pixel, 4 * pixel]);
    ctx.stroke(new Path2D(`M${left} ${bbox.top}V${bbox.top + bbox.height}`));
    ctx.font = `${11 * pixel}px ${report.FONT}`;
    const wide = ctx.measureText(name).width + 6 * pixel;
    const fits = left + wide <= bbox.left + bbox.width;
    write(plot, name, fits ? left + 5 * pixel : Math.max(left - wide, bbox.left + 3 * pixel), bbox.top + 2 * pixel);
    ctx.restore();
  };

  const options = (chart, show) => {
    const rows = chart.y.rows.length;
    return {
      scales: {
        x: { time: false, distr: chart.x.log ? 3 : 1, range: () => extent(chart) },
        y: rows ? { range: () => [-0.85, rows - 0.4], dir: -1 } : { range: (plot, min, max) => [0, max > 0 ? max * 1.14 : 1] },
      },
      axes: [
        axis({
          label: chart.x.name, values: chart.x.log ? marksEach : marks, space: (plot) => (plot.width < 500 ? 44 : 70), size: 34,
          ...(chart.x.log ? { splits: decades, filter: (plot, ticks) => ticks } : {}),
          ...(chart.x.whole ? { incrs: [1, 2, 5, 10, 20, 50, 100, 200, 500, 1000] } : {}),
        }),
        axis(rows ? rowAxis(chart) : { label: chart.y.name, values: marks, size: 50, space: 28 }),
      ],
      focus: { alpha: 0.15 },
      padding: [8, 16, 0, 0],
      cursor: { x: false, y: false, drag: { x: false, y: false }, points: { show: false } },
      series: [
        {},
        ...chart.groups.map((group) => ({
          label: group.name,
          stroke: () => css(tint(group)),
          width: 1.5,
          dash: [5, 4],
          spanGaps: true,
          points: { show: false },
          paths: group.mark === "steps" ? uPlot.paths.stepped({ align: 1 }) : () => null,
        })),
      ],
      hooks: { drawAxes: [drawLimit(chart)], draw: [drawMarks(chart)], setCursor: [show] },
    };
  };

  const nearest = (chart, plot) => {
    const { left, top } = plot.cursor;
    let best = { far: NEAR, text: "" };
    chart.groups.forEach((group, position) => {
      if (!plot.series[position + 1].show || group.mark === "steps") return;
      for (const [x, y, text] of group.points) {
        const across = plot.valToPos(x, "x") - left, down = plot.valToPos(heightOf(chart, group, y), "y") - top;
        const far = Math.hypot(across, down);
        if (far < best.far) best = { far, text };
      }
    });
    return left < 0 ? "" : best.text;
  };

  const draw = (chart) => {
    const reading = element("output", { className: "reading" });
    const rows = chart.y.rows.length;
    const height = (width) => (rows ? 92 + rows * Math.max(40, 20 * chart.groups.length) : width < 500 ? 260 : 320);
    const plot = report.draw(chart, options(chart, (shown) => { reading.textContent = nearest(chart, shown); }), aligned(chart), height);
    const keys = chart.groups.map((group, position) => entry(swatchOf(group), group.name, position + 1, () => plot));
    placeOf(chart).after(reading, element("div", { className: "tools legend" }, ...keys.map(({ button }) => button)));
  };
  report.charts.filter((chart) => chart.groups).forEach(draw);
})();
