import { ExternalWorkspaceChange } from '../runtimes/WorkspaceRuntime';
import { FakeRuntime } from './FakeRuntime';

/** An in-memory runtime that others can change too. */
export class SharedFakeRuntime extends FakeRuntime {
  readonly #listeners = new Set<(change: ExternalWorkspaceChange) => void>();

  onExternalChange(
    listener: (change: ExternalWorkspaceChange) => void,
  ): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  /** Changes a workspace from outside of the portal. */
  changeFromOutside(id: string, parts: Partial<ExternalWorkspaceChange>): void {
    const change: ExternalWorkspaceChange = {
      id,
      status: 'Running',
      failure: null,
      message: null,
      target: this.target,
      editor: { id: 'fake', title: 'Fake editor', version: '1.0.0' },
      ...parts,
    };
    this.#listeners.forEach(listener => listener(change));
  }
}
