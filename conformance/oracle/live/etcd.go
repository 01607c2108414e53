package live

import (
	"errors"
	"fmt"
	"net"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// The time limits of the run. Each of them ends it with a message.
const (
	etcdPatience   = 30 * time.Second
	serverPatience = 60 * time.Second
	crdPatience    = 120 * time.Second
)

// startEtcd starts an etcd with one member on loopback, with its data in a
// temporary folder. It returns the client URL. The end of the test stops it.
func startEtcd(t *testing.T) string {
	t.Helper()
	binary, err := exec.LookPath("etcd")
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	client, peer := "http://"+freeAddress(t), "http://"+freeAddress(t)
	log, err := os.Create(filepath.Join(dir, "etcd.log"))
	if err != nil {
		t.Fatal(err)
	}
	cmd := exec.Command(binary, "--name=live", "--data-dir="+filepath.Join(dir, "data"),
		"--listen-client-urls="+client, "--advertise-client-urls="+client,
		"--listen-peer-urls="+peer, "--initial-advertise-peer-urls="+peer,
		"--initial-cluster=live="+peer, "--unsafe-no-fsync=true", "--log-level=warn")
	cmd.Stdout, cmd.Stderr = log, log
	cmd.Env = environmentWithout("ETCD_")
	if err := cmd.Start(); err != nil {
		t.Fatalf("etcd does not start: %v", err)
	}
	t.Cleanup(func() {
		_ = cmd.Process.Kill()
		_ = cmd.Wait()
		_ = log.Close()
	})
	if err := waitForOK(client+"/health", etcdPatience); err != nil {
		text, _ := os.ReadFile(log.Name())
		t.Fatalf("etcd is not ready: %v\n%s", err, text)
	}
	return client
}

// environmentWithout returns the environment without the variables of a prefix,
// because those would configure the program.
func environmentWithout(prefix string) []string {
	var env []string
	for _, variable := range os.Environ() {
		if !strings.HasPrefix(variable, prefix) {
			env = append(env, variable)
		}
	}
	return env
}

// freeAddress returns an address on loopback that is not in use.
func freeAddress(t *testing.T) string {
	t.Helper()
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = listener.Close() }()
	return listener.Addr().String()
}

// waitForOK requests a URL until it answers 200.
func waitForOK(url string, patience time.Duration) error {
	client := &http.Client{Timeout: time.Second}
	last := errors.New("never asked")
	for end := time.Now().Add(patience); time.Now().Before(end); time.Sleep(50 * time.Millisecond) {
		response, err := client.Get(url)
		if err != nil {
			last = err
			continue
		}
		_ = response.Body.Close()
		if response.StatusCode == http.StatusOK {
			return nil
		}
		last = fmt.Errorf("%s answers %s", url, response.Status)
	}
	return fmt.Errorf("after %s: %w", patience, last)
}
