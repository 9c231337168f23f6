import { expect, type Page, test } from '@playwright/test';
import { addresses } from '../src/addresses.ts';
import { Outage, stall } from '../src/Outage.ts';
import {
  expectNoSidewaysScroll,
  expectNoViolations,
} from './expectAccessible.ts';
import { continueAs } from './signIn.ts';
import { patient } from '@slipway/dev-runner/src/patience.ts';

/** Pages by the service that they depend on. */
const services = [
  {
    name: 'build-server',
    path: '/builds',
    down: 'The build server is not responding',
  },
  {
    name: 'space-metrics',
    path: '/experience',
    down: 'The experience service is not responding',
  },
  {
    name: 'feedback',
    path: '/feedback',
    down: 'The feedback service is not responding',
  },
  {
    name: 'feature-flags',
    path: '/flags',
    down: 'The feature flag service is not responding',
  },
  {
    name: 'analytics',
    path: '/analytics',
    down: 'The analytics service is not responding',
  },
] as const;

/** Time limit for services to start again on a busy machine, and for open pages to notice it. */
const RETURN_MS = patient(120_000);

/** The proxy's timeout, with a margin for a busy machine. */
const STALL_MS = patient(90_000);

function portOf(service: string): number {
  return Number(new URL(addresses.services[service]).port);
}

/** Locates the error that a page shows for an unavailable service. */
function failureOn(page: Page, text: string) {
  return page.getByRole('main').getByRole('alert').filter({ hasText: text });
}

test('a service that does not respond counts as unavailable', async ({
  page,
}) => {
  const [{ name, path, down }] = services;
  await continueAs(page, 'Ada');
  const goOn = stall(portOf(name));
  try {
    await page.goto(path);
    await expect(failureOn(page, down).first()).toBeVisible({
      timeout: STALL_MS,
    });
  } finally {
    goOn();
  }
  await expect(failureOn(page, down)).toHaveCount(0);
  await expect(
    page.getByRole('main').getByText('hello-parameters').first(),
  ).toBeVisible();
});

test('the portal shows which services are unavailable, and recovers', async ({
  page,
  context,
}) => {
  await continueAs(page, 'Ada');
  const outages = await Promise.all(
    services.map(({ name }) => Outage.begin(portOf(name))),
  );
  try {
    for (const [colorScheme, width] of [
      ['dark', 1440],
      ['light', 360],
    ] as const) {
      await test.step(`pages name the unavailable service, ${colorScheme}, ${width} px`, async () => {
        await page.emulateMedia({ colorScheme });
        await page.setViewportSize({ width, height: 800 });
        for (const { path, down } of services) {
          await page.goto(path);
          const failure = failureOn(page, down).first();
          await expect(failure).toContainText('automatically');
          await expect(
            failure.getByRole('button', { name: 'Retry' }),
          ).toBeVisible();
          await expectNoViolations(page, path);
          await expectNoSidewaysScroll(page, path);
        }
      });
    }

    await test.step('the portal itself keeps working', async () => {
      await page.setViewportSize({ width: 1440, height: 800 });
      await page.goto('/');
      await expect(page.getByText('My workspaces')).toBeVisible();
      await page.goto('/catalog');
      await expect(
        page.getByRole('link', { name: 'Build server' }).first(),
      ).toBeVisible();
    });

    await test.step('the pages recover automatically', async () => {
      const open = await Promise.all(
        services.map(async ({ path, down }) => {
          const tab = await context.newPage();
          await tab.goto(path);
          await expect(failureOn(tab, down).first()).toBeVisible();
          return failureOn(tab, down);
        }),
      );
      await Promise.all(outages.map(outage => outage.end()));
      for (const failure of open) {
        await expect(failure).toHaveCount(0, { timeout: RETURN_MS });
      }
    });
  } finally {
    await Promise.all(outages.map(outage => outage.end()));
  }
});
