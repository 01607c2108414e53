package live

import (
	"fmt"
	"net/http"
	"regexp"
	"strconv"
)

// readAll reads an object in every served version and compares the answers.
func (s *session) readAll(name string) error {
	stored, _, err := s.server.stored(s.resource.key(name))
	if err != nil {
		return err
	}
	for _, v := range s.resource.served() {
		if _, err := s.read(s.resource.path(v.name, name), v, stored); err != nil {
			return err
		}
	}
	return nil
}

// read reads an object whose bytes in etcd are given, and compares the answer.
func (s *session) read(path string, v version, stored []byte) (*exchange, error) {
	x, err := s.do(http.MethodGet, path, "", nil)
	if err != nil {
		return nil, err
	}
	s.count(func(c *counts) { c.Reads++ })
	judged, err := s.judged.read(v.name, stored)
	return x, s.compareAnswer("read", x, stored, judged, err)
}

// compareAnswer compares the answer to a read.
func (s *session) compareAnswer(
	what string, x *exchange, stored []byte, judged *verdict, judgeErr error,
) error {
	server, err := verdictOf(x)
	if err != nil {
		return err
	}
	s.compare(what, x, server, judged, judgeErr, stored)
	return nil
}

// lists lists the objects in every served version, and compares the answers.
func (s *session) lists() error {
	for _, v := range s.resource.served() {
		x, err := s.do(http.MethodGet, s.resource.path(v.name, ""), "", nil)
		if err != nil {
			return err
		}
		s.count(func(c *counts) { c.Lists++ })
		if x.Status == http.StatusOK {
			err = s.listed(x, v)
		} else {
			err = s.unlisted(x, v)
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// listed compares a list. It must have every stored object, each as a read
// would return it.
func (s *session) listed(x *exchange, v version) error {
	list, err := x.object()
	if err != nil {
		return err
	}
	if err := s.table(x, list, v); err != nil {
		return err
	}
	items, _ := list["items"].([]any)
	if len(items) != len(s.stored) {
		s.note("list", x, nil,
			[]string{fmt.Sprintf("%d of %d objects are in the list", len(items), len(s.stored))})
	}
	for _, item := range items {
		item, _ := item.(map[string]any)
		stored, judged, err := s.foretold(text(child(item, "metadata"), "name"), v)
		if err != nil {
			return err
		}
		s.compare("list", x, &verdict{stage: stageAdmitted, returned: item, warnings: x.Warnings},
			judged, nil, stored)
	}
	return nil
}

// listFailure matches the message of a list with unreadable objects: the key of
// the first, the reason, and the number of others.
var listFailure = regexp.MustCompile(`^failed to read one or more .* from the storage: StorageError: .* Key: [^,]*/([^/,]*), .* object not decodable revision=[0-9]+: ((?s:.*?))( \(and ([0-9]+) more\))?$`)

// maxListFailures is the number of unreadable objects at which the server stops
// listing.
const maxListFailures = 100

// unlisted compares the answer to a list that fails because of unreadable
// objects.
func (s *session) unlisted(x *exchange, v version) error {
	server, err := verdictOf(x)
	if err != nil {
		return err
	}
	told := listFailure.FindStringSubmatch(server.message)
	if told == nil {
		s.note("list", x, nil, []string{"no list should fail so: " + describe(server)})
		return nil
	}
	details := []string{"the judge knows no object that the server says it cannot read: " + told[1]}
	failing := 0
	for _, name := range s.stored {
		_, judged, err := s.foretold(name, v)
		if err != nil {
			return err
		}
		if judged.stage == stageFailed {
			failing++
		}
		if name == told[1] {
			first := &verdict{
				stage:    stageFailed,
				code:     server.code,
				reason:   server.reason,
				message:  told[2],
				warnings: server.warnings,
			}
			details = compareVerdicts(first, judged)
		}
	}
	more, _ := strconv.Atoi(told[4])
	if failing = min(failing, maxListFailures); failing != more+1 {
		details = append(details,
			fmt.Sprintf("objects that cannot be read: server %d, judge %d", more+1, failing))
	}
	s.note("list", x, nil, details)
	return nil
}

// foretold returns the judge's answer for an object in a list, and the bytes
// that etcd holds of it.
func (s *session) foretold(name string, v version) (stored []byte, judged *verdict, err error) {
	if stored, _, err = s.server.stored(s.resource.key(name)); err != nil {
		return nil, nil, err
	}
	if judged, err = s.judged.read(v.name, stored); err == nil && judged.listed != nil {
		judged = &verdict{stage: stageAdmitted, returned: judged.listed, warnings: judged.warnings}
	}
	return stored, judged, err
}
