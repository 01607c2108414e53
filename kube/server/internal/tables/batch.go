package tables

import (
	"fmt"
	"slices"
	"strings"

	autoscalingv2 "k8s.io/api/autoscaling/v2"
	batchv1 "k8s.io/api/batch/v1"
	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/util/duration"
)

// jobStatus returns the first of a job's conditions that is true.
func jobStatus(j *batchv1.Job) any {
	is := func(condition batchv1.JobConditionType) bool {
		i := slices.IndexFunc(j.Status.Conditions, func(c batchv1.JobCondition) bool {
			return c.Type == condition
		})
		return i >= 0 && j.Status.Conditions[i].Status == corev1.ConditionTrue
	}
	switch {
	case is(batchv1.JobComplete):
		return "Complete"
	case is(batchv1.JobFailed):
		return "Failed"
	case j.DeletionTimestamp != nil:
		return "Terminating"
	case is(batchv1.JobSuspended):
		return "Suspended"
	case is(batchv1.JobFailureTarget):
		return "FailureTarget"
	}
	return "Running"
}

func jobCompletions(j *batchv1.Job) any {
	switch {
	case j.Spec.Completions != nil:
		return fmt.Sprintf("%d/%d", j.Status.Succeeded, *j.Spec.Completions)
	case j.Spec.Parallelism != nil && *j.Spec.Parallelism > 1:
		return fmt.Sprintf("%d/1 of %d", j.Status.Succeeded, *j.Spec.Parallelism)
	}
	return fmt.Sprintf("%d/1", j.Status.Succeeded)
}

func jobDuration(r *row, _ *call) any {
	status := &typed[batchv1.Job](r).Status
	if status.StartTime == nil {
		return ""
	}
	end := r.now
	if status.CompletionTime != nil {
		end = status.CompletionTime.Time
	}
	return duration.HumanDuration(end.Sub(status.StartTime.Time))
}

// scalerTargets returns two metrics of a HorizontalPodAutoscaler, and how many
// more there are.
func scalerTargets(a *autoscalingv2.HorizontalPodAutoscaler) any {
	var all []string
	for i, metric := range a.Spec.Metrics {
		var current autoscalingv2.MetricStatus
		if i < len(a.Status.CurrentMetrics) {
			current = a.Status.CurrentMetrics[i]
		}
		all = append(all, target(&metric, &current))
	}
	const most = 2
	switch {
	case len(all) == 0:
		return "<none>"
	case len(all) > most:
		return fmt.Sprintf("%s + %d more...", strings.Join(all[:most], ", "), len(all)-most)
	}
	return strings.Join(all, ", ")
}

const unknown = "<unknown>"

// target returns a metric, as its current value and its target. Metrics are not
// validated: what lacks the field of its type is of no known type.
func target(m *autoscalingv2.MetricSpec, now *autoscalingv2.MetricStatus) string {
	var current *autoscalingv2.MetricValueStatus
	switch {
	case m.Type == autoscalingv2.ExternalMetricSourceType && m.External != nil:
		if now.External != nil {
			current = &now.External.Current
		}
		return valueTarget(&m.External.Target, current)
	case m.Type == autoscalingv2.ObjectMetricSourceType && m.Object != nil:
		if now.Object != nil {
			current = &now.Object.Current
		}
		return valueTarget(&m.Object.Target, current)
	case m.Type == autoscalingv2.PodsMetricSourceType && m.Pods != nil:
		average := unknown
		if now.Pods != nil {
			average = now.Pods.Current.AverageValue.String()
		}
		return average + "/" + m.Pods.Target.AverageValue.String()
	case m.Type == autoscalingv2.ResourceMetricSourceType && m.Resource != nil:
		if now.Resource != nil {
			current = &now.Resource.Current
		}
		return string(m.Resource.Name) + ": " + useTarget(&m.Resource.Target, current)
	}
	if m.Type != autoscalingv2.ContainerResourceMetricSourceType || m.ContainerResource == nil {
		return "<unknown type>"
	}
	if now.ContainerResource != nil {
		current = &now.ContainerResource.Current
	}
	return string(m.ContainerResource.Name) + ": " +
		useTarget(&m.ContainerResource.Target, current)
}

// valueTarget is target for a value, or for the average of one.
func valueTarget(
	wanted *autoscalingv2.MetricTarget, now *autoscalingv2.MetricValueStatus,
) string {
	current := unknown
	if wanted.AverageValue == nil {
		if now != nil {
			current = now.Value.String()
		}
		return current + "/" + wanted.Value.String()
	}
	if now != nil && now.AverageValue != nil {
		current = now.AverageValue.String()
	}
	return current + "/" + wanted.AverageValue.String() + " (avg)"
}

// useTarget is target for a resource that pods use.
func useTarget(
	wanted *autoscalingv2.MetricTarget, now *autoscalingv2.MetricValueStatus,
) string {
	current, target := unknown, "<auto>"
	if wanted.AverageValue != nil {
		if now != nil {
			current = now.AverageValue.String()
		}
		return current + "/" + wanted.AverageValue.String()
	}
	if now != nil && now.AverageUtilization != nil {
		current = fmt.Sprintf("%d%%", *now.AverageUtilization)
	}
	if wanted.AverageUtilization != nil {
		target = fmt.Sprintf("%d%%", *wanted.AverageUtilization)
	}
	return current + "/" + target
}
