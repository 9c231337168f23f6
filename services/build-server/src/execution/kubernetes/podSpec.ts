import type { V1PodSpec } from '@kubernetes/client-node';

/** Labels and annotations of everything that belongs to a build. */
export const LABELS = {
  instance: 'slipway.dev/instance',
  build: 'slipway.dev/build',
  attempt: 'slipway.dev/attempt',
  /** `files` for the Job that owns all others of an attempt, `step` for those. */
  role: 'slipway.dev/role',
  /** An annotation: the process that owns the attempt. */
  worker: 'slipway.dev/worker',
} as const;

/** The container of every pod. */
export const CONTAINER = 'build';
/** The folders of a build in its pods. */
export const INSIDE = {
  root: '/build',
  work: '/build/work',
  home: '/build/home',
  tmp: '/build/tmp',
} as const;

/** Removes finished Jobs if the build server never comes back. */
const TTL_SECONDS = 3_600;

/** Settings of the operator for all pods. */
export interface PodSettings {
  namespace: string;
  /** Distinguishes the objects of this build server from those of others in the namespace. */
  instance: string;
  memoryMiB: number;
  cpus: number;
  uid: number;
  nodeSelector?: Readonly<Record<string, string>>;
  imagePullSecrets?: readonly string[];
  storage: {
    className?: string;
    sizeGiB: number;
    accessMode: 'ReadWriteOnce' | 'ReadWriteMany';
  };
}

/** One attempt of a build. */
export interface AttemptKey {
  id: number;
  attempt: number;
  worker: string;
}

/** @param part - `files`, or the number of a command. */
export function nameOf(
  { instance }: Pick<PodSettings, 'instance'>,
  { id, attempt }: Omit<AttemptKey, 'worker'>,
  part: string,
): string {
  return `${instance}-b${id}-a${attempt}-${part}`;
}

export function jobSpec(
  labels: Record<string, string>,
  deadlineSeconds: number,
  spec: V1PodSpec,
) {
  return {
    // A second pod would be a second run of the same attempt.
    backoffLimit: 0,
    parallelism: 1,
    completions: 1,
    podReplacementPolicy: 'Failed',
    activeDeadlineSeconds: deadlineSeconds,
    ttlSecondsAfterFinished: TTL_SECONDS,
    template: { metadata: { labels }, spec },
  };
}

export function podSpec(
  settings: PodSettings,
  key: AttemptKey,
  { killAfterSeconds }: { killAfterSeconds: number },
): Omit<V1PodSpec, 'containers'> {
  const { uid, nodeSelector, imagePullSecrets, instance, storage } = settings;
  return {
    restartPolicy: 'Never',
    automountServiceAccountToken: false,
    enableServiceLinks: false,
    terminationGracePeriodSeconds: Math.max(1, Math.ceil(killAfterSeconds)),
    securityContext: {
      runAsNonRoot: true,
      runAsUser: uid,
      runAsGroup: uid,
      fsGroup: uid,
      fsGroupChangePolicy: 'OnRootMismatch',
      seccompProfile: { type: 'RuntimeDefault' },
    },
    ...(nodeSelector && { nodeSelector: { ...nodeSelector } }),
    ...(imagePullSecrets && {
      imagePullSecrets: imagePullSecrets.map(name => ({ name })),
    }),
    // Such a volume can be mounted by one node only.
    ...(storage.accessMode === 'ReadWriteOnce' && {
      affinity: {
        podAffinity: {
          requiredDuringSchedulingIgnoredDuringExecution: [
            {
              topologyKey: 'kubernetes.io/hostname',
              labelSelector: {
                matchLabels: {
                  [LABELS.instance]: instance,
                  [LABELS.build]: String(key.id),
                  [LABELS.attempt]: String(key.attempt),
                },
              },
            },
          ],
        },
      },
    }),
    volumes: [
      {
        name: 'build',
        persistentVolumeClaim: { claimName: nameOf(settings, key, 'files') },
      },
      { name: 'tmp', emptyDir: { sizeLimit: '1Gi' } },
    ],
  };
}

export function containerOf(image: string) {
  return {
    name: CONTAINER,
    image,
    workingDir: INSIDE.root,
    env: [
      { name: 'HOME', value: INSIDE.home },
      { name: 'TMPDIR', value: INSIDE.tmp },
      { name: 'LANG', value: 'C.UTF-8' },
      { name: 'WORKSPACE', value: INSIDE.work },
    ],
    securityContext: {
      allowPrivilegeEscalation: false,
      privileged: false,
      readOnlyRootFilesystem: true,
      capabilities: { drop: ['ALL'] },
    },
    volumeMounts: [
      { name: 'build', mountPath: INSIDE.root },
      { name: 'tmp', mountPath: '/tmp' },
    ],
  };
}

export function resourcesOf(
  { memoryMiB, cpus }: PodSettings,
  { cpuRequest = `${Math.round(cpus * 1_000)}m` }: { cpuRequest?: string },
) {
  return {
    requests: {
      cpu: cpuRequest,
      memory: `${memoryMiB}Mi`,
      // Without one, a pod is the first to be evicted.
      'ephemeral-storage': '1Gi',
    },
    limits: {
      cpu: `${Math.round(cpus * 1_000)}m`,
      memory: `${memoryMiB}Mi`,
      'ephemeral-storage': '4Gi',
    },
  };
}
