import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { StepSecrets } from '../secrets/StepSecrets.ts';
import { readJobs } from './readJobs.ts';

let directory: string;

beforeEach(async () => {
  directory = await mkdtemp(path.join(tmpdir(), 'jobs-'));
});

afterEach(() => rm(directory, { recursive: true, force: true }));

const write = (name: string, text: string) =>
  writeFile(path.join(directory, name), text);

const stepSecrets = new StepSecrets({
  'deploy-key': { value: 'deploy-key-value', jobs: ['deploy'] },
});
const readFiles = ({ isProduction = false } = {}) =>
  readJobs(directory, {
    secrets: new Set(['a-token', 'a-signing-secret']),
    stepSecrets,
    isProduction,
  });

/** Returns every error with its file. */
const faults = async (options?: { isProduction: boolean }) =>
  (await readFiles(options)).flatMap(file =>
    file.faults.map(({ message }) => `${file.file}: ${message}`),
  );

it('reads every job of a folder, and nothing else', async () => {
  await write('b.yml', 'name: b\nsteps: [{name: Run, run: "true"}]');
  await write('a.yaml', 'name: a\nsteps: [{name: Run, run: "true"}]');
  await write('README.md', '# Jobs');
  const files = await readFiles();
  expect(files.map(({ job }) => job?.name)).toEqual(['a', 'b']);
  expect(await faults()).toEqual([]);
});

it('reports each error of each file', async () => {
  await write('a.yaml', 'name: ../a\nstep: []');
  await write('b.yaml', 'name: [');
  await write(
    'c.yaml',
    `
name: c
parameters:
  - {name: LD_PRELOAD}
  - {name: SIZE, type: choice}
  - {name: SIZE}
environment: {PATH: /evil}
source: {repository: 'https://forge.example.org/x.git', branchFrom: BRANCH}
webhook: {token: none}
deployment: {service: c}
steps:
  - {name: Run, run: "true", secrets: {PATH: deploy-key, TOKEN: other}}
`,
  );
  await write('d.yaml', 'name: C\nsteps: [{name: Run, run: "true"}]');
  await write('e.yaml', 'name: c\nsteps: [{name: Run, run: "true"}]');
  const files = await readFiles();
  expect(files.filter(({ job }) => job).map(({ file }) => file)).toEqual([
    'd.yaml',
  ]);
  expect(files.map(({ name }) => name)).toEqual(['a', 'b', 'c.3', 'C', 'e']);
  expect(await faults()).toEqual([
    expect.stringMatching(/^a\.yaml: steps is required$/),
    'a.yaml: step is not a known key',
    'a.yaml: name must contain at most 100 letters, digits and . _ -, and start with a letter or digit',
    expect.stringMatching(/^b\.yaml: /),
    'c.yaml: parameters: LD_PRELOAD is reserved',
    'c.yaml: environment: PATH is reserved',
    'c.yaml: steps.0.secrets: PATH is reserved',
    'c.yaml: parameters: SIZE is defined twice',
    'c.yaml: parameters: SIZE must have choices if it is a choice, and only then',
    'c.yaml: source.branchFrom: there is no parameter BRANCH',
    'c.yaml: webhook.token: buildServer.secrets has no none',
    'c.yaml: deployment must have environment or environmentFrom, one of the two',
    'c.yaml: steps: buildServer.stepSecrets.deploy-key.jobs does not name c',
    'c.yaml: steps: buildServer.stepSecrets has no other',
    'e.yaml: d.yaml describes a job c already',
  ]);
});

it.each([
  'ext::sh -c true',
  'ext::true',
  '--upload-pack=true',
  'ssh://-oProxyCommand=true/x.git',
  'forge.example.org:x.git',
  '../x.git',
])('takes %s for no repository', async repository => {
  await write(
    'a.yaml',
    `name: a\nsource: {repository: '${repository}'}\nsteps: [{name: Run, run: "true"}]`,
  );
  expect(await faults()).toEqual([
    'a.yaml: source.repository must be an address, e.g. https://forge.example.org/shop/cart.git',
  ]);
});

it.each([
  [
    'parameters: [{name: a-b}]',
    'parameters.0.name must contain only letters, digits and _, and not start with a digit',
  ],
  ['owner: payments', 'owner must be a group, e.g. group:default/payments'],
  ['environment: {a-b: x}', 'environment.a-b is not a known key'],
  ['timeZone: Europe/Nowhere', 'timeZone is no time zone, e.g. Europe/Berlin'],
])('says what is wrong with %s', async (lines, fault) => {
  await write('a.yaml', `name: a\n${lines}\nsteps: [{name: Run, run: "true"}]`);
  expect(await faults()).toEqual([`a.yaml: ${fault}`]);
});

it('lets authors of files set options of languages, which parameters must not', async () => {
  const name = 'NODE_OPTIONS';
  await write(
    'a.yaml',
    `name: a
environment: { ${name}: --max-old-space-size=4096, GIT_AUTHOR_NAME: bot }
steps: [{ name: Run, run: x, environment: { PYTHONPATH: lib } }]`,
  );
  await write(
    'b.yaml',
    `name: b\nparameters: [{ name: ${name} }]\nenvironment: { GIT_SSH_COMMAND: x }\nsteps: [{ name: Run, run: x }]`,
  );
  expect(await faults()).toEqual([
    'b.yaml: parameters: NODE_OPTIONS is reserved',
    'b.yaml: environment: GIT_SSH_COMMAND is reserved',
  ]);
});

it.each([
  ['name: a\nsteps:\n  - name: Run\n    run: x\n    needs: 7\n', 5, 5],
  ['name: a\n\nsteps: [{name: Run, run: "true"}]\nextra: 1\n', 4, 1],
  ['name: a\nsteps:\n  - {name: Run}\n', 3, 5],
  ['name: a\nsteps: [\n', 3, 1],
  ['name: a\nname: b\nsteps: [{name: Run, run: x}]\n', 2, 1],
  [
    'name: a\nsteps: [{name: Run, run: x}]\nparameters: [{name: LD_PRELOAD}]',
    3,
    14,
  ],
  ['', 1, 1],
  ['%YAML 1.1\n---\nname: a\n', 1, 1],
  ['name: !!js/function a\n', 1, 7],
  ['a: &a [x]\nb: [*c]\n', 1, 1],
  [`name: a # ${'x'.repeat(70_000)}`, 1, 1],
])('says where the fault is in %j', async (text, line, column) => {
  await write('a.yaml', text);
  const [{ faults: found, job }] = await readFiles();
  expect(job).toBeUndefined();
  expect(found[0]).toEqual({ line, column, message: expect.any(String) });
});

describe('a webhook without signing secrets', () => {
  const job = (webhook: string) =>
    write(
      'a.yaml',
      `name: payments\nwebhook: {token: a-token${webhook}}\nsteps: [{name: Run, run: "true"}]`,
    );

  it('is refused in production, by the name of its job and the key', async () => {
    await job('');
    expect(await faults()).toEqual([]);
    expect(await faults({ isProduction: true })).toEqual([
      expect.stringMatching(
        /^a\.yaml: webhook\.signingSecrets is required in production, .* the job payments\. .* webhook\.unsigned to allow$/,
      ),
    ]);
  });

  it.each([', unsigned: allow', ', signingSecrets: [a-signing-secret]'])(
    'is another matter with %s',
    async more => {
      await job(more);
      expect(await faults({ isProduction: true })).toEqual([]);
    },
  );

  it.each([
    [', unsigned: true', 'webhook.unsigned must be'],
    [
      ', unsigned: allow, signingSecrets: [a-signing-secret]',
      'webhook.unsigned: webhooks with signingSecrets are signed',
    ],
  ])('cannot be told by %s', async (more, fault) => {
    await job(more);
    const [first] = await faults();
    expect(first).toMatch(new RegExp(`^a\\.yaml: ${fault}`));
  });
});

it('names the missing folder', async () => {
  await expect(
    readJobs(path.join(directory, 'none'), {
      secrets: new Set(),
      stepSecrets,
      isProduction: false,
    }),
  ).rejects.toThrow('buildServer.jobsDirectory cannot be read');
});
