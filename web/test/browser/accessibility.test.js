// axe-core finds nothing on the pages, in any tab, width and color scheme.
import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { after, before, test } from "node:test";
import { launch, open, serve, verdict } from "./site.js";

const axe = await readFile(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");

let browser;
let site;

before(async () => {
  [browser, site] = await Promise.all([launch(), serve()]);
});
after(async () => {
  await browser?.close();
  site?.close();
});

/** Returns the violations on a page. The policy of the page forbids scripts from elsewhere. */
async function violations(page) {
  const found = await page.evaluate(async (source) => {
    if (!globalThis.axe) (0, eval)(source);
    const { violations } = await globalThis.axe.run();
    return violations.map(({ id, nodes }) => `${id}: ${nodes.map((n) => n.html).join(" | ")}`);
  }, axe);
  return found;
}

const views = [
  { colorScheme: "light", viewport: { width: 1440, height: 900 } },
  { colorScheme: "dark", viewport: { width: 375, height: 812 } },
];

for (const view of views) {
  const name = `${view.colorScheme}, ${view.viewport.width} pixels`;

  test(`the page: ${name}`, async () => {
    for (const example of ["ratcheting", "budget", "pizza"]) {
      const options = { ...view, bypassCSP: true };
      const page = await open(browser, `${site.url}try.html#example=${example}`, options);
      await verdict(page);
      for (const tab of await page.getByRole("tab").all()) {
        await page.evaluate(() => document.getElementById("panel").replaceChildren());
        await tab.click();
        await page.locator("#panel > :not(.waiting)").first().waitFor();
        assert.deepEqual(await violations(page), [], `${example}, ${await tab.innerText()}`);
      }
    }
  });

  test(`the front: ${name}`, async () => {
    const options = { ...view, bypassCSP: true };
    const page = await open(browser, `${site.url}index.html`, options);
    assert.deepEqual(await violations(page), []);
  });

  test(`a search and a message: ${name}`, async () => {
    const options = { ...view, bypassCSP: true };
    const page = await open(browser, `${site.url}try.html#s=damaged`, options);
    await verdict(page);
    await page.locator("#definition .cm-content").focus();
    await page.keyboard.press("Control+F");
    await page.keyboard.type("spec");
    await page.locator(".cm-searchMatch").first().waitFor();
    assert.deepEqual(await violations(page), []);
  });

  test(`the documentation: ${name}`, async () => {
    for (const chapter of ["index", "migrating", "library"]) {
      const options = { ...view, bypassCSP: true };
      const page = await open(browser, `${site.url}docs/${chapter}.html`, options);
      await page.getByLabel("Search").fill("prune");
      await page.locator("#found a").first().waitFor();
      assert.deepEqual(await violations(page), [], chapter);
    }
  });

  test(`the specification: ${name}`, async () => {
    for (const chapter of ["index", "pruning", "columns"]) {
      const options = { ...view, bypassCSP: true };
      const page = await open(browser, `${site.url}spec/${chapter}.html`, options);
      const run = page.getByRole("button", { name: "Run this example", includeHidden: true });
      if ((await run.count()) > 0) {
        await page
          .locator("details")
          .first()
          .evaluate((details) => (details.open = true));
        await run.first().click();
        await page.locator(".answer", { hasText: /^\{/ }).waitFor();
      }
      assert.deepEqual(await violations(page), [], chapter);
    }
  });
}
