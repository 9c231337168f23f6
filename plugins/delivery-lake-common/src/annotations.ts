/**
 * Annotation of a component: the names under which pipelines and incident tools report it,
 * separated by commas, if they differ from the entity's name.
 */
export const DELIVERY_SERVICE_ANNOTATION = 'slipway.dev/delivery-service';
