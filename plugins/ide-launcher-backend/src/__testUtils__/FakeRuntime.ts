import {
  EditorAvailability,
  WorkspaceIsolation,
} from '@slipway/plugin-ide-launcher-common';
import {
  IdeTarget,
  ObservedWorkspace,
  PortTarget,
  StartedWorkspace,
  StartReporter,
  WorkspaceExit,
  WorkspaceRuntime,
  WorkspaceSpec,
} from '../runtimes/WorkspaceRuntime';

const EDITOR = { id: 'fake', title: 'Fake editor', version: '1.0.0' };

/**
 * An in-memory runtime. Starts wait for `release`, unless `instant` is set, so that
 * tests control the timing; all calls are recorded.
 */
export class FakeRuntime implements WorkspaceRuntime {
  readonly kind = 'fake';
  readonly running = new Map<string, IdeTarget>();
  readonly existing = new Set<string>();
  /** The specification of the last start of each workspace. */
  readonly specs = new Map<string, WorkspaceSpec>();
  readonly stopped: string[] = [];
  readonly deleted: string[] = [];
  readonly ports = new Map<string, PortTarget>();
  instant = true;
  failWith: Error | undefined;
  failStopWith: Error | undefined;
  target: IdeTarget = { kind: 'socket', path: '/nonexistent.sock' };
  readonly #listeners = new Set<(exit: WorkspaceExit) => void>();
  readonly #waiting = new Map<string, () => void>();

  prepare(): void {}

  editor(): EditorAvailability {
    return { state: 'ready', editor: EDITOR, progress: null, message: null };
  }

  isolation(): WorkspaceIsolation {
    return {
      kind: 'none',
      network: 'shared',
      limits: { memoryMebibytes: null, processes: null, openFiles: null },
      gaps: ['Nothing is kept apart in memory.'],
    };
  }

  unsupported(): string[] {
    return ['Volumes are not kept apart'];
  }

  async start(
    spec: WorkspaceSpec,
    reporter: StartReporter,
    signal: AbortSignal,
  ): Promise<StartedWorkspace> {
    this.existing.add(spec.id);
    this.specs.set(spec.id, spec);
    reporter.step({ id: 'ide', title: 'Start the IDE', state: 'running' });
    if (!this.instant) {
      await new Promise<void>((resolve, reject) => {
        this.#waiting.set(spec.id, resolve);
        signal.addEventListener('abort', () => reject(signal.reason));
      });
    }
    signal.throwIfAborted();
    if (this.failWith) {
      throw this.failWith;
    }
    reporter.step({ id: 'ide', title: 'Start the IDE', state: 'done' });
    reporter.log('slipway', `${spec.name} is up`);
    this.running.set(spec.id, this.target);
    return { target: this.target, editor: EDITOR };
  }

  /** Completes a waiting start. */
  release(id: string): void {
    this.#waiting.get(id)?.();
  }

  async stop(id: string, _signal?: AbortSignal): Promise<void> {
    this.stopped.push(id);
    if (this.failStopWith) {
      throw this.failStopWith;
    }
    this.running.delete(id);
  }

  async delete(id: string): Promise<void> {
    this.deleted.push(id);
    this.running.delete(id);
    this.existing.delete(id);
  }

  async list(): Promise<ObservedWorkspace[]> {
    return [...this.existing].map(id => ({
      id,
      running: this.running.has(id),
      target: this.running.get(id) ?? null,
      editor: EDITOR,
    }));
  }

  async port(id: string, targetPort: number): Promise<PortTarget | null> {
    return this.ports.get(`${id}:${targetPort}`) ?? null;
  }

  onExit(listener: (exit: WorkspaceExit) => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  /** Ends a running workspace, like a crash. */
  crash(id: string, reason: string): void {
    this.running.delete(id);
    this.#listeners.forEach(listener => listener({ id, reason }));
  }

  async shutdown(): Promise<void> {}
}
