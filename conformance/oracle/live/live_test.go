package live

import (
	"bytes"
	"encoding/json"
	"flag"
	"os"
	"os/exec"
	"regexp"
	"strings"
	"sync"
	"testing"
)

// workers is the number of CRDs that are worked on at a time. A create right
// after its CRD waits two seconds in the server.
const workers = 8

var (
	seedFlag = flag.Uint64("live.seed", 1, "seed of the random numbers")
	logFlag  = flag.String("live.log", "",
		"write every request with its answer to this file, as JSON lines")
	differencesFlag = flag.String("live.differences", "",
		"write every difference to this file, as JSON lines")
	crdsFlag = flag.String("live.crds", "",
		"only the CRDs whose file matches this regular expression")
	factorFlag   = flag.Int("live.factor", 1, "ask every CRD this many times as much")
	requiredFlag = flag.Bool("live.required", false,
		"fail rather than skip without etcd")
)

// The sizes of the work on a CRD of this repository, and on one of the corpus.
var (
	ownSize = size{
		crdMutations: 12,
		objects:      14,
		mutations:    5,
		updates:      4,
		patches:      12,
		applies:      12,
		tightenings:  2,
	}
	corpusSize = size{
		crdMutations: 2,
		objects:      6,
		mutations:    2,
		updates:      3,
		patches:      6,
		applies:      6,
		tightenings:  1,
	}
)

// The minimum numbers of comparisons of a run. A run with fewer would pass
// without having asked enough.
var (
	leastShort = counts{
		Requests:    1000,
		CRDs:        6,
		CRDsInvalid: 40,
		Objects:     60,
		Admitted:    300,
		Invalid:     100,
		Refused:     50,
		Reads:       200,
		Patches:     500,
		Applies:     500,
	}
	leastFull = counts{
		Requests:    40000,
		CRDs:        60,
		CRDsInvalid: 300,
		Objects:     1500,
		Admitted:    10000,
		Invalid:     4000,
		Refused:     1500,
		Reads:       15000,
		Patches:     5000,
		Applies:     5000,
	}
)

// An API server stores in etcd, which cannot be linked here. Without etcd all
// other tests still run. CI installs it and requires it.
const noEtcd = "the API server needs etcd and PATH has none: install it, " +
	"e.g. Debian's package etcd-server"

// needEtcd ends a test where etcd is missing. It fails for make live, which
// asks for etcd, and in CI, which installs it. Elsewhere the test is skipped:
// the real server stores in etcd, and the module's other tests do not need it.
func needEtcd(t *testing.T) {
	t.Helper()
	if _, err := exec.LookPath("etcd"); err == nil {
		return
	}
	if *requiredFlag || os.Getenv("CI") != "" {
		t.Fatal(noEtcd)
	}
	t.Skip(noEtcd) // users of the Go modules need no etcd
}

// TestLive sends every kind of request to a real API server and compares its
// answers with the library's verdicts.
func TestLive(t *testing.T) {
	needEtcd(t)
	resources := selectResources(t)
	r := &run{
		server: startServer(t, startEtcd(t)),
		judge:  facade{},
		hooks:  startHooks(t),
		seed:   *seedFlag,
	}
	sessions := workAll(t, r, resources)
	report(t, sessions)
	t.Logf("seed %d: %+v", r.seed, r.counts)
	if *crdsFlag == "" {
		requireAtLeast(t, &r.counts, len(resources))
	}
}

// selectResources loads the CRDs that the flags select.
func selectResources(t *testing.T) []*resource {
	t.Helper()
	only, err := regexp.Compile(*crdsFlag)
	if err != nil {
		t.Fatal(err)
	}
	own, err := loadResources(ownFolders())
	if err != nil {
		t.Fatal(err)
	}
	var corpus []*resource
	if !testing.Short() {
		if corpus, err = loadResources(corpusFolders()); err != nil {
			t.Fatal(err)
		}
	}
	var selected []*resource
	for i, r := range append(own, corpus...) {
		r.size = corpusSize
		if i < len(own) {
			r.size = ownSize
		}
		r.size = r.size.times(*factorFlag)
		if only.MatchString(r.source) {
			selected = append(selected, r)
		}
	}
	return selected
}

// workAll works on all CRDs, several at a time, and returns the sessions in the
// order of the CRDs.
func workAll(t *testing.T, r *run, resources []*resource) []*session {
	t.Helper()
	sessions := make([]*session, len(resources))
	next := make(chan int)
	var group sync.WaitGroup
	for range workers {
		group.Go(func() {
			for i := range next {
				s, err := r.work(resources[i])
				if err != nil {
					t.Error(err)
				}
				sessions[i] = s
			}
		})
	}
	for i := range resources {
		next <- i
	}
	close(next)
	group.Wait()
	return sessions
}

// report fails the test for every difference and writes the files that the
// flags name.
func report(t *testing.T, sessions []*session) {
	t.Helper()
	const told = 20
	var log, differences bytes.Buffer
	n := 0
	for _, s := range sessions {
		if err := writeLog(&log, s.resource.source, s.exchanges); err != nil {
			t.Fatal(err)
		}
		for _, d := range s.differences {
			line, err := json.Marshal(d)
			if err != nil {
				t.Fatal(err)
			}
			differences.Write(append(line, '\n'))
			if n++; n <= told {
				t.Errorf("%s: %s: %s %s: status %d\n%s\nbody: %.2000s", d.CRD, d.What,
					d.Request.Method, d.Request.Path, d.Request.Status,
					strings.Join(d.Details, "\n"), d.Request.Body)
			}
		}
	}
	if n > told {
		t.Errorf("and %d more differences", n-told)
	}
	writeFile(t, *logFlag, &log)
	writeFile(t, *differencesFlag, &differences)
}

func writeFile(t *testing.T, name string, text *bytes.Buffer) {
	t.Helper()
	if name == "" {
		return
	}
	if err := os.WriteFile(name, text.Bytes(), 0o644); err != nil {
		t.Error(err)
	}
}

// requireAtLeast fails the test if the run was smaller than required.
func requireAtLeast(t *testing.T, c *counts, crds int) {
	t.Helper()
	least := leastFull
	if crds < leastFull.CRDs {
		least = leastShort // without a corpus
	}
	if c.Requests < least.Requests || c.CRDs < least.CRDs ||
		c.CRDsInvalid < least.CRDsInvalid || c.Objects < least.Objects ||
		c.Admitted < least.Admitted || c.Invalid < least.Invalid || c.Refused < least.Refused ||
		c.Reads < least.Reads || c.Patches < least.Patches || c.Applies < least.Applies {
		t.Errorf("the run is too small: it must have at least %+v", least)
	}
}
