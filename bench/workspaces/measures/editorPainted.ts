import { chromium, type Browser } from '@playwright/test';
import { chromiumArguments, chromiumPath } from '@slipway/e2e/src/chromium.ts';
import type { Bench } from '../Bench.ts';
import { duration, percentile, type Row } from '../../runBench.ts';

const RUNS = 3;
const TARGET_MS = 10_000;
const WHAT = `Editor painted in Chromium, empty cache, ${RUNS} times`;

/**
 * Measures the time from opening an editor's address until its file tree shows the
 * project's files.
 */
export async function editorPainted({ portal, byHand }: Bench): Promise<Row> {
  if (!chromiumPath) {
    return {
      what: WHAT,
      target: `≤ ${duration(TARGET_MS)}`,
      measured: 'NOT MEASURED: no Chromium; set SLIPWAY_CHROMIUM',
      beside: '-',
      met: null,
    };
  }
  const browser = await chromium.launch({
    executablePath: chromiumPath,
    args: [...chromiumArguments],
  });
  try {
    const { api, devfileUrl } = portal;
    const { workspaceId } = await api.create({ devfileUrl });
    const editor = await byHand.start({ onPort: true });
    await api.until(workspaceId, 'Running');
    const platform: number[] = [];
    const hand: number[] = [];
    for (let run = 0; run < RUNS; run += 1) {
      const { url } = await api.ticket(workspaceId);
      platform.push(await timeToPaint(browser, url));
      hand.push(await timeToPaint(browser, editor.url!));
    }
    editor.end();
    await api.delete(workspaceId);
    return {
      what: WHAT,
      target: `≤ ${duration(TARGET_MS)}`,
      measured: medianAndWorst(platform),
      beside: `without the gateway: ${medianAndWorst(hand)}`,
      met: Math.max(...platform) <= TARGET_MS,
    };
  } finally {
    await browser.close();
  }
}

async function timeToPaint(browser: Browser, url: string): Promise<number> {
  const context = await browser.newContext();
  const page = await context.newPage();
  const opened = performance.now();
  await page.goto(url, { waitUntil: 'commit' });
  await page
    .getByRole('treeitem', { name: 'README.md' })
    .waitFor({ timeout: 60_000 });
  const took = performance.now() - opened;
  await context.close();
  return took;
}

function medianAndWorst(samples: number[]): string {
  return `median ${duration(percentile(samples, 50))}, worst ${duration(
    Math.max(...samples),
  )}`;
}
