package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"

	"k8s.io/klog/v2"
)

// command is one subcommand. It returns errFound if it did its work and found
// differences, and any other error if it could not do its work.
type command func(ctx context.Context, args []string) error

// errFound means that the command has printed findings that make it fail.
var errFound = errors.New("findings")

func main() {
	// The real code's own log would mix with the findings.
	klog.LogToStderr(false)
	klog.SetOutput(io.Discard)
	quiet := flag.NewFlagSet("klog", flag.ContinueOnError)
	klog.InitFlags(quiet)
	_ = quiet.Set("stderrthreshold", "FATAL") // errors that a request shows are logged, too
	commands := map[string]command{
		"eval":         evaluate,
		"differential": compare,
		"record":       record,
		"matrix":       matrix,
		"expressions":  ask,
		"managers":     manage,
	}
	os.Exit(dispatch(commands, os.Args[1:], os.Stderr))
}

// dispatch runs a subcommand and returns the exit code: 0, 1 for findings, 2
// for a command that could not do its work.
func dispatch(commands map[string]command, args []string, stderr io.Writer) int {
	const usage = "usage: oracle " +
		"(eval | record | differential | matrix | expressions | managers) [flags]"
	if len(args) == 0 {
		fmt.Fprintln(stderr, usage)
		return 2
	}
	c, ok := commands[args[0]]
	if !ok {
		fmt.Fprintf(stderr, "unknown command %q\n%s\n", args[0], usage)
		return 2
	}
	err := c(context.Background(), args[1:])
	switch {
	case err == nil || errors.Is(err, flag.ErrHelp):
		return 0
	case errors.Is(err, errFound):
		return 1
	}
	fmt.Fprintln(stderr, "oracle:", err)
	return 2
}
