import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { lint } from './lint.ts';

let cwd: string;

beforeEach(async () => {
  cwd = await mkdtemp(path.join(tmpdir(), 'lint-'));
  await mkdir(path.join(cwd, '.slipway'));
});

afterEach(() => rm(cwd, { recursive: true, force: true }));

const run = async (...args: string[]) => {
  let said = '';
  const code = await lint(args, {
    cwd,
    write: text => {
      said += text;
    },
  });
  return { code, said };
};

it('reports the position of each error of a pipeline, like the server', async () => {
  await writeFile(
    path.join(cwd, '.slipway/ci.yaml'),
    `name: ci
steps:
  - name: Build
    run: make
  - name: Test
    run: make test
    needs: [Biuld]
    secrets: { TOKEN: of-the-server }
  - name: Say
    run: echo
    if: brunch == 'main'
`,
  );
  await writeFile(
    path.join(cwd, '.slipway/deploy.yml'),
    `name: deploy
webhook: { token: mine }
steps: [{ name: Deploy, run: ./deploy }]
`,
  );
  const { code, said } = await run('build', 'lint');
  expect(code).toBe(1);
  expect(said.split('\n')).toEqual([
    '.slipway/ci.yaml:7:13: steps.1.needs.0 is no step: Biuld; is Build meant?',
    expect.stringMatching(
      /^\.slipway\/ci\.yaml:11:5: steps\.2\.if asks for brunch; there is branch,/,
    ),
    '.slipway/deploy.yml:2:1: webhook is for the job file of the server alone',
    '2 files, 2 with faults',
    '',
  ]);
});

it('reads files by name, and accepts valid ones', async () => {
  const file = path.join(cwd, 'job.yaml');
  await writeFile(
    file,
    'name: job\nwebhook: { token: any }\nsteps: [{ name: Run, run: make }]\n',
  );
  expect(await run('build', 'lint', 'job.yaml')).toEqual({
    code: 0,
    said: '1 file, 0 with faults\n',
  });
  expect((await run('build', 'lint', 'none.yaml')).code).toBe(2);
  expect((await run('lint')).said).toMatch(/^Usage/);
});

it('checks a folder of another name as pipelines if asked to', async () => {
  await mkdir(path.join(cwd, 'ci'));
  await writeFile(
    path.join(cwd, 'ci/deploy.yaml'),
    `name: deploy
webhook: { token: mine }
steps: [{ name: Deploy, run: ./deploy }]
`,
  );
  expect((await run('build', 'lint', 'ci')).code).toBe(0);
  const { code, said } = await run('build', 'lint', '--pipelines', 'ci');
  expect(code).toBe(1);
  expect(said).toContain(
    'ci/deploy.yaml:2:1: webhook is for the job file of the server alone',
  );
});
