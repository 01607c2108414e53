package main

import (
	"context"
	"crypto/tls"
	"crypto/x509"
	"errors"
	"flag"
	"fmt"
	"io"
	"io/fs"
	"net"
	"net/http"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"time"

	"github.com/crdsem/crdsem/kube/server"
	"github.com/crdsem/crdsem/minors"
)

// assetsOf fills the folders that the arguments of assets ask for: a folder, or
// with --kubernetes one for each minor in the layout of setup-envtest, e.g.
// DIR/k8s/1.32.0-linux-amd64. The paths are printed.
func assetsOf(args []string, out io.Writer) error {
	flags := flag.NewFlagSet("assets", flag.ContinueOnError)
	flags.SetOutput(io.Discard)
	of := flags.String("kubernetes", "", "")
	if err := flags.Parse(args); err != nil || flags.NArg() != 1 {
		return errors.New("usage: crdsem-server assets [--kubernetes MINORS] DIR")
	}
	all := []minors.Minor{""} // the newest one, in the folder itself
	if *of != "" {
		var err error
		if all, err = minors.ParseRange(*of); err != nil {
			return err
		}
	}
	copied := copies{}
	for _, minor := range all {
		folder := flags.Arg(0)
		if minor != "" {
			folder = folderOf(folder, minor)
		}
		if err := assets(folder, minor, copied); err != nil {
			return err
		}
		if _, err := fmt.Fprintln(out, folder); err != nil {
			return err
		}
	}
	return nil
}

// folderOf returns the folder of a minor as setup-envtest names it.
func folderOf(folder string, minor minors.Minor) string {
	return filepath.Join(folder, "k8s",
		fmt.Sprintf("%v.0-%s-%s", minor, runtime.GOOS, runtime.GOARCH))
}

// env fills a folder of assets, and prints the line by which a shell sets the
// variable that envtest reads.
func env(args []string, out io.Writer) error {
	flags := flag.NewFlagSet("env", flag.ContinueOnError)
	flags.SetOutput(io.Discard)
	of := flags.String("kubernetes", "", "")
	if err := flags.Parse(args); err != nil || flags.NArg() != 1 {
		return errors.New("usage: crdsem-server env [--kubernetes MINOR] DIR")
	}
	folder, err := filepath.Abs(flags.Arg(0)) // tests run in folders of their own
	if err != nil {
		return err
	}
	var minor minors.Minor
	if *of != "" {
		if minor, err = minors.Parse(*of); err != nil {
			return err
		}
		folder = folderOf(folder, minor)
	}
	if err := assets(folder, minor, copies{}); err != nil {
		return err
	}
	quoted := strings.ReplaceAll(folder, "'", `'\''`)
	_, err = fmt.Fprintf(out, "export KUBEBUILDER_ASSETS='%s'\n", quoted)
	return err
}

// minorFile is the file of a folder of assets that names the minor, if it is
// not the newest one.
const minorFile = "kubernetes-minor"

// assets copies the program into a folder under the names that envtest starts,
// for a minor; empty for the newest one. A kubectl that is installed is that of
// the folder as well.
func assets(folder string, minor minors.Minor, copied copies) error {
	program, err := os.Executable()
	if err != nil {
		return err
	}
	kubectl, err := exec.LookPath("kubectl")
	if err != nil || filepath.Dir(kubectl) == filepath.Clean(folder) {
		kubectl = program
	}
	if err := os.MkdirAll(folder, 0o755); err != nil {
		return err
	}
	for _, name := range []string{"kube-apiserver", "etcd", "kubectl"} {
		from := program
		if name == "kubectl" {
			from = kubectl
		}
		if runtime.GOOS == "windows" {
			name += ".exe"
		}
		to := filepath.Join(folder, name)
		if err := copied.copy(from, to); err != nil {
			return err
		}
	}
	file := filepath.Join(folder, minorFile)
	if minor == "" {
		if err := os.Remove(file); !errors.Is(err, fs.ErrNotExist) {
			return err
		}
		return nil
	}
	return os.WriteFile(file, []byte(minor.String()+"\n"), 0o644)
}

// minorOf returns the minor of the assets that a program is among, the newest
// one if they do not name it.
func minorOf(program string) (minors.Minor, error) {
	text, err := os.ReadFile(filepath.Join(filepath.Dir(program), minorFile))
	if errors.Is(err, fs.ErrNotExist) {
		return minors.Newest(), nil
	}
	if err != nil {
		return "", err
	}
	return minors.Parse(strings.TrimSpace(string(text)))
}

// copies are the copies of programs that were made, by their originals.
type copies map[string]string

// copy copies a program, whole or not at all. If there is a copy already, it
// gets another name, where the system has that: all assets take the room of
// one.
func (c copies) copy(from, to string) error {
	_ = os.Remove(to + ".new")
	if c[from] == "" || os.Link(c[from], to+".new") != nil {
		text, err := os.ReadFile(from)
		if err != nil {
			return err
		}
		if err := os.WriteFile(to+".new", text, 0o755); err != nil {
			return err
		}
	}
	c[from] = to
	return os.Rename(to+".new", to)
}

// flagsOf returns flags in the form --name=value. Others are not known.
func flagsOf(args []string) map[string]string {
	all := map[string]string{}
	for _, arg := range args {
		name, value, _ := strings.Cut(strings.TrimLeft(arg, "-"), "=")
		all[name] = value
	}
	return all
}

// harmless are flags of envtest that need nothing here.
var harmless = []string{
	"allow-privileged", "authorization-mode", "disable-admission-plugins", "etcd-servers",
	"insecure-port", "service-account-issuer", "service-account-key-file",
	"service-account-signing-key-file", "service-cluster-ip-range",
}

// apiserver serves as kube-apiserver does for envtest: with the certificate in
// the folder that it is given, for clients with certificates.
func apiserver(ctx context.Context, args []string) error {
	flags := flagsOf(args)
	folder := flags["cert-dir"]
	certificate, err := tls.LoadX509KeyPair(
		filepath.Join(folder, "apiserver.crt"), filepath.Join(folder, "apiserver.key"))
	if err != nil {
		return err
	}
	authorities := x509.NewCertPool()
	if file := flags["client-ca-file"]; file != "" {
		text, err := os.ReadFile(file)
		if err != nil {
			return err
		}
		authorities.AppendCertsFromPEM(text)
	}
	used := []string{"cert-dir", "client-ca-file", "bind-address", "secure-port"}
	for name := range flags {
		if !slices.Contains(used, name) && !slices.Contains(harmless, name) {
			fmt.Fprintf(os.Stderr, "--%s is ignored\n", name)
		}
	}
	warnOfAddress(net.JoinHostPort(flags["bind-address"], "0"))
	program, err := os.Executable()
	if err != nil {
		return err
	}
	minor, err := minorOf(program)
	if err != nil {
		return err
	}
	s, err := server.Start(ctx, server.Options{
		Kubernetes:  minor,
		Listen:      net.JoinHostPort(flags["bind-address"], flags["secure-port"]),
		Certificate: &certificate, ClientCAs: authorities,
	})
	if err != nil {
		return err
	}
	<-ctx.Done()
	return s.Stop()
}

// etcd answers that it is well, and nothing else: the server needs no store.
func etcd(ctx context.Context, args []string) error {
	address, err := url.Parse(flagsOf(args)["listen-client-urls"])
	if err != nil {
		return err
	}
	well := http.NewServeMux()
	well.HandleFunc("/health", func(w http.ResponseWriter, _ *http.Request) {
		_, _ = w.Write([]byte(`{"health":"true","reason":"crdsem-server has no etcd"}`))
	})
	s := &http.Server{Addr: address.Host, Handler: well, ReadHeaderTimeout: 10 * time.Second}
	stop := context.AfterFunc(ctx, func() { _ = s.Close() })
	defer stop()
	if err := s.ListenAndServe(); ctx.Err() == nil {
		return err
	}
	return nil
}
