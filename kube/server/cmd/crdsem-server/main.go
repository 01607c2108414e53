// Command crdsem-server is an API server for custom resources, for tests.
//
//	crdsem-server [--crd PATH]... [--kubeconfig FILE] [--listen ADDRESS] [--kubernetes MINOR]
//	              [--data FILE] [--collect-garbage]
//	crdsem-server assets [--kubernetes MINORS] DIR
//	crdsem-server --version
//
// It prints one line when it answers, and stops when its standard input ends or
// on an interrupt. Package kube/server says what it does and what it does not.
//
// Assets fills a folder for KUBEBUILDER_ASSETS: kube-apiserver, etcd and
// kubectl, each of which is this program under that name. Suites that start
// envtest then run on it without a change. As kube-apiserver it takes the flags
// that envtest gives, and says which others it ignores. As etcd it only answers
// the question whether it is well. It is no kubectl. With --kubernetes, e.g.
// 1.32 or all, it fills a folder for each minor below DIR as setup-envtest
// does, and prints the folders; their kube-apiserver answers as that minor.
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
	case "kube-apiserver":
		return apiserver(ctx, args)
	case "etcd":
		return etcd(ctx, args)
	case "kubectl":
		return errors.New("this is crdsem-server, which has no kubectl: install one")
	}
	if len(args) > 0 && args[0] == "assets" {
		return assetsOf(args[1:], out)
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

// serve runs a server until the input or the context ends.
func serve(ctx context.Context, args []string, in io.Reader, out io.Writer) (err error) {
	var crds paths
	flags := flag.NewFlagSet("crdsem-server", flag.ContinueOnError)
	flags.Var(&crds, "crd", "install the definitions in `PATH`; may be given more than once")
	kubeconfig := flags.String("kubeconfig", "", "write the configuration of a client to `FILE`")
	listen := flags.String("listen", "127.0.0.1:0", "listen on `ADDRESS`")
	minor := flags.String("kubernetes", minors.Newest().String(), "answer as the server of `MINOR`")
	data := flags.String("data", "", "read the objects from `FILE`, and write them at the end")
	collect := flags.Bool("collect-garbage", false, "delete objects whose owners are gone")
	flags.SetOutput(io.Discard)
	switch err := flags.Parse(args); {
	case errors.Is(err, flag.ErrHelp):
		flags.SetOutput(out)
		_, err := fmt.Fprint(out, usage)
		flags.PrintDefaults()
		return err
	case err != nil:
		return fmt.Errorf("%w: crdsem-server --help shows the usage", err)
	}
	if flags.NArg() > 0 {
		return fmt.Errorf("unknown argument %q", flags.Arg(0))
	}
	of, err := minors.Parse(*minor)
	if err != nil {
		return err
	}
	s, err := server.Start(ctx, server.Options{
		Definitions: crds, Kubernetes: of, Listen: *listen, Data: *data, CollectGarbage: *collect,
	})
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, s.Stop()) }()
	if *kubeconfig != "" {
		if err := s.WriteKubeconfig(*kubeconfig); err != nil {
			return err
		}
	}
	warnOfAddress(*listen)
	if _, err := fmt.Fprintln(out, "ready:", s.Config().Host); err != nil {
		return err
	}
	ended := make(chan struct{})
	go func() {
		_, _ = io.Copy(io.Discard, in) // until the input ends
		close(ended)
	}()
	select {
	case <-ended:
	case <-ctx.Done():
	}
	return nil
}
