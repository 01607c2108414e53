package differential

import (
	"context"
	"encoding/json"
	"runtime"

	"github.com/crdsem/crdsem/conformance/suite"
)

// Programs starts a program that speaks the protocol, once for each processor,
// and returns a respondent that asks them. A program that stops answering is
// the fault of all later requests to it. The function ends the programs.
func Programs(
	ctx context.Context, name string, args ...string,
) (respondent Respondent, stop func(), err error) {
	idle := make(chan *suite.Program, runtime.GOMAXPROCS(0))
	stop = func() {
		for range cap(idle) {
			_ = (<-idle).Close() // its answers are all there
		}
	}
	for i := range cap(idle) {
		p, err := suite.Start(ctx, suite.Command{Name: name, Args: args})
		if err != nil {
			for range i {
				_ = (<-idle).Close()
			}
			return nil, nil, err
		}
		idle <- p
	}
	return func(ctx context.Context, line []byte) []byte {
		p := <-idle
		defer func() { idle <- p }()
		var out []byte
		err := p.Answers(ctx, [][]byte{line}, func(_ int, answer []byte) { out = answer })
		if err != nil {
			fault, _ := json.Marshal(err.Error()) // a string has a JSON form
			return append(append([]byte(`{"id":"1","fault":`), fault...), '}')
		}
		return out
	}, stop, nil
}
