package live

import (
	"fmt"
	"net/http"
	"strings"
)

// write sends a write request. It compares the answer, the object in it and the
// bytes stored afterwards. On create, the name is that of the answer.
func (s *session) write(method, path, name string, w *write) (*exchange, error) {
	w.dryRun = strings.Contains(path, dryRun)
	x, err := s.do(method, withMode(path, w.fieldValidation), w.media, w.body)
	if err != nil {
		return nil, err
	}
	if x.Status == 0 {
		s.panickedAt(x, w)
		return x, nil
	}
	server, err := verdictOf(x)
	if err != nil {
		s.note("answer", x, w.old,
			[]string{"an answer that no object should bring: " + err.Error()})
		return x, nil
	}
	s.countWrite(server.stage)
	if server.stage == stageAdmitted && !w.dryRun {
		if name == "" {
			name = text(child(server.returned.(map[string]any), "metadata"), "name")
			s.stored = append(s.stored, name)
		}
		if server.stored, _, err = s.server.stored(s.resource.key(name)); err != nil {
			return nil, err
		}
	}
	judged, err := s.judged.write(w)
	if w.media == mediaApply {
		keepManagers(server, judged)
	}
	s.compare("write", x, server, judged, err, w.old)
	return x, nil
}

// panickedAt records that the server panicked on a write. The judge must report
// a panic as well.
func (s *session) panickedAt(x *exchange, w *write) {
	s.count(func(c *counts) { c.Panics++ })
	judged, err := s.judged.write(w)
	if err != nil || judged.code != http.StatusInternalServerError {
		s.note("write", x, w.old,
			[]string{fmt.Sprintf("the server panics; the judge says %+v, %v", judged, err)})
	}
}

func (s *session) countWrite(reached stage) {
	s.count(func(c *counts) {
		c.Verdicts++
		switch reached {
		case stageAdmitted:
			c.Admitted++
		case stageInvalid:
			c.Invalid++
		case stageDecode:
			c.Refused++
		case stageFailed:
			c.Failed++
		}
	})
}
