// Flip-books: show the frame that belongs to the controls. One pass over the explorers of the page, no library.
for (const explorer of document.querySelectorAll("figure.explorer")) {
  const data = JSON.parse(explorer.querySelector(":scope > script").textContent);
  const picture = explorer.querySelector(".explorer-frame");
  const fieldset = explorer.querySelector("fieldset");
  const inputs = [...fieldset.querySelectorAll("input, select")];
  const labels = new Map(inputs.filter((i) => i.type === "range").map((i) => [i, JSON.parse(i.dataset.labels)]));
  let shown = null;

  const position = (input) => {
    if (input.type === "checkbox") return Number(input.checked ? input.dataset.checked : input.dataset.unchecked);
    return input.tagName === "SELECT" ? input.selectedIndex : Number(input.value);
  };

  const update = () => {
    let frame = 0; // the last control runs fastest
    inputs.forEach((input, axis) => {
      frame = frame * data.shape[axis] + position(input);
      if (input.type === "range") {
        const label = labels.get(input)[position(input)];
        input.setAttribute("aria-valuetext", label);
        input.nextElementSibling.textContent = label;
      }
    });
    if (frame === shown) return;
    shown = frame;
    picture.innerHTML = data.frames[frame].map((line) => data.lines[line]).join("\n");
    picture.setAttribute("aria-label", data.alts[frame]);
  };

  fieldset.disabled = false;
  fieldset.addEventListener("input", update);
  update(); // a browser may have kept the positions of an earlier visit
}
