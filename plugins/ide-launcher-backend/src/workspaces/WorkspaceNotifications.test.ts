import { mockServices } from '@backstage/backend-test-utils';
import { NotificationSendOptions } from '@backstage/plugin-notifications-node';
import { aWorkspace } from '../__testUtils__/workspaces';
import { WorkspaceNotifications } from './WorkspaceNotifications';

function createNotifications() {
  const sent: NotificationSendOptions[] = [];
  const notifications = new WorkspaceNotifications({
    notifications: { send: async options => void sent.push(options) },
    logger: mockServices.rootLogger(),
  });
  return { notifications, sent };
}

const workspace = aWorkspace({ name: 'shop' });

describe('WorkspaceNotifications', () => {
  it('tells of a start that took long, and of no other', () => {
    const { notifications, sent } = createNotifications();
    notifications.ready(workspace, 2_000);
    notifications.ready(workspace, 45_000);

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

  it('tells of a fault with its cause', () => {
    const { notifications, sent } = createNotifications();
    notifications.failed(workspace, 'The editor was killed (SIGKILL)');

    expect(sent[0].payload).toMatchObject({
      title: 'shop stopped by a fault',
      description: 'The editor was killed (SIGKILL)',
      severity: 'high',
    });
  });

  it('has nobody to tell about the workspace of a service token', () => {
    const { notifications, sent } = createNotifications();
    notifications.failed({ ...workspace, owner: 'dev-service' }, 'cause');

    expect(sent).toEqual([]);
  });
});
