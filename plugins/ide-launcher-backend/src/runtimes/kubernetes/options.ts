import { readFileSync } from 'node:fs';
import { LoggerService } from '@backstage/backend-plugin-api';
import { Config, readDurationFromConfig } from '@backstage/config';
import { InputError } from '@backstage/errors';
import { durationToMilliseconds } from '@backstage/types';
import type { ClusterConnection } from '@slipway/cluster-client';
import { WorkspaceEditor } from '@slipway/plugin-ide-launcher-common';
import { parse } from 'yaml';
import { cheCodeEditor } from './objects/editorTemplate';
import { TemplateSpec } from './objects/types';

/** The levels of Kubernetes' Pod Security Standards. */
const POD_SECURITY_LEVELS = ['baseline', 'restricted', 'privileged'] as const;

/** One of {@link POD_SECURITY_LEVELS}. */
export type PodSecurityLevel = (typeof POD_SECURITY_LEVELS)[number];

/** Options of the Kubernetes runtime. Times are in milliseconds. */
export interface KubernetesRuntimeOptions {
  logger: LoggerService;
  connection: ClusterConnection;
  /** Distinguishes the objects of this portal from those of other portals in the same cluster. */
  instance: string;
  routingClass: string;
  /** Namespaces whose pods may connect to workspaces; null: no network policy, all may connect. */
  reachableFrom: string[] | null;
  /** Level of pod security that the cluster enforces in namespaces that the portal creates. */
  podSecurity: PodSecurityLevel;
  storageType: string;
  /** Image of the editor's container if the devfile has no container. */
  defaultImage: string;
  editor: WorkspaceEditor;
  /** The content of the workspace's editor template. */
  editorTemplate: TemplateSpec;
  limits: {
    /** Timeout of one request to the API server. */
    requestTimeoutMs: number;
    /** Attempts per request, including the first. */
    requestAttempts: number;
    /** Time from the first request of a start until the IDE responds. */
    startTimeoutMs: number;
    /** Time limit for a workspace to stop. */
    stopTimeoutMs: number;
    /** Maximum delay between two attempts to watch. */
    watchBackoffMaxMs: number;
    /** Interval of reading the cluster's events while a workspace starts. */
    eventIntervalMs: number;
  };
}

const CHE_CODE_IMAGE = 'quay.io/che-incubator/che-code:latest';
const DEFAULT_IMAGE = 'quay.io/devfile/universal-developer-image:ubi9-latest';

/** The file with the namespace of the pod, present in every pod. */
const OWN_NAMESPACE_FILE =
  '/var/run/secrets/kubernetes.io/serviceaccount/namespace';

/** The default namespace of the DevWorkspace Operator. */
const OPERATOR_NAMESPACE = 'devworkspace-controller';

/** Pattern of Kubernetes label values. */
const LABEL_VALUE = /^[A-Za-z0-9]([-A-Za-z0-9_.]{0,61}[A-Za-z0-9])?$/;

/**
 * Reads `ideLauncher.kubernetes` of the root configuration. Every key is optional.
 *
 * @throws InputError naming the invalid key.
 */
export function readKubernetesRuntimeOptions(
  root: Config,
  {
    logger,
    ownNamespaceFile = OWN_NAMESPACE_FILE,
  }: { logger: LoggerService; ownNamespaceFile?: string },
): KubernetesRuntimeOptions {
  const config = root.getOptionalConfig('ideLauncher.kubernetes');
  const duration = (key: string, fallback: number) =>
    config?.has(key)
      ? durationToMilliseconds(readDurationFromConfig(config, { key }))
      : fallback;
  const definition = config?.getOptionalString('editor.definitionFile');

  return {
    logger,
    connection: readConnection(config),
    instance: readInstance(config),
    routingClass: config?.getOptionalString('routingClass') ?? 'cluster',
    reachableFrom: readReachableFrom(config, ownNamespaceFile),
    podSecurity: readPodSecurity(config),
    storageType: config?.getOptionalString('storageType') ?? 'per-workspace',
    defaultImage: config?.getOptionalString('defaultImage') ?? DEFAULT_IMAGE,
    editor: {
      id: definition ? 'configured' : 'che-code',
      title:
        config?.getOptionalString('editor.title') ??
        (definition ? 'Editor' : 'VS Code'),
      version: null,
    },
    editorTemplate: definition
      ? readDefinition(definition)
      : cheCodeEditor(
          config?.getOptionalString('editor.image') ?? CHE_CODE_IMAGE,
        ),
    limits: {
      requestTimeoutMs: duration('limits.requestTimeout', 10_000),
      requestAttempts: 4,
      // The operator gives up after 5 minutes without progress, with a reason.
      startTimeoutMs: duration('limits.startTimeout', 15 * 60_000),
      stopTimeoutMs: duration('limits.stopTimeout', 2 * 60_000),
      watchBackoffMaxMs: 1_000,
      eventIntervalMs: 3_000,
    },
  };
}

function readConnection(config: Config | undefined): ClusterConnection {
  const kind = config?.getOptionalString('connection') ?? 'in-cluster';
  if (kind === 'in-cluster') {
    return { kind };
  }
  if (kind !== 'kubeconfig') {
    throw new InputError(
      `ideLauncher.kubernetes.connection must be in-cluster or kubeconfig, not ${kind}`,
    );
  }
  return {
    kind,
    file: config?.getOptionalString('kubeconfig.file'),
    context: config?.getOptionalString('kubeconfig.context'),
  };
}

/**
 * Reads the namespaces whose pods may connect to workspaces. By default, the portal's and the operator's
 * if no other namespace can need access.
 */
function readReachableFrom(
  config: Config | undefined,
  ownNamespaceFile: string,
): string[] | null {
  const named = config?.getOptionalStringArray('reachableFrom');
  if (named) {
    return named.length > 0 ? named : null;
  }
  const routingClass = config?.getOptionalString('routingClass') ?? 'cluster';
  const { kind } = readConnection(config);
  if (routingClass !== 'cluster' || kind !== 'in-cluster') {
    return null;
  }
  try {
    const own = readFileSync(ownNamespaceFile, 'utf8').trim();
    return own ? [own, OPERATOR_NAMESPACE] : null;
  } catch {
    return null;
  }
}

function readPodSecurity(config: Config | undefined): PodSecurityLevel {
  const named = config?.getOptionalString('podSecurity') ?? 'baseline';
  const level = POD_SECURITY_LEVELS.find(known => known === named);
  if (!level) {
    throw new InputError(
      `ideLauncher.kubernetes.podSecurity must be one of ${POD_SECURITY_LEVELS.join(
        ', ',
      )}, not ${named}`,
    );
  }
  return level;
}

function readInstance(config: Config | undefined): string {
  const instance = config?.getOptionalString('instance') ?? 'slipway';
  if (!LABEL_VALUE.test(instance)) {
    throw new InputError(
      'ideLauncher.kubernetes.instance must be the value of a label: at most 63 letters, digits, hyphens, underscores and dots',
    );
  }
  return instance;
}

/** Reads the body of an editor definition, which is a devfile. */
function readDefinition(file: string): TemplateSpec {
  const { schemaVersion, metadata, ...body } = parse(
    readFileSync(file, 'utf8'),
  ) as TemplateSpec;
  return body;
}
