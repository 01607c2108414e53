import budgetCRD from "../examples/budget/crd.yaml";
import budgetObject from "../examples/budget/object.yaml";
import budgetOld from "../examples/budget/old.yaml";
import cronTabCRD from "../examples/crontab/crd.yaml";
import cronTabObject from "../examples/crontab/object.yaml";
import cronTabOld from "../examples/crontab/old.yaml";
import gatewayCRD from "../examples/gateway/crd.yaml";
import gatewayObject from "../examples/gateway/object.yaml";
import gatewayOld from "../examples/gateway/old.yaml";
import pizzaCRD from "../examples/pizza/crd.yaml";
import pizzaObject from "../examples/pizza/object.yaml";
import pizzaOld from "../examples/pizza/old.yaml";
import ratchetingCRD from "../examples/ratcheting/crd.yaml";
import ratchetingObject from "../examples/ratcheting/object.yaml";
import ratchetingOld from "../examples/ratcheting/old.yaml";
import shopCRD from "../../../examples/versions/crd.yaml";
import shopObjects from "../../../examples/versions/objects.yaml";
import shopOld from "../../../examples/versions/stored.yaml";

const example = (title, definition, object, old, request = "create") => ({
  title,
  state: { definition, object, old, request },
});

/** The examples to choose from, the first one first shown. */
export const examples = {
  crontab: example("CronTab: mistakes", cronTabCRD, cronTabObject, cronTabOld),
  pizza: example("Pizza: defaults, two versions", pizzaCRD, pizzaObject, pizzaOld),
  gateway: example("Gateway: rules in CEL", gatewayCRD, gatewayObject, gatewayOld),
  budget: example("A rule over its budget", budgetCRD, budgetObject, budgetOld),
  ratcheting: example(
    "An update that is ratcheted",
    ratchetingCRD,
    ratchetingObject,
    ratchetingOld,
    "update",
  ),
  versions: example("Shops: versions that lose fields", shopCRD, shopObjects, shopOld),
};
