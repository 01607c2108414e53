package conformance_test

import (
	"context"
	"strings"
	"testing"

	"github.com/crdsem/crdsem/conformance/eval"
	"github.com/crdsem/crdsem/conformance/protocol"
	"github.com/crdsem/crdsem/conformance/run"
)

// This library answers every vector as the real code does, but for the known differences.
func TestVectorsPass(t *testing.T) {
	target := run.NewHandler(eval.Handle, protocol.Ops()...)
	report, err := run.Run(context.Background(), loadVectors(t), target, run.Lists{Known: knownDifferences(t)})
	if err != nil {
		t.Fatal(err)
	}
	var text strings.Builder
	if err := report.WriteText(&text, 10); err != nil {
		t.Fatal(err)
	}
	t.Log(text.String())
	if !report.OK() {
		t.Error("not every vector passes")
	}
}
