import { mkdtemp, readFile, rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { scaffoldService } from './scaffoldService.ts';

let root: string;

beforeEach(async () => {
  root = await mkdtemp(path.join(os.tmpdir(), 'service-kit-'));
});

afterEach(() => rm(root, { recursive: true }));

const scaffold = (name: string) =>
  scaffoldService({ root, name, port: 8_301, version: '1.2.3' });

it('writes a service under its own name', async () => {
  const files = await scaffold('tea-room');
  expect(files).toContain('services/tea-room/src/main.ts');
  const texts = await Promise.all(
    files.map(file => readFile(path.join(root, file), 'utf8')),
  );
  expect(texts.join()).not.toContain('{{');
  const manifest = JSON.parse(
    await readFile(path.join(root, 'services/tea-room/package.json'), 'utf8'),
  );
  expect(manifest).toMatchObject({
    name: '@slipway/tea-room',
    version: '1.2.3',
  });
  const service = await readFile(
    path.join(root, 'services/tea-room/src/service.ts'),
    'utf8',
  );
  expect(service).toContain('export const teaRoom = defineService({');
  expect(service).toContain("title: 'Tea room'");
  expect(service).toContain('port: 8301');
});

it.each(['', 'Tea', '../tea', 'tea_room', '-tea', 'tea-'])(
  'refuses the name %j',
  async name => {
    await expect(scaffold(name)).rejects.toThrow('is not a name');
  },
);

it('writes over nothing', async () => {
  await scaffold('tea-room');
  await expect(scaffold('tea-room')).rejects.toThrow('is there already');
});
