package reproduce

import (
	"context"
	"encoding/json"

	"github.com/crdsem/crdsem/internal/base/typemeta"
	"github.com/crdsem/crdsem/minors"
)

// MinorAnswer is what neighbouring minors say alike.
type MinorAnswer struct {
	Minors string // e.g. 1.30 to 1.37
	Text   string
}

// ByMinor returns what all minors say, the oldest first.
func (q *Question) ByMinor(ctx context.Context) (answers []MinorAnswer) {
	first := ""
	for _, minor := range minors.All() {
		name := minor.String()
		a := q.Ask(ctx, minor)
		text := a.Text()
		if last := len(answers) - 1; last >= 0 && answers[last].Text == text {
			answers[last].Minors = first + " to " + name
			continue
		}
		first = name
		answers = append(answers, MinorAnswer{name, text})
	}
	return answers
}

// Line returns the question as a request of the evaluation protocol.
func (q *Question) Line(minor minors.Minor) (string, error) {
	request := map[string]any{
		"id": "report", "op": "crd", "crd": q.Definition, "kubernetes": minor.String(),
	}
	if q.Object != nil {
		request["op"], request["object"] = "admit", q.Object
		request["version"] = typemeta.Of(q.Object).Version
	}
	if q.Old != nil {
		request["old"] = q.Old
	}
	line, err := json.Marshal(request)
	return string(line), err
}
