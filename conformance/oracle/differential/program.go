package differential

import (
	"context"
	"encoding/json"
	"runtime"

	"github.com/crdsem/crdsem/internal/test/suite"
)

// Programs starts a program that speaks the protocol, once for each processor,
// and returns a respondent that asks them. A program that stops answering is a
// fault of the request; the program is started again. The function ends the
// programs.
func Programs(
	ctx context.Context, name string, args ...string,
) (respondent Respondent, stop func(), err error) {
	command := suite.Command{Name: name, Args: args}
	idle := make(chan *suite.Program, runtime.GOMAXPROCS(0))
	stop = func() {
		for range cap(idle) {
			_ = (<-idle).Close() // its answers are all there
		}
	}
	for i := range cap(idle) {
		p, err := suite.Start(ctx, command)
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
			p = again(ctx, p, command)
			fault, _ := json.Marshal(err.Error()) // a string has a JSON form
			return append(append([]byte(`{"id":"1","fault":`), fault...), '}')
		}
		return out
	}, stop, nil
}

// again ends a program and starts it again. If it does not start, the ended
// program is returned, and later requests to it have a fault.
func again(
	ctx context.Context, p *suite.Program, command suite.Command,
) *suite.Program {
	_ = p.Close() // the request has the fault already
	if fresh, err := suite.Start(ctx, command); err == nil {
		return fresh
	}
	return p
}
