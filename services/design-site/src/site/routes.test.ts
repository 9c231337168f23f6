// @vitest-environment node
import { defineService, groupBErrors } from '@slipway/service-kit';
import { startTestService } from '@slipway/service-kit/testing';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { writeRoutes } from '../routes/redirects';
import { designSiteConfig } from '../service';
import { BuiltSite } from './BuiltSite';
import { siteRoutes } from './routes';

let root: string;
beforeAll(async () => {
  root = await mkdtemp(path.join(os.tmpdir(), 'design-site-'));
});
afterAll(() => rm(root, { recursive: true, force: true }));

const entry = (id: string, type: 'story' | 'docs') => ({
  [id]: { id, type, title: 'Components/Status badge', name: id },
});

async function start(options: { built: boolean }) {
  const site = await BuiltSite.open({
    directory: path.join(root, options.built ? 'built' : 'missing'),
    sources: [],
    buildInto: async directory => {
      await mkdir(path.join(directory, 'assets'));
      await writeFile(path.join(directory, 'assets/a1b2.js'), 'script');
      await writeFile(path.join(directory, 'index.html'), 'the site');
      await writeFile(
        path.join(directory, 'index.json'),
        JSON.stringify({
          entries: {
            ...entry('b--docs', 'docs'),
            ...entry('b--first', 'story'),
            c: { id: 'c--docs', type: 'docs', title: 'Tokens', name: 'c' },
          },
        }),
      );
      await writeRoutes(directory);
    },
  });
  if (options.built) {
    await site.build();
  }
  return startTestService(
    defineService({
      name: 'design-site',
      title: 'Design system site',
      configKey: 'designSite',
      configSchema: designSiteConfig,
      defaults: { port: 6006, perMinute: 600 },
      errors: groupBErrors,
      setUp: kit => siteRoutes(kit.app, { site, auth: kit.auth }),
    }),
  );
}

describe('the site over HTTP', () => {
  it('serves the list of components, with a policy that allows its scripts', async () => {
    const { app } = await start({ built: true });
    const answer = await app.inject('/');

    expect(answer.statusCode).toBe(200);
    expect(answer.body).toBe('the site');
    expect(answer.headers).toMatchObject({
      'content-type': expect.stringContaining('text/html'),
      'cache-control': 'no-cache',
      'content-security-policy': expect.stringContaining("script-src 'self'"),
      'x-content-type-options': 'nosniff',
    });
  });

  it.each([
    ['/story/status-badge', '?path=/story/b--first'],
    ['/story/status-badge/', '?path=/story/b--first'],
    ['/story/StatusBadge', '?path=/story/b--first'],
    ['/docs/Status%20badge', '?path=/docs/b--docs'],
    ['/docs/status-badge', '?path=/docs/b--docs'],
    ['/docs/tokens', '?path=/docs/c--docs'],
  ])('leads %s to its page', async (url, target) => {
    const { app } = await start({ built: true });
    const answer = await app.inject(url);

    expect(answer.statusCode).toBe(200);
    expect(answer.body).toContain(target);
  });

  it.each([
    '/story/nope',
    '/story/tokens',
    '/docs/',
    '/..%2f..%2fpackage.json',
    '/.stamp.txt',
    '//nope',
  ])('answers 404 to %s, and names the pages that are there', async url => {
    const { app } = await start({ built: true });
    const answer = await app.inject(url);

    expect(answer.statusCode).toBe(404);
    expect(answer.body).toContain('<h1>Page not found</h1>');
    expect(answer.body).toContain('<a href="/docs/tokens">Tokens</a>');
    expect(answer.body).toContain(
      '<a href="/docs/status-badge">Status badge</a>',
    );
  });

  it('lets browsers cache files with a content hash', async () => {
    const { app } = await start({ built: true });
    const answer = await app.inject('/assets/a1b2.js');

    expect(answer.headers['cache-control']).toContain('immutable');
  });

  it('responds that the site is being built until it is ready', async () => {
    const { app } = await start({ built: false });
    const answer = await app.inject('/docs/button');

    expect(answer.statusCode).toBe(503);
    expect(answer.headers['retry-after']).toBe('5');
    expect(answer.body).toContain('The site is being built');
  });
});
