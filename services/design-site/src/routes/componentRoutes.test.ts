// @vitest-environment node
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import {
  componentRoutes,
  DuplicateSlugError,
  type IndexEntry,
} from './componentRoutes';
import { redirectComponents } from './redirects';

const entry = (
  id: string,
  title: string,
  type: 'story' | 'docs' = 'story',
): IndexEntry => ({ id, title, type, name: id });

describe('componentRoutes', () => {
  it('gives each component one slug, whatever its title', () => {
    expect(
      componentRoutes([
        entry('overview--docs', 'Overview', 'docs'),
        entry('button--docs', 'Components/Button', 'docs'),
        entry('button--primary', 'Components/Button'),
        entry('button--secondary', 'Components/Button'),
        entry('time--first', 'Components/TimeSeriesChart'),
        entry('status--first', 'Components/Status badge'),
      ]).map(({ slug, story, docs }) => [slug, story, docs]),
    ).toEqual([
      ['button', 'button--primary', 'button--docs'],
      ['time-series-chart', 'time--first', 'time--first'],
      ['status-badge', 'status--first', 'status--first'],
    ]);
  });

  it('rejects two components with the same slug', () => {
    expect(() =>
      componentRoutes([
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
    const missing = await get('/story/nope');
    expect(missing.status).toBe(404);
    expect(await missing.text()).toContain('<a href="/">');
    expect(await (await get('/iframe.html')).text()).toBe('passed on');
    server.close();
  });
});
