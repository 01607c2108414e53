package conformance_test

import (
	"context"
	"strings"
	"testing"

	"github.com/crdsem/crdsem/conformance/suite"
	"github.com/crdsem/crdsem/internal/app/evaluator"
	"github.com/crdsem/crdsem/internal/app/protocol"
)

// This library answers every vector as the real code does, except for the known
// differences.
func TestVectorsPass(t *testing.T) {
	target := suite.NewHandler(evaluator.New(), protocol.Ops()...)
	report, err := suite.Run(context.Background(), loadVectors(t), target,
		suite.Lists{Known: knownDifferences(t)})
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
