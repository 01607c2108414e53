import { chmod, cp, mkdir, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { run, web } from "./run.js";

const folder = `${web}dist/lean`;

/**
 * What the program does without. The linker keeps this code, because initialization or a table
 * mentions it, but no request reaches it.
 */
const cuts = [
  {
    module: "github.com/google/cel-go",
    // A table of all extensions by name, and a template of prompts for language models.
    remove: ["ext/extension_option_factory.go", "cel/prompt.go"],
    rewrite: { "common/stdlib/standard.go": inFunctions },
  },
  {
    module: "k8s.io/apimachinery",
    replace: { "pkg/runtime/serializer/cbor/direct": `${web}build/lean/direct` },
  },
  {
    module: "google.golang.org/protobuf",
    replace: { "reflect/protodesc": `${web}build/lean/protodesc` },
    // Messages of generators before 2020 have zipped descriptors.
    rewrite: {
      "internal/impl/legacy_file.go": {
        '"compress/gzip"': '"errors"',
        "gzip.NewReader(bytes.NewReader(b))": 'bytes.NewReader(b), errors.New("zipped")',
      },
      "types/descriptorpb/descriptor.pb.go": withoutEnumMaps,
    },
  },
];

/**
 * Files of the standard library that are added or take the place of others. A certificate's key is
 * parsed, but not used: there is no arithmetic of signatures, and no self-test, which would run in
 * FIPS mode only. The linker would keep all of it.
 */
const standard = `${web}build/lean/_std`;

/** Files of the standard library that are left out. */
const removed = [
  ...["p224", "p224_sqrt", "p256", "p256_ordinv_noasm", "p256_table", "p384", "p521"].map(
    (curve) => `crypto/internal/fips140/nistec/${curve}.go`,
  ),
  ...["aes", "aes/gcm", "drbg", "hmac", "sha256", "sha3", "sha512"].map(
    (name) => `crypto/internal/fips140/${name}/cast.go`,
  ),
];

/** Files of the standard library of which a few words are replaced, or more by a function. */
const rewritten = {
  "crypto/x509/parser.go": {
    "ecdsa.ParseUncompressedPublicKey(": "parsePoint(",
    '"crypto/ecdsa"': "",
  },
  "crypto/internal/fips140/drbg/rand.go": { "if !fips140.Enabled {": "if true {" },
  "unicode/tables.go": withScriptsInLoop,
  "regexp/regexp.go": compiledAtFirstUse,
};

// A browser optimizes a function that has run for long, and the longer it is the sooner. Long
// initialization runs once, and is not worth it: half a second of processor time when the npm
// package's program starts. The following functions make it short.

/** Makes a function of each of the declarations of CEL's functions, which are one list. */
function inFunctions(text) {
  const [before, list, after] = parts(text, "stdFunctions = []*decls.FunctionDecl{", "\n\t}\n");
  const [first, ...elements] = list.split("\n\t\tfunction(");
  const split = elements.map((element) => {
    const end = element.lastIndexOf("),") + 1;
    const call = `\n\t\tfunc() *decls.FunctionDecl { return function(${element.slice(0, end)} }()`;
    return call + element.slice(end);
  });
  return before + first + split.join("") + after;
}

/** Leaves out the maps of the names of enumerations, which only old generated code reads. */
function withoutEnumMaps(text) {
  return text.replace(/\/\/ Enum value maps for [^]*?\nvar \([^]*?\n\)\n/g, "");
}

/** Fills the map of scripts in a loop over a table. */
function withScriptsInLoop(text) {
  const [before, list, after] = parts(text, "var Scripts = map[string]*RangeTable{", "\n}\n");
  const table = list.replace(/("\w+"): +(\w+)/g, "{$1, &$2}");
  return `${before.replace(/map\[string\]\*RangeTable\{$/, "tablesOf([]namedTable{")}${table}\n})
${after.slice(2)}
type namedTable struct {
	name  string
	table **RangeTable
}

func tablesOf(named []namedTable) map[string]*RangeTable {
	tables := make(map[string]*RangeTable, len(named))
	for _, n := range named {
		tables[n.name] = *n.table
	}
	return tables
}
`;
}

/**
 * Lets MustCompile compile at the first use of the expression. Sixty expressions of packages would be
 * compiled when the program starts, and hardly one is used. There is one thread only.
 */
function compiledAtFirstUse(text) {
  const [before, body, after] = parts(text, "func MustCompile(str string) *Regexp {", "\n}\n");
  const methods = (code) => code.replace(/^func \(re \*Regexp\) [A-Z].*\{$/gm, "$&\n\tre.ready()");
  return `${methods(before)}
	return &Regexp{expr: str}${methods(after)}
func (re *Regexp) ready() {
	if re.prog == nil {
		*re = *compiledNow(re.expr)
	}
}

func compiledNow(str string) *Regexp {${body}
}
`;
}

/** Cuts a text behind a beginning, and before the end that follows it. */
function parts(text, beginning, end) {
  const from = text.indexOf(beginning) + beginning.length;
  const to = text.indexOf(end, from);
  if (from < beginning.length || to < 0) throw new Error(`«${beginning}» is not there`);
  return [text.slice(0, from), text.slice(from, to), text.slice(to)];
}

/**
 * Calls a function with the file of a Go workspace that has cut copies of modules in their place,
 * and with the file that says which files take the place of the standard library's. The copies are
 * removed afterwards: no other build or check may find them.
 */
export async function inLeanWorkspace(build) {
  try {
    build(await leanWorkspace(), await overlay());
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/** Copies the modules that are cut, and returns the file of the workspace. */
async function leanWorkspace() {
  await rm(folder, { recursive: true, force: true });
  await mkdir(folder, { recursive: true });
  const replacements = ["replace github.com/crdsem/crdsem v0.0.0 => ../../.."];
  for (const cut of cuts) {
    await copyCut(cut);
    replacements.push(`replace ${cut.module} => ./${cut.module}`);
  }
  const file = `${folder}/go.work`;
  const [version] = /^go .*$/m.exec(await readFile(`${web}../go.work`, "utf8"));
  await writeFile(
    file,
    `${version}\n\nuse (\n\t../../..\n\t../..\n)\n\n${replacements.join("\n")}\n`,
  );
  await cp(`${web}../go.work.sum`, `${folder}/go.work.sum`);
  return file;
}

/** Writes a file for the flag -overlay of the go command, and returns its name. */
async function overlay() {
  const root = `${run("go", ["env", "GOROOT"]).trim()}/src`;
  const Replace = {};
  for (const entry of await readdir(standard, { recursive: true, withFileTypes: true })) {
    const other = `${entry.parentPath}/${entry.name}`;
    if (entry.isFile()) Replace[other.replace(standard, root)] = other;
  }
  for (const [name, words] of Object.entries(rewritten)) {
    const other = `${folder}/${name.replaceAll("/", "_")}`;
    await writeFile(other, replaced(await readFile(`${root}/${name}`, "utf8"), words));
    Replace[`${root}/${name}`] = other;
  }
  for (const name of removed) Replace[`${root}/${name}`] = "";
  const file = `${folder}/overlay.json`;
  await writeFile(file, JSON.stringify({ Replace }));
  return file;
}

/** Returns a text with other words, or what a function makes of it. */
function replaced(text, words) {
  if (typeof words === "function") return words(text);
  return Object.entries(words).reduce((text, [from, to]) => {
    if (text.split(from).length !== 2) throw new Error(`«${from}» is not there once`);
    return text.replace(from, to);
  }, text);
}

/** Copies a module without what is cut. */
async function copyCut({ module, remove = [], replace = {}, rewrite = {} }) {
  run("go", ["mod", "download", module]);
  const copy = `${folder}/${module}`;
  await cp(run("go", ["list", "-m", "-f", "{{.Dir}}", module]).trim(), copy, { recursive: true });
  await writable(copy);
  for (const file of remove) await rm(`${copy}/${file}`);
  for (const [name, other] of Object.entries(replace)) {
    await rm(`${copy}/${name}`, { recursive: true });
    await cp(other, `${copy}/${name}`, { recursive: true });
  }
  for (const [name, words] of Object.entries(rewrite)) {
    const file = `${copy}/${name}`;
    await chmod(file, 0o644);
    await writeFile(file, replaced(await readFile(file, "utf8"), words));
  }
}

/** Makes the folders of a copy writable: those of Go's cache are not. */
async function writable(path) {
  await chmod(path, 0o755);
  for (const entry of await readdir(path, { withFileTypes: true })) {
    if (entry.isDirectory()) await writable(`${path}/${entry.name}`);
  }
}
