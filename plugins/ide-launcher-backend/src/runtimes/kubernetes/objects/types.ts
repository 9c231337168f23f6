/**
 * The parts of the cluster's objects that the portal reads or writes.
 *
 * @see https://github.com/devfile/api, `workspace.devfile.io/v1alpha2`
 */

/** Group, version and plurals of the operator's custom resources. */
export const DEVWORKSPACE_API = {
  group: 'workspace.devfile.io',
  version: 'v1alpha2',
  workspaces: 'devworkspaces',
  templates: 'devworkspacetemplates',
} as const;

/** `apiVersion` of the operator's custom resources. */
export const DEVWORKSPACE_API_VERSION =
  `${DEVWORKSPACE_API.group}/${DEVWORKSPACE_API.version}` as const;

/** Metadata of any cluster object. */
export interface ObjectMeta {
  name: string;
  namespace?: string;
  uid?: string;
  resourceVersion?: string;
  /** RFC 3339; set while the object is being deleted. */
  deletionTimestamp?: string | Date;
  labels?: Record<string, string>;
  annotations?: Record<string, string>;
  ownerReferences?: OwnerReference[];
}

/** The object that owns another one, which is deleted with it. */
interface OwnerReference {
  apiVersion: string;
  kind: string;
  name: string;
  uid: string;
  controller?: boolean;
  blockOwnerDeletion?: boolean;
}

/** The body of a devfile in the cluster's format: no schemaVersion, no metadata. */
export type TemplateSpec = Record<string, unknown>;

/** One condition reported by the operator. */
export interface DevWorkspaceCondition {
  type: string;
  /** `True`, `False` or `Unknown`. */
  status: string;
  reason?: string;
  message?: string;
  lastTransitionTime?: string;
}

/** A workspace in the cluster. */
export interface DevWorkspace {
  apiVersion: string;
  kind: 'DevWorkspace';
  metadata: ObjectMeta;
  spec: {
    started: boolean;
    routingClass?: string;
    template?: TemplateSpec;
    contributions?: { name: string; kubernetes: { name: string } }[];
  };
  status?: {
    devworkspaceId?: string;
    phase?: string;
    mainUrl?: string;
    message?: string;
    conditions?: DevWorkspaceCondition[];
  };
}

/** The editor of one workspace, referenced by the workspace as a contribution. */
export interface DevWorkspaceTemplate {
  apiVersion: string;
  kind: 'DevWorkspaceTemplate';
  metadata: ObjectMeta;
  spec: TemplateSpec;
}

/** A namespace of the cluster. */
export interface Namespace {
  apiVersion?: string;
  kind?: string;
  metadata: ObjectMeta;
}

/** The rules for connections to the pods of a namespace. */
export interface NetworkPolicy {
  apiVersion: 'networking.k8s.io/v1';
  kind: 'NetworkPolicy';
  metadata: ObjectMeta;
  spec: {
    podSelector: Record<string, never>;
    policyTypes: ['Ingress'];
    ingress: { from: Record<string, unknown>[] }[];
  };
}

/** An event that the cluster reports for a pod or another object, e.g. that an image cannot be pulled. */
export interface ClusterEvent {
  type?: string;
  reason?: string;
  message?: string;
  involvedObject: { kind?: string; name?: string };
  metadata: { uid?: string; resourceVersion?: string };
  count?: number;
}

/** Label with the id of the workspace that an object belongs to. */
export const WORKSPACE_ID_LABEL = 'slipway.dev/workspace-id';

/** Returns the id of the workspace that an object belongs to; empty if it belongs to none. */
export function workspaceIdOf(object: { metadata: ObjectMeta }): string {
  return object.metadata.labels?.[WORKSPACE_ID_LABEL] ?? '';
}

/**
 * Entity ref of a user or subject of a service token. An annotation, because labels allow
 * neither `:` nor `/`.
 */
export const OWNER_ANNOTATION = 'slipway.dev/owner';

const MANAGED_BY_LABEL = 'app.kubernetes.io/managed-by';
const INSTANCE_LABEL = 'app.kubernetes.io/instance';
const PART_OF_LABEL = 'app.kubernetes.io/part-of';
const MANAGER = 'slipway';

/**
 * Returns the labels of all objects created by one portal; other portals in the same cluster
 * have another instance.
 */
export function managedLabels(instance: string): Record<string, string> {
  return {
    [MANAGED_BY_LABEL]: MANAGER,
    [INSTANCE_LABEL]: instance,
    [PART_OF_LABEL]: 'ide-launcher',
  };
}

/** Returns a selector for {@link managedLabels}. */
export function managedSelector(instance: string): string {
  return `${MANAGED_BY_LABEL}=${MANAGER},${INSTANCE_LABEL}=${instance}`;
}

/** Returns whether an object was created by this portal. */
export function isManaged(
  labels: Record<string, string> | undefined,
  instance: string,
): boolean {
  return (
    labels?.[MANAGED_BY_LABEL] === MANAGER &&
    labels[INSTANCE_LABEL] === instance
  );
}
