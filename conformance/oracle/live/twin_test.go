package live

import (
	"errors"
	"fmt"
	"hash/fnv"
	"math/rand/v2"
	"net/http"
	"strconv"
	"sync"
	"testing"
)

// TestFake sends the same random sequences of requests to a real API server and
// to the fake one of package kube/fake, and compares the answers: the status,
// the error, the warnings, the whole object with its managedFields, and the
// events of watches.
func TestFake(t *testing.T) { compareTwins(t, newTwins) }

// TestServer is TestFake for the API server of package kube/server, over TLS.
// Discovery and the definition are compared, too, which changes while it is
// served.
func TestServer(t *testing.T) { compareTwins(t, startedTwins) }

func compareTwins(t *testing.T, newTwins func(*session, *exchange) (*twins, error)) {
	t.Helper()
	needEtcd(t)
	resources := selectResources(t)
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
				s, n, steps, err := r.twin(resource, 4**factorFlag, newTwins)
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
	for _, resource := range resources {
		next <- resource
	}
	close(next)
	group.Wait()
	report(t, sessions)
	t.Logf("seed %d: %d CRDs, %d sequences, %d requests, %d differences", r.seed,
		r.counts.CRDs, sequences, requests, r.counts.Differences)
	if *crdsFlag == "" && requests < 2000 {
		t.Error("the run is too small: it must have at least 2000 requests")
	}
}

// requestsOfSequence is the number of random requests of a sequence.
const requestsOfSequence = 60

// twin runs sequences for one CRD.
func (r *run) twin(
	resource *resource, sequences int, newTwins func(*session, *exchange) (*twins, error),
) (s *session, n, steps int, err error) {
	hash := fnv.New64a()
	_, _ = hash.Write([]byte(resource.name + string(resource.text)))
	s = &session{run: r, resource: resource, rng: rand.New(rand.NewPCG(r.seed, hash.Sum64()))}
	defer r.claim(resource.name)()
	s.hook, err = r.hooks.attach(resource, "twin-"+strconv.FormatUint(hash.Sum64(), 16))
	if err == nil {
		err = s.waitUntilGone()
	}
	if err != nil {
		return s, 0, 0, err
	}
	x, err := s.do(http.MethodPost, crdPath, mediaJSON, encode(resource.object))
	if err != nil || x.Status != http.StatusCreated {
		return s, 0, 0, err // a CRD that the server refuses has no objects
	}
	defer s.cleanUp()
	if err := s.waitUntilServed(); err != nil {
		return s, 0, 0, err
	}
	s.count(func(c *counts) { c.CRDs++ })
	t, err := newTwins(s, x)
	if err == nil && t.started != nil {
		defer func() { err = errors.Join(err, t.started.Stop()) }()
	}
	for ; err == nil && n < sequences; n++ {
		err = t.sequence(requestsOfSequence)
	}
	if err != nil {
		return s, n, 0, fmt.Errorf("%s: %w", resource.source, err)
	}
	return s, n, t.steps, nil
}
