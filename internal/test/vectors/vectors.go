package vectors

import (
	"encoding/json"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"

	"k8s.io/apimachinery/pkg/util/validation/field"
	kjson "sigs.k8s.io/json"

	"github.com/crdsem/crdsem/internal/app/protocol"
	"github.com/crdsem/crdsem/internal/test/checkout"
	"github.com/crdsem/crdsem/internal/test/suite"
)

// files returns the folder of the vectors, conformance/vectors, as seen from
// the package under test.
func files() (fs.FS, error) {
	root, err := checkout.Root()
	if err != nil {
		return nil, err
	}
	return os.DirFS(filepath.Join(root, "conformance", "vectors")), nil
}

// sub returns a folder of files.
func sub(name string) (fs.FS, error) {
	folder, err := files()
	if err != nil {
		return nil, err
	}
	return fs.Sub(folder, name)
}

// Vector is a vector with its request decoded. It is shared by all tests and
// must not be changed.
type Vector struct {
	suite.Vector
	// Req is the request, with the vector's id.
	Req *protocol.Request
}

// Eval returns the vectors of the ops given, or of all ops, in the order of
// their files. The test fails if there are none.
func Eval(t testing.TB, ops ...string) []Vector {
	t.Helper()
	return chosen(t, func(v *Vector) bool {
		return !v.panics() && (len(ops) == 0 || slices.Contains(ops, v.Req.Op))
	})
}

// Panicking returns the vectors on which the real code panics. They have no
// answer.
func Panicking(t testing.TB) []Vector {
	t.Helper()
	return chosen(t, (*Vector).panics)
}

// heavy are vectors that reach a limit, or whose rules take long to compile.
// Together they take most of the time of all vectors.
var heavy = []string{
	"cel-012-size-at-limit", "cost-001-budget", "cost-001-per-call", "crd-226-01", "crd-226-03",
	"crd-300-10", "crd-300-11", "crd-300-12", "lib-006-opt-map-chain", "percall-real-limit",
}

// IsHeavy reports whether the vector with an id takes a tenth of a second or
// more. Tests that ask vectors again, e.g. in another spelling, leave it out.
func IsHeavy(id string) bool { return slices.Contains(heavy, id) }

func (v *Vector) panics() bool { return strings.HasPrefix(string(v.Want), `{"fault":"panic: `) }

// readAll reads all vectors, once for all tests of a package.
var readAll = sync.OnceValues(func() ([]Vector, error) {
	folder, err := sub("eval")
	if err != nil {
		return nil, err
	}
	all, err := suite.Load(folder)
	if err != nil {
		return nil, err
	}
	list := make([]Vector, len(all))
	for i, v := range all {
		list[i].Vector = v
		if list[i].Req, err = v.ProtocolRequest(); err != nil {
			return nil, fmt.Errorf("%s: %w", v.ID, err)
		}
	}
	return list, nil
})

func chosen(t testing.TB, by func(*Vector) bool) []Vector {
	t.Helper()
	all, err := readAll()
	if err != nil {
		t.Fatal(err)
	}
	var list []Vector
	for i := range all {
		if by(&all[i]) {
			list = append(list, all[i])
		}
	}
	if len(list) == 0 {
		t.Fatal("no vectors")
	}
	return list
}

// Check fails the test if a result is not one of the answers that the vector
// wants.
func (v *Vector) Check(t testing.TB, got protocol.Result) {
	t.Helper()
	answer := protocol.Answer{ID: v.ID, Result: got}
	line := answer.AppendJSON(nil)
	var first string
	for i, want := range v.answers() {
		difference, err := suite.Difference(want, line)
		if err != nil {
			t.Fatalf("%s: %v", v.ID, err)
		}
		if difference == "" {
			return
		}
		if i == 0 {
			first = difference
		}
	}
	t.Errorf("%s %s: %s\n%s", v.ID, v.Rule, v.Description, first)
}

func (v *Vector) answers() []json.RawMessage {
	return append([]json.RawMessage{v.Want}, v.Or...)
}

// CheckErrors fails the test if the errors are not, as a set, those wanted. id
// names the vector or case in the message.
func CheckErrors(t testing.TB, id string, want []protocol.FieldError, got field.ErrorList) {
	t.Helper()
	lines := make([][]byte, 2)
	for i, list := range [][]protocol.FieldError{want, protocol.FieldErrors(got)} {
		answer := protocol.Answer{ID: id, Result: protocol.Errors{Errors: list}}
		lines[i] = answer.AppendJSON(nil)
	}
	if difference, err := suite.Difference(lines[0], lines[1]); err != nil || difference != "" {
		t.Errorf("%s: %v\n%s", id, err, difference)
	}
}

// Answer holds the members of an answer. The op determines which of them are
// set.
type Answer struct {
	Errors        []protocol.FieldError
	Warnings      []string
	Cost          *int64
	Object        json.RawMessage
	Objects       []json.RawMessage
	UnknownFields []string
	Stage         string
	Names         []string
	Rules         []protocol.CostRule
}

// Wanted returns the vector's first answer.
func (v *Vector) Wanted(t testing.TB) Answer {
	t.Helper()
	var a Answer
	if err := json.Unmarshal(v.Want, &a); err != nil {
		t.Fatalf("%s: %v", v.ID, err)
	}
	return a
}

// Case is a case with its input and its answer decoded.
type Case[In, Want any] struct {
	ID, Rule, Description string
	Input                 In
	Want                  Want
	// Or holds other answers that the real code gives at times.
	Or []Want
	// Until has the answers of older minors that differ, from the newest to the
	// oldest.
	Until []Until[Want]
	// Next is the answer of the minor that is not released yet, nil if it does
	// not differ.
	Next *Until[Want]
}

// For returns the answer of a minor, e.g. 1.33.
func (c *Case[In, Want]) For(minor string) Want {
	if c.Next != nil && c.Next.Kubernetes == minor {
		return c.Next.Want
	}
	want := c.Want
	for _, u := range c.Until {
		if minor <= u.Kubernetes { // all have two digits
			want = u.Want
		}
	}
	return want
}

// Until is the answer of the minors up to and including one, down to the next
// Until of the same case.
type Until[Want any] struct {
	Kubernetes string
	Want       Want
}

// Cases returns the cases of a kind in the order of their file. The test fails
// if there are none, or if a case has a member that In or Want lacks. Names are
// case-sensitive.
func Cases[In, Want any](t testing.TB, kind string) []Case[In, Want] {
	t.Helper()
	folder, err := sub("other")
	if err != nil {
		t.Fatal(err)
	}
	all, err := suite.LoadCases(folder)
	if err != nil {
		t.Fatal(err)
	}
	var list []Case[In, Want]
	for _, line := range all {
		if line.Kind != kind {
			continue
		}
		c := Case[In, Want]{ID: line.ID, Rule: line.Rule, Description: line.Description}
		read(t, line.ID, line.Input, &c.Input)
		read(t, line.ID, line.Want, &c.Want)
		for _, other := range line.Or {
			var w Want
			read(t, line.ID, other, &w)
			c.Or = append(c.Or, w)
		}
		for _, u := range line.Until {
			if len(u.Want) > 0 {
				until := Until[Want]{Kubernetes: u.Kubernetes}
				read(t, line.ID, u.Want, &until.Want)
				c.Until = append(c.Until, until)
			}
		}
		if line.Next != nil {
			c.Next = &Until[Want]{Kubernetes: line.Next.Kubernetes}
			read(t, line.ID, line.Next.Want, &c.Next.Want)
		}
		list = append(list, c)
	}
	if len(list) == 0 {
		t.Fatalf("no cases of kind %s", kind)
	}
	return list
}

// read decodes a value as the API server does: integers as int64, names
// case-sensitive.
func read(t testing.TB, id string, doc []byte, into any) {
	t.Helper()
	strict, err := kjson.UnmarshalStrict(doc, into)
	for _, found := range strict {
		t.Errorf("%s: %v", id, found)
	}
	if err != nil {
		t.Fatalf("%s: %v", id, err)
	}
}
