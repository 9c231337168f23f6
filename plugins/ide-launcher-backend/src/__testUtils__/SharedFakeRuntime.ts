import { WorkspaceMove } from '../runtimes/WorkspaceRuntime';
import { FakeRuntime } from './FakeRuntime';

/** A runtime in memory that others reach too. */
export class SharedFakeRuntime extends FakeRuntime {
  readonly #listeners = new Set<(move: WorkspaceMove) => void>();

  onMove(listener: (move: WorkspaceMove) => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  /** Does to a workspace what somebody else does. */
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
