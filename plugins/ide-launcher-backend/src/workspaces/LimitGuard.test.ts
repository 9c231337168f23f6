import { aWorkspace } from '../__testUtils__/workspaces';
import { openStore } from './__testUtils__/openStore';
import { LimitGuard, WorkspaceLimits } from './policy';
import { workspaceDatabases } from './__testUtils__/workspaceDatabases';

const databases = workspaceDatabases();

async function createGuard(limits: Partial<WorkspaceLimits>) {
  const { store } = await openStore(databases);
  const guard = new LimitGuard({
    store,
    limits: {
      total: 10,
      running: 5,
      everyone: { total: null, running: null },
      ...limits,
    },
  });
  const create = (owner: string) =>
    guard.within(owner, 'create', () =>
      store.insert(
        aWorkspace({
          owner,
          namespace: owner.split('/')[1],
          status: 'Running',
        }),
      ),
    );
  return { create };
}

describe('LimitGuard', () => {
  it('enforces a limit per owner, with advice', async () => {
    const { create } = await createGuard({ running: 1 });
    await create('user:default/ada');
    await create('user:default/grace');
    await expect(create('user:default/ada')).rejects.toThrow(
      'You have 1 of at most 1 running workspaces; stop one to start another',
    );
  });

  it('holds all owners together to the room of the platform, however many come at once', async () => {
    const { create } = await createGuard({
      everyone: { total: 3, running: null },
    });
    const owners = ['ada', 'grace', 'alan', 'edsger', 'barbara'];
    const outcomes = await Promise.allSettled(
      owners.map(name => create(`user:default/${name}`)),
    );
    const refused = outcomes.filter(({ status }) => status === 'rejected');
    expect(refused).toHaveLength(2);
    expect(refused[0]).toMatchObject({
      reason: {
        name: 'NotAllowedError',
        message: expect.stringContaining('has room for 3 workspaces'),
      },
    });
  });

  it('counts what runs of all owners apart', async () => {
    const { create } = await createGuard({
      everyone: { total: null, running: 1 },
    });
    await create('user:default/ada');
    await expect(create('user:default/grace')).rejects.toThrow(
      'room for 1 running workspaces',
    );
  });
});
