// Shows the rows whose text has every word of the search field; works on all tables with the class "searched".
(() => {
  const field = document.getElementById("search");
  const count = document.getElementById("found");
  const rows = [...document.querySelectorAll(".searched tbody tr")];
  const texts = rows.map((row) => row.textContent.toLowerCase());
  const show = () => {
    const words = field.value.toLowerCase().split(/\s+/).filter(Boolean);
    let shown = 0;
    rows.forEach((row, at) => {
      const fits = words.every((word) => texts[at].includes(word));
      row.hidden = !fits;
      shown += fits ? 1 : 0;
    });
    count.textContent = words.length ? `${shown} of ${rows.length} rows` : "";
  };
  let waiting = 0;
  field.addEventListener("input", () => { clearTimeout(waiting); waiting = setTimeout(show, 120); });
  show();
})();
