package main

import (
	"context"
	"time"

	"github.com/spf13/cobra"

	"github.com/crdsem/crdsem/cmd/crdsem/internal/rules"
	"github.com/crdsem/crdsem/internal/app/evaluator/whole"
	"github.com/crdsem/crdsem/internal/app/protocol"
)

func newEvalCommand() *cobra.Command {
	e := &evaluation{}
	cmd := &cobra.Command{
		Use:   "eval",
		Short: "answer the evaluation protocol, a JSON line each",
		Long: `Eval reads requests from the standard input, a JSON object a line, and prints an answer for each, in
order. Repeated definitions are compiled once. The protocol is described in
` + rules.Home + `internal/app/protocol/doc.go`,
		RunE: runs(e.run),
	}
	flags := cmd.Flags()
	flags.IntVar(&e.parallel, "parallel", 1,
		"evaluate `N` requests at a time; answers keep their order")
	flags.DurationVar(&e.timeout, "timeout", time.Minute,
		"answer a request that takes longer than `DURATION` with a fault; 0 waits")
	flags.BoolVar(&e.hello, "hello", false, "begin with a line that says who answers")
	return cmd
}

// evaluation is one run of the command.
type evaluation struct {
	parallel int
	timeout  time.Duration
	hello    bool
}

func (e *evaluation) run(ctx context.Context, args []string, std streams) (int, error) {
	if len(args) > 0 || e.parallel < 1 {
		return 0, errUsage("takes no arguments; --parallel is at least 1")
	}
	if e.hello {
		line := whole.Hello()
		if err := line.Write(std.out); err != nil {
			return 0, err
		}
	}
	return exitOK, protocol.Serve(ctx, std.in, std.out,
		protocol.Options{Parallel: e.parallel, Timeout: e.timeout}, whole.New())
}
