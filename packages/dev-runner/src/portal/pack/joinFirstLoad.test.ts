import {
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { SourceMap } from 'node:module';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { runInNewContext } from 'node:vm';
import { brotliDecompressSync } from 'node:zlib';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { compress } from './compress.ts';
import { joinFirstLoad, PAGES } from './joinFirstLoad.ts';
import { preloadFont } from './preloadFont.ts';

const FILES: Record<string, string> = {
  'runtime.1.js': 'seen.push("runtime");',
  'module-a.1.js': '"use strict";seen.push(this === undefined ? "strict" : "")',
  'vendor.1.js': 'var seenHere = 1; seen.push("vendor") // last',
  'main.1.js': 'seen.push(typeof seenHere);',
  'page.2.chunk.js': 'seen.push("page");'.repeat(100),
  'vendor.1.css': 'a{color:red}',
  'main.1.css': 'b{color:red}',
};
const TAGS = (prefix: string, defer: string) =>
  [
    ...['runtime', 'module-a', 'vendor', 'main'].map(
      name => `<script ${defer} src="${prefix}static/${name}.1.js"></script>`,
    ),
    ...['vendor', 'main'].map(
      name => `<link href="${prefix}static/${name}.1.css" rel="stylesheet">`,
    ),
  ].join('');

let dist: string;

const write = (name: string, text: string) =>
  writeFileSync(path.join(dist, name), text);
const read = (name: string) => readFileSync(path.join(dist, name), 'utf8');

beforeEach(() => {
  dist = mkdtempSync(path.join(tmpdir(), 'join-'));
  mkdirSync(path.join(dist, 'static'));
  for (const [name, text] of Object.entries(FILES)) {
    const map = { version: 3, sources: [name], names: [], mappings: 'AAAA' };
    const ending = name.endsWith('.js')
      ? `\n//# sourceMappingURL=${name}.map`
      : '';
    write(`static/${name}`, text + ending);
    if (ending) {
      write(`static/${name}.map`, JSON.stringify(map));
    }
  }
  write('index.html', TAGS('/', 'defer="defer"'));
  write('index.html.tmpl', TAGS('<%= publicPath %>/', 'defer'));
});

afterEach(() => rmSync(dist, { recursive: true }));

it('joins the files that each page loads first into three, in the order of the page', () => {
  const [packages, app, styles] = joinFirstLoad(dist);
  expect(read('index.html')).toBe(
    `<script defer="defer" src="/${app}"></script>` +
      `<script defer="defer" src="/${packages}"></script>` +
      `<link href="/${styles}" rel="stylesheet">`,
  );
  expect(read('index.html.tmpl')).toContain(`"<%= publicPath %>/${packages}"`);
  const seen: string[] = [];
  runInNewContext(`${read(packages)}\n${read(app)}`, { seen });
  expect(seen).toEqual(['strict', 'vendor', 'runtime', 'undefined']);
  expect(read(styles)).toBe('a{color:red}\nb{color:red}');
  expect(readdirSync(path.join(dist, 'static')).sort()).toEqual(
    [
      ...[packages, app].flatMap(file => [file, `${file}.map`]),
      styles,
      'static/page.2.chunk.js',
      'static/page.2.chunk.js.map',
    ]
      .map(file => path.basename(file))
      .sort(),
  );
});

it('maps the joined files to their sources', () => {
  const [packages] = joinFirstLoad(dist);
  const lines = read(packages).split('\n');
  const line = lines.findIndex(text => text.includes('seenHere'));
  const map = new SourceMap(JSON.parse(read(`${packages}.map`)));
  expect(map.findEntry(line, lines[line].indexOf('var'))).toMatchObject({
    originalSource: 'vendor.1.js',
    originalLine: 0,
    originalColumn: 0,
  });
});

it('does not change pages that are already joined', () => {
  joinFirstLoad(dist);
  const page = read('index.html');
  joinFirstLoad(dist);
  expect(read('index.html')).toBe(page);
});

it('loads the font before the styles that need it, once', () => {
  const font = 'inter-latin-wght-normal.6c59.woff2';
  write(`static/${font}`, '');
  joinFirstLoad(dist);
  preloadFont(dist, PAGES);
  preloadFont(dist, PAGES);
  const link = (prefix: string) =>
    `<link rel="preload" as="font" type="font/woff2" href="${prefix}static/${font}" crossorigin><link href="${prefix}static/styles`;
  expect(read('index.html').split(link('/'))).toHaveLength(2);
  expect(
    read('index.html.tmpl').split(link('<%= publicPath %>/')),
  ).toHaveLength(2);
});

it('writes compressed copies of large enough files', async () => {
  await compress(dist, []);
  const compressed = readFileSync(path.join(dist, 'static/page.2.chunk.js.br'));
  expect(brotliDecompressSync(compressed).toString()).toBe(
    read('static/page.2.chunk.js'),
  );
  expect(readdirSync(path.join(dist, 'static'))).not.toContain('main.1.css.br');
});
