// This file is compiled, not run: it uses the declarations of the package.
import { explain, loadWorker, parse, type Result } from "../npm/index.js";

export async function verdictOf(crd: string, object: object): Promise<Result["verdict"]> {
  const definition = await parse(crd, { kubernetes: "1.33" });
  const version = definition.version("v1");
  const result = await version.create(object, { fieldValidation: "Strict" });
  const updated = await version.update(object, object);
  const worst: number = (await version.cost()).rules[0]?.shareOfRuleLimit ?? 0;
  const title: string | undefined = (await explain("PRN-003"))?.title;
  const engine = await loadWorker(new URL("https://example.com/crdsem.wasm.gz"));
  engine.close();
  return worst > 1 || title === undefined ? updated.verdict : result.verdict;
}
