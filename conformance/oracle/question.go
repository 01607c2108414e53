package main

import (
	"context"
	"encoding/json"
	"maps"
	"slices"

	"github.com/crdsem/crdsem/conformance/oracle/kube"
	"github.com/crdsem/crdsem/conformance/suite"
	"github.com/crdsem/crdsem/internal/protocol"
)

// question is a vector or a case, reduced to what recording needs.
type question struct {
	id   string
	want *json.RawMessage
	or   *[]json.RawMessage
	ask  func(ctx context.Context) ([]byte, error)
}

// questions returns the questions of all vectors and cases, in their order.
func (s *set) questions() []question {
	var list []question
	handler := kube.New()
	for i := range s.vectors {
		v := &s.vectors[i]
		list = append(
			list,
			question{v.ID, &v.Want, &v.Or, func(ctx context.Context) ([]byte, error) {
				req, err := v.ProtocolRequest()
				if err != nil {
					return nil, err
				}
				answer := protocol.AnswerRequest(ctx, req, handler)
				return answer.AppendJSON(nil), nil
			}},
		)
	}
	for i := range s.cases {
		c := &s.cases[i]
		list = append(
			list,
			question{c.ID, &c.Want, &c.Or, func(ctx context.Context) ([]byte, error) {
				return kube.AnswerCase(ctx, c)
			}},
		)
	}
	return list
}

// answers asks the given number of times. It returns the distinct answers in
// their canonical form, sorted. An error is answered with a fault.
func (q question) answers(ctx context.Context, runs int) []string {
	seen := map[string]bool{}
	for range runs {
		answer, err := q.ask(ctx)
		if err == nil {
			answer, err = suite.Canonical(answer)
		}
		if err != nil {
			return []string{faultOf(err)}
		}
		seen[string(answer)] = true
	}
	return slices.Sorted(maps.Keys(seen))
}

func faultOf(err error) string {
	fault, _ := json.Marshal(map[string]string{"fault": err.Error()}) // a string has a JSON form
	return string(fault)
}

// set writes down the answers. Variants that are already written stay if one of
// them still occurs, because not every run shows all of them.
func (q question) set(answers []string) {
	all := slices.Clone(answers)
	if len(*q.or) > 0 || len(answers) > 1 {
		for _, written := range q.written() {
			if !slices.Contains(all, written) {
				all = append(all, written)
			}
		}
		slices.Sort(all)
	}
	*q.want, *q.or = json.RawMessage(all[0]), nil
	for _, other := range all[1:] {
		*q.or = append(*q.or, json.RawMessage(other))
	}
}

// written returns the answers that are written down.
func (q question) written() []string {
	var list []string
	if len(*q.want) > 0 {
		list = append(list, string(*q.want))
	}
	for _, other := range *q.or {
		list = append(list, string(other))
	}
	return list
}
