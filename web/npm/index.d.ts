/**
 * A document: text in YAML, or in JSON if it starts with "{", such a text as bytes in UTF-8, or a
 * value that JSON can express.
 */
export type Document = string | Bytes | object;

/**
 * The program: a URL of crdsem.wasm.gz, its bytes (zipped or not), or the compiled module. Without
 * one it is the file in this package.
 */
export type Source = ProgramURL | Bytes | CompiledModule;

/** E.g. a Uint8Array or a Buffer. */
export type Bytes = ArrayBuffer | ArrayBufferView;

// The types of browsers and of Node need not be there: the following ones stand for URL and
// WebAssembly.Module.

/** A URL. */
export interface ProgramURL {
  readonly href: string;
  readonly searchParams: object;
}

/** A WebAssembly.Module. It has no members; the one here keeps texts and promises out. */
export interface CompiledModule {
  readonly href?: never;
}

/** Ends a request that takes too long: an AbortSignal, e.g. AbortSignal.timeout(1000). */
export interface Signal {
  readonly aborted: boolean;
  readonly reason: any;
  throwIfAborted(): void;
}

export interface ParseOptions {
  /** The minor version of the server, e.g. "1.33". Without one it is the newest. It is no number. */
  kubernetes?: string;
  signal?: Signal;
}

export interface RequestOptions {
  /** What is done about unknown and duplicate fields; Warn unless given. */
  fieldValidation?: "Strict" | "Warn" | "Ignore";
  signal?: Signal;
}

export interface ValidateOptions extends RequestOptions {
  /** As in ParseOptions. */
  kubernetes?: string;
  /** Whether results have changes, costs, explanations and what is stored, too. */
  details?: boolean;
}

/** A text of any number of documents with the name of its file, which results have. */
export interface NamedText {
  file: string;
  text: string | Bytes;
}

/** Starts the library in this thread. */
export function load(source?: Source): Promise<Engine>;

/** Starts the library in a worker, so that long requests do not block this thread. */
export function loadWorker(source?: Source): Promise<Engine>;

/** Reads a definition as Engine.parse, with an engine in this thread that the first call starts. */
export function parse(crd: Document, options?: ParseOptions): Promise<Definition>;

/** Judges documents as Engine.validate, with the engine of parse. */
export function validate(
  documents: Document | (Document | NamedText)[],
  options?: ValidateOptions,
): Promise<Result[]>;

/** Returns the rule of the specification with an id, e.g. "PRN-003". */
export function explain(id: string): Promise<Rule | undefined>;

/** The error of a request that cannot be carried out, e.g. of a text that is no definition. */
export class CrdsemError extends Error {
  /** The place in the text that is at fault, from 1. */
  readonly line?: number;
  readonly column?: number;
  /** The rule of the specification that is broken, e.g. "STR-002". */
  readonly rule?: string;
  /** How to fix it. */
  readonly hint?: string;
}

/** A running library. */
export interface Engine {
  readonly hello: Hello;
  /**
   * Reads a definition. One that breaks a rule of the server is returned too: check() says so. It
   * throws a CrdsemError if the text is not one definition, or cannot be decoded as one because a
   * member has the wrong type, e.g. "minimum: one".
   */
  parse(crd: Document, options?: ParseOptions): Promise<Definition>;
  /**
   * Judges documents of any kind and order, in one request: definitions are checked, and other
   * objects are created by them. It returns a result for each document. Texts may have several
   * documents, and lists are opened.
   */
  validate(
    documents: Document | (Document | NamedText)[],
    options?: ValidateOptions,
  ): Promise<Result[]>;
  /**
   * Answers a request of the evaluation protocol, as text. Numbers in the answer keep their kind:
   * 1.0 is not 1.
   */
  answer(line: string, options?: { signal?: Signal }): Promise<string>;
  /** Answers a request of the evaluation protocol. A fault is thrown as a CrdsemError. */
  request(request: object, options?: { signal?: Signal }): Promise<any>;
  /** Ends the library. Later requests fail. */
  close(): void;
}

/** How an engine reaches the program. */
export interface Transport {
  readonly hello: Hello;
  answer(line: string, signal?: Signal): Promise<string>;
  close(): void;
}

export interface Hello {
  protocol: number;
  name: string;
  version: string;
  /** The minors that the library knows, the oldest first. */
  kubernetes: string[];
  ops: string[];
}

/** A definition, as one Kubernetes minor reads it. The program keeps it, compiled. */
export interface Definition {
  readonly name: string;
  readonly group: string;
  readonly kind: string;
  readonly scope: string;
  readonly versions: Version[];
  /** Returns a version; throws if the definition does not have it. */
  version(name: string): Version;
  /**
   * Returns the verdict on its creation or, with an old definition, on its update. It throws if the
   * old one has another name.
   */
  check(old?: Document): Promise<Result>;
  /** Returns the estimated costs of the rules, a table for each version. */
  cost(): Promise<CostTable[]>;
  /** Converts objects to a version, e.g. "v1". It is an error if a webhook would be called. */
  convert(objects: Document[], version: string): Promise<object[]>;
  /**
   * Forgets the definition in the program. It is forgotten as well when nothing refers to it any
   * more. A later request reads it again.
   */
  close(): void;
}

/** A version of a definition. Requests do not change their arguments. */
export interface Version {
  readonly name: string;
  readonly served: boolean;
  readonly storage: boolean;
  /** Whether the version has the status subresource. */
  readonly status: boolean;
  create(object: Document, options?: RequestOptions): Promise<Result>;
  /**
   * Creates objects in one request, and returns a result for each. They do not see each other: two
   * of one name are no error.
   */
  createAll(objects: Document[], options?: RequestOptions): Promise<Result[]>;
  /** Updates the stored object old, which has the same name. */
  update(object: Document, old: Document, options?: RequestOptions): Promise<Result>;
  updateStatus(object: Document, old: Document, options?: RequestOptions): Promise<Result>;
  cost(): Promise<CostTable>;
  /** Returns the table of objects that kubectl prints. */
  table(objects: Document[], now?: Date): Promise<Table>;
}

/** The outcome for one document, as the command prints it with -o json. */
export interface Result {
  /** The name of the file; empty for texts without one. */
  file: string;
  /** The place of the document in the text, from 1. A column counts characters. */
  line?: number;
  column?: number;
  /** The path of an item in a list, e.g. "items[3]". */
  item?: string;
  apiVersion?: string;
  kind?: string;
  namespace?: string;
  name?: string;
  /** Whether the document is a definition. */
  definition?: boolean;
  verdict: "accepted" | "refused" | "notJudged" | "unreadable";
  /** Why the document was not judged. */
  reason?:
    | "noDefinition"
    | "builtIn"
    | "noObject"
    | "definitionRefused"
    | "template"
    | "toolFile"
    | "patch"
    | "skipped";
  /** The language of a template, e.g. "Helm". */
  template?: string;
  request?: "create" | "update" | "updateStatus";
  version?: string;
  /** The answer to a request that is refused before validation. */
  refusal?: string;
  /** Errors and warnings; empty if there are none. */
  findings: Finding[];
  /** What decoding removed and filled in; empty if nothing was. */
  changes: Change[];
  rules?: "evaluated" | "blocked";
  /** What the rules cost, in the server's units. */
  rulesCost?: number;
  /** Why rules failed: the values of their sub-expressions. */
  explanations?: Explanation[];
  /** What is stored, in the storage version. Integers beyond 2^53 are rounded here; stored has
   * them. */
  object?: any;
  /** What the conversion to the storage version removed. */
  lost?: Change[];
  /** What the client of the request is answered, if it is another object than what is stored. */
  answer?: any;
  /** What the clients of the other served versions read. */
  reads?: { version: string; object?: any; error?: string; webhook?: boolean }[];
  /** A conversion webhook, which was not asked, decides what is stored. */
  webhook?: boolean;
  /** What would be stored, as YAML. */
  stored?: string;
  /** The changes, with their lines in the text that was sent and in stored. */
  marks?: (Change & { sent?: number; stored?: number })[];
  notes?: string[];
}

export interface Finding {
  severity: "error" | "warning" | "tolerated";
  /** The place in the text, from 1. A column counts characters. A finding about a whole input, e.g.
   * an empty text, has none. */
  line?: number;
  column?: number;
  type?: string;
  field?: string;
  path?: string;
  detail?: string;
  text: string;
  /** The rule of the specification that is broken, e.g. "STR-047". */
  rule?: string;
  /** How to fix it. */
  hint?: string;
}

export interface Change {
  action:
    "Pruned" | "MetadataPruned" | "MetadataCoerced" | "NullDropped" | "Defaulted" | "StatusDropped";
  path: string;
  /** The schema node that caused it. */
  schema: string;
  /** The field as a JSON Pointer. */
  pointer: string;
  /** What was removed, or the default that was filled in. */
  value?: unknown;
}

export interface Explanation {
  field: string;
  rule: string;
  terms: {
    text: string;
    offset: number;
    line: number;
    column: number;
    value: string;
    failed?: boolean;
  }[];
}

export interface CostTable {
  /** The minor, e.g. "1.33". */
  kubernetes: string;
  definition: string;
  version: string;
  /** The rules, the most expensive one first. */
  rules: RuleCost[];
  total: number;
  limit: number;
}

export interface RuleCost {
  path: string;
  index: number;
  rule: string;
  maxCost: number;
  cardinality: number | null;
  total: number;
  messageCost: number;
  usesOldSelf: boolean;
  /** What the server refuses the rule for. */
  errors?: FieldError[];
  /** The cardinality that total is computed with. */
  counted: number;
  shareOfRuleLimit: number;
  shareOfSchemaLimit: number;
  /** The lists and maps above the rule, with their maximum. */
  factors?: { path: string; keyword: string; max: number | null }[];
  /** Maxima that the schema does not set, with the largest value that would do; 0 if none would. */
  missing?: { path: string; keyword: string; fits: number }[];
  /** The largest value that would do if all of them were set to it. */
  fitsTogether?: number;
  /** Maxima that the schema sets, with the largest value that would do. */
  set?: { path: string; keyword: string; value: number; fits: number }[];
  /** The largest value that would do if no maximum, missing or set, were higher. */
  fitsAll?: number;
  /** The bounds that bring a rule below its limit. */
  suggestion?: { path: string; keyword: string; value: number }[];
}

export interface FieldError {
  /** E.g. "FieldValueForbidden". */
  type: string;
  field: string;
  detail: string;
  /** The whole message. */
  text: string;
  /** The rule of the specification that is broken, e.g. "COST-020". */
  rule?: string;
}

export interface Table {
  columns: {
    name: string;
    type: string;
    format: string;
    description: string;
    priority: number;
  }[];
  rows: any[][];
}

/** A rule of the specification. */
export interface Rule {
  id: string;
  title: string;
  statement: string;
  example?: string;
  vector?: string;
  source?: string;
  since?: string;
  /** The place of the rule in the repository, e.g. "spec/pruning.md#PRN-003". */
  link: string;
}
