import type { RequestOptions } from 'node:https';
import { setTimeout as sleep } from 'node:timers/promises';
import type {
  V1Job,
  V1PersistentVolumeClaim,
  V1Pod,
  V1Secret,
} from '@kubernetes/client-node';
import {
  ClusterRequests,
  type ClusterRequestOptions,
  orUndefined,
} from '@slipway/cluster-client';

const POLL_MS = 250;
const PAGE_SIZE = 500;

/** Reads and writes the objects of builds, all in one namespace. */
export class BuildCluster {
  readonly namespace: string;
  readonly #requests: ClusterRequests;

  constructor(options: ClusterRequestOptions & { namespace: string }) {
    this.#requests = new ClusterRequests(options);
    this.namespace = options.namespace;
  }

  createJob(body: V1Job): Promise<V1Job> {
    const { namespace } = this;
    return this.#requests.call(`create jobs in ${namespace}`, ({ batch }) =>
      batch.createNamespacedJob({ namespace, body }),
    );
  }

  async createSecret(body: V1Secret): Promise<void> {
    const { namespace } = this;
    await this.#requests.call(`create secrets in ${namespace}`, ({ core }) =>
      core.createNamespacedSecret({ namespace, body }),
    );
  }

  async createClaim(body: V1PersistentVolumeClaim): Promise<void> {
    const { namespace } = this;
    await this.#requests.call(
      `create persistentvolumeclaims in ${namespace}`,
      ({ core }) =>
        core.createNamespacedPersistentVolumeClaim({ namespace, body }),
    );
  }

  /** Lets a suspended Job start. */
  async resume(name: string): Promise<void> {
    const { namespace } = this;
    await this.#requests.call(
      `change jobs in ${namespace}`,
      ({ client, batch }) =>
        batch.patchNamespacedJob(
          { name, namespace, body: { spec: { suspend: false } } },
          client.setHeaderOptions(
            'Content-Type',
            client.PatchStrategy.MergePatch,
          ),
        ),
    );
  }

  getJob(name: string): Promise<V1Job | undefined> {
    const { namespace } = this;
    return orUndefined(
      this.#requests.call(`read jobs in ${namespace}`, ({ batch }) =>
        batch.readNamespacedJob({ name, namespace }),
      ),
    );
  }

  async listJobs(labelSelector: string): Promise<V1Job[]> {
    const { namespace } = this;
    const jobs: V1Job[] = [];
    let position: string | undefined;
    do {
      const page = {
        ...{ namespace, labelSelector, limit: PAGE_SIZE },
        _continue: position,
      };
      const { items, metadata } = await this.#requests.call(
        `list jobs in ${namespace}`,
        ({ batch }) => batch.listNamespacedJob(page),
      );
      jobs.push(...items);
      position = metadata?._continue;
    } while (position);
    return jobs;
  }

  /** Lists the pods of a Job. */
  async listPods(job: string): Promise<V1Pod[]> {
    const { namespace } = this;
    const { items } = await this.#requests.call(
      `list pods in ${namespace}`,
      ({ core }) =>
        core.listNamespacedPod({
          namespace,
          labelSelector: `batch.kubernetes.io/job-name=${job}`,
        }),
    );
    return items;
  }

  /** Returns the URL of a stream of a pod, and the request options to open it with. */
  async locateStream(
    pod: string,
    kind: 'exec' | 'log',
    query: URLSearchParams,
  ): Promise<{ url: URL; settings: RequestOptions }> {
    const { config } = await this.#requests.connect();
    const settings: RequestOptions = {};
    await config.applyToHTTPSOptions(settings);
    const server = config.getCurrentCluster()?.server ?? '';
    const path = `/api/v1/namespaces/${this.namespace}/pods/${pod}/${kind}`;
    return { url: new URL(`${server}${path}?${query}`), settings };
  }

  /** Deletes a Job, its pods and everything that it owns; does nothing if it is gone. */
  async deleteJob(name: string): Promise<void> {
    const { namespace } = this;
    await orUndefined(
      this.#requests.call(`delete jobs in ${namespace}`, ({ batch }) =>
        batch.deleteNamespacedJob({
          ...{ name, namespace },
          body: { propagationPolicy: 'Foreground' },
        }),
      ),
    );
  }

  /** Waits until a deleted Job is gone, and its pods with it. @returns false after `timeoutMs`. */
  async untilGone(name: string, timeoutMs: number): Promise<boolean> {
    for (const until = performance.now() + timeoutMs; ;) {
      if (!(await this.getJob(name))) {
        return true;
      }
      if (performance.now() > until) {
        return false;
      }
      await sleep(POLL_MS);
    }
  }
}
