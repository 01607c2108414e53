package live

import (
	"bytes"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"net/http"
)

// stored reads the value that etcd holds under a key of the server, below its
// prefix. It also returns the revision of the last change, which the server
// shows as the resourceVersion.
func (s *apiServer) stored(key string) (value []byte, revision string, err error) {
	var found struct {
		Kvs []struct {
			Value    []byte `json:"value"`
			Revision string `json:"mod_revision"`
		} `json:"kvs"`
	}
	err = s.askEtcd("range", map[string]string{"key": etcdKey(key)}, &found)
	if err == nil && len(found.Kvs) != 1 {
		err = fmt.Errorf("etcd holds %d values of %s", len(found.Kvs), key)
	}
	if err != nil {
		return nil, "", err
	}
	return found.Kvs[0].Value, found.Kvs[0].Revision, nil
}

// forget removes from etcd everything below a key that ends in "/". It does not
// wait for the finalizers of objects.
func (s *apiServer) forget(key string) error {
	end := key[:len(key)-1] + "0" // the byte after "/"
	var removed struct{}
	return s.askEtcd("deleterange",
		map[string]string{"key": etcdKey(key), "range_end": etcdKey(end)}, &removed)
}

// etcdKey returns a key in the form of etcd's JSON interface.
func etcdKey(key string) string {
	return base64.StdEncoding.EncodeToString([]byte(storagePrefix + "/" + key))
}

// askEtcd sends one request to etcd's JSON interface.
func (s *apiServer) askEtcd(operation string, request, answer any) error {
	body, err := json.Marshal(request)
	if err != nil {
		return err
	}
	response, err := http.Post(s.etcd+"/v3/kv/"+operation, mediaJSON, bytes.NewReader(body))
	if err != nil {
		return err
	}
	defer func() { _ = response.Body.Close() }()
	if response.StatusCode != http.StatusOK {
		return fmt.Errorf("etcd answers %s to %s", response.Status, operation)
	}
	return json.NewDecoder(response.Body).Decode(answer)
}
