package kube

import (
	"sync"

	"k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/install"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/runtime/serializer"
)

// scheme returns the scheme of the API server for definitions. The server's own
// is a variable of its largest package, which would have to be linked for it.
var scheme = sync.OnceValue(func() *runtime.Scheme {
	s := runtime.NewScheme()
	install.Install(s)
	core := schema.GroupVersion{Group: "", Version: "v1"}
	metav1.AddToGroupVersion(s, core)
	s.AddUnversionedTypes(core, &metav1.Status{}, &metav1.WatchEvent{}, &metav1.APIVersions{},
		&metav1.APIGroupList{}, &metav1.APIGroup{}, &metav1.APIResourceList{})
	return s
})

// codecs returns the codecs of the scheme.
var codecs = sync.OnceValue(func() serializer.CodecFactory {
	return serializer.NewCodecFactory(scheme())
})
