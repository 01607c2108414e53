package handlers_test

import (
	"fmt"
	"testing"

	"github.com/crdsem/crdsem/internal/belowfacade/jsonpatch/handlers"
)

// The texts are those of a server.
func TestStrict(t *testing.T) {
	for patch, want := range map[string]string{
		`[]`: "[] <nil>",
		`[{"op":"add","path":"/a","value":{"b":1,"c":2}},{"op":"copy","from":"/a","path":"/b"}]`: "[] <nil>",
		`[{"op":"add","op":"test","x":1},{"y":1}]`: `[json patch duplicate field "[0].op" ` +
			`json patch unknown field "[0].x" json patch unknown field "[1].y"] <nil>`,
		`[{"value":{"b":1,"b":2}}]`: `[json patch duplicate field "[0].value.b"] <nil>`,
		`{}`:                        `[] json: cannot unmarshal object into Go value of type []handlers.jsonPatchOp`,
		`[{"op":1,"x":1}]`: `[] json: cannot unmarshal number into Go struct field ` +
			`jsonPatchOp.op of type string`,
		`[`: "[] unexpected end of JSON input",
	} {
		objections, err := handlers.Strict([]byte(patch))
		if got := fmt.Sprint(objections, " ", err); got != want {
			t.Errorf("%s: %s, want %s", patch, got, want)
		}
	}
}
