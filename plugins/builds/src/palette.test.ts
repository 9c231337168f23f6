import type { ActionSubject, PaletteItem } from '@slipway/app-react';
import { CALL, openSource } from '@slipway/test-pages';
import {
  build,
  FakeBuildsApi,
  job,
  queueItem,
} from './__testUtils__/FakeBuildsApi';
import { buildsApiRef } from './api/BuildsApi';
import { buildsPalette } from './palette';

function start() {
  const api = new FakeBuildsApi();
  api.jobs = [
    job('hello', [build(3, { result: 'FAILURE', reason: 'Tests failed' })]),
    job('deploy', [], {
      parameterDefinitions: [
        {
          name: 'version',
          type: 'StringParameterDefinition',
          description: '',
          required: true,
          defaultParameterValue: null,
        },
      ],
    }),
    job('theirs', [], { triggerable: false }),
  ];
  return { api, source: openSource(buildsPalette, [[buildsApiRef, api]]) };
}

const actOf = (items: readonly PaletteItem[], title: string) =>
  items.find(item => item.title === title)?.act;

it('finds jobs and builds, and runs what the reader may run', async () => {
  const { api, source } = start();
  const items = await source.list!(CALL);
  expect(items.map(({ title, detail }) => [title, detail])).toEqual([
    ['hello', 'Builds hello'],
    ['Run hello', undefined],
    ['hello #3', 'Failed · Tests failed'],
    ['deploy', 'Builds deploy'],
    ['Run deploy', undefined],
    ['theirs', 'Builds theirs'],
  ]);
  expect(actOf(items, 'Run deploy')).toEqual({
    type: 'dialog',
    dialog: 'run',
    input: 'deploy',
  });
  const run = actOf(items, 'Run hello');
  const done = run?.type === 'run' ? await run.run() : undefined;
  expect(done).toMatchObject({
    title: 'hello #1 is queued',
    link: { href: '/hello/1' },
  });

  // Undo removes it from the queue, or stops it if it has started in the meantime.
  api.queue = [queueItem('hello', 1)];
  await done?.undo?.();
  await done?.undo?.();
  expect(api.asked).toEqual(['run hello {}', 'cancel 1', 'stop hello #1']);
});

it('links to the jobs of branches, whatever their names contain', async () => {
  const { api, source } = start();
  api.jobs = [job('shop/50%', [build(3)])];
  const items = await source.list!(CALL);
  expect(actOf(items, 'shop/50%')).toEqual({
    type: 'open',
    href: '/shop%2F50%25',
  });
  expect(actOf(items, 'shop/50% #3')).toEqual({
    type: 'open',
    href: '/shop%2F50%25/3',
  });
});

it('rolls back with the build that deployed the previous version, after confirmation', async () => {
  const { api, source } = start();
  const failed: ActionSubject = {
    kind: 'deployment',
    title: 'shop 2',
    page: '/delivery/deployments/2',
    failed: true,
    before: { title: 'shop 1', build: '/builds/hello/2' },
  };
  const [rollBack, ...others] = await source.actionsFor!(failed, CALL);
  expect(others).toEqual([]);
  expect(rollBack).toMatchObject({
    title: 'Roll back to shop 1',
    act: { confirm: { label: 'Roll back' } },
  });
  await (rollBack.act.type === 'run' && rollBack.act.run());
  expect(api.asked).toEqual(['rebuild hello #2']);

  const offered = async (subject: Partial<ActionSubject>) =>
    (await source.actionsFor!({ ...failed, ...subject }, CALL)).map(
      ({ title }) => title,
    );
  expect(await offered({ failed: false })).toEqual([]);
  expect(await offered({ before: undefined })).toEqual([]);
  expect(
    await offered({ before: { title: '', build: '/builds/theirs/1' } }),
  ).toEqual([]);
  expect(
    await offered({
      kind: 'build',
      page: '/builds/hello/3',
      before: undefined,
    }),
  ).toEqual(['Rebuild hello #3']);
});

it('knows that jobs which are not listed are gone, with their builds', async () => {
  const { source } = start();
  await source.list!(CALL);
  const ids = ['job:hello', 'build:hello #1', 'job:old', 'build:old #1'];
  expect(ids.map(id => source.isGone?.(id))).toEqual([
    false,
    false,
    true,
    true,
  ]);
  expect(source.isGone?.('stop:old #1')).toBe(false);
});
