import type {
  V1Job,
  V1OwnerReference,
  V1PersistentVolumeClaim,
  V1Secret,
} from '@kubernetes/client-node';
import {
  type AttemptKey,
  containerOf,
  jobSpec,
  LABELS,
  nameOf,
  podSpec,
  type PodSettings,
  resourcesOf,
} from './podSpec.ts';

/** Longer than any build may take, including a wait for a decision. */
const FILES_DEADLINE_SECONDS = 30 * 24 * 3_600;
/** Extra time in which the build server ends a command first, and reports why. */
const DEADLINE_MARGIN_SECONDS = 60;
/** Keeps the pod of the folders running; exits immediately on SIGTERM. */
const WAIT = `trap 'exit 0' TERM; while :; do sleep 3600 & wait $!; done`;

function metadataOf(
  settings: PodSettings,
  key: AttemptKey,
  options: { part: string; role: 'files' | 'step'; owner?: V1OwnerReference },
) {
  const { part, role, owner } = options;
  return {
    name: nameOf(settings, key, part),
    namespace: settings.namespace,
    labels: {
      [LABELS.instance]: settings.instance,
      [LABELS.build]: String(key.id),
      [LABELS.attempt]: String(key.attempt),
      [LABELS.role]: role,
    },
    annotations: { [LABELS.worker]: key.worker },
    ...(owner && { ownerReferences: [owner] }),
  };
}

/** Returns the reference with which an object is deleted together with a Job. */
export function ownedBy({ metadata }: V1Job): V1OwnerReference {
  return {
    apiVersion: 'batch/v1',
    kind: 'Job',
    name: metadata?.name ?? '',
    uid: metadata?.uid ?? '',
    blockOwnerDeletion: true,
  };
}

/** The Job whose pod keeps the folders of an attempt; owns everything else of the attempt. */
export function filesJob(
  settings: PodSettings,
  key: AttemptKey,
  image: string,
): V1Job {
  const meta = metadataOf(settings, key, { part: 'files', role: 'files' });
  return {
    apiVersion: 'batch/v1',
    kind: 'Job',
    metadata: meta,
    spec: jobSpec(meta.labels, FILES_DEADLINE_SECONDS, {
      ...podSpec(settings, key, { killAfterSeconds: 1 }),
      containers: [
        {
          ...containerOf(image),
          command: ['/bin/sh', '-c', WAIT],
          // It only runs git and tar.
          resources: resourcesOf(settings, { cpuRequest: '100m' }),
        },
      ],
    }),
  };
}

/** The volume claim for the folders of an attempt. */
export function claimOf(
  settings: PodSettings,
  key: AttemptKey,
  owner: V1OwnerReference,
): V1PersistentVolumeClaim {
  const { className, sizeGiB, accessMode } = settings.storage;
  return {
    apiVersion: 'v1',
    kind: 'PersistentVolumeClaim',
    metadata: metadataOf(settings, key, {
      ...{ part: 'files', role: 'files', owner },
    }),
    spec: {
      accessModes: [accessMode],
      ...(className !== undefined && { storageClassName: className }),
      resources: { requests: { storage: `${sizeGiB}Gi` } },
    },
  };
}

/** The Job of one command. It is created suspended, and resumed once its variables exist. */
export function commandJob(
  settings: PodSettings,
  key: AttemptKey,
  options: {
    part: string;
    owner: V1OwnerReference;
    image: string;
    /** Empty for the image's own program. */
    argv: readonly string[];
    timeoutSeconds: number;
    killAfterSeconds: number;
    /** Names and addresses of services. */
    hosts: ReadonlyMap<string, string>;
  },
): V1Job {
  const { part, owner, image, argv, hosts, killAfterSeconds } = options;
  const meta = metadataOf(settings, key, { part, role: 'step', owner });
  const deadline = Math.ceil(options.timeoutSeconds) + DEADLINE_MARGIN_SECONDS;
  return {
    apiVersion: 'batch/v1',
    kind: 'Job',
    metadata: meta,
    spec: {
      ...jobSpec(meta.labels, deadline, {
        ...podSpec(settings, key, { killAfterSeconds }),
        ...(hosts.size > 0 && {
          hostAliases: [...hosts].map(([name, ip]) => ({
            ip,
            hostnames: [name],
          })),
        }),
        containers: [
          {
            ...containerOf(image),
            ...(argv.length > 0 && { command: [...argv] }),
            envFrom: [{ secretRef: { name: meta.name } }],
            resources: resourcesOf(settings, {}),
          },
        ],
      }),
      suspend: true,
    },
  };
}

/** The variables of a command. Names that a shell cannot use are dropped by the cluster. */
export function secretOf(
  settings: PodSettings,
  key: AttemptKey,
  options: {
    part: string;
    owner: V1OwnerReference;
    environment: Readonly<Record<string, string>>;
  },
): V1Secret {
  const { environment, ...rest } = options;
  return {
    apiVersion: 'v1',
    kind: 'Secret',
    metadata: metadataOf(settings, key, { ...rest, role: 'step' }),
    immutable: true,
    type: 'Opaque',
    stringData: { ...environment },
  };
}
