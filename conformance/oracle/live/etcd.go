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

// etcdAttempts is how often etcd is started when another program takes one of
// its ports before it listens: a port cannot be handed over to it.
const etcdAttempts = 5

// addressInUse is what etcd logs when it cannot listen.
const addressInUse = "address already in use"

// startEtcd starts an etcd with one member on loopback, with its data in a
// temporary folder. It returns the client URL. The end of the test stops it.
func startEtcd(t *testing.T) string {
	t.Helper()
	binary, err := exec.LookPath("etcd")
	if err != nil {
		t.Fatal(err)
	}
	for range etcdAttempts {
		addresses := freeAddresses(t, 2)
		client, peer := "http://"+addresses[0], "http://"+addresses[1]
		log, err := runEtcd(t, binary, client, peer)
		if err == nil {
			return client
		}
		if !strings.Contains(log, addressInUse) {
			t.Fatalf("etcd is not ready: %v\n%s", err, log)
		}
		t.Logf("etcd is started again with other ports: one of %v was taken", addresses)
	}
	t.Fatalf("etcd found its ports taken %d times", etcdAttempts)
	return ""
}

// runEtcd starts etcd with two URLs and waits until it is ready. With the error
// that it was not, it returns what etcd logged.
func runEtcd(t *testing.T, binary, client, peer string) (log string, err error) {
	t.Helper()
	dir := t.TempDir()
	file, err := os.Create(filepath.Join(dir, "etcd.log"))
	if err != nil {
		return "", err
	}
	cmd := exec.Command(binary, "--name=live", "--data-dir="+filepath.Join(dir, "data"),
		"--listen-client-urls="+client, "--advertise-client-urls="+client,
		"--listen-peer-urls="+peer, "--initial-advertise-peer-urls="+peer,
		"--initial-cluster=live="+peer, "--unsafe-no-fsync=true", "--log-level=warn")
	cmd.Stdout, cmd.Stderr = file, file
	cmd.Env = environmentWithout("ETCD_")
	if err := cmd.Start(); err != nil {
		_ = file.Close()
		return "", err
	}
	ended := make(chan struct{})
	go func() {
		_ = cmd.Wait()
		close(ended)
	}()
	t.Cleanup(func() {
		_ = cmd.Process.Kill()
		<-ended
		_ = file.Close()
	})
	if err := waitForOK(client+"/health", etcdPatience, ended); err != nil {
		text, _ := os.ReadFile(file.Name())
		return string(text), err
	}
	return "", nil
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

// freeAddresses returns n different addresses on loopback that are not in use.
func freeAddresses(t *testing.T, n int) []string {
	t.Helper()
	addresses := make([]string, n)
	for i := range addresses {
		listener, err := net.Listen("tcp", "127.0.0.1:0")
		if err != nil {
			t.Fatal(err)
		}
		defer func() { _ = listener.Close() }()
		addresses[i] = listener.Addr().String()
	}
	return addresses
}

// waitForOK requests a URL until it answers 200. It gives up after a time, or
// when the program that should answer has ended.
func waitForOK(url string, patience time.Duration, ended <-chan struct{}) error {
	client := &http.Client{Timeout: time.Second}
	last := errors.New("never asked")
	for end := time.Now().Add(patience); time.Now().Before(end); {
		response, err := client.Get(url)
		if err == nil {
			_ = response.Body.Close()
			if response.StatusCode == http.StatusOK {
				return nil
			}
			err = fmt.Errorf("%s answers %s", url, response.Status)
		}
		last = err
		select {
		case <-ended:
			return fmt.Errorf("the program ended: %w", last)
		case <-time.After(50 * time.Millisecond):
		}
	}
	return fmt.Errorf("after %s: %w", patience, last)
}
