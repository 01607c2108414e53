package celrules_test

import (
	"context"
	"encoding/json"
	"fmt"
	"testing"
	"time"

	"github.com/crdsem/crdsem/celrules"
	"github.com/crdsem/crdsem/celrules/check"
	"github.com/crdsem/crdsem/internal/app/protocol"
	"github.com/crdsem/crdsem/internal/base/jsonvalue"
	"github.com/crdsem/crdsem/internal/test/vectors"
	"github.com/crdsem/crdsem/structural"
)

// Direct evaluation and cel-go have the same errors and costs in all vectors.
func TestDirectAgreesWithCEL(t *testing.T) {
	direct, all := 0, 0
	for _, v := range vectors.Eval(t, protocol.OpCEL) {
		if testing.Short() && vectors.IsHeavy(v.ID) {
			continue
		}
		schema := schemaOf(t, &v)
		fast, plain := celrules.Compile(schema), celrules.CompileForCEL(schema)
		object, old := vectors.DecodeInput(t, v.Req.Object), vectors.DecodeInput(t, v.Req.Old)
		a, b := validate(fast, object, old), validate(plain, object, old)
		if fmt.Sprint(texts(a.Errors), a.Cost) != fmt.Sprint(texts(b.Errors), b.Cost) {
			t.Errorf("%s: %q cost %d, %q cost %d",
				v.ID, texts(a.Errors), a.Cost, texts(b.Errors), b.Cost)
		}
		if fast.Empty() {
			continue
		}
		some, most := fast.DirectExpressions()
		direct, all = direct+some, all+most
		if none, _ := plain.DirectExpressions(); none != 0 {
			t.Fatal("rules that are compiled for cel-go are evaluated directly")
		}
	}
	if direct*2 < all {
		t.Errorf("only %d of %d rules are evaluated directly", direct, all)
	}
}

const fuzzSchema = `{"type":"object","properties":{
	"s":{"type":"string","maxLength":10},"e":{"type":"string","enum":["a","b"]},"i":{"type":"integer"},"n":{"type":"number"},"b":{"type":"boolean"},
	"x":{"x-kubernetes-int-or-string":true},"t":{"type":"string","format":"date-time"},"d":{"type":"string","format":"duration"},
	"y":{"type":"string","format":"byte"},"l":{"type":"array","maxItems":5,"items":{"type":"string","maxLength":5}},
	"z":{"type":"array","x-kubernetes-list-type":"set","items":{"type":"integer"}},
	"k":{"type":"array","x-kubernetes-list-type":"map","x-kubernetes-list-map-keys":["a"],"items":{"type":"object","required":["a"],
		"properties":{"a":{"type":"string"},"v":{"type":"integer","nullable":true}}}},
	"m":{"type":"object","additionalProperties":{"type":"integer"}},"p":{"x-kubernetes-preserve-unknown-fields":true},
	"a-b":{"type":"object","properties":{"in":{"type":"string"}}}},
	"x-kubernetes-validations":[%s]}`

// Any text may be a rule, for any object. Nothing panics or hangs, and direct
// evaluation agrees with cel-go.
func FuzzRule(f *testing.F) {
	object := `{"s":"ab","i":1,"n":1.5,"b":true,"x":"1%","t":"2024-01-01T00:00:00Z","d":"5s","y":"YQ==","l":["a","b"],"z":[1,2],
		"k":[{"a":"q","v":1}],"m":{"a":1},"p":{"r":1},"a-b":{"in":"w"}}`
	for _, rule := range []string{
		"self.s == 'ab' && self.i < 2", "has(self.b) ? self.b : self.x == 1", "self.l.all(a, self.l.exists(b, a == b))",
		"self.k.map(e, e.v).sum() > 0", "self.m.all(k, self.m[k] > 0)", "oldSelf.i <= self.i", "self.a__dash__b.__in__ == 'w'",
		"self.z == [2, 1] || self.z + [3] == self.z", "self.t < timestamp('2025-01-01T00:00:00Z')", "self.l[0] in ['a', 'b']",
		"self.l.filter(e, e.matches('^a')).size() == 1", "self.i / 0 == 1 || true", "type(self.x) == string", "self.?s.orValue('') != ''",
		"self == oldSelf", "quantity('1Gi').isGreaterThan(quantity('1Mi'))", "self.l.exists_one(e, e == 'a')", "!(", "self.k[0].a.size() > 0",
		"[self.i, 2][self.i] == 2", "[self.i, 2][self.i + 1] == 2", "self.l[self.i] == 'b'", "self.l[self.i + 1] == 'b'",
	} {
		f.Add(rule, "'m ' + self.s", object, object)
	}
	f.Fuzz(func(t *testing.T, rule, message, text, oldText string) {
		quoted, err := json.Marshal(map[string]string{"rule": rule, "messageExpression": message})
		if err != nil {
			return
		}
		schema, err := structural.Parse(fmt.Appendf(nil, fuzzSchema, quoted))
		if err != nil {
			t.Fatal(err)
		}
		value, _, err := jsonvalue.DecodeJSON([]byte(text))
		if err != nil {
			return
		}
		old, _, _ := jsonvalue.DecodeJSON([]byte(oldText))
		check.Validate(t.Context(), schema, nil)
		_, _ = check.Costs(t.Context(), schema)
		ctx, cancel := context.WithTimeout(context.Background(), time.Minute)
		defer cancel()
		rules := celrules.Compile(schema)
		a := rules.Validate(ctx, value, old, celrules.ExplainFailures(), celrules.ObserveCosts())
		b := celrules.CompileForCEL(schema).Validate(ctx, value, old)
		if ctx.Err() != nil {
			t.Fatal("the evaluation hangs")
		}
		direct := fmt.Sprintf("%q %q %d", texts(a.Errors), texts(a.Ratcheted), a.Cost)
		plain := fmt.Sprintf("%q %q %d", texts(b.Errors), texts(b.Ratcheted), b.Cost)
		if direct != plain {
			t.Fatalf("%q\ndirect %s\ncel-go %s", rule, direct, plain)
		}
	})
}
