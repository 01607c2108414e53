package main

import (
	"context"
	"encoding/json"
	"errors"
	"maps"
	"slices"

	"github.com/crdsem/crdsem/conformance/oracle/kube"
	"github.com/crdsem/crdsem/internal/app/protocol"
	"github.com/crdsem/crdsem/internal/test/suite"
)

// question is a vector or a case, reduced to what recording needs.
type question struct {
	id       string
	recorded *suite.Recorded
	ask      func(ctx context.Context) ([]byte, error)
}

// questions returns the questions of all vectors and cases, in their order.
// Older minors are not asked the cases of all kinds.
func (s *set) questions() []question {
	var list []question
	handler := kube.New()
	for i := range s.vectors {
		v := &s.vectors[i]
		list = append(
			list,
			question{v.ID, &v.Recorded, func(ctx context.Context) ([]byte, error) {
				req, err := v.ProtocolRequest()
				if err != nil {
					return nil, err
				}
				answer := protocol.AnswerRequest(ctx, req, handler)
				return answer.AppendJSON(nil), nil
			}},
		)
	}
	known := kube.Kinds()
	for i := range s.cases {
		c := &s.cases[i]
		if kube.Minor() != suite.Newest() && !slices.Contains(known, c.Kind) {
			continue // asked of the newest minor only
		}
		list = append(
			list,
			question{c.ID, &c.Recorded, func(ctx context.Context) ([]byte, error) {
				return kube.AnswerCase(ctx, c)
			}},
		)
	}
	return list
}

// answers asks the given number of times. It returns the distinct answers in
// their canonical form, sorted. An error is answered with a fault. There are no
// answers if this minor of the real code cannot be asked.
func (q question) answers(ctx context.Context, runs int) []string {
	seen := map[string]bool{}
	for i := range runs {
		if i == 1 && q.asNewest(seen) {
			break
		}
		answer, err := q.ask(ctx)
		if err == nil {
			answer, err = suite.Canonical(answer)
		}
		if errors.Is(err, kube.ErrNotThere) {
			return nil
		}
		if err != nil {
			return []string{faultOf(err)}
		}
		seen[string(answer)] = true
	}
	return slices.Sorted(maps.Keys(seen))
}

// asNewest reports whether an older minor has given the only answer of the
// newest.
func (q question) asNewest(seen map[string]bool) bool {
	written := q.written(suite.Newest())
	return kube.Minor() != suite.Newest() && len(written) == 1 && seen[written[0]]
}

func faultOf(err error) string {
	fault, _ := json.Marshal(map[string]string{"fault": err.Error()}) // a string has a JSON form
	return string(fault)
}

// record writes down the answers of a minor. Variants that are already written
// stay if one of them still occurs, because not every run shows all of them.
func (q question) record(minor string, answers []string) error {
	written := q.written(minor)
	if len(written) > 1 || len(answers) > 1 {
		same := func(answer string) bool { return slices.Contains(written, answer) }
		if minor == suite.Newest() || slices.ContainsFunc(answers, same) {
			answers = append(slices.Clone(answers), written...)
			slices.Sort(answers)
			answers = slices.Compact(answers)
		}
	}
	var list []json.RawMessage
	for _, answer := range answers {
		list = append(list, json.RawMessage(answer))
	}
	return q.recorded.Record(minor, list)
}

// written returns the answers of a minor that are written down.
func (q question) written(minor string) []string {
	var list []string
	for _, answer := range q.recorded.For(minor) {
		list = append(list, string(answer))
	}
	return list
}
