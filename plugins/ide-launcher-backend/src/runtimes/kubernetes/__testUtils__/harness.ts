import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { mockServices } from '@backstage/backend-test-utils';
import { makeDevfile } from '../../../__testUtils__/devfile';
import { RawDevfile } from '../../../devfile/schema/devfile';
import {
  StartReporter,
  ExternalWorkspaceChange,
  WorkspaceSpec,
} from '../../WorkspaceRuntime';
import { KubernetesRuntime } from '../KubernetesRuntime';
import { KubernetesRuntimeOptions } from '../options';
import { cheCodeEditor } from '../objects/editorTemplate';
import { API_TOKEN, FakeApiServer } from './FakeApiServer';
import { FakeOperator } from './FakeOperator';

/** A devfile with one of each element that matters to a cluster. */
export const FLAT_DEVFILE: RawDevfile = {
  schemaVersion: '2.2.2',
  metadata: { name: 'shop', version: '1.4.0' },
  attributes: { team: 'payments' },
  components: [
    {
      name: 'tools',
      container: {
        image: 'example.org/tools:1',
        memoryLimit: '2Gi',
        cpuRequest: '100m',
        mountSources: true,
        env: [{ name: 'STAGE', value: 'dev' }],
        volumeMounts: [{ name: 'cache', path: '/cache' }],
        endpoints: [{ name: 'web', targetPort: 8080, exposure: 'public' }],
      },
    },
    { name: 'cache', volume: { size: '1Gi' } },
  ],
  commands: [
    {
      id: 'test',
      exec: {
        component: 'tools',
        commandLine: 'npm test',
        workingDir: '${PROJECT_SOURCE}',
        group: { kind: 'test', isDefault: true },
      },
    },
  ],
  projects: [
    {
      name: 'shop',
      git: { remotes: { origin: 'https://forge.example.org/shop.git' } },
    },
  ],
  events: { postStart: ['test'] },
};

/** Records the reports of a start. */
export class RecordingReporter implements StartReporter {
  readonly steps = new Map<
    string,
    { title: string; state: string; message?: string | null }
  >();
  readonly lines: string[] = [];
  readonly warnings: string[] = [];

  step(reported: Parameters<StartReporter['step']>[0]): void {
    const { id, title, state, message } = reported;
    this.steps.set(id, { title, state, message });
  }

  log(_source: string, text: string): void {
    this.lines.push(text);
  }

  warn(message: string): void {
    this.warnings.push(message);
  }
}

/** A fake cluster, its operator, and runtimes that connect to it with a kubeconfig. */
export class ClusterHarness {
  readonly server = new FakeApiServer();
  readonly operator = new FakeOperator(this.server);
  readonly folder = mkdtempSync(path.join(tmpdir(), 'kubernetes-runtime-'));
  readonly #runtimes: KubernetesRuntime[] = [];

  static async start(): Promise<ClusterHarness> {
    const harness = new ClusterHarness();
    await harness.server.start();
    return harness;
  }

  /** Returns the path of a kubeconfig for the fake cluster. */
  kubeconfig(token = API_TOKEN): string {
    const file = path.join(this.folder, `kubeconfig-${token}`);
    writeFileSync(
      file,
      JSON.stringify({
        apiVersion: 'v1',
        kind: 'Config',
        'current-context': 'test',
        clusters: [
          {
            name: 'test',
            cluster: {
              server: this.server.url,
              'insecure-skip-tls-verify': true,
            },
          },
        ],
        users: [{ name: 'portal', user: { token } }],
        contexts: [
          { name: 'test', context: { cluster: 'test', user: 'portal' } },
        ],
      }),
    );
    return file;
  }

  options(
    limits: Partial<KubernetesRuntimeOptions['limits']> = {},
  ): KubernetesRuntimeOptions {
    return {
      logger: mockServices.rootLogger(),
      connection: { kind: 'kubeconfig', file: this.kubeconfig() },
      instance: 'slipway',
      routingClass: 'cluster',
      reachableFrom: ['slipway', 'devworkspace-controller'],
      podSecurity: 'baseline',
      storageType: 'per-workspace',
      defaultImage: 'example.org/general:1',
      editor: { id: 'che-code', title: 'VS Code', version: null },
      editorTemplate: cheCodeEditor('example.org/che-code:1'),
      limits: {
        requestTimeoutMs: 10_000,
        requestAttempts: 3,
        startTimeoutMs: 60_000,
        stopTimeoutMs: 5_000,
        watchBackoffMaxMs: 1_000,
        eventIntervalMs: 2_000,
        ...limits,
      },
    };
  }

  /** Creates a runtime that watches the fake cluster, like the portal's. */
  runtime(
    options: Partial<KubernetesRuntimeOptions> = {},
    limits: Partial<KubernetesRuntimeOptions['limits']> = {},
  ): KubernetesRuntime {
    const runtime = new KubernetesRuntime({
      ...this.options(limits),
      ...options,
    });
    this.#runtimes.push(runtime);
    return runtime;
  }

  spec(
    id: string,
    parts: Partial<WorkspaceSpec> & { flat?: RawDevfile } = {},
  ): WorkspaceSpec {
    const { flat = FLAT_DEVFILE, ...rest } = parts;
    return {
      id,
      name: 'shop-x1y2',
      namespace: 'ada-workspaces',
      owner: 'user:default/ada',
      devfile: makeDevfile({ flat }),
      ...rest,
    };
  }

  /** Stops everything. @throws Error if the runtimes sent objects that a cluster would reject. */
  async close(): Promise<void> {
    for (const runtime of this.#runtimes) {
      await runtime.shutdown();
    }
    this.operator.stop();
    await this.server.stop();
    rmSync(this.folder, { recursive: true, force: true });
    if (this.server.refused.length > 0) {
      throw new Error(
        `The cluster would not take what it was sent: ${this.server.refused.join(
          '; ',
        )}`,
      );
    }
  }
}

/** Collects the changes that a runtime reports. */
export function recordChanges(
  runtime: KubernetesRuntime,
): ExternalWorkspaceChange[] {
  const changes: ExternalWorkspaceChange[] = [];
  runtime.onExternalChange(change => changes.push(change));
  return changes;
}
