package live

import (
	"bytes"
	"encoding/json"
	"flag"
	"os"
	"regexp"
	"sync"
	"testing"
)

// workers is the number of CRDs worked on at a time: a create right after a CRD waits two seconds in the server.
const workers = 8

var (
	seedFlag     = flag.Uint64("live.seed", 1, "what the random numbers start from")
	logFlag      = flag.String("live.log", "", "write every request with its answer to this file, as JSON lines")
	diffFlag     = flag.String("live.differences", "", "write every difference to this file, as JSON lines")
	crdsFlag     = flag.String("live.crds", "", "only the CRDs whose file name matches this regular expression")
	maximumSizes = size{crdMutations: 2, objects: 6, mutations: 2, updates: 3, tightenings: 1}
)

// TestLive asks a real API server everything the run knows to ask, and compares its answers with the library's verdicts.
func TestLive(t *testing.T) {
	resources, err := loadResources()
	if err != nil {
		t.Fatal(err)
	}
	if only, err := regexp.Compile(*crdsFlag); err != nil {
		t.Fatal(err)
	} else {
		var kept []*resource
		for _, r := range resources {
			if only.MatchString(r.source) {
				kept = append(kept, r)
			}
		}
		resources = kept
	}
	r := &run{server: startServer(t, startEtcd(t)), judge: facade{}, size: maximumSizes, seed: *seedFlag}
	var log, differences bytes.Buffer
	for i, s := range workAll(t, r, resources) {
		if err := writeLog(&log, resources[i].source, s.exchanges); err != nil {
			t.Fatal(err)
		}
		for _, d := range s.differences {
			line, _ := json.Marshal(d)
			differences.Write(append(line, '\n'))
		}
	}
	for name, text := range map[string]*bytes.Buffer{*logFlag: &log, *diffFlag: &differences} {
		if name != "" {
			if err := os.WriteFile(name, text.Bytes(), 0o644); err != nil {
				t.Error(err)
			}
		}
	}
	counts, _ := json.Marshal(r.counts)
	t.Logf("%s", counts)
}

func workAll(t *testing.T, r *run, resources []*resource) []*session {
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
