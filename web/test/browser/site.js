// What the tests of the page share: a browser, a static server, and a page that allows no errors.
import { createReadStream, existsSync, statSync } from "node:fs";
import { mkdir } from "node:fs/promises";
import { createServer } from "node:http";
import { extname, join, normalize } from "node:path";
import { fileURLToPath } from "node:url";
import { deflateRawSync } from "node:zlib";
import { chromium } from "playwright-core";

/** The folder of the built site, and that of screenshots. */
export const folder = fileURLToPath(new URL("../../dist/site/", import.meta.url));
const screenshots = fileURLToPath(new URL("../../dist/screenshots/", import.meta.url));

const types = {
  ".css": "text/css",
  ".gz": "application/gzip",
  ".html": "text/html",
  ".js": "text/javascript",
  ".json": "application/json",
  ".svg": "image/svg+xml",
};

/**
 * Serves the site as any static server does.
 *
 * @param {Promise<void>} [held] holds the second half of the program back until it resolves
 */
export async function serve(held) {
  const server = createServer((request, response) => {
    const { pathname } = new URL(request.url, "http://localhost");
    const file = join(folder, normalize(pathname));
    if (!existsSync(file)) return response.writeHead(404).end();
    const { size } = statSync(file);
    response.writeHead(200, { "content-type": types[extname(file)], "content-length": size });
    if (!held || !file.endsWith(".wasm.gz")) return createReadStream(file).pipe(response);
    const half = createReadStream(file, { end: Math.floor(size / 2) - 1 });
    half.pipe(response, { end: false });
    half.on("end", async () => {
      await held;
      createReadStream(file, { start: Math.floor(size / 2) }).pipe(response);
    });
  });
  await new Promise((resolve) => server.listen(0, "127.0.0.1", resolve));
  return { url: `http://127.0.0.1:${server.address().port}/`, close: () => server.close() };
}

/** The browser of CHROMIUM, or that of the system. */
export const executable = process.env.CHROMIUM ?? "/usr/bin/chromium";

/** Starts the browser. */
export function launch() {
  return chromium.launch({ executablePath: executable, args: ["--no-sandbox"] });
}

/** How long a test waits: CI machines are slow. */
const timeout = 240_000;

/**
 * Opens a page and waits for its verdict. Errors on its console and requests to other places are
 * collected in page.complaints.
 */
export async function open(browser, address, options = {}) {
  const context = await browser.newContext({ viewport: { width: 1440, height: 900 }, ...options });
  const page = await context.newPage();
  page.setDefaultTimeout(timeout);
  page.complaints = [];
  const origin = new URL(address).origin;
  page.on("console", (message) => {
    if (message.type() === "error") page.complaints.push(message.text());
  });
  page.on("pageerror", (error) => page.complaints.push(error.message));
  page.on("request", (request) => {
    const url = new URL(request.url());
    const own = url.origin === origin || ["blob:", "data:", "file:"].includes(url.protocol);
    if (!own) page.complaints.push(`a request to ${url}`);
  });
  await page.goto(address);
  return page;
}

/** Waits until the page shows a verdict whose text matches. */
export async function verdict(page, pattern = /./) {
  const settled = "#results[data-judged]:not([aria-busy], [data-stale]) > #verdict > #headline";
  const found = page.locator(settled, { hasText: pattern });
  await found.waitFor();
  return found.innerText();
}

/** Returns the fragment of a link to a state. */
export function fragment(state) {
  return `#s=${deflateRawSync(JSON.stringify(state)).toString("base64url")}`;
}

/** Keeps a picture of the page for people to look at. */
export async function picture(page, name) {
  await mkdir(screenshots, { recursive: true });
  await page.screenshot({ path: `${screenshots}${name}.png`, fullPage: true });
}
