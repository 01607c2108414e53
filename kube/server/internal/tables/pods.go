package tables

import (
	"cmp"
	"fmt"
	"slices"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1"
)

// What the row of a pod says that has ended, by its phase.
var podEnds = map[corev1.PodPhase]string{
	corev1.PodSucceeded: "The pod has completed successfully.",
	corev1.PodFailed:    "The pod failed.",
}

// podConditions returns the conditions of the row of a pod.
func podConditions(r *row) []v1.TableRowCondition {
	phase, _ := r.at([]string{"status", "phase"}).(string)
	message := podEnds[corev1.PodPhase(phase)]
	if message == "" {
		return nil
	}
	return []v1.TableRowCondition{{
		Type: v1.RowCompleted, Status: v1.ConditionTrue, Reason: phase, Message: message,
	}}
}

// pod is a pod with the state of its containers.
type pod struct {
	*corev1.Pod

	ready, total int
	status       string
	restarts     restarts
}

// restarts are how often containers were restarted, and when last.
type restarts struct {
	count int
	last  v1.Time
}

func (r *restarts) add(of *corev1.ContainerStatus) {
	r.count += int(of.RestartCount)
	if ended := of.LastTerminationState.Terminated; ended != nil &&
		r.last.Before(&ended.FinishedAt) {
		r.last = ended.FinishedAt
	}
}

// podOf returns the pod of a row.
func podOf(r *row) *pod {
	if known, ok := r.made.(*pod); ok {
		return known
	}
	p := &pod{Pod: typed[corev1.Pod](r)}
	r.made = p
	p.status = cmp.Or(p.Status.Reason, string(p.Status.Phase))
	for _, c := range p.Status.Conditions {
		if c.Type == corev1.PodScheduled && c.Reason == corev1.PodReasonSchedulingGated {
			p.status = c.Reason
		}
	}
	sidecars := map[string]bool{}
	for _, c := range p.Spec.InitContainers {
		sidecars[c.Name] = c.RestartPolicy != nil &&
			*c.RestartPolicy == corev1.ContainerRestartPolicyAlways
		if sidecars[c.Name] {
			p.total++
		}
	}
	p.total += len(p.Spec.Containers)
	if initialized := p.addInit(sidecars); initialized || p.has(corev1.PodInitialized) {
		p.addContainers()
	}
	switch {
	case p.DeletionTimestamp == nil:
	case p.Status.Reason == "NodeLost":
		p.status = "Unknown"
	case podEnds[p.Status.Phase] == "":
		p.status = "Terminating"
	}
	return p
}

// has reports whether the first condition of a type is true.
func (p *pod) has(condition corev1.PodConditionType) bool {
	i := slices.IndexFunc(p.Status.Conditions, func(c corev1.PodCondition) bool {
		return c.Type == condition
	})
	return i >= 0 && p.Status.Conditions[i].Status == corev1.ConditionTrue
}

// addInit adds the init containers up to the first one that has not ended. It
// reports whether all have ended; of restarts only those of sidecars are kept
// then.
func (p *pod) addInit(sidecars map[string]bool) bool {
	var ofSidecars restarts
	for i := range p.Status.InitContainerStatuses {
		c := &p.Status.InitContainerStatuses[i]
		p.restarts.add(c)
		if sidecars[c.Name] {
			ofSidecars.add(c)
		}
		ended := c.State.Terminated
		switch {
		case ended != nil && ended.ExitCode == 0:
			continue
		case sidecars[c.Name] && c.Started != nil && *c.Started:
			if c.Ready {
				p.ready++
			}
			continue
		case ended != nil:
			p.status = "Init:" + end(ended)
		case c.State.Waiting != nil && c.State.Waiting.Reason != "" &&
			c.State.Waiting.Reason != "PodInitializing":
			p.status = "Init:" + c.State.Waiting.Reason
		default:
			p.status = fmt.Sprintf("Init:%d/%d", i, len(p.Spec.InitContainers))
		}
		if p.has(corev1.PodInitialized) {
			p.restarts = ofSidecars
		}
		return false
	}
	p.restarts = ofSidecars
	return true
}

// addContainers adds the containers. The first one that does not run decides
// the status.
func (p *pod) addContainers() {
	running := false
	for i := range slices.Backward(p.Status.ContainerStatuses) {
		c := &p.Status.ContainerStatuses[i]
		p.restarts.add(c)
		switch {
		case c.State.Waiting != nil && c.State.Waiting.Reason != "":
			p.status = c.State.Waiting.Reason
		case c.State.Terminated != nil:
			p.status = end(c.State.Terminated)
		case c.Ready && c.State.Running != nil:
			running = true
			p.ready++
		}
	}
	if p.status == "Completed" && running {
		p.status = "NotReady"
		if slices.ContainsFunc(p.Status.Conditions, func(c corev1.PodCondition) bool {
			return c.Type == corev1.PodReady && c.Status == corev1.ConditionTrue
		}) {
			p.status = "Running"
		}
	}
}

// end returns how a container ended.
func end(of *corev1.ContainerStateTerminated) string {
	switch {
	case of.Reason != "":
		return of.Reason
	case of.Signal != 0:
		return fmt.Sprintf("Signal:%d", of.Signal)
	}
	return fmt.Sprintf("ExitCode:%d", of.ExitCode)
}

func podReady(r *row, _ *call) any {
	p := podOf(r)
	return fmt.Sprintf("%d/%d", p.ready, p.total)
}

func podStatus(r *row, _ *call) any { return podOf(r).status }

func podRestarts(r *row, _ *call) any {
	of := podOf(r).restarts
	if of.count == 0 || of.last.IsZero() {
		return fmt.Sprint(of.count)
	}
	return fmt.Sprintf("%d (%s ago)", of.count, since(r.now, of.last.Time))
}

func podIP(r *row, _ *call) any {
	if all := podOf(r).Status.PodIPs; len(all) > 0 && all[0].IP != "" {
		return all[0].IP
	}
	return "<none>"
}

// podGates returns how many readiness gates have a condition that is true.
func podGates(r *row, _ *call) any {
	p := podOf(r)
	if len(p.Spec.ReadinessGates) == 0 {
		return "<none>"
	}
	n := 0
	for _, gate := range p.Spec.ReadinessGates {
		if p.has(gate.ConditionType) {
			n++
		}
	}
	return fmt.Sprintf("%d/%d", n, len(p.Spec.ReadinessGates))
}
