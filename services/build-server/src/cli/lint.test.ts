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
  await writeFile(
    path.join(cwd, '.slipway/many.yaml'),
    `name: many
nmae: twice
steps:
  - name: Build
    rum: make
    timeoutSeconds: soon
  - name: Build
    run: make
    needs: [Test]
name: again
`,
  );
  const { code, said } = await run('build', 'lint');
  expect(code).toBe(1);
  expect(said.split('\n')).toEqual([
    '.slipway/ci.yaml:7:13: steps.1.needs.0 is no step: Biuld; is Build meant?',
    expect.stringMatching(
      /^\.slipway\/ci\.yaml:11:5: steps\.2\.if uses the unknown name brunch; known are branch,/,
    ),
    '.slipway/deploy.yml:2:1: webhook is for the job file of the server alone',
    '.slipway/many.yaml:2:1: nmae is not a known key',
    '.slipway/many.yaml:4:5: steps.0.run is required',
    '.slipway/many.yaml:5:5: steps.0.rum is not a known key',
    '.slipway/many.yaml:6:5: steps.0.timeoutSeconds must be integer',
    '.slipway/many.yaml:7:5: steps.1.name is defined twice',
    '.slipway/many.yaml:9:13: steps.1.needs.0 is no step: Test',
    '.slipway/many.yaml:10:1: Map keys must be unique',
    '3 files, 3 with faults',
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

it('warns of other jobs that are named and cannot exist', async () => {
  const jobs = {
    shop: 'source: { repository: "https://forge/shop.git", branch: main }\npipelines: {}',
    plain: 'steps: [{ name: Run, run: make }]',
    broken: 'step: []',
    release: `steps: [{ name: Run, run: make }]
after:
  - { job: shop/main }
  - { job: shop/release/1.0 }
  - { job: broken/main }
  - { job: plain }
  - { job: shop }
  - { job: shop/main/ci }
  - { job: plain/main }
artifactsFrom: [{ job: shpo/main }, { job: gone }]`,
  };
  await mkdir(path.join(cwd, 'jobs'));
  for (const [name, text] of Object.entries(jobs)) {
    const file = path.join(cwd, 'jobs', `${name}.yaml`);
    await writeFile(file, `name: ${name}\n${text}\n`);
  }
  const { said } = await run('build', 'lint', 'jobs/release.yaml');
  expect(said.split('\n')).toEqual([
    'jobs/release.yaml:8:7: warning: after.4.job: shop itself builds only tags and what people start; its main branch is shop/main',
    'jobs/release.yaml:9:7: warning: after.5.job: the pipelines of a commit are one build, here of shop/main',
    'jobs/release.yaml:10:7: warning: after.6.job: plain has no pipelines, and therefore no jobs of its branches',
    'jobs/release.yaml:11:19: warning: artifactsFrom.0.job: no file of this folder describes a job shpo; is shop meant?',
    'jobs/release.yaml:11:39: warning: artifactsFrom.1.job: no file of this folder describes a job gone',
    '1 file, 0 with faults, 1 with warnings',
    '',
  ]);
  expect((await run('build', 'lint', 'jobs/release.yaml')).code).toBe(0);
  expect((await run('build', 'lint', 'jobs')).code).toBe(1);
});
