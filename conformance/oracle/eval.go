package main

import (
	"context"
	"flag"
	"os"

	"github.com/crdsem/crdsem/conformance/oracle/kube"
	"github.com/crdsem/crdsem/internal/app/protocol"
)

// evaluate answers requests from stdin.
func evaluate(ctx context.Context, args []string) error {
	flags := flag.NewFlagSet("eval", flag.ContinueOnError)
	hello := flags.Bool("hello", false, "introduce the program in a first line")
	parallel := flags.Int("parallel", 1, "evaluate `N` requests at a time")
	if err := flags.Parse(args); err != nil {
		return err
	}
	if *hello {
		line := protocol.Hello{
			Name:       "oracle",
			Version:    kube.Version(),
			Kubernetes: []string{kube.Minor()},
			Ops:        append(protocol.Ops(), protocol.OpDefine),
		}
		if err := line.Write(os.Stdout); err != nil {
			return err
		}
	}
	return protocol.Serve(ctx, os.Stdin, os.Stdout, protocol.Options{Parallel: *parallel},
		kube.New())
}
