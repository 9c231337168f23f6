import { mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { component, GIT, startCatalog } from '../__testUtils__/startCatalog';

const shop = `${GIT}/shop.yaml`;

describe('locations of type file', () => {
  let folder: string;

  beforeEach(() => {
    folder = mkdtempSync(path.join(tmpdir(), 'descriptors-'));
    writeFileSync(path.join(folder, 'shop.yaml'), component('shop'));
    symlinkSync('/etc/hostname', path.join(folder, 'link.yaml'));
  });

  afterEach(() => {
    rmSync(folder, { recursive: true });
  });

  it.each(['shop.yaml', './shop.yaml', '<folder>/shop.yaml'])(
    'takes %s from a configured folder',
    async given => {
      const target = given.replace('<folder>', folder);
      const { register } = await startCatalog({
        config: { folders: [folder] },
      });
      const answer = await register({ type: 'file', target });
      expect(answer.status).toBe(201);
      expect(answer.body).toMatchObject({
        type: 'file',
        target,
        location: { target: path.join(folder, 'shop.yaml') },
      });
    },
  );

  it.each([
    ['/etc/hostname', 'is outside the folders'],
    ['../../etc/hostname', 'is outside the folders'],
    ['<folder>/../x.yaml', 'is outside the folders'],
    ['link.yaml', 'is outside the folders'],
    ['nothing.yaml', 'there is no file nothing.yaml'],
    ['<folder>', 'is outside the folders'],
    ['*.yaml', 'must name one file'],
  ])('refuses %s', async (given, message) => {
    const { register, api } = await startCatalog({
      config: { folders: [folder] },
    });
    const body = { type: 'file', target: given.replace('<folder>', folder) };
    const answer = await register(body);
    expect(answer.status).toBe(400);
    expect(answer.body.error).toContain(message);
    expect((await register(body, '?dryRun=true')).status).toBe(400);
    expect((await api.put('/api/catalog/locations/x').send(body)).status).toBe(
      400,
    );
  });

  it('are named in responses as sent', async () => {
    writeFileSync(path.join(folder, 'copy.yaml'), component('shop'));
    writeFileSync(path.join(folder, 'broken.yaml'), 'a: [1,\n b: }');
    const { register } = await startCatalog({ config: { folders: [folder] } });
    await register({ type: 'file', target: 'shop.yaml' });
    for (const [target, status] of [
      ['shop.yaml', 409],
      ['copy.yaml', 409],
      ['broken.yaml', 400],
    ] as const) {
      const answer = await register({ type: 'file', target });
      expect(answer.status).toBe(status);
      expect(answer.body.error).toMatch(/\w+\.yaml/);
      expect(answer.body.error).not.toContain(folder);
    }
  });

  it('include only files of their own folder', async () => {
    const parent = path.dirname(folder);
    const outside = path.join(parent, `${path.basename(folder)}.txt`);
    writeFileSync(outside, 'hunter2');
    writeFileSync(
      path.join(folder, 'thief.yaml'),
      `${component('thief')}---\n${component('shop').replace(
        'A service',
        `{ $file: ../${path.basename(outside)} }`,
      )}`,
    );
    try {
      const { register } = await startCatalog({
        config: { folders: [folder] },
      });
      const answer = await register({ type: 'file', target: 'thief.yaml' });
      expect(answer.status).toBe(400);
      expect(answer.body.error).toContain('is outside the folders');
      expect(JSON.stringify(answer.body)).not.toContain('hunter2');
    } finally {
      rmSync(outside);
    }
  });

  it('are not reached through a location from the web', async () => {
    const { register } = await startCatalog({
      config: { folders: [folder] },
      descriptors: {
        [shop]: `apiVersion: backstage.io/v1alpha1
kind: Location
metadata: { name: trap }
spec: { type: file, targets: [/etc/hostname] }
`,
      },
    });
    const answer = await register({ type: 'url', target: shop });
    expect(answer.status).toBe(400);
    expect(answer.body.error).toContain('is outside the folders');
  });
});
