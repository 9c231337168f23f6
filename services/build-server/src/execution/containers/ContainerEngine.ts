import type { IncomingMessage } from 'node:http';
import {
  demultiplex,
  EngineError,
  findField,
  textOf,
} from './engineResponses.ts';

const TIMEOUT_MS = 30_000;
/** Shorter, because a page waits for the response. */
const DESCRIBE_TIMEOUT_MS = 10_000;
/** Long enough for images of several gigabytes. */
const PULL_TIMEOUT_MS = 900_000;
/** The definition of a container, in the engine's terms. */
export interface ContainerSpec {
  Image: string;
  /** The image's own program by default. */
  Cmd?: readonly string[];
  Env: readonly string[];
  /** The image's own user by default. */
  User?: string;
  WorkingDir?: string;
  Labels: Readonly<Record<string, string>>;
  HostConfig: object;
}

/** A container in a list of the engine, in its terms. */
export interface ListedContainer {
  Id: string;
  Labels: Readonly<Record<string, string>>;
}

/** The properties that an engine reports about itself. */
export interface EngineFacts {
  /** With its version. */
  name: string;
  /** True if it runs without root privileges. */
  isRootless: boolean;
  hasSeccomp: boolean;
  limitsMemory: boolean;
  limitsProcesses: boolean;
  /** True if a rootless engine can keep the host's user ids in containers, as podman's `keep-id` does. */
  mapsHostIds: boolean;
}

/** Talks to podman or docker through their common API, over a local socket. */
export class ContainerEngine {
  readonly #socket: string;

  /** @param socket - absolute, e.g. `/run/podman/podman.sock`. */
  constructor(socket: string) {
    this.#socket = socket;
  }

  /** Describes the engine. @throws EngineError if it is unreachable. */
  async describe(): Promise<EngineFacts> {
    const get = (path: string) =>
      this.#json('GET', path, undefined, DESCRIBE_TIMEOUT_MS);
    const [version, info] = (await Promise.all([
      get('/version'),
      get('/info'),
    ])) as [
      { Version?: string; Components?: { Name?: string }[] },
      {
        SecurityOptions?: string[];
        /** Podman's own field: version 4 lacks the option. */
        Rootless?: boolean;
        CgroupVersion?: string;
        MemoryLimit?: boolean;
        PidsLimit?: boolean;
      },
    ];
    const [{ Name = 'Container engine' } = {}] = version.Components ?? [];
    const options = info.SecurityOptions ?? [];
    const has = (name: string) =>
      options.some(option => option.split(',')[0] === `name=${name}`);
    const isRootless = info.Rootless ?? has('rootless');
    // Rootless engines silently ignore limits in control groups of version 1.
    const limits = !(isRootless && info.CgroupVersion === '1');
    return {
      name: [Name, version.Version].filter(Boolean).join(' '),
      isRootless,
      hasSeccomp: has('seccomp'),
      limitsMemory: limits && (info.MemoryLimit ?? false),
      limitsProcesses: limits && (info.PidsLimit ?? false),
      mapsHostIds: isRootless && Name.startsWith('Podman'),
    };
  }

  /** Pulls an image, if it is missing. */
  async pullIfMissing(image: string): Promise<void> {
    const at = `/images/${encodeURIComponent(image)}/json`;
    const isHere = () =>
      this.#json('GET', at).then(
        () => true,
        (error: unknown) => {
          if (error instanceof EngineError && error.status === 404) {
            return false;
          }
          throw error;
        },
      );
    if (await isHere()) {
      return;
    }
    // A failed pull has status 200 and reports the error in its body.
    const text = await this.#text(
      'POST',
      `/images/create?fromImage=${encodeURIComponent(image)}`,
      { timeoutMs: PULL_TIMEOUT_MS },
    );
    if (!(await isHere())) {
      const why = findField('error', text) ?? 'it is not there';
      throw new EngineError(404, `the image ${image} was not pulled: ${why}`);
    }
  }

  /** Returns the user that an image runs as. */
  async userOf(image: string): Promise<string> {
    const { Config } = (await this.#json(
      'GET',
      `/images/${encodeURIComponent(image)}/json`,
    )) as { Config?: { User?: string } };
    return Config?.User || '0:0';
  }

  /** Creates a container. @returns its id. */
  async create(name: string, spec: ContainerSpec): Promise<string> {
    const path = `/containers/create?name=${encodeURIComponent(name)}`;
    return ((await this.#json('POST', path, spec)) as { Id: string }).Id;
  }

  async start(id: string): Promise<void> {
    await this.#json('POST', `/containers/${id}/start`);
  }

  /**
   * Waits until a container has ended.
   *
   * @returns its exit code, and whether the engine killed it for using too much memory.
   */
  async wait(id: string): Promise<{ code: number; isOutOfMemory: boolean }> {
    const { StatusCode } = (await this.#json(
      'POST',
      `/containers/${id}/wait`,
      undefined,
      0,
    )) as { StatusCode: number };
    const { State } = (await this.#json('GET', `/containers/${id}/json`)) as {
      State: { OOMKilled?: boolean };
    };
    return { code: StatusCode, isOutOfMemory: State.OOMKilled ?? false };
  }

  async signal(id: string, signal: 'SIGTERM' | 'SIGKILL'): Promise<void> {
    await this.#json('POST', `/containers/${id}/kill?signal=${signal}`);
  }

  /** Stops and removes a container; does nothing if it no longer exists. */
  async remove(id: string): Promise<void> {
    await this.#json('DELETE', `/containers/${id}?force=true&v=true`).catch(
      (error: unknown) => {
        if (!(error instanceof EngineError && error.status === 404)) {
          throw error;
        }
      },
    );
  }

  /** Lists containers that have a label, including stopped ones. */
  async list(label: string): Promise<ListedContainer[]> {
    const filters = encodeURIComponent(JSON.stringify({ label: [label] }));
    return (await this.#json(
      'GET',
      `/containers/json?all=true&filters=${filters}`,
    )) as ListedContainer[];
  }

  /**
   * Attaches to the output of a container before it is started, so that none is lost.
   *
   * @returns the parts in order.
   */
  async attach(
    id: string,
  ): Promise<AsyncIterable<{ stream: 'stdout' | 'stderr'; chunk: Buffer }>> {
    const path = `/containers/${id}/attach?stream=true&stdout=true&stderr=true`;
    const response = await this.#request('POST', path, { timeoutMs: 0 });
    if (response.statusCode !== 200) {
      await textOf(response);
    }
    return demultiplex(response);
  }

  async #json(
    method: string,
    path: string,
    body?: object,
    timeoutMs = TIMEOUT_MS,
  ): Promise<unknown> {
    const text = await this.#text(method, path, { body, timeoutMs });
    return text.trim() === '' ? {} : JSON.parse(text);
  }

  async #text(
    method: string,
    path: string,
    options: { body?: object; timeoutMs: number },
  ): Promise<string> {
    const response = await this.#request(method, path, options);
    return textOf(response);
  }

  #request(
    method: string,
    path: string,
    { body, timeoutMs }: { body?: object; timeoutMs: number },
  ): Promise<IncomingMessage> {
    const text = body && JSON.stringify(body);
    return new Promise((resolve, reject) => {
      // An import would take more memory (docs/adr/0065).
      const http = process.getBuiltinModule('node:http');
      const request = http.request(
        {
          socketPath: this.#socket,
          method,
          path: `/v1.41${path}`,
          headers: {
            host: 'engine',
            ...(text !== undefined && {
              'content-type': 'application/json',
              'content-length': Buffer.byteLength(text),
            }),
          },
          ...(timeoutMs > 0 && { signal: AbortSignal.timeout(timeoutMs) }),
        },
        resolve,
      );
      request.once('error', error =>
        reject(
          new EngineError(0, `the container engine failed: ${error.message}`),
        ),
      );
      request.end(text);
    });
  }
}
