import { spawnSync } from 'node:child_process';
import {
  copyFileSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { parse } from 'yaml';
import { repositoryRoot } from '../layout.ts';
import { readServices } from '../readAddresses.ts';
import { scaffoldService } from './scaffoldService.ts';

/** The files besides its own directory that a service is added to. */
const JOINED = [
  'app-config.production.yaml',
  'app-config.yaml',
  'docs/production.md',
  'docs/security.md',
  'packages/backend/src/policy/__testUtils__/requests.ts',
  'services/README.md',
];

let root: string;

beforeEach(() => {
  root = mkdtempSync(path.join(os.tmpdir(), 'new-service-'));
  for (const file of ['package.json', ...JOINED]) {
    mkdirSync(path.dirname(path.join(root, file)), { recursive: true });
    copyFileSync(path.join(repositoryRoot, file), path.join(root, file));
  }
  symlinkSync(
    path.join(repositoryRoot, 'node_modules'),
    path.join(root, 'node_modules'),
  );
});

afterEach(() => rmSync(root, { recursive: true }));

const scaffold = (name: string) =>
  scaffoldService({ root, name, port: 8_301, version: '1.2.3' });
const read = (file: string) => readFileSync(path.join(root, file), 'utf8');

it('writes a service that passes its tests', async () => {
  const files = await scaffold('tea-room');
  expect(files).toContain('services/tea-room/src/main.ts');
  expect(files.map(read).join()).not.toContain('{{');
  expect(JSON.parse(read('services/tea-room/package.json'))).toMatchObject({
    name: '@slipway/tea-room',
    version: '1.2.3',
  });

  writeFileSync(
    path.join(root, 'vitest.config.mts'),
    `import { nodeProject } from '${repositoryRoot}/vitest.project.mts';
     export default nodeProject('services', {
       native: true,
       include: ['services/*/src/**/*.test.ts'],
       globalSetup: ['${repositoryRoot}/packages/test-postgres/src/globalSetup.ts'],
     });`,
  );
  const { status, stdout, stderr } = spawnSync(
    process.execPath,
    [
      path.join(repositoryRoot, 'node_modules/vitest/vitest.mjs'),
      'run',
      '--no-color',
    ],
    {
      cwd: root,
      encoding: 'utf8',
      env: { ...process.env, VITEST: undefined },
    },
  );
  expect(`${stdout}${stderr}`).toMatch(/Tests +6 passed/);
  expect(status).toBe(0);
});

it('adds the metadata of the service, and its configuration', async () => {
  const files = await scaffold('tea-room');
  expect(files).toEqual(expect.arrayContaining(JOINED));
  expect(readServices(root)).toEqual([
    expect.objectContaining({
      name: 'tea-room',
      configKey: 'teaRoom',
      title: 'Tea room',
      port: 8301,
      proxied: true,
    }),
  ]);
  expect(parse(read('app-config.yaml'))).toMatchObject({
    proxy: {
      endpoints: {
        '/feedback': { target: 'http://localhost:8080' },
        '/tea-room': { target: 'http://localhost:8301' },
      },
    },
    teaRoom: { listen: { port: 8301 } },
  });
  expect(parse(read('app-config.production.yaml'))).toMatchObject({
    proxy: { endpoints: { '/tea-room': { target: '${TEA_ROOM_URL}' } } },
    teaRoom: { database: { connection: '${TEA_ROOM_DATABASE_URL}' } },
  });
  expect(read('docs/production.md')).toContain('| `TEA_ROOM_API_KEY` |');
  expect(read('services/README.md')).toContain('| [tea-room](tea-room) | 8301');
});

it('adds the policy of its routes, with the requests that test it', async () => {
  await scaffold('tea-room');
  const policy = read('docs/security.md').split('### Tea room\n')[1];
  const routes = [...policy.matchAll(/^\| `(.*?)`/gm)].map(row => row[1]);
  expect(routes).toEqual([
    'POST /api/v1/items',
    'GET /api/v1/items',
    'GET /api/v1/items/{id}',
    'GET /health',
    'GET /ready',
    'GET /metrics',
    'GET /openapi.json',
  ]);
  expect(read('packages/backend/src/policy/__testUtils__/requests.ts')).toMatch(
    /^export const requests[^]*^ {2}'Tea room': \{[^]*^\};\n$/m,
  );
});

it('rejects the port of another service', async () => {
  await scaffold('tea-room');
  await expect(scaffold('tea-house')).rejects.toThrow(
    'port 8301 is that of services/tea-room',
  );
});

it('rejects the name of another section of the configuration', async () => {
  await expect(scaffold('catalog')).rejects.toThrow(
    'app-config.yaml already has a section catalog',
  );
});

it('changes no file if one has no place for the service', async () => {
  writeFileSync(path.join(root, 'services/README.md'), '# Services\n');
  const before = JOINED.map(read);
  await expect(scaffold('tea-room')).rejects.toThrow(
    'services/README.md has no place for tea-room',
  );
  expect(JOINED.map(read)).toEqual(before);
});

it.each(['', 'Tea', '../tea', 'tea_room', '-tea', 'tea-'])(
  'rejects the name %j',
  async name => {
    await expect(scaffold(name)).rejects.toThrow('is not a name');
  },
);

it('overwrites nothing', async () => {
  await scaffold('tea-room');
  const before = read('app-config.yaml');
  await expect(scaffold('tea-room')).rejects.toThrow('already exists');
  expect(read('app-config.yaml')).toBe(before);
});
