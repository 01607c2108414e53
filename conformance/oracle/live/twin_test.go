package live

import (
	"errors"
	"fmt"
	"hash/fnv"
	"math/rand/v2"
	"net/http"
	"regexp"
	"strconv"
	"sync"
	"testing"
)

// TestFake sends the same random sequences of requests to a real API server and
// to the fake one of package kube/fake, and compares the answers: the status,
// the error, the warnings, the whole object with its managedFields, and the
// events of watches.
func TestFake(t *testing.T) {
	compareTwins(t, twinTest{
		resources: selectResources(t), sequences: 4 * *factorFlag, least: 2000,
		start: newTwins, sequence: sequence,
	})
}

// TestServer is TestFake for the API server of package kube/server, over TLS.
// Discovery and the definition are compared, too, which changes while it is
// served.
func TestServer(t *testing.T) {
	compareTwins(t, twinTest{
		resources: selectResources(t), sequences: 4 * *factorFlag, least: 2000,
		start: startedTwins, sequence: sequence,
	})
}

// TestHTTP sends random definitions to both, and then requests about them in
// texts of all forms, from a generator that no other test has: bodies that no
// decoder takes, conversion webhooks that lie, schemas that change under stored
// objects. It asks 50,000 requests, and 1,000 with -short.
func TestHTTP(t *testing.T) {
	definitions := 480
	if testing.Short() {
		definitions = 12
	}
	definitions *= *factorFlag
	only, err := regexp.Compile(*crdsFlag)
	if err != nil {
		t.Fatal(err)
	}
	var resources []*resource
	for i := range definitions {
		d := drawer{rand.New(rand.NewPCG(*seedFlag, uint64(i)))}
		resource, err := d.crd(i)
		if err != nil {
			t.Fatal(err)
		}
		if only.MatchString(resource.source) {
			resources = append(resources, resource)
		}
	}
	compareTwins(t, twinTest{
		resources: resources, sequences: 1, least: 60 * definitions, start: startedTwins,
		sequence: strangers, attach: attachLiar, refused: refusedTwins,
	})
}

// twinTest says what two servers are asked.
type twinTest struct {
	resources []*resource
	sequences int // of each
	least     int // requests in all
	// start starts the other server.
	start    func(*session, *exchange) (*twins, error)
	sequence func(*twins) error
	// attach attaches the conversion webhook, by default that of the other
	// tests, and refused compares the refusal of a definition, by default not
	// at all.
	attach  func(*hooks, *resource)
	refused func(*session, *exchange) error
}

// sequence sends one sequence of requests.
func sequence(t *twins) error { return t.sequence(requestsOfSequence) }

func compareTwins(t *testing.T, of twinTest) {
	t.Helper()
	needEtcd(t)
	r := &run{
		server: startServer(t, startEtcd(t)),
		judge:  facade{},
		hooks:  startHooks(t),
		seed:   *seedFlag,
	}
	var mu sync.Mutex
	var sessions []*session
	sequences, requests := 0, 0
	next := make(chan *resource)
	var group sync.WaitGroup
	for range workers {
		group.Go(func() {
			for resource := range next {
				s, n, steps, err := r.twin(resource, of)
				mu.Lock()
				if err != nil {
					t.Error(err)
				}
				sessions = append(sessions, s)
				sequences, requests = sequences+n, requests+steps
				mu.Unlock()
			}
		})
	}
	for _, resource := range of.resources {
		next <- resource
	}
	close(next)
	group.Wait()
	report(t, sessions)
	t.Logf("seed %d: %d CRDs, %d sequences, %d requests, %d differences", r.seed,
		r.counts.CRDs, sequences, requests, r.counts.Differences)
	if *crdsFlag == "" && requests < of.least {
		t.Errorf("the run is too small: it must have at least %d requests", of.least)
	}
}

// requestsOfSequence is the number of random requests of a sequence.
const requestsOfSequence = 60

// twin runs sequences for one CRD.
func (r *run) twin(resource *resource, of twinTest) (s *session, n, steps int, err error) {
	hash := fnv.New64a()
	_, _ = hash.Write([]byte(resource.name + string(resource.text)))
	s = &session{run: r, resource: resource, rng: rand.New(rand.NewPCG(r.seed, hash.Sum64()))}
	defer r.claim(resource.name)()
	if of.attach != nil {
		of.attach(r.hooks, resource)
	} else {
		s.hook, err = r.hooks.attach(resource, "twin-"+strconv.FormatUint(hash.Sum64(), 16))
	}
	if err == nil {
		err = s.waitUntilGone()
	}
	if err != nil {
		return s, 0, 0, err
	}
	x, err := s.do(http.MethodPost, crdPath, mediaJSON, encode(resource.object))
	if err != nil || x.Status != http.StatusCreated { // it has no objects
		if err == nil && of.refused != nil {
			err = of.refused(s, x)
		}
		return s, 0, 0, err
	}
	defer s.cleanUp()
	if err := s.waitUntilServed(); err != nil {
		return s, 0, 0, err
	}
	s.count(func(c *counts) { c.CRDs++ })
	t, err := of.start(s, x)
	if err == nil && t.started != nil {
		defer func() { err = errors.Join(err, t.started.Stop()) }()
	}
	for ; err == nil && n < of.sequences; n++ {
		err = of.sequence(t)
	}
	if err != nil {
		return s, n, 0, fmt.Errorf("%s: %w", resource.source, err)
	}
	return s, n, t.steps, nil
}
