import { WorkspaceMove } from '../runtimes/WorkspaceRuntime';
import { FakeRuntime } from './FakeRuntime';

/** An in-memory runtime that others can change too. */
export class SharedFakeRuntime extends FakeRuntime {
  readonly #listeners = new Set<(move: WorkspaceMove) => void>();

  onMove(listener: (move: WorkspaceMove) => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  /** Changes a workspace from outside of the portal. */
  move(id: string, change: Partial<WorkspaceMove>): void {
    const move: WorkspaceMove = {
      id,
      status: 'Running',
      failure: null,
      message: null,
      target: this.target,
      editor: { id: 'fake', title: 'Fake editor', version: '1.0.0' },
      ...change,
    };
    this.#listeners.forEach(listener => listener(move));
  }
}
