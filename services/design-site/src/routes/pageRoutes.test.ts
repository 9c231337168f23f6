// @vitest-environment node
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { DuplicateSlugError, type IndexEntry, pageRoutes } from './pageRoutes';
import { redirectComponents } from './redirects';

const entry = (
  id: string,
  title: string,
  type: 'story' | 'docs' = 'story',
): IndexEntry => ({ id, title, type, name: id });

describe('pageRoutes', () => {
  it('gives each page one slug, whatever its title, and sorts pages and components by title', () => {
    expect(
      pageRoutes([
        entry('tokens--docs', 'Tokens', 'docs'),
        entry('overview--docs', 'Overview', 'docs'),
        entry('notes--docs', 'Drafts/Notes', 'docs'),
        entry('button--docs', 'Components/Button', 'docs'),
        entry('button--primary', 'Components/Button'),
        entry('button--secondary', 'Components/Button'),
        entry('time--first', 'Components/TimeSeriesChart'),
        entry('status--first', 'Components/Status badge'),
      ]).map(({ slug, story, docs }) => [slug, story, docs]),
    ).toEqual([
      ['overview', undefined, 'overview--docs'],
      ['tokens', undefined, 'tokens--docs'],
      ['button', 'button--primary', 'button--docs'],
      ['status-badge', 'status--first', 'status--first'],
      ['time-series-chart', 'time--first', 'time--first'],
    ]);
  });

  it('rejects two pages with the same slug', () => {
    expect(() =>
      pageRoutes([
        entry('a', 'Components/Tile'),
        entry('b', 'Components/tile'),
      ]),
    ).toThrow(DuplicateSlugError);
  });
});

describe('redirectComponents', () => {
  it("redirects to Storybook's pages, responds 404 for unknown components, and ignores other paths", async () => {
    const index = {
      entries: {
        a: entry('button--docs', 'Components/Button', 'docs'),
        b: entry('button--primary', 'Components/Button'),
        c: entry('tokens--docs', 'Tokens', 'docs'),
      },
    };
    const server = createServer((request, response) => {
      if (request.url === '/index.json') {
        response.end(JSON.stringify(index));
        return;
      }
      void redirectComponents(request, response, () =>
        response.end('passed on'),
      );
    });
    await new Promise<void>(resolve => {
      server.listen(0, '127.0.0.1', resolve);
    });
    const base = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    const get = (url: string) => fetch(base + url, { redirect: 'manual' });

    const story = await get('/story/Button/?x=1');
    expect(story.status).toBe(302);
    expect(story.headers.get('location')).toBe(
      '/?path=/story/button--primary&addonPanel=slipway/accessibility/panel',
    );
    expect((await get('/docs/button')).headers.get('location')).toBe(
      '/?path=/docs/button--docs',
    );
    expect((await get('/docs/%62utton')).status).toBe(302);
    expect((await get('/docs/tokens')).headers.get('location')).toBe(
      '/?path=/docs/tokens--docs',
    );
    expect((await get('/story/tokens')).status).toBe(404);
    const missing = await get('/story/nope');
    expect(missing.status).toBe(404);
    expect(await missing.text()).toContain('<a href="/">');
    expect(await (await get('/iframe.html')).text()).toBe('passed on');
    server.close();
  });
});
