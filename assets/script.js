// Adds to pages that work without it: suggestions as one types, one's own location, exact clicks on a map. It also moves the
// map of a point, and shows a state's rules at once. Requests of the API run in place, and code is copied.
"use strict";

/** Suggestions for the field, as a combobox (ARIA Authoring Practices: list autocomplete). */
function suggest(input) {
  const list = document.createElement("ul");
  const status = input.form.querySelector("[data-status]");
  let options = [], at = -1, timer = 0, asked = "";
  list.className = "options";
  list.id = input.id + "-options";
  list.setAttribute("role", "listbox");
  list.setAttribute("aria-label", "Places");
  list.hidden = true;
  const box = document.createElement("div");
  box.className = "box";
  input.replaceWith(box);
  box.append(input, list);
  for (const [name, value] of [["role", "combobox"], ["aria-autocomplete", "list"], ["aria-expanded", "false"], ["aria-controls", list.id]])
    input.setAttribute(name, value);

  function close() {
    list.hidden = true;
    at = -1;
    input.setAttribute("aria-expanded", "false");
    input.removeAttribute("aria-activedescendant");
  }
  function choose(index) {
    at = index;
    [...list.children].forEach((item, number) => item.setAttribute("aria-selected", String(number === at)));
    if (at < 0) input.removeAttribute("aria-activedescendant");
    else {
      input.setAttribute("aria-activedescendant", list.children[at].id);
      list.children[at].scrollIntoView({ block: "nearest" });
    }
  }
  function show(found) {
    options = found;
    at = -1;
    list.replaceChildren(...found.map((option, number) => {
      const item = document.createElement("li");
      const where = document.createElement("span");
      item.id = list.id + "-" + number;
      item.setAttribute("role", "option");
      item.setAttribute("aria-selected", "false");
      item.append(option.name + " ");
      where.className = "where";
      where.textContent = option.where;
      item.append(where);
      item.addEventListener("pointerdown", (event) => event.preventDefault());
      item.addEventListener("click", () => { location.href = option.href; });
      return item;
    }));
    list.hidden = found.length === 0;
    input.setAttribute("aria-expanded", String(found.length > 0));
    if (status) status.textContent = found.length === 0 ? "" : found.length + (found.length === 1 ? " suggestion" : " suggestions") + ", use the arrow keys";
  }
  async function ask() {
    const text = input.value.trim();
    asked = text;
    // Two letters from names; numbers are an address or a point.
    if (text.length < 2 || /^[\d\s.,+-]/.test(text)) return close();
    const response = await fetch(input.dataset.suggest + "?q=" + encodeURIComponent(text)).catch(() => null);
    if (!response || !response.ok) return close();
    const found = await response.json();
    if (asked === text && document.activeElement === input) show(found);
  }
  input.addEventListener("input", () => { clearTimeout(timer); timer = setTimeout(ask, 120); });
  input.addEventListener("blur", close);
  input.addEventListener("keydown", (event) => {
    if (event.key === "Escape" && !list.hidden) { event.preventDefault(); return close(); }
    if (event.key === "ArrowDown" || event.key === "ArrowUp") {
      if (list.hidden) { ask(); return; }
      event.preventDefault();
      const step = event.key === "ArrowDown" ? 1 : -1;
      const count = options.length + 1; // the field itself is a stop, too
      return choose((at + 1 + step + count) % count - 1);
    }
    if (event.key === "Enter" && at >= 0) { event.preventDefault(); location.href = options[at].href; }
  });
}

/** The point where the device is. */
function locate(button) {
  if (!("geolocation" in navigator)) return;
  const status = button.form.querySelector("[data-status]");
  button.hidden = false;
  button.addEventListener("click", () => {
    status.textContent = "Waiting for your device to say where it is.";
    navigator.geolocation.getCurrentPosition(
      ({ coords }) => { location.href = button.dataset.locate + coords.latitude.toFixed(5) + "," + coords.longitude.toFixed(5); },
      () => { status.textContent = "Your device did not say where it is. Type a place, or use the map."; },
      { enableHighAccuracy: true, timeout: 15000 },
    );
  });
}

/** A click on a map beside the links of places leads to the answer for that point, exactly. */
function clickable(map) {
  map.addEventListener("click", (event) => {
    const link = event.target.closest("a");
    if (link && !link.closest(".movers")) return;
    event.preventDefault();
    const place = new DOMPoint(event.clientX, event.clientY).matrixTransform(map.getScreenCTM().inverse());
    location.href = map.dataset.at + "?map=" + map.dataset.map + "," + place.x.toFixed(1) + "," + place.y.toFixed(1);
  });
}

/**
 * The map of a point moves under the mouse or under two fingers, and where it comes to rest the server draws it anew. One
 * finger scrolls the page.
 */
function movable(map) {
  const [path, lat, lon, meters] = map.dataset.moves.split(" "), { width, height } = map.viewBox.baseVal;
  let x = 0, y = 0, scale = 1, held = null, apart = 0, moved = false, timer = 0;
  const place = (event) => new DOMPoint(event.clientX, event.clientY).matrixTransform(map.getScreenCTM().inverse());

  /** Shows the drawing so that `now` on the screen has the place `was` of the drawing. */
  function shift(was, now) {
    x += was.x - now.x;
    y += was.y - now.y;
    map.setAttribute("viewBox", [x, y, width / scale, height / scale].join(" "));
  }
  function zoom(times, event) {
    const was = place(event);
    scale = Math.min(8, Math.max(0.25, scale * times));
    shift(was, was);
    shift(was, place(event));
    rest();
  }
  function rest() {
    moved = true;
    clearTimeout(timer);
    timer = setTimeout(redraw, 350);
  }
  async function redraw() {
    const up = (y + height / scale / 2 - height / 2) * meters / 111195, right = (x + width / scale / 2 - width / 2) * meters / 111195;
    const reach = Math.min(20000, Math.max(40, Math.round(0.47 * height * meters / scale)));
    const east = Number(lon) + right / Math.cos(lat * Math.PI / 180);
    const address = path + "?zoom=" + (lat - up).toFixed(5) + "_" + east.toFixed(5) + "_" + reach;
    const response = await fetch(address).catch(() => null);
    if (!response || !response.ok) return;
    const drawn = new DOMParser().parseFromString(await response.text(), "text/html").querySelector("[data-moves]");
    if (!drawn || held) return;
    map.replaceWith(drawn);
    history.replaceState(null, "", address);
    movable(drawn);
    clickable(drawn);
  }
  map.addEventListener("dragstart", (event) => event.preventDefault());
  map.addEventListener("pointerdown", (event) => {
    moved = false;
    if (event.pointerType !== "mouse" || event.button !== 0) return;
    held = place(event);
    clearTimeout(timer);
  });
  map.addEventListener("pointermove", (event) => {
    if (!held || event.pointerType !== "mouse") return;
    const now = place(event), far = Math.hypot(now.x - held.x, now.y - held.y) * scale;
    if (!moved && far < 8) return;
    if (!moved) map.setPointerCapture(event.pointerId);
    moved = true;
    shift(held, now);
  });
  map.addEventListener("pointerup", () => { held = null; if (moved) rest(); });
  map.addEventListener("touchmove", (event) => {
    if (event.touches.length !== 2) return;
    event.preventDefault();
    const [one, other] = event.touches, now = Math.hypot(one.clientX - other.clientX, one.clientY - other.clientY);
    const between = { clientX: (one.clientX + other.clientX) / 2, clientY: (one.clientY + other.clientY) / 2 };
    if (held) shift(held, place(between));
    if (apart) zoom(now / apart, between);
    held = place(between);
    apart = now;
  }, { passive: false });
  map.addEventListener("touchend", () => { held = null; apart = 0; if (moved) rest(); });
  map.addEventListener("wheel", (event) => {
    if (!event.ctrlKey) return;
    event.preventDefault();
    zoom(Math.exp(-event.deltaY / 100), event);
  }, { passive: false });
  map.addEventListener("click", (event) => { if (moved) { event.preventDefault(); event.stopImmediatePropagation(); } }, { capture: true });
}

/** A request of the API, sent as edited; its answer takes the place of the recorded one. */
function tryable(form) {
  const status = form.querySelector("[data-status]"), output = form.parentElement.querySelector(".answer");
  form.addEventListener("submit", async (event) => {
    event.preventDefault();
    status.textContent = "Asking.";
    const response = await fetch(form.action + "?" + new URLSearchParams(new FormData(form))).catch(() => null);
    if (!response) { status.textContent = "No answer came."; return; }
    output.textContent = JSON.stringify(await response.json(), null, 2);
    status.textContent = "Status " + response.status + ". The answer is below, from " + response.url;
  });
}

/** A button that copies code. */
function copyable(pre) {
  if (!navigator.clipboard) return;
  const button = document.createElement("button"), text = pre.textContent;
  button.type = "button";
  button.className = "copy";
  button.textContent = "Copy";
  button.addEventListener("click", async () => { await navigator.clipboard.writeText(text); button.textContent = "Copied"; });
  pre.before(button);
}

document.querySelectorAll("[data-suggest]").forEach(suggest);
document.querySelectorAll("[data-locate]").forEach(locate);
document.querySelectorAll("[data-moves]").forEach(movable);
document.querySelectorAll("[data-map]").forEach(clickable);
document.querySelectorAll("[data-try]").forEach(tryable);
document.querySelectorAll("[data-copy]").forEach(copyable);
document.querySelectorAll(".switch select").forEach((select) => select.addEventListener("change", () => select.form.submit()));
