package live

import (
	"net"
	"os/exec"
	"strings"
	"testing"
)

// TestEtcdPortTaken checks that a port which another program took is noticed
// when etcd ends, and not when the patience does.
func TestEtcdPortTaken(t *testing.T) {
	needEtcd(t)
	binary, err := exec.LookPath("etcd")
	if err != nil {
		t.Fatal(err)
	}
	other, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = other.Close() }()
	peer := "http://" + freeAddresses(t, 1)[0]
	log, err := runEtcd(t, binary, "http://"+other.Addr().String(), peer)
	if err == nil || !strings.Contains(err.Error(), "the program ended") {
		t.Errorf("error %v", err)
	}
	if !strings.Contains(log, addressInUse) {
		t.Errorf("etcd logged %q", log)
	}
}
