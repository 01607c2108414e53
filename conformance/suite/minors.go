package suite

import (
	"encoding/json"
	"fmt"
	"slices"
	"strconv"
	"strings"
)

// The Kubernetes minors that answers are recorded for, as numbers: 29 is 1.29.
const (
	oldestMinor = 29
	newestMinor = 37
)

// Minors returns the Kubernetes minors that answers are recorded for, from the
// oldest to the newest, as a new slice.
func Minors() []string {
	var list []string
	for n := oldestMinor; n <= newestMinor; n++ {
		list = append(list, nameOf(n))
	}
	return list
}

// Newest returns the newest minor. Answers that name no minor are its answers.
func Newest() string { return nameOf(newestMinor) }

func nameOf(number int) string { return "1." + strconv.Itoa(number) }

// numberOf returns the number of a minor. It is an error if no answers are
// recorded for the minor.
func numberOf(minor string) (int, error) {
	text, ok := strings.CutPrefix(minor, "1.")
	n, err := strconv.Atoi(text)
	if !ok || err != nil || n < oldestMinor || n > newestMinor || nameOf(n) != minor {
		return 0, fmt.Errorf("kubernetes %q: known are %s to %s", minor, nameOf(oldestMinor),
			nameOf(newestMinor))
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
	newer := newestMinor
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
	all := map[int][]json.RawMessage{}
	for n := oldestMinor; n <= newestMinor; n++ {
		all[n] = r.For(nameOf(n))
	}
	first := len(all[newestMinor]) == 0 // nothing is recorded yet
	all[number] = answers
	*r = Recorded{}
	r.Want, r.Or = parted(all[newestMinor])
	for n := newestMinor - 1; n >= oldestMinor && !first; n-- {
		if !sameAnswers(all[n], all[n+1]) {
			u := Until{Kubernetes: nameOf(n)}
			u.Want, u.Or = parted(all[n])
			r.Until = append(r.Until, u)
		}
	}
	return nil
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
// minor, and the answers are those of the minor. Vectors for the newest minor
// are returned as they are. The vectors given are not changed.
func Under(minor string, vectors []Vector) ([]Vector, error) {
	if _, err := numberOf(minor); err != nil {
		return nil, err
	}
	if minor == Newest() {
		return vectors, nil
	}
	list := slices.Clone(vectors)
	for i := range list {
		v := &list[i]
		members, ok := strings.CutPrefix(strings.TrimSpace(string(v.Request)), "{")
		if !ok {
			return nil, fmt.Errorf("vector %s: the request is not an object", v.ID)
		}
		v.Request = json.RawMessage(`{"kubernetes":"` + minor + `",` + members)
		answers := v.For(minor)
		if len(answers) == 0 {
			return nil, fmt.Errorf("vector %s has no answer", v.ID)
		}
		v.Recorded = Recorded{Want: answers[0], Or: answers[1:]}
	}
	return list, nil
}
