package live

import (
	"bytes"
	"encoding/json"
	"fmt"
	"hash/fnv"
	"math/rand/v2"
	"net/http"
	"strconv"
	"strings"
	"sync"

	"github.com/crdsem/crdsem/conversion"
)

// namespace is the namespace of namespaced objects. It needs no Namespace
// object, because no admission plugin asks for one.
const namespace = "default"

// crdPath is the collection of CRDs.
const crdPath = "/apis/apiextensions.k8s.io/v1/customresourcedefinitions"

// run is one run over the server, with its counts and findings.
type run struct {
	server *apiServer
	judge  judge
	hooks  *hooks
	seed   uint64

	claims sync.Map // the names of CRDs: a *sync.Mutex each

	mu     sync.Mutex
	counts counts
}

// size is the amount of work on each CRD.
type size struct {
	crdMutations int // invalid or changed CRDs, created and updated, with dryRun
	objects      int // objects from manifests or made from the schema
	mutations    int // changed creations of each object
	updates      int // changed updates of each created object
	patches      int // patches of each created object
	applies      int // server-side applies of each created object
	tightenings  int // how often the CRD becomes stricter and the stored objects are updated again
}

// times returns a multiple of a size. The number of objects stays the same,
// because there are no more.
func (s size) times(n int) size {
	s.crdMutations *= n
	s.mutations *= n
	s.updates *= n
	s.patches *= n
	s.applies *= n
	return s
}

// counts is the run's summary.
type counts struct {
	Requests, CRDs, CRDVerdicts, CRDsInvalid, Panics int
	Objects, ObjectsCreated, Verdicts, Reads, Lists  int
	Admitted, Invalid, Refused, Failed               int
	Patches, Applies                                 int
	Compared, Differences                            int
}

// difference is one request with an answer that differs from the judge's.
type difference struct {
	CRD     string    `json:"crd"`
	What    string    `json:"what"`
	Details []string  `json:"details"`
	Request *exchange `json:"request"`
	Old     string    `json:"old,omitempty"`
}

// session is the run's work on one CRD.
type session struct {
	*run
	resource    *resource
	rng         *rand.Rand
	hook        conversion.Webhook // nil unless the strategy is Webhook
	judged      resourceJudge
	exchanges   []*exchange
	differences []difference
	serial      int
	stored      []string // the names of all stored objects
	names       []string // those of them that are used further
}

// do sends a request and records it.
func (s *session) do(method, path, media string, body []byte) (*exchange, error) {
	return s.doAs(mediaJSON, &exchange{
		Method: method, Path: path, Media: media, Body: string(body),
	})
}

// doAs is do for an answer in a media type.
func (s *session) doAs(accept string, x *exchange) (*exchange, error) {
	x, err := s.server.doAs(accept, x)
	if err != nil {
		return nil, err
	}
	s.exchanges = append(s.exchanges, x)
	s.count(func(c *counts) { c.Requests++ })
	return x, nil
}

// count changes the run's counts.
func (r *run) count(change func(*counts)) {
	r.mu.Lock()
	defer r.mu.Unlock()
	change(&r.counts)
}

// claim waits until no other session works on a CRD of the name, because
// several files may have one. The function that it returns ends the claim.
func (r *run) claim(name string) (release func()) {
	claimed, _ := r.claims.LoadOrStore(name, &sync.Mutex{})
	mutex := claimed.(*sync.Mutex)
	mutex.Lock()
	return mutex.Unlock
}

// work does all the work on one CRD and returns the exchanges. The random
// numbers depend only on the seed and on the CRD's file. A run of one CRD
// therefore repeats its part of a run of all.
func (r *run) work(resource *resource) (*session, error) {
	hash := fnv.New64a()
	_, _ = hash.Write([]byte(resource.name + string(resource.text)))
	s := &session{run: r, resource: resource, rng: rand.New(rand.NewPCG(r.seed, hash.Sum64()))}
	defer r.claim(resource.name)()
	var err error
	if s.hook, err = r.hooks.attach(resource, strconv.FormatUint(hash.Sum64(), 16)); err == nil {
		err = s.all()
	}
	if err != nil {
		err = fmt.Errorf("%s: %w", resource.source, err)
	}
	return s, err
}

// all does the work on one CRD in its order.
func (s *session) all() error {
	body := encode(s.resource.object)
	if err := s.waitUntilGone(); err != nil {
		return err
	}
	for range s.resource.size.crdMutations {
		if err := s.createMutatedCRD(); err != nil {
			return err
		}
	}
	x, err := s.definition(http.MethodPost, crdPath, &write{body: body})
	if err != nil || x.Status != http.StatusCreated {
		return err
	}
	defer s.cleanUp()
	if err := s.waitUntilServed(); err != nil {
		return err
	}
	s.count(func(c *counts) { c.CRDs++ })
	for range s.resource.size.crdMutations {
		if err := s.updateMutatedCRD(); err != nil {
			return err
		}
	}
	if s.judged, err = s.judge.open(body, s.hook); err != nil {
		return fmt.Errorf("the judge does not open it: %w", err)
	}
	if err := s.objects(); err != nil {
		return err
	}
	if err := s.lists(); err != nil {
		return err
	}
	return s.tighten()
}

// mode returns a level of field validation, or "".
func (s *session) mode() string { return modes[s.rng.IntN(len(modes))] }

// withMode adds a level of field validation to a URL path.
func withMode(path, mode string) string {
	switch {
	case mode == "":
		return path
	case strings.Contains(path, "?"):
		return path + "&fieldValidation=" + mode
	}
	return path + "?fieldValidation=" + mode
}

// compare records how the judge's verdict differs.
func (s *session) compare(
	what string, x *exchange, server, judged *verdict, judgeErr error, old []byte,
) {
	var details []string
	switch {
	case judgeErr != nil:
		details = []string{"the judge fails: " + judgeErr.Error()}
	default:
		details = compareVerdicts(server, judged)
	}
	s.note(what, x, old, details)
}

// note counts a comparison and records its differences.
func (s *session) note(what string, x *exchange, old []byte, details []string) {
	s.count(func(c *counts) {
		c.Compared++
		if len(details) > 0 {
			c.Differences++
		}
	})
	if len(details) > 0 {
		s.differences = append(s.differences,
			difference{s.resource.source, what, details, x, string(old)})
	}
}

// writeLog writes exchanges as JSON lines.
func writeLog(out *bytes.Buffer, crd string, exchanges []*exchange) error {
	encoder := json.NewEncoder(out)
	encoder.SetEscapeHTML(false)
	for _, x := range exchanges {
		line := struct {
			CRD string `json:"crd"`
			*exchange
		}{crd, x}
		if err := encoder.Encode(line); err != nil {
			return err
		}
	}
	return nil
}
