import { expect, test } from '@playwright/test';
import { nameOfPage, type PortalPage, portalPages } from '../src/pages.ts';
import {
  expectNoSidewaysScroll,
  expectWholeHeaders,
} from './expectAccessible.ts';
import { MAX_SHIFT } from './expectStill.ts';
import type { Sections } from './looks/compareLook.ts';
import { expectLook } from './looks/expectLook.ts';
import { goTo } from './looks/goTo.ts';
import type { Answers } from './looks/replay.ts';
import {
  CONTENT,
  describe,
  resize,
  setStage,
  settle,
  type Stage,
} from './looks/Stage.ts';
import { untilQuiet } from './looks/untilQuiet.ts';

test.describe.configure({ mode: 'parallel' });

// Tests every page of the portal: it does not move while it loads, fits its window, reports no error,
// and looks as described in `looks` (docs/adr/0059).

/** Widths of windows in pixels: a phone, a tablet, a laptop, a screen. */
const WIDTHS = [360, 800, 1440, 1920];

/** The quick run opens each page once, and does not compare it with its description. */
const isQuick = process.env.SLIPWAY_LOOKS === 'quick';

/** Tests that share the pages of Ada, and run side by side. */
const GROUPS = 8;

/** The states of a page other than that with data: the recording, and how servers respond. */
const STATES = [
  ['empty', 'empty', 'recorded'],
  ['loading', 'demo', 'none'],
  ['failing', 'demo', 'failures'],
] as const satisfies readonly (readonly [string, string, Answers])[];

/** Checks a page that has data, and returns its description. */
async function inspect(stage: Stage, at: PortalPage): Promise<Sections> {
  const { page, recording } = stage;
  const roots = at.path === '/' ? 'body' : CONTENT;
  const sections: Sections = {};
  await page.emulateMedia({ colorScheme: 'light' });
  // Narrow windows move most: everything is below everything else.
  await page.setViewportSize({ width: WIDTHS[0], height: 900 });
  await page.goto(recording.locate(at.path));
  await settle(stage);
  const shift = await page.evaluate(() => window.layoutShift);
  expect.soft(shift, `layout shift of ${at.path}`).toBeLessThan(MAX_SHIFT);
  for (const width of isQuick ? WIDTHS.slice(0, 1) : WIDTHS) {
    // The quick run keeps the width at which the page was opened, so it need not wait again.
    if (!isQuick) {
      await resize(stage, width);
      const { boxes } = await describe(stage, 'boxes', roots);
      sections[`data, ${width} px`] = boxes;
    }
    await expectNoSidewaysScroll(page, `${at.path}, ${width} px`);
    await expectWholeHeaders(page, `${at.path}, ${width} px`);
  }
  await expectListed(stage);
  if (isQuick) {
    return {};
  }
  await resize(stage, 1440);
  const light = await describe(stage, 'styles', roots);
  await page.emulateMedia({ colorScheme: 'dark' });
  await untilQuiet(page, { isNew: true });
  const dark = await describe(stage, 'styles', roots);
  return {
    'data, light': light.styles,
    'data, dark': dark.styles,
    ...sections,
  };
}

/** Checks that the pages and tabs to which a page leads are in the list. */
async function expectListed({ page, recording }: Stage): Promise<void> {
  const listed = portalPages.map(({ path }) => recording.locate(path));
  const linked = await page
    .locator('.slw-NavList a, .slw-PageHeaderTabs a')
    .evaluateAll(links =>
      links.map(link => new URL((link as HTMLAnchorElement).href).pathname),
    );
  const isListed = (href: string) =>
    listed.some(path => path === href || path.startsWith(`${href}/`));
  expect.soft(linked.filter(href => !isListed(href))).toEqual([]);
}

/** Describes a page in another state, in the narrowest window. */
async function glance(
  stage: Stage,
  at: PortalPage,
  state: string,
): Promise<Sections> {
  await goTo(stage.page, stage.recording.locate(at.path));
  await settle(stage);
  const { styles, boxes } = await describe(stage, 'all');
  await expectNoSidewaysScroll(stage.page, `${at.path}, ${state}`);
  return {
    [`${state}, light`]: styles,
    [`${state}, 360 px`]: boxes,
  };
}

for (const user of ['ada', 'grace', undefined] as const) {
  const pages = portalPages.filter(({ as }) => as === user);
  const groups = user === 'ada' ? GROUPS : 1;
  for (let group = 0; group < groups; group += 1) {
    const mine = pages.filter((_, index) => index % groups === group);
    test(`pages of ${user ?? 'visitors'}, ${group + 1} of ${groups}`, async ({
      browser,
    }) => {
      const looks = new Map<PortalPage, Sections>();
      const data = await setStage(browser, {
        recording: 'demo',
        answers: 'recorded',
        user,
      });
      // Loads what every page shows, such as the banner of the demo.
      await data.page.goto('/nowhere');
      await settle(data);
      for (const at of mine) {
        looks.set(at, await inspect(data, at));
      }
      expect.soft([...data.servers.missing], 'not recorded').toEqual([]);
      expect.soft(data.errors, 'errors in the browser').toEqual([]);
      await data.page.context().close();
      for (const [state, recording, answers] of isQuick ? [] : STATES) {
        const stage = await setStage(browser, { recording, answers, user });
        await stage.page.setViewportSize({ width: WIDTHS[0], height: 900 });
        await stage.page.goto('/nowhere');
        await settle(stage);
        for (const at of mine) {
          Object.assign(looks.get(at)!, await glance(stage, at, state));
        }
        await stage.page.context().close();
      }
      if (!isQuick) {
        looks.forEach((look, at) => expectLook(nameOfPage(at), at.path, look));
      }
    });
  }
}
