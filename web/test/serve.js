// Answers the evaluation protocol with the built package: a JSON line in, a JSON line out.
import { createInterface } from "node:readline";
import { load } from "../dist/npm/index.js";

const engine = await load();
process.stdout.write(`${JSON.stringify(engine.hello)}\n`);
for await (const line of createInterface({ input: process.stdin, crlfDelay: Infinity })) {
  const answer = await engine.answer(line);
  if (!process.stdout.write(`${answer}\n`)) {
    await new Promise((resolve) => process.stdout.once("drain", resolve));
  }
}
process.exit();
