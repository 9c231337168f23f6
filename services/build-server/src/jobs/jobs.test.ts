import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { ConfigurationError } from '@slipway/service-kit';
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
const read = ({ isProduction = false } = {}) =>
  readJobs(directory, {
    secrets: new Set(['a-token', 'a-signing-secret']),
    stepSecrets,
    isProduction,
  });

it('reads every job of a folder, and nothing else', async () => {
  await write('b.yml', 'name: b\nsteps: [{name: Run, run: "true"}]');
  await write('a.yaml', 'name: a\nsteps: [{name: Run, run: "true"}]');
  await write('README.md', '# Jobs');
  expect((await read()).map(({ name }) => name)).toEqual(['a', 'b']);
});

it('names each fault of each file', async () => {
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
  const error = await read().catch((thrown: ConfigurationError) => thrown);
  expect(error).toBeInstanceOf(ConfigurationError);
  expect((error as ConfigurationError).faults).toEqual([
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
  await expect(read()).rejects.toThrow(
    'source.repository must be an address, e.g. https://',
  );
});

it.each([
  [
    'parameters: [{name: a-b}]',
    'parameters.0.name must contain only letters, digits and _, and not start with a digit',
  ],
  ['owner: payments', 'owner must be a group, e.g. group:default/payments'],
  ['environment: {a-b: x}', 'environment.a-b is not a known key'],
])('says what is wrong with %s', async (lines, fault) => {
  await write('a.yaml', `name: a\n${lines}\nsteps: [{name: Run, run: "true"}]`);
  await expect(read()).rejects.toThrow(`a.yaml: ${fault}`);
});

describe('a webhook without signing secrets', () => {
  const job = (webhook: string) =>
    write(
      'a.yaml',
      `name: payments\nwebhook: {token: a-token${webhook}}\nsteps: [{name: Run, run: "true"}]`,
    );

  it('is refused in production, by the name of its job and the key', async () => {
    await job('');
    await expect(read()).resolves.toHaveLength(1);
    const refusal = await read({ isProduction: true }).catch(
      (thrown: ConfigurationError) => thrown,
    );
    expect(refusal).toBeInstanceOf(ConfigurationError);
    expect((refusal as ConfigurationError).faults).toEqual([
      expect.stringMatching(
        /^a\.yaml: webhook\.signingSecrets is required in production, .* the job payments\. .* webhook\.unsigned to allow$/,
      ),
    ]);
  });

  it.each([', unsigned: allow', ', signingSecrets: [a-signing-secret]'])(
    'is another matter with %s',
    async more => {
      await job(more);
      await expect(read({ isProduction: true })).resolves.toHaveLength(1);
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
    await expect(read()).rejects.toThrow(`a.yaml: ${fault}`);
  });
});

it('says which folder is not there', async () => {
  await expect(
    readJobs(path.join(directory, 'none'), {
      secrets: new Set(),
      stepSecrets,
      isProduction: false,
    }),
  ).rejects.toThrow('buildServer.jobsDirectory cannot be read');
});
