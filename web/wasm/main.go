//go:build js && wasm

// Command wasm is the library for JavaScript. It sets the member crdsem of the
// global object to the functions that answer requests:
//
//	answer(request: string): string   // one request, as JSON
//	hello(): string                   // who answers
package main

import (
	"context"
	"syscall/js"
	_ "time/tzdata" // rules may name time zones

	"github.com/crdsem/crdsem/web/internal/engine"
)

func main() {
	e := engine.New()
	answer := js.FuncOf(func(_ js.Value, args []js.Value) any {
		return string(e.Answer(context.Background(), []byte(args[0].String())))
	})
	hello := js.FuncOf(func(js.Value, []js.Value) any {
		line, err := engine.Hello()
		if err != nil {
			return err.Error()
		}
		return string(line)
	})
	js.Global().Set("crdsem", map[string]any{"answer": answer, "hello": hello})
	select {} // the functions are called from now on
}
