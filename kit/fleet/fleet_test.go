package fleet_test

import (
	"bufio"
	"context"
	"encoding/json"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/apache/beam/sdks/v2/go/pkg/beam"
	"github.com/apache/beam/sdks/v2/go/pkg/beam/io/textio"
	"github.com/apache/beam/sdks/v2/go/pkg/beam/register"
	"github.com/apache/beam/sdks/v2/go/pkg/beam/x/beamx"
	"github.com/google/go-cmp/cmp"

	"github.com/crdsem/crdsem/kit/fleet"
	"github.com/crdsem/crdsem/kit/upgrade"
)

// The environment of a process that dies: its folder, and the number of records
// that it reads before.
const killFolder, killAfter = "FLEET_KILL_FOLDER", "FLEET_KILL_AFTER"

func TestMain(m *testing.M) {
	flag.Parse()
	beam.Init()
	if dir := os.Getenv(killFolder); dir != "" {
		if err := judge(dir, filepath.Join(dir, "out")); err != nil {
			fmt.Fprintln(os.Stderr, err)
		}
		os.Exit(1) // it was not killed
	}
	os.Exit(m.Run())
}

func init() { register.DoFn2x1[string, func(string), error](&killFn{}) }

// killFn kills the process after a number of records.
type killFn struct{ After int64 }

var passed atomic.Int64

func (f *killFn) ProcessElement(line string, next func(string)) error {
	if f.After > 0 && passed.Add(1) > f.After {
		process, err := os.FindProcess(os.Getpid())
		if err != nil {
			return err
		}
		return process.Kill()
	}
	next(line)
	return nil
}

// judge judges the records in a folder.
func judge(dir, out string) error {
	u, err := newUpgrade()
	if err != nil {
		return err
	}
	after, _ := strconv.Atoi(os.Getenv(killAfter))
	p, s := beam.NewPipelineWithRoot()
	records := textio.Read(s, filepath.Join(dir, "*.jsonl"))
	results := u.Judge(s, beam.ParDo(s, &killFn{int64(after)}, records))
	fleet.Write(s, filepath.Join(out, "verdicts"), 4, results.Verdicts)
	fleet.Write(s, filepath.Join(out, "counts"), 1, results.Counts)
	fleet.Write(s, filepath.Join(out, "malformed"), 1, results.Malformed)
	return beamx.Run(context.Background(), p)
}

func newUpgrade() (*fleet.Upgrade, error) {
	change := fleet.Change{}
	var err error
	if change.Old, err = os.ReadFile("../../examples/upgrade/old.yaml"); err != nil {
		return nil, err
	}
	if change.New, err = os.ReadFile("../../examples/upgrade/new.yaml"); err != nil {
		return nil, err
	}
	return fleet.NewUpgrade(change)
}

// record returns a line: most are objects that the change affects in one way or
// another, some are of another kind, and some are malformed.
func record(i int) string {
	switch {
	case i%997 == 3:
		return fmt.Sprintf(`{"cluster": "c", "object": {"kind": "Pool", "n": %d}}`, i)
	case i%1009 == 5:
		return fmt.Sprintf(`{"object": {"kind"%d`, i)
	case i%101 == 7:
		return fmt.Sprintf(`{"apiVersion": "v1", "kind": "Secret", "metadata": {"name": "s%d"}}`, i)
	}
	spec := fmt.Sprintf(`"replicas": %d`, i*7%150)
	if zone := []string{"a", "b", "c", ""}[i%4]; zone != "" {
		spec += fmt.Sprintf(`, "zone": %q`, zone)
	}
	if i%10 == 0 {
		spec += `, "note": "x"`
	}
	return fmt.Sprintf(`{"cluster": "east-%d", "object": {"apiVersion": "example.com/v1beta1", `+
		`"kind": "Pool", "metadata": {"name": "p%d", "namespace": "n%d", "uid": "u%d", `+
		`"resourceVersion": "%d", "generation": 1, "creationTimestamp": "2026-07-01T00:00:00Z"}, `+
		`"spec": {%s}}}`, i%3, i, i%50, i, i, spec)
}

// writeRecords writes records into some files of a folder.
func writeRecords(t *testing.T, dir string, n, files int) {
	t.Helper()
	for f := range files {
		file, err := os.Create(filepath.Join(dir, fmt.Sprintf("%d.jsonl", f)))
		if err != nil {
			t.Fatal(err)
		}
		out := bufio.NewWriter(file)
		for i := f; i < n; i += files {
			fmt.Fprintln(out, record(i))
		}
		if err := out.Flush(); err != nil {
			t.Fatal(err)
		}
		if err := file.Close(); err != nil {
			t.Fatal(err)
		}
	}
}

// results returns the lines of each kind of file in a folder, sorted.
func results(t *testing.T, dir string) map[string][]string {
	t.Helper()
	files, err := filepath.Glob(filepath.Join(dir, "*"))
	if err != nil {
		t.Fatal(err)
	}
	found := map[string][]string{}
	for _, file := range files {
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		kind, _, _ := strings.Cut(filepath.Base(file), "-")
		found[kind] = append(found[kind], strings.Split(strings.TrimSpace(string(text)), "\n")...)
	}
	for _, lines := range found {
		slices.Sort(lines)
	}
	return found
}

// Every record is judged as package upgrade judges it, and counted once.
func TestJudge(t *testing.T) {
	const n = 3000
	dir := t.TempDir()
	writeRecords(t, dir, n, 3)
	if err := judge(dir, filepath.Join(dir, "out")); err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(expected(t, n), results(t, filepath.Join(dir, "out"))); diff != "" {
		t.Error(diff)
	}
}

// expected judges the records one after the other.
func expected(t *testing.T, n int) map[string][]string {
	t.Helper()
	u, err := newUpgrade()
	if err != nil {
		t.Fatal(err)
	}
	change := u.Changes[0]
	report, err := upgrade.Compare(t.Context(), change.Old, change.New, upgrade.Tries(0))
	if err != nil {
		t.Fatal(err)
	}
	want := map[string][]string{}
	counts := map[fleet.Count]int64{}
	for i := range n {
		var r struct {
			Cluster string
			Object  map[string]any
			Kind    string
		}
		line := record(i)
		if err := json.Unmarshal([]byte(line), &r); err != nil {
			want["malformed"] = append(want["malformed"], line)
			continue
		}
		if r.Kind == "Secret" {
			counts[fleet.Count{Fate: fleet.NotJudged}]++
			continue
		}
		if r.Object["apiVersion"] == nil {
			want["malformed"] = append(want["malformed"], line)
			continue
		}
		j, err := report.Judge(t.Context(), integers(r.Object).(map[string]any))
		if err != nil {
			t.Fatal(err)
		}
		count := fleet.Count{
			Cluster: r.Cluster, Definition: "pools.example.com", Version: "v1beta1", Fate: j.Fate,
		}
		counts[count]++
		rules := map[string]bool{}
		for _, f := range j.Findings() {
			if f.Rule != "" && !rules[f.Rule] {
				rules[f.Rule] = true
				count.Rule = f.Rule
				counts[count]++
			}
		}
		if j.Fate != upgrade.Unaffected {
			metadata := r.Object["metadata"].(map[string]any)
			want["verdicts"] = append(want["verdicts"], text(t, fleet.Verdict{
				Cluster: r.Cluster, Definition: "pools.example.com", Version: j.Version,
				Namespace: metadata["namespace"].(string), Name: metadata["name"].(string),
				Fate: j.Fate, Before: j.Before, Severity: j.Severity, Findings: j.Findings(),
			}))
		}
	}
	for count, objects := range counts {
		count.Objects = objects
		want["counts"] = append(want["counts"], text(t, count))
	}
	for i, line := range want["malformed"] {
		problem := "apiVersion: expected a string that is not empty"
		if !json.Valid([]byte(line)) {
			number := line[len(`{"object": {"kind"`):]
			problem = fmt.Sprintf("invalid character '%c' after object key", number[0])
		}
		want["malformed"][i] = text(t, fleet.Malformed{Error: problem, Line: line})
	}
	for _, lines := range want {
		slices.Sort(lines)
	}
	return want
}

// integers returns a value with integers as int64.
func integers(v any) any {
	switch v := v.(type) {
	case map[string]any:
		for name := range v {
			v[name] = integers(v[name])
		}
	case float64:
		return int64(v)
	}
	return v
}

func text(t *testing.T, v any) string {
	t.Helper()
	data, err := json.Marshal(v)
	if err != nil {
		t.Fatal(err)
	}
	return string(data)
}

// A run that was killed half way is repeated: its files are those of a run that
// was not.
func TestKilledAndRepeated(t *testing.T) {
	const n = 4000
	dir := t.TempDir()
	writeRecords(t, dir, n, 4)
	clean := filepath.Join(t.TempDir(), "out")
	if err := judge(dir, clean); err != nil {
		t.Fatal(err)
	}
	for _, after := range []int{1, n / 2, n - 1} {
		cmd := exec.Command(os.Args[0])
		cmd.Env = append(os.Environ(), killFolder+"="+dir, fmt.Sprintf("%s=%d", killAfter, after))
		out, err := cmd.CombinedOutput()
		if cmd.ProcessState == nil || cmd.ProcessState.Exited() {
			t.Fatalf("the process was not killed: %v\n%s", err, out)
		}
		if err := judge(dir, filepath.Join(dir, "out")); err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(files(t, clean), files(t, filepath.Join(dir, "out"))); diff != "" {
			t.Errorf("killed after %d records: %s", after, diff)
		}
	}
}

// files returns the contents of the files in a folder.
func files(t *testing.T, dir string) map[string]string {
	t.Helper()
	found := map[string]string{}
	names, err := filepath.Glob(filepath.Join(dir, "*.jsonl"))
	if err != nil || len(names) < 3 {
		t.Fatalf("%d files, %v", len(names), err)
	}
	for _, name := range names {
		text, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		found[filepath.Base(name)] = string(text)
	}
	return found
}

// No record is lost, however many there are. FLEET_OBJECTS is the number of
// records.
func TestMany(t *testing.T) {
	n, err := strconv.Atoi(os.Getenv("FLEET_OBJECTS"))
	if err != nil {
		n = 10_000
	}
	dir := t.TempDir()
	writeRecords(t, dir, n, 16)
	start := time.Now()
	if err := judge(dir, filepath.Join(dir, "out")); err != nil {
		t.Fatal(err)
	}
	elapsed := time.Since(start)
	found := results(t, filepath.Join(dir, "out"))
	total := int64(len(found["malformed"]))
	for _, line := range found["counts"] {
		var c fleet.Count
		if err := json.Unmarshal([]byte(line), &c); err != nil {
			t.Fatal(err)
		}
		if c.Rule == "" {
			total += c.Objects
		}
	}
	if total != int64(n) {
		t.Errorf("%d records of %d", total, n)
	}
	var stats runtime.MemStats
	runtime.ReadMemStats(&stats)
	t.Logf("%d records, %d verdicts: %.1f s, %.0f records/s, GOMAXPROCS=%d, %d MB of the system",
		n, len(found["verdicts"]), elapsed.Seconds(), float64(n)/elapsed.Seconds(),
		runtime.GOMAXPROCS(0), stats.Sys>>20)
}
