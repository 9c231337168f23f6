/**
 * Annotation of a component: the names under which pipelines and incident
 * tools report it, separated by commas, where they differ from the entity's own.
 */
export const DELIVERY_SERVICE_ANNOTATION = 'slipway.dev/delivery-service';
