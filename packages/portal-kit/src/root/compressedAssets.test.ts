import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { brotliCompressSync } from 'node:zlib';
import express from 'express';
import request from 'supertest';
import { compressedAssets } from './compressedAssets';

const SCRIPT = 'console.log(1);';
let folder: string;
let api: ReturnType<typeof request>;

beforeAll(() => {
  folder = mkdtempSync(path.join(tmpdir(), 'compressed-assets-'));
  writeFileSync(path.join(folder, 'main.js'), SCRIPT);
  writeFileSync(path.join(folder, 'main.js.br'), brotliCompressSync(SCRIPT));
  writeFileSync(path.join(folder, 'other.js'), SCRIPT);
  const app = express()
    .use(compressedAssets(folder))
    .use('/static', express.static(folder));
  api = request(app);
});

afterAll(() => rmSync(folder, { recursive: true }));

const get = (name: string, encodings: string) =>
  api.get(`/static/${name}`).set('Accept-Encoding', encodings).buffer(true);

it('sends compressed files to browsers that support them', async () => {
  const response = await get('main.js', 'gzip, deflate, br, zstd').expect(200);
  expect(response.headers).toMatchObject({
    'content-encoding': 'br',
    'content-type': 'text/javascript; charset=utf-8',
    vary: 'Accept-Encoding',
  });
  expect(response.text).toBe(SCRIPT);
});

it('sends the original file to others, with Vary', async () => {
  const response = await get('main.js', 'gzip').expect(200);
  expect(response.headers['content-encoding']).toBeUndefined();
  expect(response.headers.vary).toBe('Accept-Encoding');
  expect(response.text).toBe(SCRIPT);
});

it('passes on files without a compressed copy, and other paths', async () => {
  const response = await get('other.js', 'br').expect(200);
  expect(response.headers).not.toHaveProperty('content-encoding');
  expect(response.headers).not.toHaveProperty('vary');
  await get('none.js', 'br').expect(404);
  await get('..%2fmain.js', 'br').expect(404);
});

it('needs no build', async () => {
  const app = express().use(compressedAssets(path.join(folder, 'none')));
  await request(app).get('/static/main.js').expect(404);
});
