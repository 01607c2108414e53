import { readdir, readFile } from "node:fs/promises";
import { web } from "./run.js";

/** Returns the licenses of npm packages, and of what the program contains. */
export async function licenses(packages) {
  const texts = [await readFile(`${web}../cmd/crdsem/THIRD_PARTY_LICENSES`, "utf8")];
  for (const name of [...packages].sort()) {
    const folder = `${web}node_modules/${name}`;
    const file = (await readdir(folder)).find((entry) => /^licen[cs]e/i.test(entry));
    if (!file) throw new Error(`${name} has no file with its license`);
    texts.push(`${name}\n\n${await readFile(`${folder}/${file}`, "utf8")}`);
  }
  return texts.join(`\n${"=".repeat(80)}\n\n`);
}
