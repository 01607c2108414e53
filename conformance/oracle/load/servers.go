package main

import (
	"bufio"
	"context"
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/x509"
	"encoding/pem"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"time"
)

// target is a server that runs.
type target struct {
	name, url, token string
	patience         time.Duration // how long its events are waited for
	programs         []*exec.Cmd
}

// program starts a program, whose output is in a file.
func (t *target) program(dir, path string, args ...string) error {
	file, err := os.Create(filepath.Join(dir, filepath.Base(path)+".log"))
	if err != nil {
		return err
	}
	cmd := exec.Command(path, args...)
	cmd.Stdout, cmd.Stderr = file, file
	if err := cmd.Start(); err != nil {
		return err
	}
	t.programs = append(t.programs, cmd)
	return file.Close()
}

// stop ends the programs.
func (t *target) stop() (err error) {
	for _, cmd := range t.programs {
		err = errors.Join(err, cmd.Process.Kill())
		_ = cmd.Wait() // it was killed
	}
	return err
}

// clockTicks are those of a second in /proc, the same on all systems of Linux.
const clockTicks = 100

// used returns the processor time of the programs, and their resident memory in
// MiB.
func (t *target) used() (time.Duration, int) {
	ticks, pages := 0, 0
	for _, cmd := range t.programs {
		text, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", cmd.Process.Pid))
		if err != nil {
			continue
		}
		_, rest, _ := strings.Cut(string(text), ") ")
		fields := strings.Fields(rest)
		for _, at := range []int{11, 12} {
			n, _ := strconv.Atoi(fields[at])
			ticks += n
		}
		n, _ := strconv.Atoi(fields[21])
		pages += n
	}
	return time.Duration(ticks) * time.Second / clockTicks, pages * os.Getpagesize() >> 20
}

// startOurs starts crdsem-server.
func startOurs(_ context.Context, path, dir string) (*target, error) {
	t := &target{name: "crdsem-server"}
	kubeconfig := filepath.Join(dir, "kubeconfig")
	cmd := exec.Command(path, "--kubeconfig", kubeconfig, "--stay")
	out, err := cmd.StdoutPipe()
	if err != nil {
		return nil, err
	}
	if err := cmd.Start(); err != nil {
		return nil, err
	}
	t.programs = append(t.programs, cmd)
	if _, err := bufio.NewReader(out).ReadString('\n'); err != nil {
		return nil, err
	}
	text, err := os.ReadFile(kubeconfig)
	if err != nil {
		return nil, err
	}
	for key, value := range map[string]*string{"server": &t.url, "token": &t.token} {
		found := regexp.MustCompile(`(?m)^ *` + key + `: *"?([^"\n]+)"?$`).FindSubmatch(text)
		if found == nil {
			return nil, fmt.Errorf("no %s in %s", key, kubeconfig)
		}
		*value = string(found[1])
	}
	return t, nil
}

// startReal starts an etcd and a kube-apiserver, with the flags of envtest.
func startReal(ctx context.Context, path, dir string) (*target, error) {
	t := &target{name: "kube-apiserver", token: "load", patience: 3 * time.Minute}
	ports, err := freePorts(3)
	if err != nil {
		return nil, err
	}
	store, peer := "http://127.0.0.1:"+ports[0], "http://127.0.0.1:"+ports[1]
	if err := t.program(dir, "etcd", "--data-dir="+filepath.Join(dir, "etcd"),
		"--listen-client-urls="+store, "--advertise-client-urls="+store,
		"--listen-peer-urls="+peer, "--initial-advertise-peer-urls="+peer,
		"--initial-cluster=default="+peer, "--unsafe-no-fsync=true", "--log-level=warn",
		"--quota-backend-bytes=4294967296"); err != nil {
		return nil, err
	}
	key := filepath.Join(dir, "key.pem")
	if err := writeKey(key); err != nil {
		return nil, err
	}
	tokens := filepath.Join(dir, "tokens.csv")
	if err := os.WriteFile(tokens, []byte("load,load,load,system:masters\n"), 0o600); err != nil {
		return nil, err
	}
	t.url = "https://127.0.0.1:" + ports[2]
	if err := t.program(dir, path, "--etcd-servers="+store, "--cert-dir="+dir,
		"--bind-address=127.0.0.1", "--secure-port="+ports[2], "--token-auth-file="+tokens,
		"--authorization-mode=RBAC", "--service-account-issuer=https://load.example.com",
		"--service-account-key-file="+key, "--service-account-signing-key-file="+key,
		"--service-cluster-ip-range=10.0.0.0/24", "--disable-admission-plugins=ServiceAccount",
		"--allow-privileged=true"); err != nil {
		return nil, err
	}
	by := t.client()
	return t, t.until(func() error {
		_, err := t.text(ctx, by, http.MethodGet, "/api/v1/namespaces/default", "")
		return err
	})
}

// writeKey writes a private key for service accounts.
func writeKey(path string) error {
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		return err
	}
	text, err := x509.MarshalECPrivateKey(key)
	if err != nil {
		return err
	}
	return os.WriteFile(path,
		pem.EncodeToMemory(&pem.Block{Type: "EC PRIVATE KEY", Bytes: text}), 0o600)
}

// freePorts returns ports of loopback that nothing uses.
func freePorts(n int) (ports []string, err error) {
	var open []io.Closer
	for range n {
		listener, err := net.Listen("tcp", "127.0.0.1:0")
		if err != nil {
			return nil, err
		}
		open = append(open, listener)
		_, port, _ := net.SplitHostPort(listener.Addr().String())
		ports = append(ports, port)
	}
	for _, listener := range open {
		err = errors.Join(err, listener.Close())
	}
	return ports, err
}
