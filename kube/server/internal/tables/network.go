package tables

import (
	"fmt"
	"net"
	"slices"
	"strconv"
	"strings"

	corev1 "k8s.io/api/core/v1"
	discoveryv1 "k8s.io/api/discovery/v1"
	networkingv1 "k8s.io/api/networking/v1"
)

// maxShown is how many values of a list are shown.
const maxShown = 3

// listed returns the first values of a list, and how many more there are.
func listed(all []string, none string) string {
	switch {
	case len(all) > maxShown:
		return fmt.Sprintf("%s + %d more...", strings.Join(all[:maxShown], ","), len(all)-maxShown)
	case len(all) == 0:
		return none
	}
	return strings.Join(all, ",")
}

// joined is strings.Join with a text for no values.
func joined(all []string, none string) string {
	if len(all) == 0 {
		return none
	}
	return strings.Join(all, ",")
}

func serviceExternalIP(s *corev1.Service) any {
	switch s.Spec.Type {
	case corev1.ServiceTypeClusterIP, corev1.ServiceTypeNodePort:
		return joined(s.Spec.ExternalIPs, "<none>")
	case corev1.ServiceTypeLoadBalancer:
		all := addresses(s.Status.LoadBalancer.Ingress,
			func(i corev1.LoadBalancerIngress) [2]string { return [2]string{i.IP, i.Hostname} })
		return joined(append(all, s.Spec.ExternalIPs...), "<pending>")
	case corev1.ServiceTypeExternalName:
		return s.Spec.ExternalName
	}
	return "<unknown>"
}

// addresses returns the addresses of a load balancer, or their host names, each
// once.
func addresses[T any](ingress []T, of func(T) [2]string) []string {
	var all []string
	for _, i := range ingress {
		if pair := of(i); pair[0] != "" {
			all = append(all, pair[0])
		} else if pair[1] != "" {
			all = append(all, pair[1])
		}
	}
	slices.Sort(all)
	return slices.Compact(all)
}

func servicePorts(s *corev1.Service) any {
	var all []string
	for _, port := range s.Spec.Ports {
		shown := strconv.Itoa(int(port.Port))
		if port.NodePort > 0 {
			shown += fmt.Sprintf(":%d", port.NodePort)
		}
		all = append(all, shown+"/"+string(port.Protocol))
	}
	return joined(all, "<none>")
}

// endpointSets are the fields of Endpoints that are shown. Their Go type is
// deprecated.
type endpointSets struct {
	Subsets []struct {
		Addresses []struct {
			IP string `json:"ip"`
		} `json:"addresses"`
		Ports []struct {
			Port int32 `json:"port"`
		} `json:"ports"`
	} `json:"subsets"`
}

func endpoints(e *endpointSets) any {
	if len(e.Subsets) == 0 {
		return "<none>"
	}
	var all []string
	for _, subset := range e.Subsets {
		if len(subset.Ports) == 0 {
			for _, address := range subset.Addresses {
				all = append(all, address.IP)
			}
		}
		for _, port := range subset.Ports {
			for _, address := range subset.Addresses {
				all = append(all, net.JoinHostPort(address.IP, strconv.Itoa(int(port.Port))))
			}
		}
	}
	return listed(all, "")
}

func slicePorts(s *discoveryv1.EndpointSlice) any {
	var all []string
	for _, port := range s.Ports {
		switch {
		case port.Port != nil:
			all = append(all, strconv.Itoa(int(*port.Port)))
		case port.Name != nil:
			all = append(all, *port.Name)
		default:
			all = append(all, "*")
		}
	}
	return listed(all, "<unset>")
}

func sliceEndpoints(s *discoveryv1.EndpointSlice) any {
	var all []string
	for _, endpoint := range s.Endpoints {
		all = append(all, endpoint.Addresses...)
	}
	return listed(all, "<unset>")
}

// ingressHosts returns the hosts of the rules. As on the server, the rules that
// follow three hosts are more, with a host or without one.
func ingressHosts(i *networkingv1.Ingress) any {
	var all []string
	for _, rule := range i.Spec.Rules {
		if len(all) == maxShown {
			return fmt.Sprintf("%s + %d more...",
				strings.Join(all, ","), len(i.Spec.Rules)-maxShown)
		}
		if rule.Host != "" {
			all = append(all, rule.Host)
		}
	}
	return joined(all, "*")
}

func balancers(i *networkingv1.Ingress) any {
	return strings.Join(addresses(i.Status.LoadBalancer.Ingress,
		func(i networkingv1.IngressLoadBalancerIngress) [2]string {
			return [2]string{i.IP, i.Hostname}
		}), ",")
}

// classParameters returns the object with the parameters of a class of
// ingresses, e.g. kind.group/name.
func classParameters(r *row, _ *call) any {
	of := typed[networkingv1.IngressClass](r).Spec.Parameters
	if of == nil {
		return "<none>"
	}
	kind := of.Kind
	if of.APIGroup != nil {
		kind += "." + *of.APIGroup
	}
	return kind + "/" + of.Name
}

func ingressPorts(r *row, _ *call) any {
	if len(typed[networkingv1.Ingress](r).Spec.TLS) > 0 {
		return "80, 443"
	}
	return "80"
}
