import { RawDevfile } from '../../../devfile/schema/devfile';
import { Devfile, DevfileComponent } from '../../../devfile/types';
import { WorkspaceSpec } from '../../WorkspaceRuntime';
import { KubernetesRuntimeOptions, PodSecurityLevel } from '../options';
import { editorTemplateName } from './editorTemplate';
import {
  managedLabels,
  OWNER_ANNOTATION,
  WORKSPACE_ID_LABEL,
  DEVWORKSPACE_API_VERSION,
  DevWorkspace,
  TemplateSpec,
  Namespace,
  NetworkPolicy,
} from './types';

/** Selects the operator's storage strategy for the files of a workspace. */
const STORAGE_TYPE_ATTRIBUTE = 'controller.devfile.io/storage-type';

type RenderOptions = Pick<
  KubernetesRuntimeOptions,
  'defaultImage' | 'instance' | 'routingClass' | 'storageType'
>;

/**
 * Builds the DevWorkspace object. It is created stopped and started by a patch, so that its
 * editor exists before the operator looks for it.
 *
 * @param devfile - With its parent merged and its variables replaced.
 */
export function renderDevWorkspace(
  spec: Omit<WorkspaceSpec, 'devfile'>,
  devfile: RawDevfile,
  options: RenderOptions,
): DevWorkspace {
  return {
    apiVersion: DEVWORKSPACE_API_VERSION,
    kind: 'DevWorkspace',
    metadata: {
      name: spec.name,
      namespace: spec.namespace,
      labels: {
        ...managedLabels(options.instance),
        [WORKSPACE_ID_LABEL]: spec.id,
      },
      annotations: { [OWNER_ANNOTATION]: spec.owner },
    },
    spec: {
      started: false,
      routingClass: options.routingClass,
      template: renderTemplate(devfile, options),
      contributions: [
        { name: 'editor', kubernetes: { name: editorTemplateName(spec.id) } },
      ],
    },
  };
}

/** Builds the body of the devfile: complete, so that the operator does not fetch a parent. */
function renderTemplate(
  devfile: RawDevfile,
  options: RenderOptions,
): TemplateSpec {
  const { schemaVersion, metadata, parent, variables, ...body } = devfile;
  const components = body.components ?? [];
  const hasContainer = components.some(({ container }) => container);
  return withoutEmpty({
    ...body,
    events: withoutEmpty(body.events ?? {}),
    attributes: {
      [STORAGE_TYPE_ATTRIBUTE]: options.storageType,
      ...body.attributes,
    },
    // The editor runs inside a container of the devfile; add a general one if there is none.
    components: hasContainer
      ? components
      : [
          ...components,
          { name: 'slipway-tools', container: { image: options.defaultImage } },
        ],
  });
}

/** Removes empty values to keep the objects readable: a merged devfile has every list. */
function withoutEmpty(object: Record<string, unknown>): TemplateSpec {
  return Object.fromEntries(
    Object.entries(object).filter(
      ([, value]) =>
        value !== undefined && Object.keys(value as object).length > 0,
    ),
  );
}

/** Lists the parts of a devfile that the DevWorkspace Operator does not support, as sentences for users. */
export function describeUnsupported(devfile: Devfile): string[] {
  const { components, events } = devfile;
  return [
    ...components.flatMap(describeComponent),
    ...(components.some(({ type }) => type === 'container')
      ? []
      : ['The devfile has no container; the editor runs in a default one.']),
    ...describeEventCommands(devfile),
    ...(events.postStop.length > 0
      ? ['The commands of the postStop event are not run.']
      : []),
  ];
}

function describeComponent(component: DevfileComponent): string[] {
  switch (component.type) {
    case 'image':
      return [`Image "${component.imageName}" is not built.`];
    case 'container':
      return component.container.endpoints
        .filter(({ protocol }) => protocol === 'tcp' || protocol === 'udp')
        .map(
          ({ name, protocol }) =>
            `Endpoint "${name}" (${protocol}) cannot be opened in the browser.`,
        );
    default:
      return [];
  }
}

/** Describes event commands that set variables: the operator may refuse to start such a workspace. */
function describeEventCommands({ commands, events }: Devfile): string[] {
  const ofEvents = new Set([...events.postStart, ...events.preStop]);
  return commands.flatMap(command =>
    command.type === 'exec' &&
    ofEvents.has(command.id) &&
    command.env.length > 0
      ? [
          `Command "${command.id}" runs on an event and sets variables, which the cluster does not allow; the workspace may fail to start.`,
        ]
      : [],
  );
}

/** Label with the security level that Kubernetes (Pod Security Admission) enforces in a namespace. */
const POD_SECURITY_LABEL = 'pod-security.kubernetes.io/enforce';

/**
 * Builds the namespace of one owner's workspaces. The operator lets a devfile override settings of its
 * pod (`pod-overrides`, `container-overrides`), even to get access to its node. It cannot check the
 * owner's permissions, because it sees only the portal's account, so the cluster itself must refuse
 * such pods.
 */
export function renderNamespace(options: {
  name: string;
  owner: string;
  instance: string;
  podSecurity: PodSecurityLevel;
}): Namespace {
  return {
    apiVersion: 'v1',
    kind: 'Namespace',
    metadata: {
      name: options.name,
      labels: {
        ...managedLabels(options.instance),
        [POD_SECURITY_LABEL]: options.podSecurity,
      },
      annotations: { [OWNER_ANNOTATION]: options.owner },
    },
  };
}

/** Label that Kubernetes sets on every namespace. */
const NAMESPACE_NAME_LABEL = 'kubernetes.io/metadata.name';

/**
 * Builds a network policy that isolates the pods of an owner's namespace: IDEs do not
 * authenticate, so only the gateway and the operator's health checks may connect.
 *
 * @param options.reachableFrom - Names of the namespaces allowed to connect.
 */
export function renderNetworkPolicy(options: {
  namespace: string;
  instance: string;
  reachableFrom: string[];
}): NetworkPolicy {
  return {
    apiVersion: 'networking.k8s.io/v1',
    kind: 'NetworkPolicy',
    metadata: {
      name: 'slipway-workspaces',
      namespace: options.namespace,
      labels: managedLabels(options.instance),
    },
    spec: {
      podSelector: {},
      policyTypes: ['Ingress'],
      ingress: [
        {
          from: [
            { podSelector: {} },
            ...options.reachableFrom.map(name => ({
              namespaceSelector: {
                matchLabels: { [NAMESPACE_NAME_LABEL]: name },
              },
            })),
          ],
        },
      ],
    },
  };
}
