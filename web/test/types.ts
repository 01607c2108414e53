// This file is compiled, not run: it uses the declarations of the package, with the types of browsers
// and without them.
import {
  CrdsemError,
  explain,
  load,
  loadWorker,
  parse,
  type Result,
  validate,
} from "../npm/index.js";

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

/** Every kind of source and document has its type. */
export async function sources(bytes: Uint8Array, buffer: ArrayBuffer, module: {}) {
  await Promise.all([load(), load(bytes), load(buffer), load(module)]);
  await Promise.all([parse(bytes), parse(buffer), parse({ kind: "CustomResourceDefinition" })]);
  // @ts-expect-error a path is no source
  await load("./crdsem.wasm.gz");
  // @ts-expect-error nor is a promise
  await load(Promise.resolve(bytes));
  // @ts-expect-error a minor is no number
  await parse(bytes, { kubernetes: 1.33 });
}

/** Many documents at a time, and requests that are given up. */
export async function many(crd: string, objects: object[]): Promise<number> {
  const { signal } = new AbortController();
  const definition = await parse(crd, { signal });
  const results = await definition.version("v1").createAll(objects, { signal });
  const all = await validate([crd, { file: "a.yaml", text: "a: 1" }, ...objects], {
    kubernetes: "1.33",
    fieldValidation: "Strict",
    details: true,
    signal,
  });
  definition.close();
  // @ts-expect-error a misspelt option
  await validate(crd, { detail: true });
  // @ts-expect-error a signal is no number
  await validate(crd, { signal: 5 });
  return results.length + all.length;
}

/** The places in results and in errors. */
export async function places(crd: string): Promise<(string | number | undefined)[]> {
  try {
    const definition = await parse(crd);
    const { file, line, column, item, apiVersion, kind, namespace, name } =
      await definition.check();
    const { kubernetes, rules } = await definition.version("v1").cost();
    const { text, rule } = rules[0]?.errors?.[0] ?? {};
    const place = [file, line, column, item, apiVersion, kind, namespace, name];
    return [...place, kubernetes, text, rule];
  } catch (error) {
    if (!(error instanceof CrdsemError)) throw error;
    return [error.line, error.column, error.rule, error.hint];
  }
}
