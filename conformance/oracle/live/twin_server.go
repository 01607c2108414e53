package live

import (
	"context"
	"fmt"
	"net/http"
	"slices"
	"strings"
	"time"

	"k8s.io/client-go/rest"

	"github.com/crdsem/crdsem/kube/server"
)

// startedTwins returns twins of which the fake one is a server that listens.
// The answers to the create of the CRD are compared.
func startedTwins(s *session, created *exchange) (*twins, error) {
	t, x, err := startTwins(s, created)
	if err != nil {
		return t, err
	}
	t.compareDefinitions("create", created, x, asAnswered)
	return t, t.sameDefinition()
}

// refusedTwins compares the answers to the create of a CRD that is refused.
func refusedTwins(s *session, created *exchange) error {
	t, x, err := startTwins(s, created)
	if err != nil {
		return err
	}
	var details []string
	if x.Status != created.Status {
		details = append(details, fmt.Sprintf("status: server %d, fake %d: %s", created.Status,
			x.Status, x.Response))
	} else {
		details = append(t.compareRefusals(created, x),
			compareWarnings(created.Warnings, x.Warnings)...)
	}
	t.note("refused", created, []byte(x.Response), details)
	return t.started.Stop()
}

// startTwins starts the other server and creates the CRD there, too.
func startTwins(s *session, created *exchange) (*twins, *exchange, error) {
	t := noTwins(s)
	t.clock = time.Now()
	var err error
	t.started, err = server.Start(context.Background(), server.Options{
		Now: func() time.Time { return t.clock },
	})
	if err != nil {
		return nil, nil, err
	}
	config := t.started.Config()
	transport, err := rest.TransportFor(config)
	if err != nil {
		return nil, nil, err
	}
	t.fake = &apiServer{url: config.Host, client: &http.Client{Transport: agent{transport}}}
	x, err := t.fake.do(created.Method, created.Path, created.Media, []byte(created.Body))
	return t, x, err
}

// How much of two CRDs is compared.
type comparison int

const (
	asAnswered comparison = iota // the status follows when controllers have run
	asSettled
)

// compareDefinitions compares two answers with the CRD.
func (t *twins) compareDefinitions(what string, real, fake *exchange, how comparison) {
	var details []string
	a, errA := real.object()
	b, errB := fake.object()
	switch {
	case errA != nil || errB != nil:
		details = []string{fmt.Sprint(errA, ", ", errB)}
	case real.Status != fake.Status || real.Type != fake.Type:
		details = []string{fmt.Sprintf("server %d %s, fake %d %s: %s", real.Status, real.Type,
			fake.Status, fake.Type, fake.Response)}
	default:
		details = append(compareWarnings(real.Warnings, fake.Warnings),
			compareValues(what, settledDefinition(a, how), settledDefinition(b, how))...)
	}
	t.note(what, real, []byte(fake.Response), details)
}

// settledDefinition returns a CRD with its conditions in one order, without
// what the servers make up, and without the entries of the controllers in its
// managedFields: here they are not clients.
func settledDefinition(crd map[string]any, how comparison) any {
	metadata := child(crd, "metadata")
	delete(metadata, "uid")
	delete(metadata, "resourceVersion")
	managed, _ := metadata["managedFields"].([]any)
	metadata["managedFields"] = slices.DeleteFunc(managed, func(entry any) bool {
		fields, _ := entry.(map[string]any)
		return text(fields, "subresource") == "status"
	})
	if how == asAnswered {
		delete(crd, "status")
	}
	value, err := decodeJSON([]byte(times.ReplaceAllString(string(encode(crd)), "T")))
	if err != nil {
		return err.Error()
	}
	// the controllers add them in any order, and not in the same second
	plain, _ := value.(map[string]any)
	conditions, _ := child(plain, "status")["conditions"].([]any)
	slices.SortFunc(conditions, func(a, b any) int {
		return strings.Compare(string(encode(a)), string(encode(b)))
	})
	return settle(value)
}

// sameDefinition compares the CRDs after the controllers of the real server
// have run, for which it waits.
func (t *twins) sameDefinition() error {
	path := crdPath + "/" + t.resource.name
	var real, fake *exchange
	err := t.wait(func() (bool, error) {
		var err error
		if real, err = t.server.do(http.MethodGet, path, "", nil); err != nil {
			return false, err
		}
		if fake, err = t.fake.do(http.MethodGet, path, "", nil); err != nil {
			return false, err
		}
		a, err := real.object()
		if err != nil {
			return false, err
		}
		b, err := fake.object()
		return len(compareValues("", settledDefinition(a, asSettled),
			settledDefinition(b, asSettled))) == 0, err
	})
	if err == nil {
		t.compareDefinitions("definition", real, fake, asSettled)
	}
	return err
}

// wait tries until something is done, for a while that is long enough for the
// controllers on a machine that does other work.
func (t *twins) wait(try func() (bool, error)) error {
	for end := time.Now().Add(serverPatience); time.Now().Before(end); {
		done, err := try()
		if done || err != nil {
			return err
		}
		time.Sleep(20 * time.Millisecond)
	}
	return nil
}

// define changes the CRD while it is served: its labels, or its short names,
// sometimes to what is refused.
func (t *twins) define(version, string) error {
	t.steps++
	own := t.resource.plural // the real server has other CRDs of the group, too
	patch := []string{
		`{"metadata":{"labels":{"changed":"yes"}}}`, `{"metadata":{"labels":{"changed":null}}}`,
		`{"spec":{"names":{"shortNames":["twin-` + own + `"]}}}`,
		`{"spec":{"names":{"shortNames":["twin-` + own + `","other-` + own + `"],` +
			`"categories":["all"]}}}`,
		`{"spec":{"names":{"shortNames":null,"categories":null}}}`,
		`{"spec":{"names":{"shortNames":["Not A Name"]}}}`, `{"spec":{"scope":"Other"}}`,
		`{"spec":{"versions":[]}}`, `{"spec":{"group":"other.example.com"}}`,
	}[t.rng.IntN(9)]
	path := crdPath + "/" + t.resource.name
	real, err := t.do(http.MethodPatch, path, mediaMergePatch, []byte(patch))
	if err != nil {
		return err
	}
	fake, err := t.fake.do(http.MethodPatch, path, mediaMergePatch, []byte(patch))
	if err != nil {
		return err
	}
	if real.Status >= http.StatusBadRequest && fake.Status == real.Status {
		t.note("define", real, []byte(fake.Response), t.compareRefusals(real, fake))
		return nil
	}
	t.compareDefinitions("define", real, fake, asAnswered)
	if err := t.sameDefinition(); err != nil {
		return err
	}
	return t.waitUntilServed()
}

// discover compares the discovery of the CRD in a version. The real server is
// later than the request that changes it.
func (t *twins) discover(v version, _ string) error {
	t.steps++
	path := "/apis/" + t.resource.group + "/" + v.name
	var real, fake *exchange
	var details []string
	err := t.wait(func() (bool, error) {
		var err error
		if real, err = t.do(http.MethodGet, path, "", nil); err != nil {
			return false, err
		}
		if fake, err = t.fake.do(http.MethodGet, path, "", nil); err != nil {
			return false, err
		}
		details = compareValues(path, t.resourcesOf(real), t.resourcesOf(fake))
		return len(details) == 0, nil
	})
	if err != nil {
		return err
	}
	t.note("discover", real, []byte(fake.Response), details)
	return nil
}

// resourcesOf returns the resources of the CRD, in the order of their names. A
// server has those of other CRDs of the group, too.
func (t *twins) resourcesOf(x *exchange) any {
	object, err := x.object()
	if err != nil {
		return fmt.Sprint(x.Status, err)
	}
	all, _ := object["resources"].([]any)
	all = slices.DeleteFunc(all, func(item any) bool {
		fields, _ := item.(map[string]any)
		name, _, _ := strings.Cut(text(fields, "name"), "/")
		return name != t.resource.plural
	})
	slices.SortFunc(all, func(a, b any) int {
		return strings.Compare(string(encode(a)), string(encode(b)))
	})
	object["resources"] = all
	return []any{x.Status, x.Type, object}
}
