package live

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"strings"
	"testing"
	"time"

	"k8s.io/api/admissionregistration/v1"
	corev1 "k8s.io/api/core/v1"
	"k8s.io/apiextensions-apiserver/pkg/apiserver"
	generatedopenapi "k8s.io/apiextensions-apiserver/pkg/generated/openapi"
	"k8s.io/apimachinery/pkg/api/meta"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apiserver/pkg/admission"
	"k8s.io/apiserver/pkg/admission/plugin/policy/generic"
	"k8s.io/apiserver/pkg/admission/plugin/policy/mutating"
	"k8s.io/apiserver/pkg/admission/plugin/policy/validating"
	"k8s.io/apiserver/pkg/authorization/authorizer"
	"k8s.io/apiserver/pkg/authorization/authorizerfactory"
	openapinamer "k8s.io/apiserver/pkg/endpoints/openapi"
	genericapiserver "k8s.io/apiserver/pkg/server"
	"k8s.io/apiserver/pkg/util/openapi"
	"k8s.io/client-go/discovery"
	"k8s.io/client-go/dynamic"
	"k8s.io/client-go/informers"
	"k8s.io/client-go/kubernetes"
	"k8s.io/client-go/kubernetes/fake"
	"k8s.io/client-go/kubernetes/scheme"
)

// policyGroup is the group of the CRDs that policies are about.
const policyGroup = "policies.example.com"

// policyCRD returns a CRD with two versions.
func policyCRD(plural, kind, scope string) map[string]any {
	schema := map[string]any{"openAPIV3Schema": map[string]any{
		"type": "object", "properties": map[string]any{"spec": map[string]any{
			"type": "object", "x-kubernetes-preserve-unknown-fields": true,
			"properties": map[string]any{"size": map[string]any{"type": "integer"}},
		}, "status": map[string]any{
			"type": "object", "x-kubernetes-preserve-unknown-fields": true,
		}},
	}}
	version := func(name string) map[string]any {
		return map[string]any{
			"name": name, "served": true, "storage": name == "v1", "schema": schema,
			"subresources": map[string]any{"status": map[string]any{}},
		}
	}
	return map[string]any{
		"apiVersion": "apiextensions.k8s.io/v1", "kind": "CustomResourceDefinition",
		"metadata": map[string]any{"name": plural + "." + policyGroup},
		"spec": map[string]any{
			"group": policyGroup, "scope": scope,
			"names":    map[string]any{"plural": plural, "kind": kind},
			"versions": []any{version("v1"), version("v2")},
		},
	}
}

// cluster is what the plugins of the real server see of a cluster: the real
// ones of client-go, with a store in memory.
type cluster struct {
	client *fake.Clientset
	mapper *meta.DefaultRESTMapper
	ended  chan struct{}
}

// newCluster returns a cluster. Its plugins watch it until it is stopped.
func newCluster() *cluster {
	c := &cluster{client: fake.NewClientset(), ended: make(chan struct{})}
	c.mapper = meta.NewDefaultRESTMapper(nil)
	c.mapper.Add(corev1.SchemeGroupVersion.WithKind("ConfigMap"), meta.RESTScopeNamespace)
	for _, version := range []string{"v1", "v2"} {
		gv := schema.GroupVersion{Group: policyGroup, Version: version}
		c.mapper.Add(gv.WithKind("Thing"), meta.RESTScopeNamespace)
		c.mapper.Add(gv.WithKind("Wide"), meta.RESTScopeRoot)
	}
	return c
}

func (c *cluster) stop() { close(c.ended) }

// discovering is the cluster with the schemas that the real server publishes.
type discovering struct {
	*fake.Clientset

	schemas discovery.DiscoveryInterfaces
}

// Discovery implements kubernetes.Interface.
func (d discovering) Discovery() discovery.DiscoveryInterfaces { return d.schemas }

// plugin is a plugin of policies.
type plugin interface {
	admission.Interface
	SetExternalKubeInformerFactory(informers.SharedInformerFactory)
	SetExternalKubeClientSet(kubernetes.Interface)
	SetRESTMapper(meta.RESTMapper)
	SetDynamicClient(dynamic.Interface)
	SetDrainedNotification(<-chan struct{})
	SetUnconditionalAuthorizer(authorizer.UnconditionalAuthorizer)
	SetEnabled(bool)
}

// change gives a server the plugins of policies, with the reinvocation of its
// own chain.
func (c *cluster) change(t *testing.T) func(*apiserver.Config) {
	t.Cleanup(generic.SetPolicyRefreshIntervalForTests(20 * time.Millisecond))
	return func(config *apiserver.Config) {
		loopback := config.GenericConfig.LoopbackClientConfig
		objects, err := dynamic.NewForConfig(loopback)
		if err != nil {
			t.Fatal(err)
		}
		schemas, err := discovery.NewDiscoveryClientForConfig(loopback)
		if err != nil {
			t.Fatal(err)
		}
		factory := informers.NewSharedInformerFactory(c.client, 0)
		plugins := admission.NewPlugins()
		mutating.Register(plugins)
		validating.Register(plugins)
		chain, err := plugins.NewFromPlugins(
			[]string{mutating.PluginName, validating.PluginName}, noConfiguration{},
			initializer(func(p plugin) {
				p.SetEnabled(true)
				p.SetExternalKubeInformerFactory(factory)
				p.SetExternalKubeClientSet(discovering{c.client, schemas})
				p.SetRESTMapper(c.mapper)
				p.SetDynamicClient(objects)
				p.SetDrainedNotification(c.ended)
				p.SetUnconditionalAuthorizer(authorizerfactory.NewAlwaysAllowAuthorizer())
			}), nil)
		if err != nil {
			t.Fatal(err)
		}
		factory.Start(c.ended)
		factory.WaitForCacheSync(c.ended)
		config.GenericConfig.AdmissionControl = chain
		// Without the documents of version 2, those of CRDs are not published.
		config.GenericConfig.OpenAPIConfig = genericapiserver.DefaultOpenAPIConfig(
			openapi.GetOpenAPIDefinitionsWithoutDisabledFeatures(
				generatedopenapi.GetOpenAPIDefinitions),
			openapinamer.NewDefinitionNamer(apiserver.Scheme, scheme.Scheme))
	}
}

// initializer initializes plugins.
type initializer func(plugin)

// Initialize implements admission.PluginInitializer.
func (i initializer) Initialize(p admission.Interface) {
	if p, ok := p.(plugin); ok {
		i(p)
	}
}

// noConfiguration is the configuration of plugins that need none.
type noConfiguration struct{}

// ConfigFor implements admission.ConfigProvider.
func (noConfiguration) ConfigFor(string) (io.Reader, error) { return nil, nil }

// add adds an object to the cluster.
func (c *cluster) add(ctx context.Context, object map[string]any) error {
	text, err := json.Marshal(object)
	if err != nil {
		return err
	}
	switch kind := object["kind"]; kind {
	case "Namespace":
		return create(ctx, text, c.client.CoreV1().Namespaces().Create)
	case "ConfigMap":
		namespace := fmt.Sprint(object["metadata"].(map[string]any)["namespace"])
		return create(ctx, text, c.client.CoreV1().ConfigMaps(namespace).Create)
	case "ValidatingAdmissionPolicy":
		client := c.client.AdmissionregistrationV1().ValidatingAdmissionPolicies()
		return create(ctx, text, client.Create)
	case "ValidatingAdmissionPolicyBinding":
		client := c.client.AdmissionregistrationV1().ValidatingAdmissionPolicyBindings()
		return create(ctx, text, client.Create)
	case "MutatingAdmissionPolicy":
		client := c.client.AdmissionregistrationV1().MutatingAdmissionPolicies()
		return create(ctx, text, client.Create)
	case "MutatingAdmissionPolicyBinding":
		client := c.client.AdmissionregistrationV1().MutatingAdmissionPolicyBindings()
		return create(ctx, text, client.Create)
	default:
		return fmt.Errorf("the cluster has no %v", kind)
	}
}

// create decodes an object and creates it.
func create[T any](
	ctx context.Context, text []byte,
	by func(context.Context, *T, metav1.CreateOptions) (*T, error),
) error {
	object := new(T)
	if err := json.Unmarshal(text, object); err != nil {
		return err
	}
	_, err := by(ctx, object, metav1.CreateOptions{})
	return err
}

// policyCase is a policy with a binding, and the objects that it judges.
type policyCase struct {
	Name            string
	Policy, Binding map[string]any
	// Params are objects that exist, of the CRDs or of a built-in kind.
	Params []map[string]any
	// Objects are created, patched and deleted.
	Objects []map[string]any
	Patch   map[string]any
	// Version is that of the requests, and Plural their resource.
	Version, Plural string
	// Mutating says that the policy mutates.
	Mutating bool
	// Stored policies are in the store already: they are not validated.
	Stored bool
}

// complete fills in what most cases have. A policy and its binding are limited
// to the objects of the case. They get the defaults of a server.
func (c *policyCase) complete() {
	c.Policy, c.Binding = orEmpty(c.Policy), orEmpty(c.Binding)
	setDefault(c.Policy, "failurePolicy", "Fail")
	setDefault(c.Policy, "matchConstraints", map[string]any{})
	setDefault(c.Binding, "matchResources", map[string]any{})
	if !c.Mutating {
		setDefault(c.Binding, "validationActions", []any{"Deny"})
	} else {
		setDefault(c.Policy, "reinvocationPolicy", "Never")
	}
	c.Binding["policyName"] = c.Name
	constraints := child(c.Policy, "matchConstraints")
	setDefault(constraints, "resourceRules", []any{map[string]any{
		"resources": []any{"*"}, "apiVersions": []any{"v1"},
	}})
	of := map[string]any{"matchLabels": map[string]any{"case": c.Name}}
	for _, resources := range []map[string]any{
		constraints, child(c.Binding, "matchResources"),
	} {
		setDefault(resources, "matchPolicy", "Equivalent")
		setDefault(resources, "namespaceSelector", map[string]any{})
		setDefault(resources, "objectSelector", of)
		for _, key := range []string{"resourceRules", "excludeResourceRules"} {
			rules, _ := resources[key].([]any)
			for _, rule := range rules {
				completeRule(rule.(map[string]any))
			}
		}
	}
	if len(c.Objects) == 0 {
		c.Objects = []map[string]any{{"spec": map[string]any{"size": 9}},
			{"spec": map[string]any{"size": 1}}}
	}
	if c.Patch == nil {
		c.Patch = map[string]any{"spec": map[string]any{"size": 7}}
	}
	setText(&c.Version, "v1")
	setText(&c.Plural, "things")
}

func completeRule(rule map[string]any) {
	setDefault(rule, "apiGroups", []any{policyGroup})
	setDefault(rule, "apiVersions", []any{"*"})
	setDefault(rule, "operations", []any{"*"})
	setDefault(rule, "resources", []any{"things"})
	setDefault(rule, "scope", "*")
}

func orEmpty(object map[string]any) map[string]any {
	if object == nil {
		return map[string]any{}
	}
	return object
}

func setDefault(object map[string]any, key string, value any) {
	if _, ok := object[key]; !ok {
		object[key] = value
	}
}

func setText(to *string, value string) {
	if *to == "" {
		*to = value
	}
}

// configuration returns the policy and the binding of a case.
func (c *policyCase) configuration() (policy, binding map[string]any) {
	object := func(kind string, spec any) map[string]any {
		return map[string]any{
			"apiVersion": v1.SchemeGroupVersion.String(), "kind": kind,
			"metadata": map[string]any{"name": c.Name}, "spec": spec,
		}
	}
	if c.Mutating {
		return object("MutatingAdmissionPolicy", c.Policy),
			object("MutatingAdmissionPolicyBinding", c.Binding)
	}
	return object("ValidatingAdmissionPolicy", c.Policy),
		object("ValidatingAdmissionPolicyBinding", c.Binding)
}

// policyTwins are twins whose real server has the plugin of policies.
type policyTwins struct {
	*twins
	cluster *cluster
}

// collection returns the path of a resource in the namespace of a case.
func collection(version, plural, namespace string) string {
	path := "/apis/" + policyGroup + "/" + version
	if plural == "things" {
		path += "/namespaces/" + namespace
	}
	return path + "/" + plural
}

// createHere creates an object on the server of this project.
func (p *policyTwins) createHere(path string, object map[string]any) (map[string]any, error) {
	x, err := p.fake.do(http.MethodPost, path, mediaJSON, encode(object))
	if err != nil {
		return nil, err
	}
	if x.Status != http.StatusCreated {
		return nil, fmt.Errorf("POST %s: %d %s", path, x.Status, x.Response)
	}
	return x.object()
}

// install creates the namespace, the parameters, the policy and the binding of
// a case for both servers.
func (p *policyTwins) install(ctx context.Context, c *policyCase) error {
	namespace, err := p.createHere("/api/v1/namespaces", map[string]any{
		"metadata": map[string]any{"name": c.Name, "labels": map[string]any{"of": c.Name}},
	})
	if err == nil {
		err = p.cluster.add(ctx, namespace)
	}
	for _, param := range c.Params {
		if err == nil {
			err = p.installParam(ctx, c, param)
		}
	}
	if err != nil {
		return err
	}
	policy, binding := c.configuration()
	for _, object := range []map[string]any{policy, binding} {
		if err := p.cluster.add(ctx, object); err != nil {
			return err
		}
	}
	plural := map[bool]string{false: "validating", true: "mutating"}[c.Mutating]
	policies := v1.GroupName + "/" + plural + "admissionpolicies/"
	if c.Stored {
		err = p.started.Store("/"+policies+c.Name, encode(policy))
	} else {
		_, err = p.createHere("/apis/"+v1.GroupName+"/v1/"+plural+"admissionpolicies", policy)
	}
	if err == nil {
		_, err = p.createHere("/apis/"+v1.GroupName+"/v1/"+plural+"admissionpolicybindings",
			binding)
	}
	return err
}

// installParam creates a parameter.
func (p *policyTwins) installParam(
	ctx context.Context, c *policyCase, param map[string]any,
) error {
	metadata := child(param, "metadata")
	if param["kind"] == "ConfigMap" {
		metadata["namespace"] = c.Name
		path := "/api/v1/namespaces/" + c.Name + "/configmaps"
		created, err := p.createHere(path, param)
		if err != nil {
			return err
		}
		return p.cluster.add(ctx, created)
	}
	plural := strings.ToLower(text(param, "kind")) + "s"
	_, version, _ := strings.Cut(text(param, "apiVersion"), "/")
	_, err := p.send(http.MethodPost, collection(version, plural, c.Name), mediaJSON, encode(param))
	return err
}

// requests sends the requests of a case.
func (p *policyTwins) requests(c *policyCase) error {
	path := collection(c.Version, c.Plural, c.Name)
	for i, object := range c.Objects {
		name := fmt.Sprintf("%s-%d", c.Name, i)
		object = copyValue(object).(map[string]any)
		object["apiVersion"] = policyGroup + "/" + c.Version
		object["kind"] = map[string]string{"things": "Thing", "wides": "Wide"}[c.Plural]
		metadata := orEmpty(child(object, "metadata"))
		object["metadata"] = metadata
		setDefault(metadata, "name", name)
		setDefault(metadata, "labels", map[string]any{"case": c.Name})
		one := path + "/" + text(metadata, "name")
		status := map[string]any{"status": map[string]any{"size": 7}}
		requests := []struct {
			method, path, media string
			body                any
		}{
			{http.MethodPost, path + "?dryRun=All", mediaJSON, object},
			{http.MethodPost, path, mediaJSON, object},
			{http.MethodPatch, one, mediaMergePatch, c.Patch},
			{http.MethodPatch, one + "/status", mediaMergePatch, status},
			{http.MethodDelete, one, "", nil},
		}
		if text(metadata, "name") == "" {
			requests = requests[:2]
		}
		for _, request := range requests {
			var body []byte
			if request.body != nil {
				body = encode(request.body)
			}
			if _, err := p.send(request.method, request.path, request.media, body); err != nil {
				return err
			}
		}
	}
	return nil
}
