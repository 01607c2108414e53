package live

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"hash/fnv"
	"math/rand/v2"
	"net/http"
	"strconv"
	"strings"
	"sync"
	"time"

	"github.com/crdsem/crdsem/conversion"
)

// namespace is where namespaced objects go; it needs no Namespace object, for no admission plugin asks for one.
const namespace = "default"

// crdPath is the collection of CRDs.
const crdPath = "/apis/apiextensions.k8s.io/v1/customresourcedefinitions"

// run is one run over the server: what it asks, and what came of it.
type run struct {
	server *apiServer
	judge  judge
	hooks  *hooks
	seed   uint64

	mu     sync.Mutex
	counts counts
}

// size says how much is asked of each CRD.
type size struct {
	crdMutations int // invalid or changed CRDs, created and updated, with dryRun
	objects      int // objects that come with it, or are made from its schema
	mutations    int // changed creations of each object
	updates      int // changed updates of each object that was created
	patches      int // patches of each object that was created
	applies      int // server-side applies of each object that was created
	tightenings  int // times that the CRD becomes stricter and the stored objects are updated again
}

// times is a multiple of a size; objects come in the same number, for there are no more of them.
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
	Compared, Differences, Unjudged                  int
}

// difference is one request whose answer the judge did not foresee.
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
	hook        conversion.Webhook // nil: the strategy is not Webhook
	judged      resourceJudge
	exchanges   []*exchange
	differences []difference
	serial      int
	names       []string // of the objects that are stored
}

// do sends a request and notes it.
func (s *session) do(method, path, media string, body []byte) (*exchange, error) {
	x, err := s.server.do(method, path, media, body)
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

// work does everything with one CRD and returns what was exchanged. The random numbers depend on the seed and on the
// CRD's file alone, so that a run of one CRD repeats its part of a run of all.
func (r *run) work(resource *resource) (*session, error) {
	hash := fnv.New64a()
	_, _ = hash.Write([]byte(resource.name + string(resource.text)))
	s := &session{run: r, resource: resource, rng: rand.New(rand.NewPCG(r.seed, hash.Sum64()))}
	var err error
	if s.hook, err = r.hooks.attach(resource, strconv.FormatUint(hash.Sum64(), 16)); err == nil {
		err = s.all()
	}
	if err != nil {
		err = fmt.Errorf("%s: %w", resource.source, err)
	}
	return s, err
}

// all is the order of the work on one CRD.
func (s *session) all() error {
	body := encode(s.resource.object)
	for range s.resource.size.crdMutations {
		if err := s.createMutatedCRD(); err != nil {
			return err
		}
	}
	if err := s.waitUntilGone(); err != nil {
		return err
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

// createMutatedCRD asks, without storing, for a changed CRD.
func (s *session) createMutatedCRD() error {
	changed := copyValue(s.resource.object).(map[string]any)
	m := &crdMutator{mutator{s.rng}}
	m.mutate(changed)
	_, err := s.definition(http.MethodPost, crdPath+dryRun, &write{body: encode(changed), fieldValidation: s.mode()})
	return err
}

// updateMutatedCRD asks, without storing, for an update of the CRD.
func (s *session) updateMutatedCRD() error {
	m := &crdMutator{mutator{s.rng}}
	_, _, err := s.replaceCRD(dryRun, s.mode(), m.mutate)
	return err
}

// replaceCRD reads the CRD, changes it and sends it back; again where a controller was faster with its own update. It returns
// the body that was sent last.
func (s *session) replaceCRD(query, mode string, change func(crd map[string]any)) (x *exchange, body []byte, err error) {
	const attempts = 10
	path := crdPath + "/" + s.resource.name
	var changed map[string]any
	for range attempts {
		old, err := s.server.do(http.MethodGet, path, "", nil)
		if err != nil {
			return nil, nil, err
		}
		current, err := old.object()
		if err != nil {
			return nil, nil, err
		}
		revision := text(child(current, "metadata"), "resourceVersion")
		if changed == nil {
			changed = current
			change(changed)
		} else if metadata := child(changed, "metadata"); metadata != nil {
			metadata["resourceVersion"] = revision
		}
		body = encode(changed)
		x, err = s.definition(http.MethodPut, path+query, &write{body: body, fieldValidation: mode, old: []byte(old.Response)})
		if err != nil || x.Status != http.StatusConflict {
			return x, body, err
		}
	}
	return x, body, nil
}

// mode is a level of field validation, empty for none.
func (s *session) mode() string { return modes[s.rng.IntN(len(modes))] }

// definition sends a CRD object and compares.
func (s *session) definition(method, path string, w *write) (*exchange, error) {
	x, err := s.do(method, withMode(path, w.fieldValidation), mediaJSON, w.body)
	if err != nil {
		return nil, err
	}
	switch x.Status {
	case http.StatusConflict:
		return x, nil // a controller was faster
	case 0:
		s.panicked(x, w)
		return x, nil
	}
	server, err := verdictOf(x)
	if err != nil {
		return nil, err
	}
	s.count(func(c *counts) {
		c.CRDVerdicts++
		if server.stage != stageAdmitted {
			c.CRDsInvalid++
		}
	})
	judged, err := s.judge.definition(w)
	s.compare("definition", x, server, judged, err, w.old)
	return x, nil
}

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

// panicked notes that the server panicked at a CRD. It does so on its way to report an error, so the judge must refuse the CRD.
func (s *session) panicked(x *exchange, w *write) {
	s.count(func(c *counts) { c.Panics++ })
	judged, err := s.judge.definition(w)
	if err != nil || judged.stage == stageAdmitted {
		s.note("definition", x, w.old, []string{fmt.Sprintf("the server panics; the judge says %+v, %v", judged, err)})
	}
}

// compare notes how the judge's verdict differs.
func (s *session) compare(what string, x *exchange, server, judged *verdict, judgeErr error, old []byte) {
	var details []string
	switch {
	case errors.Is(judgeErr, errUnjudged):
		s.count(func(c *counts) { c.Unjudged++ })
		return
	case judgeErr != nil:
		details = []string{"the judge fails: " + judgeErr.Error()}
	default:
		details = compareVerdicts(server, judged)
	}
	s.note(what, x, old, details)
}

// note counts a comparison, and keeps it where there are differences.
func (s *session) note(what string, x *exchange, old []byte, details []string) {
	s.count(func(c *counts) {
		c.Compared++
		if len(details) > 0 {
			c.Differences++
		}
	})
	if len(details) > 0 {
		s.differences = append(s.differences, difference{s.resource.source, what, details, x, string(old)})
	}
}

// cleanUp removes the objects and the CRD, so that another CRD can take its name and the server its memory.
func (s *session) cleanUp() {
	if err := s.server.forget(s.resource.group + "/" + s.resource.plural + "/"); err == nil {
		_, _ = s.server.do(http.MethodDelete, crdPath+"/"+s.resource.name, "", nil)
	}
}

// waitUntilServed waits until the CRD is established and every served version answers.
func (s *session) waitUntilServed() error {
	for end := time.Now().Add(crdPatience); time.Now().Before(end); time.Sleep(20 * time.Millisecond) {
		ready := true
		for _, v := range s.resource.served() {
			x, err := s.server.do(http.MethodGet, s.resource.path(v.name, "")+"?limit=1", "", nil)
			if err != nil {
				return err
			}
			ready = ready && x.Status == http.StatusOK
		}
		if ready {
			return nil
		}
	}
	x, err := s.server.do(http.MethodGet, crdPath+"/"+s.resource.name, "", nil)
	if err != nil {
		return err
	}
	object, _ := x.object()
	return fmt.Errorf("not served after %s: %s", crdPatience, short(child(object, "status")["conditions"]))
}

// waitUntilGone waits until no CRD of the name is left of earlier work.
func (s *session) waitUntilGone() error {
	for end := time.Now().Add(crdPatience); time.Now().Before(end); time.Sleep(50 * time.Millisecond) {
		x, err := s.server.do(http.MethodGet, crdPath+"/"+s.resource.name, "", nil)
		if err != nil {
			return err
		}
		if x.Status == http.StatusNotFound {
			return nil
		}
	}
	return fmt.Errorf("an earlier CRD of the name is still there after %s", crdPatience)
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
