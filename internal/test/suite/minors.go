package suite

import (
	"encoding/json"
	"fmt"
	"slices"
	"strconv"
	"strings"
)

// recordedMinors returns the Kubernetes minors that answers are recorded for,
// as numbers, from the newest to the oldest: 30 is 1.30.
func recordedMinors() []int { return []int{37, 36, 35, 34, 33, 32, 31, 30} }

// Minors returns the Kubernetes minors that answers are recorded for, from the
// oldest to the newest, as a new slice.
func Minors() []string {
	var list []string
	for _, n := range slices.Backward(recordedMinors()) {
		list = append(list, nameOf(n))
	}
	return list
}

// Newest returns the newest minor. Answers that name no minor are its answers.
func Newest() string { return nameOf(recordedMinors()[0]) }

// beta is the minor after the newest one while it is not released, 0 without
// one. Vectors have its answers where they differ.
const beta = 38

// Beta returns the minor after the newest one, which is not released yet. It is
// empty without one.
func Beta() string {
	if beta == 0 {
		return ""
	}
	return nameOf(beta)
}

func nameOf(number int) string { return "1." + strconv.Itoa(number) }

// numberOf returns the number of a minor. It is an error if no answers are
// recorded for the minor.
func numberOf(minor string) (int, error) {
	text, ok := strings.CutPrefix(minor, "1.")
	n, err := strconv.Atoi(text)
	if !ok || err != nil || n != beta && !slices.Contains(recordedMinors(), n) ||
		nameOf(n) != minor {
		return 0, fmt.Errorf("kubernetes %q: answers are recorded for %s", minor,
			strings.Join(Minors(), ", "))
	}
	return n, nil
}

// Recorded holds the answers of the real code to one question.
type Recorded struct {
	// Want is the answer of the newest minor. It is empty if it is not recorded
	// yet.
	Want json.RawMessage `json:"want,omitempty"`
	// Or holds other answers that the newest minor gives at times.
	Or []json.RawMessage `json:"or,omitempty"`
	// Until holds the answers of older minors that differ, from the newest to
	// the oldest.
	Until []Until `json:"until,omitempty"`
	// Next holds the answers of the minor after the newest one, a beta, if they
	// differ from those of the newest.
	Next *Until `json:"next,omitempty"`
}

// Until holds the answer of the minors up to and including one, down to the
// next Until of the same question. Want is empty if these minors cannot be
// asked.
type Until struct {
	Kubernetes string            `json:"kubernetes"`
	Want       json.RawMessage   `json:"want,omitempty"`
	Or         []json.RawMessage `json:"or,omitempty"`
}

// check rejects minors that are not known or not in order.
func (r *Recorded) check() error {
	newer := recordedMinors()[0]
	for _, u := range r.Until {
		n, err := numberOf(u.Kubernetes)
		switch {
		case err != nil:
			return err
		case n >= newer:
			return fmt.Errorf("until %s is not older than the one before", u.Kubernetes)
		}
		newer = n
	}
	if r.Next != nil && r.Next.Kubernetes != Beta() {
		return fmt.Errorf("next %s is not the next minor", r.Next.Kubernetes)
	}
	return nil
}

// For returns the answers that a minor may give. The first is the usual one.
// There are none if the minor is not known or cannot be asked.
func (r *Recorded) For(minor string) []json.RawMessage {
	n, err := numberOf(minor)
	if err != nil {
		return nil
	}
	answers := answersOf(r.Want, r.Or)
	if minor == Beta() && r.Next != nil {
		return answersOf(r.Next.Want, r.Next.Or)
	}
	for _, u := range r.Until {
		if last, err := numberOf(u.Kubernetes); err == nil && n <= last {
			answers = answersOf(u.Want, u.Or)
		}
	}
	return answers
}

func answersOf(want json.RawMessage, or []json.RawMessage) []json.RawMessage {
	if len(want) == 0 {
		return nil
	}
	return append([]json.RawMessage{want}, or...)
}

// Record sets the answers that a minor may give; none mean that it cannot be
// asked. Answers of other minors stay as they are.
func (r *Recorded) Record(minor string, answers []json.RawMessage) error {
	number, err := numberOf(minor)
	if err != nil {
		return err
	}
	if minor == Beta() {
		r.recordNext(answers)
		return nil
	}
	minors := recordedMinors()
	all := make([][]json.RawMessage, len(minors))
	for i, n := range minors {
		all[i] = r.For(nameOf(n))
	}
	first := len(all[0]) == 0 // nothing is recorded yet
	all[slices.Index(minors, number)] = answers
	*r = Recorded{Next: r.Next}
	r.Want, r.Or = parted(all[0])
	for i, n := range minors[1:] {
		if !first && !sameAnswers(all[i+1], all[i]) {
			u := Until{Kubernetes: nameOf(n)}
			u.Want, u.Or = parted(all[i+1])
			r.Until = append(r.Until, u)
		}
	}
	return nil
}

// recordNext sets the answers of the minor after the newest one.
func (r *Recorded) recordNext(answers []json.RawMessage) {
	r.Next = nil
	if !sameAnswers(answers, answersOf(r.Want, r.Or)) {
		r.Next = &Until{Kubernetes: Beta()}
		r.Next.Want, r.Next.Or = parted(answers)
	}
}

// parted returns the usual answer and the others.
func parted(answers []json.RawMessage) (want json.RawMessage, or []json.RawMessage) {
	if len(answers) == 0 {
		return nil, nil
	}
	return answers[0], answers[1:]
}

func sameAnswers(a, b []json.RawMessage) bool {
	return slices.EqualFunc(a, b, func(x, y json.RawMessage) bool { return string(x) == string(y) })
}

// Under returns the vectors as questions to one minor: each request names the
// minor, and the answers are those of the minor. Those that the minor was not
// asked are left out. Vectors for the newest minor are returned as they are.
// The vectors given are not changed.
func Under(minor string, vectors []Vector) ([]Vector, error) {
	if _, err := numberOf(minor); err != nil {
		return nil, err
	}
	if minor == Newest() {
		return vectors, nil
	}
	list := make([]Vector, 0, len(vectors))
	for _, v := range vectors {
		members, ok := strings.CutPrefix(strings.TrimSpace(string(v.Request)), "{")
		if !ok {
			return nil, fmt.Errorf("vector %s: the request is not an object", v.ID)
		}
		v.Request = json.RawMessage(`{"kubernetes":"` + minor + `",` + members)
		answers := v.For(minor)
		if len(answers) == 0 {
			continue
		}
		v.Recorded = Recorded{Want: answers[0], Or: answers[1:]}
		list = append(list, v)
	}
	return list, nil
}
