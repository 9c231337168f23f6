import type { Build, BuildOutcome, BuildProgress } from '../builds/Build.ts';
import { JobCatalog } from '../jobs/JobCatalog.ts';
import type { SecretMask } from '../secrets/SecretMask.ts';
import { StepSecrets } from '../secrets/StepSecrets.ts';
import type { Agent } from './Agent.ts';
import { AgentReports, type ReportOptions } from './AgentReports.ts';

const SECRET = 'gh0st-token-7';

it('masks all secrets in the reports about a build whose job was removed', async () => {
  const stored: unknown[] = [];
  const reports = new AgentReports({
    store: {
      findById: async () => ({ job: 'removed' }) as Build,
      async saveProgress(_claim: object, progress: BuildProgress) {
        stored.push(progress);
        return true;
      },
      async whileHeld(_claim: object, work: () => Promise<void>) {
        await work();
        return true;
      },
      async finish(_claim: object, outcome: BuildOutcome) {
        stored.push(outcome);
        return true;
      },
    },
    jobs: new JobCatalog(),
    logs: {
      async writeAt(
        _id: number,
        offset: number,
        bytes: Buffer,
        mask?: SecretMask,
      ) {
        stored.push(mask?.text(`${bytes}`));
        return offset + bytes.length;
      },
      async conclude(_id: number, { reason }: { reason: string }) {
        stored.push(`log ${reason}`);
      },
    },
    secrets: new StepSecrets({
      deploy: { value: SECRET, jobs: ['removed'] },
      empty: { value: '', jobs: [] },
    }),
    onFinished: async () => undefined,
  } as unknown as ReportOptions);
  const agent = { id: 'one' } as Agent;
  const held = { id: 1, attempt: 1, agent, session: 'a' };
  const steps = [{ name: SECRET, state: 'running' }];
  await reports.saveProgress(held, { steps } as BuildProgress);
  await reports.writeLog(held, 0, Buffer.from(`log ${SECRET}`));
  const outcome = { steps: [], result: 'FAILURE', reason: `no ${SECRET}` };
  await reports.finish(held, outcome as unknown as BuildOutcome);
  expect(stored).toEqual([
    { steps: [{ name: '****', state: 'running' }] },
    'log ****',
    'log no ****',
    { steps: [], result: 'FAILURE', reason: 'no ****' },
  ]);
});
