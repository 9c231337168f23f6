import path from 'node:path';
import { patient } from '@slipway/dev-runner/src/patience.ts';
import { isolationFault } from '../__testUtils__/isolationModes.ts';
import type { Job } from '../jobs/Job.ts';
import { hostileCases } from './__testUtils__/cases.ts';
import type { HostileCase } from './__testUtils__/HostileCase.ts';
import {
  HostileBench,
  HostileRepository,
} from './__testUtils__/HostileBench.ts';

/** Generous: the machine also runs the attacks, and other tests. */
const MAX_P99_MS = patient(2_000);
const CASE_MS = patient(60_000);
const HELLO: Job = {
  name: 'hello',
  webhook: { token: 'hello-webhook' },
  steps: [{ name: 'Run', run: 'true', secrets: { OTHER: 'other' } }],
};

describe.skipIf(isolationFault)('hostile repositories and steps', () => {
  let bench: HostileBench;

  beforeAll(async () => {
    bench = await HostileBench.open((host, repositories) => [
      HELLO,
      ...hostileCases.map(one => jobOf(one, { host, repositories })),
    ]);
  }, CASE_MS);

  afterAll(async () => {
    const delays = await bench.close();
    const at = (part: number) => delays[Math.floor(delays.length * part)];
    process.stdout.write(
      `The server responded ${delays.length} times: p50 ${at(0.5).toFixed(1)} ms, p99 ${at(0.99).toFixed(1)} ms\n`,
    );
    if (at(0.99) > MAX_P99_MS) {
      throw new Error(`The server was too slow: ${at(0.99)} ms`);
    }
  });

  it.each(hostileCases.map((one): [string, HostileCase] => [one.name, one]))(
    '%s',
    async (_title, one) => {
      const { client } = bench;
      const name = nameOf(one);
      const texts: string[] = [];
      let outcome = 'REFUSED';
      const answer = await client.form(
        `/job/${name}/buildWithParameters`,
        one.parameters ?? {},
      );
      texts.push(answer.text);
      if (answer.status === 201) {
        const item = new URL(answer.headers.get('location')!).pathname;
        const build = await client.started(item);
        const ended = await client.ended(build);
        outcome = ended.result;
        texts.push(JSON.stringify(ended), await client.log(build));
        for (const { relativePath } of ended.artifacts) {
          texts.push(
            (await client.get(`${build}artifact/${relativePath}`)).text,
          );
        }
      }
      const said = texts.join('\n');
      expect({ outcome, said }).toEqual({
        outcome: expect.stringMatching(one.outcome),
        said: expect.stringMatching(one.says ?? /^/),
      });
      const leaked = one.never?.exec(said)?.[0];
      expect({ leaked, said }).toEqual({ leaked: undefined, said });
      expect(await bench.findDamage(texts)).toEqual([]);
    },
    CASE_MS,
  );
});

function nameOf({ name }: HostileCase): string {
  return name.replace(/[^A-Za-z0-9]+/g, '-').slice(0, 80);
}

/** The job of a case: its script, or the pipelines or the steps of its repository. */
function jobOf(
  one: HostileCase,
  { host, repositories }: { host: string; repositories: string },
): Job {
  const name = nameOf(one);
  const run = one.script?.replaceAll('SCRATCH', path.dirname(repositories));
  const job: Job = {
    name,
    timeoutSeconds: 30,
    steps: [{ name: 'Run', run: run ?? 'cat file; git status' }],
  };
  if (one.repository) {
    const repository = new HostileRepository(path.join(repositories, name));
    one.repository(repository, { scratch: path.dirname(repositories), host });
    Object.assign(job, {
      source: { repository: `${host}/${name}/.git`, branch: 'main' },
    });
  }
  if (one.pipeline) {
    Object.assign(job, { pipelines: {}, steps: undefined });
  }
  const { source, ...more } = one.job ?? {};
  return {
    ...job,
    ...more,
    ...((job.source || source) && { source: { ...job.source, ...source } }),
  } as Job;
}
