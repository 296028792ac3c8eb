// Points of an explorer (see live.js) that readers can drag in the picture.
"use strict";
book.explorer_handles = (() => {
  /** The mark with the control's name gets a handle for a pointer; the control's button takes arrow keys. */
  function bind_point(explorer, control, button) {
    const { set } = book.explorer_picture;
    const { picture, values, handles } = explorer;
    const { low, high } = control;
    const within = (x) => Math.min(Math.max(Math.round(x * 100) / 100, low), high);
    const mark = picture.querySelector(`[data-artist="${control.name}"] use`);
    const svg = mark.ownerSVGElement;
    const handle = document.createElementNS(svg.namespaceURI, "circle"); // large enough for a thumb
    set(handle, { class: "explorer-handle", r: 16 });
    svg.append(handle);
    picture.classList.add("explorer-handles");
    control.follow = () => set(handle, { cx: mark.getAttribute("x"), cy: mark.getAttribute("y") });
    control.follow();
    handles.push(handle);
    drag(explorer, control, handle, (place) => control.take(place.map(within)));
    button.addEventListener("keydown", (event) => {
      const step = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, 1], ArrowDown: [0, -1] }[event.key];
      if (!step) return;
      event.preventDefault();
      const size = event.shiftKey ? 0.5 : 0.05;
      control.take(values[control.name].map((x, i) => within(x + size * step[i])));
    });
  }

  /** While a pointer drags the handle, `move([x, y])` gets the pointer's place in the coordinates of the data. */
  function drag({ height, axes, artists, handles }, control, handle, move) {
    const svg = handle.ownerSVGElement;
    const { box, xlim, ylim } = axes[artists[control.name]];
    const place_of = (event) =>
      new DOMPoint(event.clientX, event.clientY).matrixTransform(svg.getScreenCTM().inverse());
    handle.addEventListener("pointerdown", (event) => {
      event.preventDefault();
      const { x, y } = place_of(event);
      const distance = (other) => Math.hypot(x - other.getAttribute("cx"), y - other.getAttribute("cy"));
      // If several handles overlap, the pointer takes the nearest.
      handles.reduce((a, b) => (distance(b) < distance(a) ? b : a)).setPointerCapture(event.pointerId);
    });
    handle.addEventListener("pointermove", (event) => {
      if (!handle.hasPointerCapture(event.pointerId)) return;
      const at = place_of(event);
      const [left, bottom, width, box_height] = box;
      const x = xlim[0] + ((at.x - left) / width) * (xlim[1] - xlim[0]);
      const y = ylim[0] + ((height - bottom - at.y) / box_height) * (ylim[1] - ylim[0]);
      move([x, y]);
    });
  }

  return { bind_point };
})();
