import type { Knex } from 'knex';
import { createLake } from '../storage/__testUtils__/createLake';
import { dumpLake } from '../storage/__testUtils__/dumpLake';
import { Replayer } from '../storage/Replayer';
import deployment from './__fixtures__/gitlab/deployment.json';
import issue from './__fixtures__/gitlab/issue.json';
import mergeRequest from './__fixtures__/gitlab/merge_request.json';
import push from './__fixtures__/gitlab/push.json';
import { cdEvent, cloudEvent } from './__testUtils__/cdEvents';
import { at, lakeConfig } from './__testUtils__/mapping';
import { example } from './github/__testUtils__/examples';
import { mapDelivery } from './mapDelivery';
import { lakeDatabases } from '../storage/__testUtils__/lakeDatabases';

const databases = lakeDatabases();

/** Returns a successful status of GitHub's example deployment, whose payload names a service. */
function deploymentStatus(): { body: string; full_name: string } {
  const payload = example('deployment_status', () => true);
  Object.assign(payload.deployment as object, {
    payload: { service: 'till' },
    production_environment: true,
  });
  Object.assign(payload.deployment_status as object, { state: 'success' });
  const { full_name } = payload.repository as unknown as { full_name: string };
  return { body: JSON.stringify(payload), full_name };
}

/** Ingests deliveries in the same way as the routes. */
async function takeIn(
  knex: Knex,
  channel: string,
  bodies: { type?: string }[],
): Promise<void> {
  const { service } = await createLake(knex);
  for (const [index, body] of bodies.entries()) {
    const delivery = {
      channel,
      type: body.type ?? 'hook',
      key: `d-${index}`,
      body: JSON.stringify(body),
    };
    const { items, ignored } = mapDelivery(delivery, lakeConfig());
    expect(
      await service.ingestDelivery(delivery, items, ignored),
    ).toMatchObject({ accepted: expect.any(Number), rejected: 0 });
  }
}

describe.each(databases.eachSupportedId())('on %s', databaseId => {
  it('has the same result for GitLab’s hooks in either order', async () => {
    const hooks: { type?: string }[] = [
      push,
      mergeRequest,
      {
        ...deployment,
        status: 'running',
        status_changed_at: '2026-03-02 11:15:00 +0100',
      } as object,
      deployment,
      issue,
    ];
    const inOrder = await databases.init(databaseId);
    await takeIn(inOrder, 'gitlab', hooks);
    const held = await dumpLake(inOrder);
    expect(held.deployments).toEqual([
      expect.objectContaining({
        source: 'gitlab',
        external_id: '315',
        service: 'shop/backend/cart',
        status: 'SUCCESS',
        started_at: at('2026-03-02T11:15:00+01:00'),
        finished_at: at('2026-03-02T11:20:30+01:00'),
        counted: 1,
        head_position: expect.any(Number),
      }),
    ]);
    // Only the push contains the commit time of the merge.
    expect(held.changes.map(change => change.committed_at).sort()).toEqual([
      at('2026-03-02T09:10:00+01:00'),
      at('2026-03-02T10:05:00+01:00'),
    ]);
    expect(held.incidents).toEqual([
      expect.objectContaining({
        external_id: 'shop/backend/cart#17',
        link_sha: held.deployments[0].commit_sha,
        resolved_at: null,
      }),
    ]);

    const backwards = await databases.init(databaseId);
    await takeIn(backwards, 'gitlab', [...hooks].reverse());
    expect(await dumpLake(backwards)).toEqual(held);
  });

  it('replaces records from before ids were unique to a connection when all is read again', async () => {
    const knex = await databases.init(databaseId);
    const { directory, service } = await createLake(knex);
    const delivery = {
      channel: 'gitlab',
      type: 'deployment hook',
      key: 'd-1',
      body: JSON.stringify(deployment),
    };
    const { items } = mapDelivery(delivery, lakeConfig());
    await service.ingestDelivery(
      {
        ...delivery,
        context: { repository: deployment.project.path_with_namespace },
      },
      items,
    );
    const replayer = new Replayer({
      ...{ knex, directory, config: lakeConfig() },
      mapper: stored => mapDelivery(stored, lakeConfig()),
    });
    await replayer.replay();
    expect((await dumpLake(knex)).deployments).toEqual([
      expect.objectContaining({ external_id: 'shop/backend/cart:315' }),
    ]);
  });

  it('has one record of a deployment that is reported to a connection and to the common webhook', async () => {
    const { body, full_name } = deploymentStatus();
    const repository = full_name.toLowerCase();
    const contexts: Record<string, string>[] = [
      { repository },
      { connected: repository },
    ];
    const receive = async (knex: Knex, order: typeof contexts) => {
      const { service } = await createLake(knex);
      for (const [index, context] of order.entries()) {
        const delivery = {
          channel: 'github',
          type: 'deployment_status',
          key: `d-${index}`,
          body,
          context,
        };
        const { items } = mapDelivery(delivery, lakeConfig());
        await service.ingestDelivery(delivery, items);
      }
      return dumpLake(knex);
    };
    const held = await receive(await databases.init(databaseId), contexts);
    expect(held.deployments).toEqual([
      expect.objectContaining({
        external_id: `${repository}:145988746`,
        service: 'till',
        counted: 1,
      }),
    ]);
    contexts.reverse();
    expect(await receive(await databases.init(databaseId), contexts)).toEqual(
      held,
    );
  });

  it('begins an incident when it was detected, whenever it was reported', async () => {
    const incident = (predicate: string, timestamp: string) =>
      cloudEvent(
        cdEvent({
          type: `dev.cdevents.incident.${predicate}.0.3.0`,
          subject: { id: 'incident-7' },
          content: {
            environment: { id: 'prod' },
            service: { id: 'cart' },
            ticketURI: 'https://tickets.example.org/7',
          },
          context: { timestamp },
        }),
      );
    const knex = await databases.init(databaseId);
    await takeIn(knex, 'cloudevents', [
      incident('resolved', '2026-03-06T10:00:00Z'),
      incident('reported', '2026-03-06T09:20:00Z'),
      incident('detected', '2026-03-06T09:00:00Z'),
    ]);
    expect((await dumpLake(knex)).incidents).toEqual([
      expect.objectContaining({
        external_id: 'incident-7',
        service: 'cart',
        started_at: at('2026-03-06T09:00:00Z'),
        resolved_at: at('2026-03-06T10:00:00Z'),
        url: 'https://tickets.example.org/7',
      }),
    ]);
  });
});
