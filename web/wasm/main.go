//go:build js && wasm

// Command wasm is the library for JavaScript. It sets the member crdsem of the
// global object to these functions:
//
//	ask(request: string, interruptible: boolean, done: (answer) => void)
//	hello(): string // who answers
//
// The function ask answers one request, as JSON. A request that is
// interruptible lets JavaScript run from time to time, and ends soon after the
// function was called that ask returns.
package main

import (
	"context"
	"syscall/js"
	"time"
	_ "time/tzdata" // rules may name time zones

	"github.com/crdsem/crdsem/web/internal/engine"
)

func main() {
	e := engine.New()
	ask := js.FuncOf(func(_ js.Value, args []js.Value) any {
		request, done := []byte(args[0].String()), args[2]
		ctx, cancel := context.WithCancel(context.Background())
		var release js.Func
		release = js.FuncOf(func(js.Value, []js.Value) any {
			cancel()
			return nil
		})
		if args[1].Bool() {
			ctx = &yielding{Context: ctx, last: time.Now()}
		}
		go func() {
			answer := string(e.Answer(ctx, request))
			cancel()
			release.Release()
			done.Invoke(answer)
		}()
		return release
	})
	hello := js.FuncOf(func(js.Value, []js.Value) any {
		line, err := engine.Hello()
		if err != nil {
			return err.Error()
		}
		return string(line)
	})
	js.Global().Set("crdsem", map[string]any{"ask": ask, "hello": hello})
	select {} // the functions are called from now on
}

// slice is how long an interruptible request works before JavaScript runs.
const slice = 50 * time.Millisecond

// yielding is a context that lets JavaScript run when it is asked for its
// error: there is one thread for both.
type yielding struct {
	context.Context
	last time.Time // when JavaScript ran
}

// Err returns the error of the context.
func (y *yielding) Err() error {
	if time.Since(y.last) > slice {
		time.Sleep(time.Millisecond)
		y.last = time.Now()
	}
	return y.Context.Err()
}
