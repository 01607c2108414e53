// Measures what was built: the sizes of the program, when the page is ready, and how long a verdict
// on a Gateway takes. The times are those of a browser with an empty cache.
import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from "node:fs";
import { loadavg, tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout } from "node:timers/promises";
import { chromium } from "playwright-core";
import { bounds, commandBound, readyBound } from "../../build/bounds.js";
import { compared } from "../many.js";
import { executable, launch, open, serve, verdict } from "./site.js";

const runs = Number(process.argv[2] ?? 10);
const example = "try.html#example=gateway";
const site = await serve();

for (const [name, bound] of Object.entries(bounds)) {
  const { size } = statSync(new URL(`../../dist/${name}`, import.meta.url));
  console.log(`${name}: ${size} bytes, at most ${bound}`);
}

const many = await compared();
console.log(
  `23 definitions and 512 objects, processor time in s: ${JSON.stringify(many)}; the second call ` +
    `takes ${(many.second / many.command).toFixed(1)} times the command's, at most ${commandBound}`,
);

const [start, ready, first] = [[], [], []];
for (let run = 0; run < runs; run++) {
  const measures = await unattended(`${site.url}${example}`);
  start.push(measures.start);
  ready.push(measures.ready);
  first.push(measures.verdict);
}
const [verdicts, shown] = [[], []];
const browser = await launch();
const page = await open(browser, `${site.url}${example}`);
await verdict(page, /errors/);
console.log(`processor time by thread until the verdict, in ms: ${threads()}`);
await page.locator("#object .cm-line", { hasText: "metadata" }).click();
await page.keyboard.press("Home");
for (let i = 0; i < 110; i++) await type(page);
verdicts.push(...(await measured(page, "verdict")).slice(-100));
shown.push(...(await measured(page, "shown")).slice(-100));
await browser.close();
site.close();
report("start of the worker until it is ready", start);
report(`ready, since the navigation (at most ${readyBound} ms)`, ready);
report("first verdict", first);
report("verdict, request to answer", verdicts);
report("verdict, request to page shown", shown);
console.log(`load of the machine: ${loadavg().map((n) => n.toFixed(1))}`);

/**
 * Opens a page in a new browser that nothing controls while the page starts, because a debugger
 * holds its worker up. Returns the first measure of each name, in ms.
 */
async function unattended(address) {
  const profile = mkdtempSync(join(tmpdir(), "crdsem-figures-"));
  const options = ["--headless", "--no-sandbox", "--remote-debugging-port=0"];
  const args = [...options, `--user-data-dir=${profile}`, "--window-size=1440,900", "about:blank"];
  const child = spawn(executable, args, { stdio: ["ignore", "ignore", "pipe"] });
  try {
    const devtools = `http://${new URL(await printedAddress(child.stderr)).host}`;
    await setTimeout(2500); // the browser itself has started
    await fetch(`${devtools}/json/new?${encodeURIComponent(address)}`, { method: "PUT" });
    await setTimeout(4000);
    const browser = await chromium.connectOverCDP(devtools);
    const page = browser
      .contexts()
      .flatMap((context) => context.pages())
      .find((page) => page.url() === address);
    await page.waitForFunction(() => performance.getEntriesByName("verdict").length > 0);
    const entries = await page.evaluate(() =>
      performance.getEntriesByType("measure").map(({ name, duration }) => [name, duration]),
    );
    await browser.close();
    return Object.fromEntries(entries.reverse());
  } finally {
    child.kill();
    await once(child, "close");
    rmSync(profile, { recursive: true, force: true, maxRetries: 10 });
  }
}

/** Returns the address that a browser prints for its debugger. */
async function printedAddress(stream) {
  let text = "";
  for await (const piece of stream.iterator({ destroyOnReturn: false })) {
    text += piece;
    const [address] = /ws:\S+/.exec(text) ?? [];
    if (address) return address;
  }
  throw new Error(text);
}

/** Types a character and waits for its verdict. */
async function type(page) {
  const before = (await measured(page, "shown")).length;
  await page.keyboard.type("#");
  await page.waitForFunction(
    (count) => performance.getEntriesByName("shown").length > count,
    before,
  );
}

/** Returns the durations of a measure of the page. */
function measured(page, name) {
  return page.evaluate(
    (name) => performance.getEntriesByName(name).map(({ duration }) => duration),
    name,
  );
}

function report(what, times) {
  const sorted = times.toSorted((a, b) => a - b);
  const at = (share) => sorted[Math.floor((sorted.length - 1) * share)].toFixed(1);
  console.log(`${what}: median ${at(0.5)} ms, ${at(0)} to ${at(1)} ms in ${times.length} runs`);
}

/** Returns the processor time that the threads of pages took. Only Linux says so. */
function threads() {
  const totals = {};
  for (const pid of readdirSync("/proc").filter((name) => /^\d+$/.test(name))) {
    try {
      if (!readFileSync(`/proc/${pid}/cmdline`, "utf8").includes("--type=renderer")) continue;
      for (const task of readdirSync(`/proc/${pid}/task`)) {
        const name = readFileSync(`/proc/${pid}/task/${task}/comm`, "utf8").trim();
        const [busy] = readFileSync(`/proc/${pid}/task/${task}/schedstat`, "utf8").split(" ");
        totals[name] = (totals[name] ?? 0) + Number(busy) / 1e6;
      }
    } catch {
      // the process or the thread has ended
    }
  }
  const busiest = Object.entries(totals).sort(([, a], [, b]) => b - a);
  return busiest
    .slice(0, 6)
    .map(([name, ms]) => `${name} ${ms.toFixed(0)}`)
    .join(", ");
}
