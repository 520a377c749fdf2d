"use strict";
(() => {
  const texts = JSON.parse(document.getElementById("texts").textContent);
  const list = document.getElementById("list");
  const cases = [...list.querySelectorAll(":scope > details.case")];
  const ROW_HEIGHT = 25;
  const SMALLEST = 0.0008; // of the full width: less than a pixel

  // Figures as the other reports write them.
  const digits = (x) => (x >= 99.95 ? x.toFixed(0) : x >= 9.995 ? x.toFixed(1) : x.toFixed(2));
  const scaled = (x, gap) => {
    const units = ["", "k", "M", "G", "T", "P", "E"];
    let power = 0;
    while (x >= 999.5 && power < units.length - 1) { x /= 1000; power += 1; }
    return (power ? digits(x) : String(Math.round(x))) + gap + units[power];
  };
  const count = (x) => scaled(x, "");
  const size = (x) => scaled(x, " ") + "B";
  const duration = (s) => {
    for (const [unit, name] of [[1, "s"], [1e-3, "ms"], [1e-6, "µs"]]) if (s >= unit * 0.9995) return `${digits(s / unit)} ${name}`;
    return `${digits(s / 1e-9)} ns`;
  };

  const make = (tag, kind, text) => {
    const element = document.createElement(tag);
    if (kind) element.className = kind;
    if (text !== undefined) element.textContent = text;
    return element;
  };

  // The modules of a case: rows of numbers, see modules.py.
  const readModules = (section) => {
    const all = JSON.parse(section.querySelector("script.data").textContent).map((row, number) => {
      const [parent, name, kind, calls = 0, inputs = 0, outputs = 0, parameters = 0, flops = 0, bytes = 0, seconds = 0, annotation = 0, place = 0] = row;
      return {
        number, parent, calls, parameters, flops, bytes, seconds, name: texts[name], kind: texts[kind ?? 0],
        inputs: (inputs || []).map((one) => texts[one]), outputs: (outputs || []).map((one) => texts[one]),
        annotation: texts[annotation], place: texts[place], children: [],
      };
    });
    for (const one of all) if (one.parent >= 0) all[one.parent].children.push(one);
    for (const one of all) one.path = one.parent >= 0 ? [all[one.parent].path, one.name].filter(Boolean).join(".") : one.name;
    // A list of modules is never called itself: its figures are the sums of its modules.
    for (const one of [...all].reverse()) {
      for (const figure of ["flops", "bytes"]) one[figure] = Math.max(one[figure], one.children.reduce((sum, child) => sum + child[figure], 0));
    }
    return all;
  };

  const hue = (kind) => {
    let hash = 7;
    for (const letter of kind) hash = (hash * 31 + letter.codePointAt(0)) % 100003;
    return Math.round((hash * 137.508) % 360);
  };
  const shown = { flops: (one) => `${count(one.flops)} FLOPs`, bytes: (one) => `${size(one.bytes)} moved`, parameters: (one) => `${count(one.parameters)} parameters` };
  const percent = (part, whole) => (whole ? `${digits((100 * part) / whole)} %` : "0 %");
  const label = (one) => one.path || one.kind;

  const drawFlame = (state) => {
    const { flame, figure, top, all } = state;
    flame.replaceChildren();
    const roots = all.filter((one) => one.parent < 0);
    const whole = roots.reduce((sum, one) => sum + one[figure], 0);
    let deepest = 0;
    const draw = (one, left, width, depth) => {
      const button = make("button", one.children.length && !one.calls ? "container" : "");
      button.type = "button";
      button.tabIndex = depth || left ? -1 : 0;
      button.style.cssText = `left:${(100 * left).toFixed(4)}%;width:${(100 * width).toFixed(4)}%;top:${depth * ROW_HEIGHT}px;--hue:${hue(one.kind)}`;
      if (width < 0.02) button.classList.add("thin");
      else button.textContent = one.parent < 0 ? one.kind : `${one.name} ${one.kind}`;
      button.title = `${label(one)} (${one.kind}): ${shown[figure](one)}, ${percent(one[figure], whole)}`;
      button.setAttribute("aria-label", button.title);
      button.dataset.number = one.number;
      button.dataset.depth = depth;
      flame.append(button);
      deepest = Math.max(deepest, depth);
      drawChildren(one.children, one[figure], left, width, depth + 1);
    };
    const drawChildren = (children, total, left, width, depth) => {
      total = Math.max(total, children.reduce((sum, one) => sum + one[figure], 0));
      for (const child of children) {
        const part = total ? (width * child[figure]) / total : 0;
        if (part >= SMALLEST) draw(child, left, part, depth);
        left += part;
      }
    };
    if (top === null) drawChildren(roots, whole, 0, 1, 0);
    else draw(top, 0, 1, 0);
    flame.style.height = `${(deepest + 1) * ROW_HEIGHT}px`;
    state.whole = whole;
    if (!flame.childElementCount) {
      flame.style.height = "auto";
      flame.append(make("p", "empty", "All modules have 0."));
    }
  };

  const readOut = (state, one) => {
    const said = state.section.querySelector(".readout");
    const figures = [count(one.flops) + " FLOPs", size(one.bytes) + " moved", count(one.parameters) + " parameters"];
    if (one.seconds) figures.push(duration(one.seconds));
    said.replaceChildren(make("b", "", label(one)), ` ${one.kind} · ${figures.join(" · ")} · ${percent(one[state.figure], state.whole)} of all`);
  };

  const zoom = (state, one) => {
    state.top = one && one.parent >= 0 ? one : null;
    drawFlame(state);
    state.flame.querySelector("button")?.focus();
  };

  const move = (state, button, key) => {
    const buttons = [...state.flame.querySelectorAll("button")];
    const depth = Number(button.dataset.depth);
    const left = parseFloat(button.style.left);
    const end = left + parseFloat(button.style.width);
    const at = (level) => buttons.filter((one) => Number(one.dataset.depth) === level);
    const start = (one) => parseFloat(one.style.left);
    if (key === "ArrowRight") return at(depth).find((one) => start(one) > left);
    if (key === "ArrowLeft") return at(depth).reverse().find((one) => start(one) < left);
    if (key === "ArrowUp") return at(depth - 1).reverse().find((one) => start(one) <= left + 1e-3);
    return at(depth + 1).find((one) => start(one) >= left - 1e-3 && start(one) < end);
  };

  const listenToFlame = (state) => {
    const { flame, section, all } = state;
    const of = (event) => event.target.closest(".flame button");
    const tell = (event) => { const button = of(event); if (button) readOut(state, all[button.dataset.number]); };
    flame.addEventListener("mouseover", tell);
    flame.addEventListener("focusin", tell);
    flame.addEventListener("click", (event) => {
      const button = of(event);
      if (!button) return;
      const one = all[button.dataset.number];
      zoom(state, one === state.top ? all[one.parent] : one);
    });
    flame.addEventListener("keydown", (event) => {
      const button = of(event);
      if (!button) return;
      if (event.key === "Escape") zoom(state, null);
      else if (event.key.startsWith("Arrow")) move(state, button, event.key)?.focus();
      else return;
      event.preventDefault();
    });
    for (const button of section.querySelectorAll("[data-figure]")) {
      button.addEventListener("click", () => {
        state.figure = button.dataset.figure;
        for (const one of section.querySelectorAll("[data-figure]")) one.setAttribute("aria-pressed", String(one === button));
        drawFlame(state);
      });
    }
  };

  const rowOf = (one, whole) => {
    const parts = [make("span", "who"), make("span", "specs"), make("span", "cost")];
    parts[0].append(make("b", "", one.name || one.kind), one.name ? make("span", "", ` ${one.kind}`) : "");
    if (one.calls > 1) parts[0].append(make("span", "", ` ×${one.calls}`));
    if (one.inputs.length || one.outputs.length) parts[1].append(`${one.inputs.join(", ") || "()"} → ${one.outputs.join(", ") || "()"}`);
    else if (!one.calls && !one.children.length) parts[1].append(make("span", "idle", "never called"));
    if (one.annotation) parts[1].append(make("span", "said", one.annotation));
    if (one.place) parts[1].append(make("span", "said", one.place));
    for (const [figure, unit] of [[count(one.parameters), " parameters"], [count(one.flops), " FLOPs"], [size(one.bytes), ""], [one.seconds ? duration(one.seconds) : "", ""]]) {
      const cell = make("span", "", figure);
      cell.append(make("small", "", unit)); // where the columns have no head
      parts[2].append(cell);
    }
    parts[2].style.setProperty("--share", `${whole ? (100 * one.flops) / whole : 0}%`);
    parts[2].title = `${percent(one.flops, whole)} of the FLOPs`;
    return parts;
  };

  const branch = (one, whole, depth) => {
    if (!one.children.length) {
      const leaf = make("div", "leaf");
      leaf.append(...rowOf(one, whole));
      return leaf;
    }
    const node = make("details");
    const head = make("summary");
    head.append(...rowOf(one, whole));
    const inside = make("div");
    node.append(head, inside);
    const fill = () => { if (!inside.childElementCount) inside.append(...one.children.map((child) => branch(child, whole, depth + 1))); };
    node.addEventListener("toggle", () => { if (node.open) fill(); });
    if (depth < 1) { fill(); node.open = true; }
    return node;
  };

  const drawTree = (section, all) => {
    const tree = section.querySelector(".tree");
    const head = make("div", "leaf head");
    const columns = [make("span", "who", "module"), make("span", "specs", "inputs → outputs of the first call"), make("span", "cost")];
    columns[2].append(...["parameters", "FLOPs", "bytes", "time"].map((title) => make("span", "", title)));
    head.append(...columns);
    const roots = all.filter((one) => one.parent < 0);
    const whole = roots.reduce((sum, one) => sum + one.flops, 0);
    tree.classList.toggle("untimed", all.every((one) => !one.seconds)); // only `--timed` measures them
    tree.append(head, ...roots.map((one) => branch(one, whole, 0)));
  };

  const fill = (section) => {
    if (section.dataset.ready) return;
    section.dataset.ready = "yes";
    const all = readModules(section);
    const state = { section, all, flame: section.querySelector(".flame"), figure: "flops", top: null, whole: 0 };
    drawFlame(state);
    listenToFlame(state);
    drawTree(section, all);
  };

  // Trees and bars are made shortly before they become visible or are printed.
  const near = new IntersectionObserver((entries) => {
    for (const entry of entries) {
      if (!entry.isIntersecting) continue;
      near.unobserve(entry.target);
      fill(entry.target);
    }
  }, { rootMargin: "800px" });
  for (const section of document.querySelectorAll("section.modules")) near.observe(section);
  const fillOpen = () => { for (const section of document.querySelectorAll("details.case[open] section.modules")) fill(section); };
  window.addEventListener("beforeprint", fillOpen);

  // The filter, the outcomes and the order.
  const input = document.getElementById("filter");
  const pills = [...document.querySelectorAll(".pill")];
  const groups = [...document.querySelectorAll(".groups tr[data-code]")];
  const said = new Map();
  const textOf = (element) => {
    if (!said.has(element)) {
      const parts = [element.dataset.name, element.dataset.package, ...[...element.querySelectorAll(".findings, .detail, .checks")].map((one) => one.textContent)];
      said.set(element, parts.join(" ").toLowerCase());
    }
    return said.get(element);
  };
  const filter = () => {
    const words = input.value.toLowerCase().split(/\s+/).filter(Boolean);
    const wanted = new Set(pills.filter((one) => one.getAttribute("aria-pressed") === "true").map((one) => one.dataset.outcome));
    let visible = 0;
    for (const element of cases) {
      const match = wanted.has(element.dataset.outcome) && words.every((word) => textOf(element).includes(word));
      element.hidden = !match;
      visible += match;
    }
    const found = new Set();
    for (const element of cases) if (!element.hidden) for (const code of element.dataset.codes.split(" ")) found.add(`${code} ${element.dataset.package}`);
    for (const row of groups) row.hidden = !found.has(`${row.dataset.code} ${row.dataset.package}`) && (words.length > 0 || Boolean(row.querySelector("button")));
    document.getElementById("shown").textContent = `${visible} of ${cases.length}`;
    document.getElementById("nothing").hidden = visible > 0 || !cases.length;
  };
  input.addEventListener("input", filter);
  for (const pill of pills) {
    pill.addEventListener("click", () => {
      pill.setAttribute("aria-pressed", String(pill.getAttribute("aria-pressed") !== "true"));
      filter();
    });
  }
  for (const row of groups) {
    row.querySelector("button")?.addEventListener("click", () => {
      input.value = `${row.dataset.code} ${row.dataset.package}`;
      filter();
      input.focus();
    });
  }
  document.addEventListener("keydown", (event) => {
    if (event.key !== "/" || event.target.closest("input, select")) return;
    event.preventDefault();
    input.focus();
  });

  const BADNESS = ["failed", "ended", "unbuilt", "skipped", "passed"];
  const orders = {
    number: (a, b) => a.dataset.number - b.dataset.number,
    name: (a, b) => a.dataset.name.localeCompare(b.dataset.name),
    bad: (a, b) => BADNESS.indexOf(a.dataset.outcome) - BADNESS.indexOf(b.dataset.outcome),
  };
  document.getElementById("sort").addEventListener("change", (event) => {
    const by = event.target.value;
    const order = orders[by] ?? ((a, b) => b.dataset[by] - a.dataset[by]);
    list.append(...[...cases].sort((a, b) => order(a, b) || orders.number(a, b)));
  });

  const expand = document.getElementById("expand");
  expand.addEventListener("click", () => {
    const open = expand.textContent === "Open all";
    for (const element of cases) if (!element.hidden) element.open = open;
    expand.textContent = open ? "Close all" : "Open all";
  });

  const follow = () => {
    const target = location.hash && document.getElementById(location.hash.slice(1));
    if (target instanceof HTMLDetailsElement) target.open = true;
  };
  window.addEventListener("hashchange", follow);
  follow();
  filter();
  // What is open from the start has its height at once: a jump further down must not move what one is about to click.
  fillOpen();
})();
