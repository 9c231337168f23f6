import { type Browser, expect, type Page, test } from '@playwright/test';
import { chromiumArguments, chromiumPath } from '../src/chromium.ts';
import {
  readLook,
  type Sections,
  snapTo,
  writeLook,
} from './looks/compareLook.ts';
import { describeLook } from './looks/describeLook.ts';
import { Recording } from './looks/Recording.ts';
import { type Answers, replay, type Replay } from './looks/replay.ts';
import { goTo } from './looks/goTo.ts';
import { nameOfPage, type PortalPage, portalPages } from '../src/pages.ts';
import {
  expectNoSidewaysScroll,
  expectWholeHeaders,
} from './expectAccessible.ts';
import { MAX_SHIFT, watchShift } from './expectStill.ts';

test.describe.configure({ mode: 'parallel' });

// Every page of the portal: that it keeps still while it loads, fits its window, and looks as
// described in `looks` (docs/adr/0059).

test.use({
  launchOptions: {
    executablePath: chromiumPath,
    args: [
      ...chromiumArguments,
      // Letters are as wide as the font says, whatever the machine's settings.
      '--font-render-hinting=none',
      '--disable-lcd-text',
    ],
  },
});

/** Everything on a page but the sidebar, which the home page shows. */
const CONTENT =
  '#slipway-content, .slw-SignIn, [role="dialog"], [role="alertdialog"]';

/** Widths of windows in pixels: a phone, a tablet, a laptop, a screen. */
const WIDTHS = [360, 800, 1440, 1920];

/** Tests that share the pages of Ada, and run side by side. */
const GROUPS = 8;

/** The states of a page besides that with data: what is recorded, and how servers respond. */
const STATES = [
  ['empty', 'empty', 'recorded'],
  ['loading', 'demo', 'none'],
  ['failing', 'demo', 'failures'],
] as const satisfies readonly (readonly [string, string, Answers])[];

/** A browser's page whose servers are played from a recording. */
interface Stage {
  user: PortalPage['as'];
  page: Page;
  servers: Replay;
  recording: Recording;
}

async function setStage(
  browser: Browser,
  options: {
    recording: string;
    answers: Answers;
    user: PortalPage['as'];
    change?: (key: string, body: string) => string;
  },
): Promise<Stage> {
  const recording = Recording.read(options.recording);
  const context = await browser.newContext({
    baseURL: test.info().project.use.baseURL,
    timezoneId: 'UTC',
    reducedMotion: 'reduce',
  });
  const servers = await replay(
    context,
    recording,
    options.answers,
    options.change,
  );
  const page = await context.newPage();
  await page.clock.setFixedTime(recording.at);
  await watchShift(page);
  await page.addInitScript(user => {
    // Each visit is the first one: no page remembers how high its content was.
    Object.keys(window.localStorage)
      .filter(key => key.startsWith('slipway.height.'))
      .forEach(key => window.localStorage.removeItem(key));
    if (user) {
      window.localStorage.setItem('slipway.signIn.user', user);
    }
  }, options.user);
  return { user: options.user, page, servers, recording };
}

/** Waits until a page is as it stays. */
async function settle({ page, servers, user }: Stage): Promise<void> {
  await page
    .locator(user ? '#slipway-content h1' : 'main h1')
    .first()
    .waitFor();
  await servers.loaded(page);
  await page.evaluate(async isLoading => {
    await document.fonts.ready;
    let before = '';
    let equal = 0;
    for (let round = 0; round < 60 && equal < 4; round += 1) {
      await new Promise(resolve => setTimeout(resolve, 80));
      const main = document.querySelector('#slipway-content, main')!;
      const now = `${main.scrollHeight} ${main.innerHTML.length}`;
      // A part of the app that is still loading; then skeletons; and cards of the home page keep
      // room for a while.
      const isBusy = document.querySelector(
        isLoading
          ? '[role="progressbar"]'
          : '[aria-busy="true"], [role="progressbar"], :is(.slw-HomeInbox, .slw-HomeColumn > *)[style*="min-height"]',
      );
      const isDark = matchMedia('(prefers-color-scheme: dark)').matches;
      const isThemed =
        document.body.dataset.themeMode === (isDark ? 'dark' : 'light');
      equal = now === before && isThemed && !isBusy ? equal + 1 : 0;
      before = now;
    }
  }, servers.answers === 'none');
}

async function resize(stage: Stage, width: number): Promise<void> {
  await stage.page.setViewportSize({ width, height: 900 });
}

const describe = async (stage: Stage, roots = CONTENT) => {
  await settle(stage);
  return stage.page.evaluate(describeLook, roots);
};

/** Checks a page with data in every respect, and describes it. */
async function inspect(stage: Stage, at: PortalPage): Promise<Sections> {
  const { page, recording } = stage;
  const roots = at.path === '/' ? 'body' : CONTENT;
  const boxes: Sections = {};
  await page.emulateMedia({ colorScheme: 'light' });
  // Narrow windows move most: everything is below everything else.
  await resize(stage, WIDTHS[0]);
  await page.goto(recording.locate(at.path));
  await settle(stage);
  const shift = await page.evaluate(() => window.layoutShift);
  expect.soft(shift, `layout shift of ${at.path}`).toBeLessThan(MAX_SHIFT);
  for (const width of WIDTHS) {
    await resize(stage, width);
    boxes[`data, ${width} px`] = (await describe(stage, roots)).boxes;
    await expectNoSidewaysScroll(page, `${at.path}, ${width} px`);
    await expectWholeHeaders(page, `${at.path}, ${width} px`);
  }
  await expectListed(stage);
  await resize(stage, 1440);
  const light = await describe(stage, roots);
  await page.emulateMedia({ colorScheme: 'dark' });
  const dark = await describe(stage, roots);
  return {
    'data, light': light.styles,
    'data, dark': dark.styles,
    ...boxes,
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

/** Describes a page in another state. */
async function glance(
  stage: Stage,
  at: PortalPage,
  state: string,
): Promise<Sections> {
  await goTo(stage.page, stage.recording.locate(at.path));
  await resize(stage, 1440);
  const { styles, boxes } = await describe(stage);
  await resize(stage, 360);
  const narrow = await describe(stage);
  await expectNoSidewaysScroll(stage.page, `${at.path}, ${state}`);
  return {
    [`${state}, light`]: styles,
    [`${state}, 1440 px`]: boxes,
    [`${state}, 360 px`]: narrow.boxes,
  };
}

/** Compares a page with its description, and stores the new one if asked to. */
function compare(name: string, path: string, found: Sections): void {
  const stored = readLook(name);
  const snapped = snapTo(stored, found);
  const { updateSnapshots } = test.info().config;
  if (updateSnapshots === 'all' || updateSnapshots === 'changed') {
    writeLook(name, snapped);
  } else {
    expect.soft(snapped, `the look of ${path}`).toEqual(stored);
  }
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
      // What is shown on every page, such as the line about the demo, is known from here on.
      await data.page.goto('/nowhere');
      await settle(data);
      for (const at of mine) {
        looks.set(at, await inspect(data, at));
      }
      expect.soft([...data.servers.missing], 'not recorded').toEqual([]);
      await data.page.context().close();
      for (const [state, recording, answers] of STATES) {
        const stage = await setStage(browser, { recording, answers, user });
        await stage.page.goto('/nowhere');
        await settle(stage);
        for (const at of mine) {
          Object.assign(looks.get(at)!, await glance(stage, at, state));
        }
        await stage.page.context().close();
      }
      looks.forEach((look, at) => compare(nameOfPage(at), at.path, look));
    });
  }
}

/** Lists that load all of their rows, with the responses that hold them. */
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
    await stage.page.goto(path);
    for (const width of [1440, 360]) {
      await resize(stage, width);
      looks[`many, ${width} px`] = (await describe(stage)).boxes;
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
    compare(`${nameOfPage({ path, as: 'ada' })}-many`, path, looks);
    await stage.page.context().close();
  });
}
