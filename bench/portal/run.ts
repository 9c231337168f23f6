import { mkdirSync, rmSync } from 'node:fs';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { type Browser, chromium } from '@playwright/test';
import { chromiumArguments, chromiumPath } from '@slipway/e2e/src/chromium.ts';
import { DevPlatform } from '../platform/DevPlatform.ts';
import {
  duration,
  percentile,
  type Row,
  runBench,
  summary,
} from '../runBench.ts';
import { findFreePorts } from '@slipway/e2e/src/processes/findFreePorts.ts';
import { loadDemo } from './loadDemo.ts';
import { PageVisit, type Traffic } from './PageVisit.ts';
import { StockApp } from './StockApp.ts';
import { typeInPalette } from './typeInPalette.ts';

// Measures the traffic for the first pages with an empty cache, and typing in the palette with the
// demo organisation: `yarn bench:portal`, or only this with `--palette`.
// Exits with 1 if a target is missed.

const VISITS = 5;

/** The longest response that feels immediate while typing, in milliseconds. */
const PALETTE_MS = 100;

const { palette: isPaletteOnly } = parseArgs({
  options: { palette: { type: 'boolean', default: false } },
}).values;

const stateDirectory = path.resolve(
  import.meta.dirname,
  '../../.data/bench/portal',
);

/** An app to visit, with the label of the button that signs in. */
interface App {
  origin: string;
  enter: string;
}

/** A visit to a page: from opening its address, through the sign-in, to the page itself. */
interface Journey {
  signInMs: number;
  pageMs: number;
  toSignIn: Traffic;
  toPage: Traffic;
}

async function measure(): Promise<Row[]> {
  rmSync(stateDirectory, { recursive: true, force: true });
  mkdirSync(stateDirectory, { recursive: true });
  const [port] = await findFreePorts(1);
  const directory = path.join(stateDirectory, 'stock');
  const stock = new StockApp({ directory, port });
  if (!isPaletteOnly) {
    await stock.build();
  }
  const platform = await DevPlatform.start(stateDirectory);
  try {
    await platform.untilReady();
    const browser = await chromium.launch({
      executablePath: chromiumPath,
      args: [...chromiumArguments],
    });
    try {
      const pages = isPaletteOnly
        ? []
        : await visitPages(browser, platform.url, stock);
      // Last, because the demo's data would appear on the pages measured above.
      await loadDemo(platform.url);
      return [...pages, paletteRow(await typeAsAdmin(browser, platform.url))];
    } finally {
      await browser.close();
    }
  } finally {
    stock.stop();
    await platform.stop();
  }
}

async function visitPages(
  browser: Browser,
  origin: string,
  stock: StockApp,
): Promise<Row[]> {
  await stock.serve(origin);
  const own = { origin, enter: 'Continue as Grace' };
  const beside = { origin: stock.url, enter: 'Enter' };
  const visit = (app: App, at: string, shown: string) =>
    repeat(() => travel(browser, app, { at, shown }));
  return rowsOf({
    home: await visit(own, '/', 'My workspaces'),
    catalog: await visit(own, '/catalog', 'Checkout'),
    stock: await visit(beside, '/catalog', 'Checkout'),
  });
}

async function travel(
  browser: Browser,
  { origin, enter }: App,
  { at, shown }: { at: string; shown: string },
): Promise<Journey> {
  const visit = await PageVisit.begin(browser, origin);
  try {
    const { page } = visit;
    const button = page.getByRole('button', { name: enter });
    const signInMs = await timed(async () => {
      await page.goto(at);
      await button.waitFor();
    });
    const toSignIn = await visit.traffic();
    const pageMs = await timed(async () => {
      await button.click();
      await page.getByText(shown).first().waitFor();
    });
    return { signInMs, pageMs, toSignIn, toPage: await visit.traffic() };
  } finally {
    await visit.end();
  }
}

/** Types into the palette on the home page, as Ada, who may see everything. */
async function typeAsAdmin(
  browser: Browser,
  origin: string,
): Promise<number[]> {
  const visit = await PageVisit.begin(browser, origin);
  try {
    await visit.page.goto('/');
    await visit.page.getByRole('button', { name: 'Continue as Ada' }).click();
    await visit.page.getByText('My workspaces').first().waitFor();
    await visit.traffic();
    return await typeInPalette(visit.page);
  } finally {
    await visit.end();
  }
}

function paletteRow(times: readonly number[]): Row {
  return {
    what: `palette: key press to results (${times.length} keys)`,
    target: `p95 ${duration(PALETTE_MS)}`,
    measured: summary(times),
    beside: '-',
    met: percentile(times, 95) <= PALETTE_MS,
  };
}

async function timed(task: () => Promise<void>): Promise<number> {
  const startedAt = performance.now();
  await task();
  return performance.now() - startedAt;
}

/** Repeats a task. The first run fills the server's caches and is not counted. */
async function repeat<T>(task: () => Promise<T>): Promise<T[]> {
  await task();
  const results: T[] = [];
  for (let visit = 0; visit < VISITS; visit += 1) {
    results.push(await task());
  }
  return results;
}

function rowsOf(
  visits: Record<'home' | 'catalog' | 'stock', Journey[]>,
): Row[] {
  const { home, catalog, stock } = visits;
  const last = {
    home: home[VISITS - 1],
    catalog: catalog[VISITS - 1],
    stock: stock[VISITS - 1],
  };
  const median = (journeys: Journey[], read: (journey: Journey) => number) =>
    percentile(journeys.map(read), 50);
  return [
    bytesRow('JavaScript to the sign-in page', 620_000, {
      measured: last.home.toSignIn.scriptBytes,
      beside: last.stock.toSignIn.scriptBytes,
    }),
    bytesRow('JavaScript to the catalog', 750_000, {
      measured: last.catalog.toPage.scriptBytes,
      beside: last.stock.toPage.scriptBytes,
    }),
    {
      what: 'requests to the home page',
      target: '30',
      measured: String(last.home.toPage.requests),
      beside: '-',
      met: last.home.toPage.requests <= 30,
    },
    timeRow('address to sign-in page', 1_000, {
      measured: median(home, one => one.signInMs),
      beside: median(stock, one => one.signInMs),
    }),
    timeRow('sign-in to home page', 800, {
      measured: median(home, one => one.pageMs),
    }),
    timeRow('sign-in to catalog', 1_000, {
      measured: median(catalog, one => one.pageMs),
      beside: median(stock, one => one.pageMs),
    }),
  ];
}

function bytesRow(
  what: string,
  target: number,
  { measured, beside }: { measured: number; beside: number },
): Row {
  return {
    what,
    target: kilobytes(target),
    measured: kilobytes(measured),
    beside: `${kilobytes(beside)} stock`,
    met: measured <= target,
  };
}

function timeRow(
  what: string,
  target: number,
  { measured, beside }: { measured: number; beside?: number },
): Row {
  return {
    what,
    target: duration(target),
    measured: `median ${duration(measured)}`,
    beside: beside === undefined ? '-' : `${duration(beside)} stock`,
    met: measured <= target,
  };
}

function kilobytes(bytes: number): string {
  return `${(bytes / 1_000).toFixed(0)} kB`;
}

runBench(measure);
