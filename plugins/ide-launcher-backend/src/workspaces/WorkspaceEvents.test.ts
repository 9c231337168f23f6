import { mockServices } from '@backstage/backend-test-utils';
import { NotificationSendOptions } from '@backstage/plugin-notifications-node';
import { aWorkspace } from '../__testUtils__/workspaces';
import { notifyOwners } from './WorkspaceEvents';

function createNotifications() {
  const sent: NotificationSendOptions[] = [];
  const notify = notifyOwners({
    notifications: { send: async options => void sent.push(options) },
    logger: mockServices.rootLogger(),
  });
  return { notify, sent };
}

const workspace = aWorkspace({ name: 'shop' });

describe('notifyOwners', () => {
  it('notifies only of a slow start', () => {
    const { notify, sent } = createNotifications();
    notify(workspace, 'Running', { kind: 'started', durationMs: 2_000 });
    notify(workspace, 'Running', { kind: 'started', durationMs: 45_000 });

    expect(sent).toEqual([
      {
        recipients: { type: 'entity', entityRef: 'user:default/ada' },
        payload: {
          title: 'shop is running',
          severity: 'normal',
          link: `/workspaces/${workspace.id}`,
          topic: 'workspaces',
          scope: workspace.id,
        },
      },
    ]);
  });

  it('notifies of an error with its cause', () => {
    const { notify, sent } = createNotifications();
    notify(workspace, 'Stopped', {
      kind: 'failed',
      cause: 'The editor was killed (SIGKILL)',
    });

    expect(sent[0].payload).toMatchObject({
      title: 'shop failed',
      description: 'The editor was killed (SIGKILL)',
      severity: 'high',
    });
  });

  it('sends no notifications about workspaces of service tokens', () => {
    const { notify, sent } = createNotifications();
    notify({ ...workspace, owner: 'dev-service' }, 'Stopped', {
      kind: 'failed',
      cause: 'cause',
    });

    expect(sent).toEqual([]);
  });
});
