import { ObjectMeta } from './types';

/** Holds the id of the workspace that an object belongs to. */
export const WORKSPACE_ID_LABEL = 'slipway.dev/workspace-id';

/** Id of the workspace that an object belongs to; empty for an object of no workspace. */
export function workspaceIdOf(object: { metadata: ObjectMeta }): string {
  return object.metadata.labels?.[WORKSPACE_ID_LABEL] ?? '';
}

/** Entity ref of a user or subject of a service token; an annotation, as labels take neither `:` nor `/`. */
export const OWNER_ANNOTATION = 'slipway.dev/owner';

const MANAGED_BY_LABEL = 'app.kubernetes.io/managed-by';
const INSTANCE_LABEL = 'app.kubernetes.io/instance';
const PART_OF_LABEL = 'app.kubernetes.io/part-of';
const MANAGER = 'slipway';

/** Labels of everything that one portal makes; another portal of the same cluster has another instance. */
export function managedLabels(instance: string): Record<string, string> {
  return {
    [MANAGED_BY_LABEL]: MANAGER,
    [INSTANCE_LABEL]: instance,
    [PART_OF_LABEL]: 'ide-launcher',
  };
}

/** Selects what {@link managedLabels} marks. */
export function managedSelector(instance: string): string {
  return `${MANAGED_BY_LABEL}=${MANAGER},${INSTANCE_LABEL}=${instance}`;
}

/** Whether an object was made by this portal. */
export function isManaged(
  labels: Record<string, string> | undefined,
  instance: string,
): boolean {
  return (
    labels?.[MANAGED_BY_LABEL] === MANAGER &&
    labels[INSTANCE_LABEL] === instance
  );
}
