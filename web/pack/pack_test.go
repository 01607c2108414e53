package main

import (
	"bytes"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/crdsem/crdsem/web/internal/wasmfile"
)

// program prints, calls functions in many ways, and ends with a panic.
const program = `package main

import (
	"fmt"
	"sort"
	"strings"
)

type shape interface{ area() int }
type square struct{ side int }
type oblong struct{ a, b int }

func (s square) area() int { return s.side * s.side }
func (o oblong) area() int { return o.a * o.b }

func main() {
	shapes := []shape{square{4}, oblong{2, 3}}
	sort.Slice(shapes, func(i, j int) bool { return shapes[i].area() < shapes[j].area() })
	defer func() { fmt.Println(recover()); shapes[7].area() }()
	for _, s := range shapes {
		fmt.Println(strings.Repeat("*", s.area()), 1.5*float64(s.area()))
	}
	var none map[string]int
	none["a"] = 1
}
`

// built returns the program for WebAssembly, and a folder for files.
func built(t *testing.T) (file []byte, folder string) {
	t.Helper()
	folder = t.TempDir()
	source, name := filepath.Join(folder, "main.go"), filepath.Join(folder, "main.wasm")
	if err := os.WriteFile(source, []byte(program), 0o644); err != nil {
		t.Fatal(err)
	}
	build := exec.Command("go", "build", "-o", name, source)
	build.Env = append(os.Environ(), "GOOS=js", "GOARCH=wasm", "GOWORK=off")
	if out, err := build.CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	file, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	return file, folder
}

// output runs a program in Node and returns what it prints. A panic ends it.
func output(t *testing.T, file []byte, folder string) string {
	t.Helper()
	name := filepath.Join(folder, "run.wasm")
	if err := os.WriteFile(name, file, 0o644); err != nil {
		t.Fatal(err)
	}
	root, err := exec.Command("go", "env", "GOROOT").Output()
	if err != nil {
		t.Fatal(err)
	}
	start := filepath.Join(strings.TrimSpace(string(root)), "lib/wasm/wasm_exec_node.js")
	var out bytes.Buffer
	run := exec.Command("node", start, name)
	run.Stdout, run.Stderr = &out, &out
	if err := run.Run(); err == nil || run.ProcessState.ExitCode() != 2 {
		t.Fatalf("a panic ends the program with code 2: %v\n%s", err, out.String())
	}
	return out.String()
}

func TestAPackedProgramDoesTheSame(t *testing.T) {
	file, folder := built(t)
	packed, err := pack(file)
	if err != nil {
		t.Fatal(err)
	}
	before, traceBefore, _ := strings.Cut(output(t, file, folder), "goroutine")
	after, traceAfter, _ := strings.Cut(output(t, packed, folder), "goroutine")
	if before != after || !strings.Contains(before, "****** 9\n**************** 24\n") {
		t.Errorf("it printed\n%s\nand prints\n%s", before, after)
	}
	if !strings.Contains(traceBefore, "main.go") || strings.Contains(traceAfter, "main.") {
		t.Errorf("the trace was\n%s\nand is\n%s", traceBefore, traceAfter)
	}
	if again, err := pack(file); err != nil || !bytes.Equal(packed, again) {
		t.Errorf("packed again, it differs: %v", err)
	}
}

// What is packed differs in the tables of functions only, and in the order of
// functions.
func TestPackingKeepsTheMemory(t *testing.T) {
	file, _ := built(t)
	packed, err := pack(file)
	if err != nil {
		t.Fatal(err)
	}
	before, after := memoryOf(t, file), memoryOf(t, packed)
	tables, err := findTables(before)
	if err != nil {
		t.Fatal(err)
	}
	from := len(before) - len(tables.memory)
	if !bytes.Equal(before[:from], after[:from]) {
		t.Error("the memory before the tables differs")
	}
	if bytes.Contains(after, []byte("main.square.area\x00")) {
		t.Error("names of functions are left")
	}
	if !bytes.Contains(after, []byte("runtime.main\x00")) {
		t.Error("names of the runtime are lost")
	}
	if segments(t, packed) >= segments(t, file)/10 {
		t.Errorf("%d data segments became %d", segments(t, file), segments(t, packed))
	}
}

// A program that was started needs its initialization no more.
func TestAStartedProgramHasNoInitialization(t *testing.T) {
	file, _ := built(t)
	sections, err := wasmfile.Parse(file)
	if err != nil {
		t.Fatal(err)
	}
	sections = append(sections, wasmfile.Section{
		Kind: wasmfile.Custom, Body: append(wasmfile.AppendBytes(nil, []byte("started")), "{}"...),
	})
	packed, err := pack(wasmfile.Format(sections))
	if err != nil {
		t.Fatal(err)
	}
	before, after := traps(t, file), traps(t, packed)
	if before != 0 || after < 20 || after > 200 {
		t.Errorf("%d functions were no code, and %d are", before, after)
	}
}

// traps returns how many functions of a program are replaced.
func traps(t *testing.T, file []byte) int {
	t.Helper()
	bodies, err := wasmfile.Bodies(section(t, file, wasmfile.Code))
	if err != nil {
		t.Fatal(err)
	}
	count := 0
	for _, body := range bodies {
		if bytes.Equal(body, trap) {
			count++
		}
	}
	return count
}

func TestInitialization(t *testing.T) {
	for name, want := range map[string]bool{
		"main.init":                            true,
		"example.com/a/b.init":                 true,
		"example.com/a/b%2ev2.init.0":          true,
		"example.com/a/b.init.12":              true,
		"unicode.map.init.1":                   true,
		"main.initialize":                      false,
		"main.(*state).init":                   false,
		"main.state.init":                      false,
		"main.init.func1":                      false,
		"main.init.0.func1":                    false,
		"main.(*set[example.com/a/b.T]).init":  false,
		"main.fill[example.com/a/b.T].init":    false,
		"example.com/init.run":                 false,
		"example.com/map.init.0":               true,
		"example.com/a.b/c.(*T).init.deferred": false,
	} {
		if got := initialization.MatchString(name); got != want {
			t.Errorf("%s: %t, want %t", name, got, want)
		}
	}
}

func memoryOf(t *testing.T, file []byte) memory {
	t.Helper()
	m, err := readMemory(section(t, file, wasmfile.Data))
	if err != nil {
		t.Fatal(err)
	}
	return m
}

func segments(t *testing.T, file []byte) int {
	t.Helper()
	return wasmfile.NewReader(section(t, file, wasmfile.Data)).Number()
}

func section(t *testing.T, file []byte, kind wasmfile.Kind) []byte {
	t.Helper()
	sections, err := wasmfile.Parse(file)
	if err != nil {
		t.Fatal(err)
	}
	i := slices.IndexFunc(sections, func(s wasmfile.Section) bool { return s.Kind == kind })
	if i < 0 {
		t.Fatalf("no section of kind %d", kind)
	}
	return sections[i].Body
}

func TestSegmentsHoldTheMemory(t *testing.T) {
	far := make([]byte, 3*gap)
	for name, m := range map[string]memory{
		"nothing":         {},
		"zeros":           make(memory, 10),
		"from the start":  memory("abc"),
		"after zeros":     memory("\x00\x00abc"),
		"a short gap":     memory("a\x00\x00b"),
		"a long gap":      slices.Concat([]byte("a"), far, []byte("b")),
		"two long gaps":   slices.Concat(far, []byte("a"), far, []byte("b\x00c")),
		"a large address": slices.Concat(make([]byte, 100_000), []byte("a")),
	} {
		got, err := readMemory(m.segments())
		if err != nil || !bytes.Equal(bytes.TrimRight(m, "\x00"), got) {
			t.Errorf("%s: %q, %v", name, got, err)
		}
	}
}

func TestCallsAreRenumbered(t *testing.T) {
	const (
		local  = "\x01\x02\x7f"                 // two local variables
		before = "\x41\x90\x01\x0e\x01\x00\x00" // a constant that has the byte of a call, a table
		after  = "\x44\x10\x10\x10\x10\x10\x10\x10\x10\xfc\x0b\x00\x0b"
	)
	got, err := renumber([]byte(local+before+"\x10\x05"+after), func(i int) int { return i + 200 })
	if want := local + before + "\x10\xcd\x01" + after; err != nil || string(got) != want {
		t.Errorf("got %x, want %x, %v", got, want, err)
	}
	for _, unknown := range []string{
		"\x00\xd0\x70\x0b", "\x00\xfc\x08\x00\x00\x0b", "\x00\x41\x80",
	} {
		if _, err := renumber([]byte(unknown), func(i int) int { return i }); err == nil {
			t.Errorf("%x is taken", unknown)
		}
	}
}

func TestSimilarTextsFollowEachOther(t *testing.T) {
	texts := [][]byte{
		[]byte("the quick brown fox jumps"), []byte("0123456789012345678901"), []byte("ab"),
		[]byte("a quick brown fox jumped"), []byte("01234567890123456789"), {},
	}
	order := similar(texts)
	if s := slices.Sorted(slices.Values(order)); !slices.Equal(s, []int{0, 1, 2, 3, 4, 5}) {
		t.Fatalf("the order is %v", order)
	}
	for _, pair := range [][2]int{{0, 3}, {1, 4}} {
		apart := slices.Index(order, pair[0]) - slices.Index(order, pair[1])
		if apart != 1 && apart != -1 {
			t.Errorf("%d and %d are apart in %v", pair[0], pair[1], order)
		}
	}
}

// A damaged program is an error, at whatever byte it ends, and never a panic.
func TestADamagedProgramIsAnError(t *testing.T) {
	file, _ := built(t)
	for end := 0; end < len(file); end += len(file)/50 + 1 {
		if _, err := pack(file[:end]); err == nil {
			t.Errorf("the first %d of %d bytes are packed", end, len(file))
		}
	}
}
