package main

import (
	"cmp"
	"encoding/json"
	"slices"
	"strings"

	"github.com/crdsem/crdsem/internal/app/protocol"
	"github.com/crdsem/crdsem/internal/test/suite"
)

// outcome is how an answer compares with that of the real code.
type outcome int

const (
	exact       outcome = iota // the same answer
	verdict                    // accepted or refused as by a server, in other words
	wrong                      // accepts what a server refuses, or the reverse
	differs                    // no verdict: another object, another order
	unsupported                // not answered
)

// counts are the numbers of outcomes of a part under a minor.
type counts map[string]*[unsupported + 1]int

// score is what came of an implementation.
type score struct {
	*implementation
	parts   map[suite.Part]*counts
	kinds   []*kind // of what is answered otherwise, in the newest minor
	missing string  // why the implementation could not be run
}

// kind is a kind of difference: vectors of one rule that differ in one way.
type kind struct {
	rule, way string
	vectors   []*suite.Vector
}

func (s *score) add(v *suite.Vector, minor string, o outcome) {
	c := s.parts[v.Part]
	if c == nil {
		c = &counts{}
		s.parts[v.Part] = c
	}
	if (*c)[minor] == nil {
		(*c)[minor] = &[unsupported + 1]int{}
	}
	(*c)[minor][o]++
}

// judge compares an answer with those that a vector allows.
func (s *score) judge(v *suite.Vector, minor string, answer []byte) {
	var head struct{ Fault string }
	if json.Unmarshal(answer, &head) != nil || head.Fault != "" {
		s.add(v, minor, unsupported)
		return
	}
	for _, want := range append([]json.RawMessage{v.Want}, v.Or...) {
		if difference, err := suite.Difference(want, answer); err == nil && difference == "" {
			s.add(v, minor, exact)
			return
		}
	}
	wanted, judged := accepts(v.Want)
	got, same := accepts(answer)
	o, way := differs, "answers otherwise than a server"
	switch {
	case judged && same && wanted == got:
		o = verdict
	case judged && same && got:
		o, way = wrong, "accepts what a server refuses"
	case judged && same:
		o, way = wrong, "refuses what a server accepts"
	}
	s.add(v, minor, o)
	if o != verdict && minor == suite.Newest() {
		s.note(v, way)
	}
}

// note records a difference.
func (s *score) note(v *suite.Vector, way string) {
	same := func(k *kind) bool { return k.rule == v.Rule && k.way == way }
	i := slices.IndexFunc(s.kinds, same)
	if i < 0 {
		s.kinds, i = append(s.kinds, &kind{v.Rule, way, nil}), len(s.kinds)
	}
	s.kinds[i].vectors = append(s.kinds[i].vectors, v)
}

// gravest returns the three gravest kinds of difference: what a server would
// refuse first, then by how many vectors show it.
func (s *score) gravest() []*kind {
	weight := func(k *kind) int { return strings.Index("acc ref ans", k.way[:3]) }
	kinds := slices.Clone(s.kinds)
	slices.SortStableFunc(kinds, func(a, b *kind) int {
		return cmp.Or(cmp.Compare(weight(a), weight(b)),
			cmp.Compare(len(b.vectors), len(a.vectors)), cmp.Compare(a.rule, b.rule))
	})
	return kinds[:min(3, len(kinds))]
}

// smallest returns the vector with the shortest request.
func (k *kind) smallest() *suite.Vector {
	return slices.MinFunc(k.vectors, func(a, b *suite.Vector) int {
		return cmp.Compare(len(a.Request), len(b.Request))
	})
}

// accepts reports whether an answer accepts what it was asked about, and
// whether the answer is a verdict at all.
func accepts(answer []byte) (accepted, isVerdict bool) {
	var a struct {
		Stage  string
		Code   int
		Errors *[]json.RawMessage
	}
	switch {
	case json.Unmarshal(answer, &a) != nil:
		return false, false
	case a.Code != 0:
		return a.Code < 300, true
	case a.Stage != "":
		return a.Stage == protocol.StageAdmitted, true
	case a.Errors != nil:
		return len(*a.Errors) == 0, true
	}
	return false, false
}
