import { StepSecrets } from '../secrets/StepSecrets.ts';
import type { Job } from './Job.ts';
import { readPipelines } from './readPipelines.ts';

const JOB: Job = { name: 'shop/main', pipelines: {}, steps: [] };

it('keeps the steps of pipelines apart that have the same name', () => {
  const text = 'name: ci\nsteps: [{ name: Approve, approval: {} }]\n';
  const { plan, faulty } = readPipelines(
    ['b.yaml', 'a.yaml', 'c.yaml'].map(file => ({
      path: `.slipway/${file}`,
      text,
    })),
    JOB,
    {
      secrets: new Set(),
      stepSecrets: new StepSecrets({}),
      isProduction: false,
    },
  );
  expect(faulty).toEqual([]);
  expect(plan.map(({ name }) => name)).toEqual([
    'ci: Approve',
    'ci (b.yaml): Approve',
    'ci (c.yaml): Approve',
  ]);
});
