import { DevWorkspace } from '../objects/types';
import { WorkspaceCache } from './WorkspaceCache';

function make(version: string, phase: string, uid = 'first'): DevWorkspace {
  return {
    apiVersion: 'workspace.devfile.io/v1alpha2',
    kind: 'DevWorkspace',
    metadata: {
      name: 'shop',
      namespace: 'ada-workspaces',
      uid,
      resourceVersion: version,
    },
    spec: { started: true },
    status: { phase },
  };
}

describe('WorkspaceCache', () => {
  function recorded() {
    const cache = new WorkspaceCache();
    const phases: (string | undefined)[] = [];
    cache.onChange(now => phases.push(now?.status?.phase));
    return { cache, phases };
  }

  it('drops outdated events, comparing versions as numbers', () => {
    const { cache, phases } = recorded();
    cache.set(make('9', 'Starting'));
    cache.set(make('10', 'Running'));
    cache.set(make('9', 'Starting'));
    expect(phases).toEqual(['Starting', 'Running']);
  });

  it('does not restore deleted objects', () => {
    const { cache, phases } = recorded();
    cache.set(make('9', 'Running'));
    cache.delete(make('11', 'Running'));
    cache.set(make('10', 'Stopping'));
    expect(cache.all()).toEqual([]);
    expect(phases).toEqual(['Running', undefined]);
  });

  it('keeps a recreated object when the deletion of the old one arrives late', () => {
    const { cache } = recorded();
    cache.set(make('9', 'Running'));
    cache.set(make('12', 'Starting', 'second'));
    cache.delete(make('11', 'Running'));
    expect(cache.all().map(({ metadata }) => metadata.uid)).toEqual(['second']);
  });

  it('treats a list as complete, up to its version', () => {
    const { cache } = recorded();
    cache.set(make('9', 'Running'));
    cache.replace([], '8');
    expect(cache.all()).toHaveLength(1);
    cache.replace([], '10');
    expect(cache.all()).toEqual([]);
  });

  it('orders versions that are not numbers by arrival', () => {
    const { cache, phases } = recorded();
    cache.set(make('b', 'Running'));
    cache.set(make('a', 'Stopped'));
    expect(phases).toEqual(['Running', 'Stopped']);
  });
});
