import { LakeEvent } from '../events/LakeEvent';
import { createLake } from './__testUtils__/createLake';
import { emptyLake } from './__testUtils__/emptyLake';
import {
  aChange,
  aDeployment,
  anIncident,
  at,
  shaOf,
} from './__testUtils__/events';
import { lakeDatabases } from './__testUtils__/lakeDatabases';

const databases = lakeDatabases();

const POSITION = 2048;

const finishedAt = (minutes: number) => ({
  startedAt: at(minutes - 5),
  finishedAt: at(minutes),
  occurredAt: at(minutes),
});

describe.each(databases.eachSupportedId())('on %s', databaseId => {
  let lake: Awaited<ReturnType<typeof createLake>>;

  beforeAll(async () => {
    lake = await createLake(await databases.init(databaseId));
  });

  /** Returns the marks for `event` after the known events are stored. */
  async function marksOf(known: LakeEvent[], event: LakeEvent) {
    const { knex, send, marked } = lake;
    await emptyLake(knex);
    for (const earlier of known) {
      await send(earlier);
    }
    await knex('dirty_marks').delete();
    const before = marked();
    await send(event);
    const rows = await knex('dirty_marks')
      .leftJoin('services', 'services.id', 'service_id')
      .select('services.name', 'since', 'position')
      .orderBy('dirty_marks.id');
    expect(marked() > before).toBe(rows.length > 0);
    return rows.map(({ name, since, position }) => [
      name,
      since === null ? Number(position) / POSITION : Number(since),
    ]);
  }

  it.each<[string, LakeEvent[], LakeEvent, [string, number][]]>([
    ['a counted deployment', [], aDeployment(), [['shop', at(10)]]],
    ['a failed one', [], aDeployment({ status: 'FAILURE' }), []],
    ['one that is known', [aDeployment()], aDeployment(), []],
    [
      'one that moves in time',
      [aDeployment()],
      aDeployment({ occurredAt: at(20), finishedAt: at(8) }),
      [['shop', at(8)]],
    ],
    [
      'one that moves to another service',
      [aDeployment()],
      aDeployment({ occurredAt: at(20), service: 'till', finishedAt: at(12) }),
      [
        ['shop', at(10)],
        ['till', at(10)],
      ],
    ],
    [
      'one that counts no more',
      [aDeployment()],
      aDeployment({ occurredAt: at(20), status: 'FAILURE' }),
      [['shop', at(10)]],
    ],
    [
      'one that is deleted',
      [aDeployment()],
      aDeployment({ occurredAt: at(20), deleted: true }),
      [['shop', at(10)]],
    ],
    [
      'a roll-back of another',
      [aDeployment()],
      aDeployment({
        externalId: '2',
        ...finishedAt(90),
        service: 'till',
        rollbackOf: '1',
      }),
      [
        ['till', at(90)],
        ['shop', at(10)],
      ],
    ],
    [
      'an incident of a service that was moved to another',
      [anIncident({ service: 'shop' })],
      anIncident({ occurredAt: at(25), startedAt: at(25), service: 'till' }),
      [
        ['shop', at(20)],
        ['till', at(20)],
      ],
    ],
    [
      'an incident that links to another deployment than before',
      [
        aDeployment(),
        aDeployment({ externalId: '2', service: 'till', ...finishedAt(15) }),
        anIncident({ deployment: { source: 'ci', externalId: '1' } }),
      ],
      anIncident({
        occurredAt: at(25),
        deployment: { source: 'ci', externalId: '2' },
      }),
      [
        ['till', at(15)],
        ['shop', at(10)],
      ],
    ],
    [
      'a deployment that gives an early incident its service',
      [
        anIncident({
          startedAt: at(7),
          deployment: { source: 'ci', externalId: '1' },
        }),
      ],
      aDeployment(),
      [['shop', at(7)]],
    ],
    [
      'a change of a repository that a service is deployed from',
      [aDeployment({ repository: 'acme/shop', commit: { sha: shaOf(9) } })],
      aChange(),
      [['shop', at(2)]],
    ],
    [
      'a change that moves, and that a deployment names',
      [
        aChange(),
        aDeployment({ repository: 'acme/shop', commit: { sha: shaOf(1) } }),
      ],
      aChange({ occurredAt: at(3), landedAt: at(3) }),
      [
        ['shop', at(10)],
        ['shop', at(2)],
      ],
    ],
    [
      'a change that a deployment lists',
      [aDeployment({ repository: 'acme/shop', changes: [shaOf(1)] })],
      aChange(),
      [
        ['shop', at(10)],
        ['shop', at(2)],
      ],
    ],
    [
      'a change that only got another message',
      [
        aChange(),
        aDeployment({ repository: 'acme/shop', commit: { sha: shaOf(1) } }),
      ],
      aChange({ occurredAt: at(3), message: 'Fix' }),
      [],
    ],
    ['a change of nobody', [], aChange(), []],
  ])('marks for %s', async (_, known, event, marks) => {
    expect((await marksOf(known, event)).sort()).toEqual(marks.sort());
  });
});
