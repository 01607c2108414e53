package live

import (
	"fmt"
	"net/http"
	"slices"
	"time"
)

// createMutatedCRD sends a dry-run create of a changed CRD.
func (s *session) createMutatedCRD() error {
	changed := copyValue(s.resource.object).(map[string]any)
	m := &crdMutator{mutator{s.rng}}
	m.mutate(changed)
	_, err := s.definition(http.MethodPost, crdPath+dryRun,
		&write{body: encode(changed), fieldValidation: s.mode()})
	return err
}

// updateMutatedCRD sends a dry-run update of the CRD.
func (s *session) updateMutatedCRD() error {
	m := &crdMutator{mutator{s.rng}}
	_, _, err := s.replaceCRD(dryRun, s.mode(), m.mutate)
	return err
}

// replaceCRD reads the CRD, changes it and sends it back. It tries again if a
// controller updated the CRD meanwhile. It returns the body that was sent last.
func (s *session) replaceCRD(
	query, mode string, change func(crd map[string]any),
) (x *exchange, body []byte, err error) {
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
		x, err = s.definition(http.MethodPut, path+query,
			&write{body: body, fieldValidation: mode, old: []byte(old.Response)})
		if err != nil || x.Status != http.StatusConflict {
			return x, body, err
		}
	}
	return x, body, nil
}

// definition sends a CRD object and compares the answer.
func (s *session) definition(method, path string, w *write) (*exchange, error) {
	x, err := s.do(method, withMode(path, w.fieldValidation), mediaJSON, w.body)
	if err != nil {
		return nil, err
	}
	switch {
	case x.Status == http.StatusConflict && method == http.MethodPut:
		return x, nil // a controller was faster
	case x.Status == 0:
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

// panicked records that the server panicked on a CRD. It panics only while
// reporting an error, therefore the judge must reject the CRD.
func (s *session) panicked(x *exchange, w *write) {
	s.count(func(c *counts) { c.Panics++ })
	judged, err := s.judge.definition(w)
	if err != nil || judged.stage == stageAdmitted {
		s.note("definition", x, w.old,
			[]string{fmt.Sprintf("the server panics; the judge says %+v, %v", judged, err)})
	}
}

// cleanUp removes the objects and the CRD. Another CRD can then have its name,
// and the server can release the memory.
func (s *session) cleanUp() {
	if err := s.server.forget(s.resource.group + "/" + s.resource.plural + "/"); err == nil {
		_, _ = s.server.do(http.MethodDelete, crdPath+"/"+s.resource.name, "", nil)
	}
}

// waitUntilServed waits until the CRD is established and every served version
// answers.
func (s *session) waitUntilServed() error {
	return s.waitUntilAll(func(x *exchange) bool {
		// A list fails if the conversion webhook lies about an object.
		return x.Status == http.StatusOK || x.Status == http.StatusInternalServerError
	})
}

// waitForWarning waits until every served version returns a warning with a
// given text.
func (s *session) waitForWarning(sign string) error {
	return s.waitUntilAll(func(x *exchange) bool { return slices.Contains(x.Warnings, sign) })
}

// waitUntilAll waits until every served version answers a list as wanted.
func (s *session) waitUntilAll(wanted func(list *exchange) bool) error {
	end := time.Now().Add(crdPatience)
	for ; time.Now().Before(end); time.Sleep(20 * time.Millisecond) {
		ready := true
		for _, v := range s.resource.served() {
			x, err := s.server.do(http.MethodGet, s.resource.path(v.name, "")+"?limit=1", "", nil)
			if err != nil {
				return err
			}
			ready = ready && wanted(x)
		}
		if ready {
			return nil
		}
	}
	x, err := s.server.do(http.MethodGet, crdPath+"/"+s.resource.name, "", nil)
	if err != nil {
		return err
	}
	object, err := x.object()
	if err != nil {
		return err
	}
	return fmt.Errorf("not served as it is after %s: %s", crdPatience,
		short(child(object, "status")["conditions"]))
}

// waitUntilGone waits until no CRD with the name remains from earlier work.
func (s *session) waitUntilGone() error {
	end := time.Now().Add(crdPatience)
	for ; time.Now().Before(end); time.Sleep(50 * time.Millisecond) {
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
