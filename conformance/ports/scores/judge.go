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
	*implementation `json:"-"`

	Parts   map[suite.Part]*counts
	Kinds   []*kind // of what is answered otherwise, in the newest minor
	Missing string  // why the implementation could not be run
}

// kind is a kind of difference: vectors of one rule that differ in one way.
type kind struct {
	Rule, Way string
	Vectors   int           // how many they are
	Smallest  *suite.Vector // the one with the shortest request
}

func (s *score) add(v *suite.Vector, minor string, o outcome) {
	c := s.Parts[v.Part]
	if c == nil {
		c = &counts{}
		s.Parts[v.Part] = c
	}
	if (*c)[minor] == nil {
		(*c)[minor] = &[unsupported + 1]int{}
	}
	(*c)[minor][o]++
}

// judge compares an answer with those of some minors. A nil answer is none.
// Minors that were not asked the vector do not count.
func (s *score) judge(v *suite.Vector, minors []string, answer []byte) {
	var head struct{ Fault string }
	answered := json.Unmarshal(answer, &head) == nil && head.Fault == ""
	for _, minor := range minors {
		wanted := v.For(minor)
		if len(wanted) == 0 {
			continue
		}
		o, way := unsupported, ""
		if answered {
			o, way = compare(wanted, answer)
		}
		s.add(v, minor, o)
		if way != "" && minor == suite.Newest() {
			s.note(v, way)
		}
	}
}

// compare compares an answer with those that are right, and returns in which
// way it differs, if another verdict or another object follows.
func compare(wanted []json.RawMessage, answer []byte) (o outcome, way string) {
	for _, want := range wanted {
		if difference, err := suite.Difference(want, answer); err == nil && difference == "" {
			return exact, ""
		}
	}
	accepted, judged := accepts(wanted[0])
	got, same := accepts(answer)
	switch {
	case judged && same && accepted == got:
		return verdict, ""
	case judged && same && got:
		return wrong, "accepts what a server refuses"
	case judged && same:
		return wrong, "refuses what a server accepts"
	}
	return differs, "answers otherwise than a server"
}

// note records a difference.
func (s *score) note(v *suite.Vector, way string) {
	same := func(k *kind) bool { return k.Rule == v.Rule && k.Way == way }
	i := slices.IndexFunc(s.Kinds, same)
	if i < 0 {
		s.Kinds, i = append(s.Kinds, &kind{v.Rule, way, 0, v}), len(s.Kinds)
	}
	k := s.Kinds[i]
	if k.Vectors++; len(v.Request) < len(k.Smallest.Request) {
		k.Smallest = v
	}
}

// gravest returns the three gravest kinds of difference: what a server would
// refuse first, then by how many vectors show it.
func (s *score) gravest() []*kind {
	weight := func(k *kind) int { return strings.Index("acc ref ans", k.Way[:3]) }
	kinds := slices.Clone(s.Kinds)
	slices.SortStableFunc(kinds, func(a, b *kind) int {
		return cmp.Or(cmp.Compare(weight(a), weight(b)),
			cmp.Compare(b.Vectors, a.Vectors), cmp.Compare(a.Rule, b.Rule))
	})
	return kinds[:min(3, len(kinds))]
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
