import { chromium, type BrowserContext, type Page } from '@playwright/test';
import { chromiumArguments, chromiumPath } from '../../src/chromium.ts';
import { portalPages } from '../../src/pages.ts';
import { goTo } from './goTo.ts';
import { isCall, isIdle } from './isCall.ts';
import { Recording } from './Recording.ts';

// Records the responses that pages of a running platform receive:
// `node tests/looks/record.ts NAME [PATH]...`. With paths, adds the responses of these pages to the
// recording, which is otherwise recorded from scratch.

const [name = 'demo', ...paths] = process.argv.slice(2);
const portal = process.env.SLIPWAY_PORTAL ?? 'http://localhost:3000';

/** How long a page has to be without requests until it counts as loaded, in milliseconds. */
const QUIET_MS = 700;

/** Maximum time to wait for a page, in milliseconds; some never stop sending requests. */
const LOADED_MS = 15_000;

/** Requests that are under way, and when the last one began or ended. */
const traffic = { open: 0, at: 0 };

/** Adds the responses that the pages of a context receive from servers. */
async function listen(
  context: BrowserContext,
  recording: Recording,
): Promise<void> {
  await context.route(isCall, async route => {
    const request = route.request();
    if (isIdle(new URL(request.url()))) {
      await route.abort();
      return;
    }
    traffic.open += 1;
    traffic.at = Date.now();
    try {
      const response = await route.fetch();
      const body = await response.text();
      recording.add(
        {
          method: request.method(),
          url: request.url(),
          body: request.postData(),
        },
        {
          status: response.status(),
          contentType: response.headers()['content-type'] ?? '',
          body: withinTime(withoutSession(body), recording.at),
        },
      );
      await route.fulfill({ response, body });
    } catch {
      // The browser left the page in the meantime.
      await route.abort().catch(() => undefined);
    } finally {
      traffic.open -= 1;
      traffic.at = Date.now();
    }
  });
}

/** Replaces the signature of a session, which is valid on no server then. */
function withoutSession(body: string): string {
  return body.replace(
    /("token":"[\w-]+\.)([\w-]+)\.[\w-]+"/g,
    (_, head: string) => {
      const claims = Buffer.from('{"exp":32503680000}').toString('base64url');
      return `${head}${claims}.unsigned"`;
    },
  );
}

/** The first and the last moment of a day: bounds of a period, not events. */
const BOUND = /T(?:00:00:00\.000|23:59:59\.999)Z$/;

/**
 * Replaces times between that of the recording and now by that of the recording: events that
 * happen while pages are recorded, or before pages are added later, would be in the future of the
 * page's clock.
 */
function withinTime(body: string, at: number): string {
  const now = Date.now();
  const isLate = (time: number) => time > at && time <= now;
  return body
    .replace(/\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?Z/g, text =>
      isLate(Date.parse(text)) && !BOUND.test(text)
        ? new Date(at).toISOString()
        : text,
    )
    .replace(/(?<=[:[,]\s*)\d{13}(?=\s*[,}\]])/g, text =>
      isLate(Number(text)) ? String(at) : text,
    );
}

/** Signs a user in, or nobody, in a page at the time of the recording. */
async function open(
  context: BrowserContext,
  user: string | undefined,
  at: number,
): Promise<Page> {
  const page = await context.newPage();
  await page.clock.setFixedTime(at);
  await page.addInitScript(remembered => {
    if (remembered) {
      window.localStorage.setItem('slipway.signIn.user', remembered);
    }
  }, user);
  return page;
}

/** Waits until a page has received what it requested. */
async function loaded(page: Page): Promise<void> {
  const latest = Date.now() + LOADED_MS;
  await page
    .locator('#slipway-content h1, main h1')
    .first()
    .waitFor({ timeout: 15_000 })
    .catch(() => process.stdout.write('no h1 '));
  await page.waitForTimeout(QUIET_MS / 2);
  await page
    .waitForFunction(
      () => document.querySelector('main [aria-busy="true"]') === null,
      undefined,
      { timeout: LOADED_MS },
    )
    .catch(() => undefined);
  const isQuiet = () =>
    traffic.open === 0 && Date.now() - traffic.at > QUIET_MS;
  while (!isQuiet() && Date.now() < latest) {
    await page.waitForTimeout(50);
  }
}

async function findPlaces(): Promise<Record<string, string>> {
  const api = portal.replace(/3000$/, '7007');
  const session = await (
    await fetch(`${api}/api/auth/dev/refresh?user=ada`)
  ).json();
  const headers = {
    authorization: `Bearer ${session.backstageIdentity.token}`,
  };
  const first = async (path: string, list: string, id: string) => {
    const response = await fetch(`${api}/api${path}`, { headers });
    const content = await response.json();
    return String(content[list]?.[0]?.[id] ?? 'none');
  };
  return {
    workspace: await first(
      '/ide-launcher/workspaces',
      'workspaces',
      'workspaceId',
    ),
    build: await first(
      '/proxy/build-server/job/demo-checkout-api/api/json?tree=builds[number]',
      'builds',
      'number',
    ),
    deployment: await first(
      '/delivery-lake/deployments?service=demo/checkout-api&limit=1',
      'deployments',
      'id',
    ),
    incident: await first(
      '/delivery-lake/incidents?limit=1',
      'incidents',
      'id',
    ),
    feedback: await first('/proxy/feedback/api/v1/feedback', 'feedback', 'id'),
    issue: await first('/proxy/feedback/api/v1/issues', 'issues', 'number'),
  };
}

async function main(): Promise<void> {
  const recording =
    paths.length > 0
      ? Recording.read(name)
      : new Recording({ at: Date.now(), places: await findPlaces() });
  const browser = await chromium.launch({
    executablePath: chromiumPath,
    args: [...chromiumArguments],
  });
  for (const user of [undefined, 'ada', 'grace'] as const) {
    const pages = portalPages.filter(
      ({ as, path }) =>
        as === user && (paths.length === 0 || paths.includes(path)),
    );
    if (pages.length === 0) {
      continue;
    }
    const context = await browser.newContext({ timezoneId: 'UTC' });
    await listen(context, recording);
    const page = await open(context, user, recording.at);
    await page.goto(portal);
    await loaded(page);
    for (const { path } of pages) {
      traffic.at = Date.now();
      await goTo(page, recording.locate(path));
      await loaded(page);
      process.stdout.write(`${path}\n`);
    }
    await context.close();
  }
  await browser.close();
  recording.write(name);
}

void main();
