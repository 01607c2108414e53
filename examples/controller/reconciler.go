package controller

import (
	"context"

	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/controller/controllerutil"
	"sigs.k8s.io/controller-runtime/pkg/reconcile"
)

const finalizer = "example.com/pool"

// Reconciler gives every pool its replicas, and drains a pool that is deleted.
type Reconciler struct{ Client client.Client }

// Reconcile implements reconcile.Reconciler.
func (r *Reconciler) Reconcile(
	ctx context.Context, request reconcile.Request,
) (reconcile.Result, error) {
	var pool Pool
	if err := r.Client.Get(ctx, request.NamespacedName, &pool); err != nil {
		return reconcile.Result{}, client.IgnoreNotFound(err)
	}
	if !pool.DeletionTimestamp.IsZero() {
		controllerutil.RemoveFinalizer(&pool, finalizer)
		return reconcile.Result{}, r.Client.Update(ctx, &pool)
	}
	if controllerutil.AddFinalizer(&pool, finalizer) {
		if err := r.Client.Update(ctx, &pool); err != nil {
			return reconcile.Result{}, err
		}
	}
	before := pool.DeepCopyObject().(*Pool)
	pool.Status.Replicas = pool.Spec.Replicas
	return reconcile.Result{}, r.Client.Status().Patch(ctx, &pool, client.MergeFrom(before))
}
