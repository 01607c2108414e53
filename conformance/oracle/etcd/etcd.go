// Package etcd answers the clients of etcd with the objects of a kube/server,
// for upstream's tests that read and write storage. Only single keys are read
// and written, because those tests ask for no more. Every other request is
// refused with the code Unimplemented.
package etcd

import (
	"context"
	"net"
	"strings"

	"go.etcd.io/etcd/api/v3/etcdserverpb"
	"go.etcd.io/etcd/api/v3/mvccpb"
	"google.golang.org/grpc"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/status"

	"github.com/crdsem/crdsem/kube/server"
)

// Serve answers clients on a free port of the loopback interface. The keys of
// the objects have a prefix, e.g. /registry.
func Serve(of *server.Server, prefix string) (url string, stop func(), err error) {
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return "", nil, err
	}
	s := grpc.NewServer()
	etcdserverpb.RegisterKVServer(s, &keys{of: of, prefix: prefix})
	go func() { _ = s.Serve(listener) }() // it ends with Stop
	return "http://" + listener.Addr().String(), s.Stop, nil
}

// keys are the keys of a server.
type keys struct {
	etcdserverpb.UnimplementedKVServer
	of     *server.Server
	prefix string
}

// Range returns the object of a key.
func (k *keys) Range(
	_ context.Context, r *etcdserverpb.RangeRequest,
) (*etcdserverpb.RangeResponse, error) {
	if len(r.RangeEnd) > 0 {
		return nil, status.Error(codes.Unimplemented, "a range of keys")
	}
	out := &etcdserverpb.RangeResponse{Header: &etcdserverpb.ResponseHeader{}}
	object, ok := k.of.Stored(strings.TrimPrefix(string(r.Key), k.prefix))
	if ok {
		out.Count, out.Kvs = 1, []*mvccpb.KeyValue{{Key: r.Key, Value: object}}
	}
	return out, nil
}

// Put stores the object of a key.
func (k *keys) Put(
	_ context.Context, r *etcdserverpb.PutRequest,
) (*etcdserverpb.PutResponse, error) {
	err := k.of.Store(strings.TrimPrefix(string(r.Key), k.prefix), r.Value)
	if err != nil {
		return nil, status.Error(codes.InvalidArgument, err.Error())
	}
	return &etcdserverpb.PutResponse{Header: &etcdserverpb.ResponseHeader{}}, nil
}
