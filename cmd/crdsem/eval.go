package main

import (
	"context"
	"flag"

	"github.com/crdsem/crdsem/internal/evaluator"
	"github.com/crdsem/crdsem/internal/protocol"
)

var evalCommand = command{
	name:    "eval",
	args:    "[-parallel N] [-hello]",
	summary: "answer the requests of the evaluation protocol, a JSON line each",
	setup: func(flags *flag.FlagSet) action {
		parallel := flags.Int("parallel", 1,
			"evaluate `N` requests at a time; answers keep their order")
		hello := flags.Bool("hello", false, "begin with a line that says who answers")
		return func(ctx context.Context, args []string, std streams) (int, error) {
			if len(args) > 0 || *parallel < 1 {
				return 0, errUsage("takes no arguments; -parallel is at least 1")
			}
			if *hello {
				line := evaluator.Hello()
				if err := line.Write(std.out); err != nil {
					return 0, err
				}
			}
			return exitOK, protocol.Serve(ctx, std.in, std.out,
				protocol.Options{Parallel: *parallel}, evaluator.Handle)
		}
	},
}
