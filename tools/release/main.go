package main

import (
	"context"
	"flag"
	"fmt"
	"os"
	"os/signal"
	"strings"
)

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	if err := run(ctx, os.Args[1:]); err != nil {
		fmt.Fprintln(os.Stderr, "release:", err)
		os.Exit(1)
	}
}

func run(ctx context.Context, args []string) error {
	flags := flag.NewFlagSet("release", flag.ContinueOnError)
	dir := flags.String("C", ".", "the `folder` of the clone")
	test := flags.String("test", "make test", "the `command` that must pass before the release")
	proxy := flags.String("proxy", "", "the `folder` of the file proxy (default: a temporary one)")
	toolchains := flags.String("go", "go1.26.8,go1.27.0", "the `versions` of Go to rehearse with")
	if err := flags.Parse(args); err != nil {
		return err
	}
	if flags.NArg() != 2 {
		return fmt.Errorf("usage: release [flags] make|rehearse VERSION")
	}
	if *proxy == "" {
		temporary, err := os.MkdirTemp("", "crdsem-proxy-")
		if err != nil {
			return err
		}
		defer os.RemoveAll(temporary)
		*proxy = temporary
	}
	release := &Release{Dir: *dir, Version: flags.Arg(1), Test: *test, Proxy: Proxy(*proxy),
		Toolchains: strings.Split(*toolchains, ",")}
	switch verb := flags.Arg(0); verb {
	case "make":
		return release.Make(ctx)
	case "rehearse":
		return release.Rehearse(ctx)
	default:
		return fmt.Errorf("%q is neither make nor rehearse", verb)
	}
}
