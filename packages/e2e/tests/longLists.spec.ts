import { expect, test } from '@playwright/test';
import { nameOfPage } from '../src/pages.ts';
import { expectNoSidewaysScroll } from './expectAccessible.ts';
import type { Sections } from './looks/compareLook.ts';
import { expectLook } from './looks/expectLook.ts';
import { describe, resize, setStage, settle } from './looks/Stage.ts';

test.describe.configure({ mode: 'parallel' });

/** Lists that load all of their rows, with the responses that contain them. */
const LISTS = [
  ['/catalog', /^GET \/api\/catalog\/entities\/by-query/, 'items'],
  [
    '/flags',
    /^GET \/api\/proxy\/feature-flags\/api\/admin\/search\/features/,
    'features',
  ],
] as const;

const MANY = 10_000;
const LONG =
  '-with-a-name-that-is-longer-than-any-column-of-a-table-and-than-most-sentences';

/** Returns the rows of a list, as often as needed, with very long names. */
function lengthen(rows: readonly object[]): object[] {
  return Array.from({ length: MANY }, (_, index) => {
    const row = structuredClone(rows[index % rows.length]) as {
      name?: string;
      metadata?: { name: string; title?: string; uid?: string };
    };
    const named = row.metadata ?? row;
    named.name = `${named.name}-${index}${LONG}`;
    if (row.metadata) {
      row.metadata.title = row.metadata.name;
      row.metadata.uid = String(index);
    }
    return row;
  });
}

for (const [path, call, field] of LISTS) {
  test(`10,000 rows with very long names fit ${path}`, async ({ browser }) => {
    const stage = await setStage(browser, {
      recording: 'demo',
      answers: 'recorded',
      user: 'ada',
      change(key, body) {
        const content = call.test(key) ? JSON.parse(body) : undefined;
        return content?.[field]?.length > 0
          ? JSON.stringify({
              ...content,
              [field]: lengthen(content[field]),
              totalItems: MANY,
            })
          : body;
      },
    });
    const looks: Sections = {};
    await stage.page.setViewportSize({ width: 1440, height: 900 });
    await stage.page.goto(path);
    await settle(stage);
    for (const width of [1440, 360]) {
      await resize(stage, width);
      looks[`many, ${width} px`] = (await describe(stage, 'boxes')).boxes;
      await expectNoSidewaysScroll(stage.page, `${path}, ${width} px`);
    }
    const height = await stage.page.evaluate(() =>
      Math.max(
        ...[...document.querySelectorAll('#slipway-content *')].map(
          element => element.scrollHeight,
        ),
      ),
    );
    expect(height).toBeGreaterThan(100_000);
    // Only the rows in view are rendered.
    expect(await stage.page.locator('tbody tr').count()).toBeLessThan(200);
    expectLook(`${nameOfPage({ path, as: 'ada' })}-many`, path, looks);
    await stage.page.context().close();
  });
}
