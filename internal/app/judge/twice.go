package judge

import (
	"fmt"
	"strings"

	"github.com/crdsem/crdsem/internal/app/verdict"
	"github.com/crdsem/crdsem/internal/base/typemeta"
)

// Twice finds objects that a file has twice. A file of its own may have another
// variant of an object, e.g. for another cluster. The zero value has seen none.
type Twice struct {
	file string
	seen map[object]int // the line of the first one
}

// object identifies an object of a server.
type object struct{ group, kind, namespace, name string }

// Add warns of an object that its file has before. The results of a file come
// one after the other.
func (t *Twice) Add(r *verdict.Result) {
	isObject := r.Verdict == verdict.Accepted || r.Verdict == verdict.Refused
	if r.File != t.file || t.seen == nil {
		t.file, t.seen = r.File, map[object]int{}
	}
	if !isObject || r.Name == "" || strings.HasSuffix(r.Name, "*") || r.Definition {
		return
	}
	group, _ := typemeta.Split(r.APIVersion)
	key := object{group, r.Kind, r.Namespace, r.Name}
	first, known := t.seen[key]
	if !known {
		t.seen[key] = r.Line
		return
	}
	r.Findings = append(r.Findings, verdict.Finding{
		Severity: verdict.Warning, Line: r.Line, Column: r.Column,
		Text: fmt.Sprintf("the file has this object twice: also on line %d", first),
		Hint: "the later one overwrites the other one; give it another name, or remove one",
	})
}
