"use strict";
// Search: a line stays if it has every word. The words are kept in the address, so a search can be shared.
const box = document.getElementById("q"), found = document.getElementById("found");
const lines = [...document.querySelectorAll("[data-f]")];
function search() {
  const words = box.value.toLowerCase().split(/\s+/).filter(Boolean);
  let count = 0;
  for (const line of lines) {
    const hit = words.every(w => line.dataset.f.includes(w));
    line.hidden = !hit;
    if (hit && line.classList.contains("inst")) count += 1;
  }
  found.textContent = words.length ? count + (count === 1 ? " instruction" : " instructions") : "";
  try { history.replaceState(null, "", words.length ? "#q=" + encodeURIComponent(box.value) : location.pathname); } catch { }
}
box.addEventListener("input", search);
if (location.hash.startsWith("#q=")) { box.value = decodeURIComponent(location.hash.slice(3)); search(); }

// Uses: pointing at a value marks it wherever it stands, and its line's counterparts on the other side. A click keeps that.
let kept = null;
function mark(target) {
  for (const e of document.querySelectorAll(".on, .pair")) e.classList.remove("on", "pair");
  if (!target) return;
  const own = `[data-v="${target.dataset.v}"]`;
  const all = document.querySelectorAll(own);
  for (const e of all) e.classList.add("on");
  const line = all[0].closest(".line");
  const other = line.closest(".side").id === "a" ? "#b" : "#a";
  const keys = [["n", line.dataset.n], ["t", line.dataset.t]].filter(k => k[1] !== undefined);
  if (keys.length) {
    const pairs = document.querySelectorAll(keys.map(k => `${other} [data-${k[0]}="${k[1]}"]`).join(","));
    for (const e of [line, ...pairs]) e.classList.add("pair");
    return pairs[0];
  }
}
const value = e => e.target.closest("[data-v]");
document.addEventListener("mouseover", e => { if (!kept) mark(value(e)); });
document.addEventListener("click", e => {
  const rule = e.target.closest("[data-rule]");
  if (rule) { box.value = rule.dataset.rule; search(); scrollTo(0, 0); return; }
  if (e.target.closest("summary, .src, input")) return;
  kept = value(e);
  const pair = mark(kept);
  if (pair) pair.scrollIntoView({ block: "nearest" });
});
