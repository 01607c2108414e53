// Command crdsem-server is an API server for custom resources, for tests.
//
//	crdsem-server [--crd PATH]... [--kubeconfig FILE] [--listen ADDRESS] [--kubernetes MINOR]
//	              [--data FILE [--data-every DURATION]] [--collect-garbage]
//	              [--max-object-bytes N] [--max-stored-bytes N] [--max-history-bytes N]
//	              [--no-validation-warnings] [--stay]
//	crdsem-server assets [--kubernetes MINORS] DIR
//	crdsem-server env [--kubernetes MINOR] DIR
//	crdsem-server --version
//
// It prints one line when it answers, and stops when its standard input ends or
// on an interrupt; with --stay only then. Package kube/server says what it does
// and what it does not.
//
// Assets fills a folder for KUBEBUILDER_ASSETS: kube-apiserver, etcd and
// kubectl, each of which is this program under that name. Suites that start
// envtest then run on it without a change. As kube-apiserver it takes the flags
// that envtest gives, and says which others it ignores. As etcd it only answers
// the question whether it is well. It is no kubectl. With --kubernetes, e.g.
// 1.32 or all, it fills a folder for each minor below DIR as setup-envtest
// does, and prints the folders; their kube-apiserver answers as that minor.
// These programs end when the one that started them is gone. Env does the same
// for one minor, and prints the line that a shell evaluates.
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"net"
	"os"
	"os/signal"
	"path/filepath"
	"runtime/debug"
	"slices"
	"strings"
	"syscall"

	"github.com/crdsem/crdsem"
	"github.com/crdsem/crdsem/kube/server"
	"github.com/crdsem/crdsem/minors"
)

func main() {
	ctx, stop := signal.NotifyContext(
		context.Background(), os.Interrupt, syscall.SIGTERM, syscall.SIGHUP)
	defer stop()
	name := strings.TrimSuffix(filepath.Base(os.Args[0]), ".exe")
	if err := run(ctx, name, os.Args[1:], os.Stdin, os.Stdout); err != nil {
		fmt.Fprintln(os.Stderr, name+":", err)
		os.Exit(1)
	}
}

// run does what the program does under a name.
func run(ctx context.Context, name string, args []string, in io.Reader, out io.Writer) error {
	asked := slices.Contains(args, "--help")
	if asked && (name == "kube-apiserver" || name == "etcd") { // envtest looks for flags
		_, err := fmt.Fprintf(out, "This is crdsem-server in the place of %s.\n", name)
		return err
	}
	switch name {
	case "kube-apiserver", "etcd":
		ctx, cancel := withParent(ctx)
		defer cancel()
		if name == "etcd" {
			return etcd(ctx, args)
		}
		return apiserver(ctx, args)
	case "kubectl":
		return errors.New("this is crdsem-server, which has no kubectl: install one")
	}
	if len(args) > 0 && args[0] == "assets" {
		return assetsOf(args[1:], out)
	}
	if len(args) > 0 && args[0] == "env" {
		return env(args[1:], out)
	}
	if len(args) == 1 && args[0] == "--version" {
		return version(out)
	}
	return serve(ctx, args, in, out)
}

// version prints the version as the toolchain recorded it, and the modules that
// answers depend on.
func version(out io.Writer) error {
	line := "crdsem-server"
	if info, ok := debug.ReadBuildInfo(); ok {
		line += " " + info.Main.Version + ", " + info.GoVersion
	}
	line += fmt.Sprint(", Kubernetes ", minors.All())
	linked, _ := crdsem.Verified()
	for _, d := range linked {
		line += "\n  with " + d.String()
	}
	_, err := fmt.Fprintln(out, line)
	return err
}

const usage = `crdsem-server is an API server for custom resources, for tests.

    crdsem-server [FLAGS]       serves until its standard input ends, or until an interrupt
    crdsem-server assets DIR    writes kube-apiserver and etcd for KUBEBUILDER_ASSETS into DIR,
                                with a copy of the kubectl that is installed
    crdsem-server assets --kubernetes MINORS DIR
                                the same for each minor, e.g. 1.32 or all, into folders as
                                setup-envtest makes them, e.g. DIR/k8s/1.32.0-linux-amd64
    crdsem-server env [--kubernetes MINOR] DIR
                                the same for one minor; prints the line for a shell, as in
                                eval "$(crdsem-server env bin)"
    crdsem-server --version     prints the version and the minors of Kubernetes that are known

`

// paths is a flag that may be given more than once.
type paths []string

// String joins the paths.
func (p *paths) String() string { return strings.Join(*p, ",") }

// Set adds a path.
func (p *paths) Set(path string) error {
	*p = append(*p, path)
	return nil
}

// warnOfAddress says so if others than programs of this machine can connect.
func warnOfAddress(listen string) {
	host, _, err := net.SplitHostPort(listen)
	ip := net.ParseIP(host)
	if err == nil && host != "" && host != "localhost" && (ip == nil || !ip.IsLoopback()) {
		fmt.Fprintf(os.Stderr,
			"listening on %s: whoever reaches it and has the token has all rights\n",
			listen)
	}
}

// settings are what the flags of a server say.
type settings struct {
	server.Options

	kubeconfig string
	stay       bool // whether the server goes on when the input ends
}

// settingsOf reads the flags of a server. The error is flag.ErrHelp if the
// usage was asked for, which is then printed.
func settingsOf(args []string, out io.Writer) (settings, error) {
	var s settings
	var crds paths
	var minor string
	flags := flag.NewFlagSet("crdsem-server", flag.ContinueOnError)
	flags.Var(&crds, "crd", "install the definitions in `PATH`; may be given more than once")
	flags.StringVar(&s.kubeconfig, "kubeconfig", "",
		"write the configuration of a client to `FILE`")
	flags.StringVar(&s.Listen, "listen", "127.0.0.1:0", "listen on `ADDRESS`")
	flags.StringVar(&minor, "kubernetes", minors.Newest().String(),
		"answer as the server of `MINOR`")
	flags.StringVar(&s.Data, "data", "", "read the objects from `FILE`, and write them at the end")
	flags.DurationVar(&s.DataEvery, "data-every", 0, "write the objects every `DURATION`, too")
	flags.Int64Var(&s.MaxObjectBytes, "max-object-bytes", 0,
		"refuse objects above `N` bytes (etcd's 1.5 MiB)")
	flags.Int64Var(&s.MaxStoredBytes, "max-stored-bytes", 0, "store at most `N` bytes (2 GiB)")
	flags.Int64Var(&s.MaxHistoryBytes, "max-history-bytes", 0,
		"keep `N` bytes of past states (64 MiB)")
	flags.BoolVar(&s.NoValidationWarnings, "no-validation-warnings", false,
		"leave out the warning of built-in kinds that a cluster validates by more rules")
	flags.BoolVar(&s.CollectGarbage, "collect-garbage", false,
		"delete objects whose owners are gone")
	flags.BoolVar(&s.stay, "stay", false, "go on when the standard input ends, e.g. in a container")
	flags.SetOutput(io.Discard)
	switch err := flags.Parse(args); {
	case errors.Is(err, flag.ErrHelp):
		_, _ = fmt.Fprint(out, usage, flagsText(flags))
		return s, err
	case err != nil:
		return s, fmt.Errorf("%w: crdsem-server --help shows the usage", err)
	case flags.NArg() > 0:
		return s, fmt.Errorf("unknown argument %q", flags.Arg(0))
	case min(s.MaxObjectBytes, s.MaxStoredBytes, s.MaxHistoryBytes, int64(s.DataEvery)) < 0:
		return s, errors.New("a limit or a duration is negative")
	case s.DataEvery > 0 && s.Data == "":
		return s, errors.New("--data-every needs --data")
	}
	s.Definitions = crds
	var err error
	s.Kubernetes, err = minors.Parse(minor)
	return s, err
}

// flagsText returns the flags with the two dashes that the documents write.
func flagsText(flags *flag.FlagSet) string {
	var b strings.Builder
	flags.SetOutput(&b)
	flags.PrintDefaults()
	return strings.ReplaceAll("\n"+b.String(), "\n  -", "\n  --")[1:]
}

// serve runs a server until the input or the context ends.
func serve(ctx context.Context, args []string, in io.Reader, out io.Writer) (err error) {
	is, err := settingsOf(args, out)
	if errors.Is(err, flag.ErrHelp) {
		return nil
	}
	if err != nil {
		return err
	}
	s, err := server.Start(ctx, is.Options)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, s.Stop()) }()
	if is.kubeconfig != "" {
		if err := s.WriteKubeconfig(is.kubeconfig); err != nil {
			return err
		}
	}
	warnOfAddress(is.Listen)
	if _, err := fmt.Fprintln(out, "ready:", s.Config().Host); err != nil {
		return err
	}
	ended := make(chan struct{})
	if !is.stay {
		go func() {
			_, _ = io.Copy(io.Discard, in) // until the input ends
			close(ended)
		}()
	}
	select {
	case <-ended:
		fmt.Fprintln(os.Stderr, "crdsem-server: the standard input ended; with --stay it goes on")
	case <-ctx.Done():
	}
	return nil
}
