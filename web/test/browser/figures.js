// Measures the built page: when it is ready, and how long a verdict on a Gateway takes. The times
// are those of a browser with an empty cache.
import { readdirSync, readFileSync } from "node:fs";
import { loadavg } from "node:os";
import { launch, open, serve, verdict } from "./site.js";

const runs = Number(process.argv[2] ?? 10);

const browser = await launch();
const site = await serve();
const [start, ready, warm, verdicts, shown] = [[], [], [], [], []];
for (let run = 0; run < runs; run++) {
  const page = await open(browser, `${site.url}index.html#example=gateway`);
  await verdict(page, /errors/);
  start.push((await measured(page, "start"))[0]);
  ready.push((await measured(page, "ready"))[0]);
  if (run === 0) console.log(`processor time by thread until the verdict, in ms: ${threads()}`);
  warm.push((await measured(page, "verdict"))[0]);
  await page.locator("#object .cm-line", { hasText: "metadata" }).click();
  await page.keyboard.press("Home");
  for (let i = 0; i < 20; i++) await type(page);
  verdicts.push(...(await measured(page, "verdict")).slice(-10));
  shown.push(...(await measured(page, "shown")).slice(-10));
  await page.context().close();
}
await browser.close();
site.close();
report("start of the worker until it is ready", start);
report("ready, since the navigation", ready);
report("first verdict", warm);
report("verdict, request to answer", verdicts);
report("verdict, request to page shown", shown);
console.log(`load of the machine: ${loadavg().map((n) => n.toFixed(1))}`);

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
