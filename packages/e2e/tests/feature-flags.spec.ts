import { expect, type Page } from '@playwright/test';
import { addresses } from '../src/addresses.ts';
import { goTo } from './looks/goTo.ts';
import { serveFlagPage } from './serveFlagPage.ts';
import { continueAs, signIn } from './signIn.ts';
import { test } from './test.ts';
import { testAccessiblePages } from './testAccessiblePages.ts';
import { patient } from '@slipway/dev-runner/src/patience.ts';

const flagUrl = '/flags/flag/new-checkout';

test('ada rolls a flag out to an application, grace can only watch', async ({
  openOtherProfile,
  page,
}) => {
  let token = '';

  await test.step('ada creates a token, which is shown once', async () => {
    await signIn(page, 'Ada');
    await page
      .getByRole('navigation')
      .getByRole('link', { name: 'Flags' })
      .click();
    await page.getByRole('link', { name: 'API access' }).click();
    await page.getByRole('button', { name: 'Create token' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByRole('textbox', { name: 'Name' }).fill('checkout');
    await dialog.getByRole('button', { name: 'Create token' }).click();
    const secret = dialog.getByText(/^\*:development\.[0-9a-f]{56}$/);
    await expect(secret).toBeVisible();
    token = (await secret.textContent()) ?? '';
    await dialog.getByRole('button', { name: 'Done' }).click();
    await expect(page.getByRole('row', { name: 'checkout' })).toContainText(
      'Client',
    );
    expect(await page.getByText(token).count()).toBe(0);
  });

  const readFlags = async () => {
    const response = await fetch(
      `${addresses.services['feature-flags']}/api/client/features`,
      {
        headers: { authorization: token },
      },
    );
    expect(response.status).toBe(200);
    const { features } = (await response.json()) as {
      features: { name: string; enabled: boolean; strategies: unknown }[];
    };
    return features.find(({ name }) => name === 'new-checkout');
  };

  await test.step('ada creates a flag, enables it for a quarter of users and turns it on', async () => {
    await goTo(page, '/flags');
    await page.getByRole('button', { name: 'Create flag' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByRole('textbox', { name: 'Name' }).fill('new-checkout');
    await dialog
      .getByRole('textbox', { name: 'Description' })
      .fill('The form in one step');
    await dialog.getByRole('button', { name: 'Create flag' }).click();
    await expect(page).toHaveURL(flagUrl);
    expect(await readFlags()).toMatchObject({ enabled: false });

    await page
      .getByRole('button', { name: 'Edit rules in development' })
      .click();
    await page.getByRole('button', { name: /^Everyone/ }).click();
    await page
      .getByRole('option', { name: 'Percentage of signed-in users' })
      .click();
    const slider = page.getByRole('slider');
    await slider.focus();
    await slider.press('ArrowRight');
    await page.getByRole('button', { name: 'Save rules' }).click();
    await expect(page.getByRole('region', { name: 'History' })).toContainText(
      'gradualRolloutUserId 26%',
    );
    await page
      .getByRole('switch', { name: 'Off in development' })
      .press('Space');
    const changed = page.getByRole('switch', { name: 'On in development' });
    await expect(changed).toBeChecked();
    // Keyboard users continue where they were.
    await expect(changed).toBeFocused();
    expect(await readFlags()).toMatchObject({
      enabled: true,
      strategies: [
        {
          name: 'gradualRolloutUserId',
          parameters: { percentage: '26', groupId: 'new-checkout' },
        },
      ],
    });
  });

  await test.step('the application reports its usage', async () => {
    const now = new Date().toISOString();
    const response = await fetch(
      `${addresses.services['feature-flags']}/api/client/metrics`,
      {
        method: 'POST',
        headers: { authorization: token, 'content-type': 'application/json' },
        body: JSON.stringify({
          appName: 'checkout',
          bucket: {
            start: now,
            stop: now,
            toggles: { 'new-checkout': { yes: 30, no: 12 } },
          },
        }),
      },
    );
    expect(response.status).toBe(202);
    await page.reload();
    const usage = page.getByRole('region', { name: 'Usage' });
    await expect(usage).toContainText('30 on, 12 off');
    await expect(
      usage.getByRole('group', { name: 'Evaluations by hour' }),
    ).toBeVisible();
  });

  await test.step('a script requests a change in production, ada sees it immediately and approves it', async () => {
    await setApproval(true);
    await goTo(page, '/flags/changes');
    await expect(page.getByText('No change requests')).toBeVisible();
    const change = await fetch(
      `${addresses.services['feature-flags']}/api/admin/projects/default/features/new-checkout/environments/production/on`,
      {
        method: 'POST',
        headers: { authorization: '*:*.dev-admin-token' },
      },
    );
    expect(change.status).toBe(202);
    const request = page.getByRole('article');
    // Received through the event stream: nothing reloads the page.
    await expect(request).toContainText('new-checkout', {
      timeout: patient(5_000),
    });
    await request.getByRole('button', { name: 'Approve' }).click();
    await request.getByRole('button', { name: 'Apply now' }).click();
    await page.getByRole('button', { name: 'Apply change' }).click();
    await expect(page.getByText('No change requests')).toBeVisible();
    await goTo(page, flagUrl);
    await expect(
      page.getByRole('switch', { name: 'On in production' }),
    ).toBeChecked();

    await page
      .getByRole('button', { name: /^Roll back the change of/ })
      .first()
      .click();
    await page
      .getByRole('dialog')
      .getByRole('button', { name: 'Roll back' })
      .click();
    await expect(page.getByRole('article')).toContainText('In review');
    await setApproval(false);
    await page.goto(flagUrl);
    await page.getByRole('switch', { name: 'On in production' }).press('Space');
    await page.getByRole('button', { name: 'Turn off' }).click();
    await expect(
      page.getByRole('switch', { name: 'Off in production' }),
    ).toBeVisible();
  });

  await test.step('grace sees the flag and who changed it, but cannot change it', async () => {
    const grace = await openOtherProfile();
    await continueAs(grace, 'Grace');
    await grace.goto(flagUrl);
    await expect(grace.getByRole('region', { name: 'History' })).toContainText(
      'ada',
    );
    await expect(grace.getByText('Read-only.')).toBeVisible();
    await expect(grace.getByRole('switch')).toHaveCount(0);
    await grace.goto('/flags/api-access');
    await expect(grace.getByText('Tokens are managed by admins')).toBeVisible();
  });

  await test.step('the list follows a flag of the portal itself, without a reload', async () => {
    await goTo(page, '/flags');
    const usage = page.getByRole('columnheader', { name: /Evaluations/ });
    await expect(usage).toBeVisible();
    await admin('POST', '/features/portal.flag-usage/toggle/off');
    await expect(usage).toHaveCount(0, { timeout: patient(5_000) });
    await admin('POST', '/features/portal.flag-usage/toggle/on');
    await expect(usage).toBeVisible({ timeout: patient(5_000) });
  });

  await test.step('the playground evaluates it in all environments, and explains a result', async () => {
    await goTo(page, '/flags/playground?q=new-checkout');
    await page.getByRole('button', { name: 'Evaluate' }).click();
    const results = page.getByRole('grid', { name: 'Results' });
    await results
      .getByRole('link', { name: 'new-checkout, development: Off' })
      .click();
    await expect(
      page.getByRole('complementary', { name: 'new-checkout' }),
    ).toContainText('No rule matches.');
    await goTo(page, flagUrl);
  });

  await test.step('ada archives it again', async () => {
    await page.getByRole('button', { name: 'Archive' }).click();
    await page
      .getByRole('alertdialog')
      .or(page.getByRole('dialog'))
      .getByRole('button', { name: 'Archive flag' })
      .click();
    await expect(page.getByRole('button', { name: 'Restore' })).toBeVisible();
    expect(await readFlags()).toBeUndefined();
  });
});

test('ada rolls a flag out to a quarter of a segment once grace has approved it, and rolls it back', async ({
  openOtherProfile,
  page,
}) => {
  const { secret: token } = await admin('POST', '/api-tokens', {
    tokenName: 'shop page',
    type: 'frontend',
    environment: 'production',
  });
  const shop = await serveFlagPage({ flag: 'pay-later', token });
  const shopPage = await openOtherProfile();
  await shopPage.goto(shop.url);
  const getsIt = shopPage.getByRole('status');
  await expect(getsIt).toHaveText('nobody');

  const grace = await openOtherProfile();
  await test.step("grace's team owns the project, ada creates a segment and a flag", async () => {
    await continueAs(page, 'Ada');
    await page.goto('/flags/projects');
    await page.getByRole('button', { name: 'Edit project Default' }).click();
    const owner = page.getByRole('combobox', { name: 'Owner' });
    await owner.fill('payments');
    await page.getByRole('option', { name: 'group:default/payments' }).click();
    await page.getByRole('button', { name: 'Save project' }).click();
    await expect(page.getByRole('row', { name: 'Default' })).toContainText(
      'Payments',
    );
    await continueAs(grace, 'Grace');
    await grace.goto('/flags/changes');
    await expect(grace.getByText('No schedules')).toBeVisible();

    await goTo(page, '/flags/segments');
    await page.getByRole('button', { name: 'Create segment' }).click();
    const segment = page.getByRole('dialog');
    await segment.getByRole('textbox', { name: 'Name' }).fill('Europe');
    await segment.getByRole('button', { name: 'Add constraint' }).click();
    await segment.getByRole('button', { name: 'is one of (IN)' }).click();
    await page
      .getByRole('option', { name: 'starts with (STR_STARTS_WITH)' })
      .click();
    await segment.getByRole('textbox', { name: 'Values' }).fill('eu-');
    await segment.getByRole('button', { name: 'Create segment' }).click();
    await expect(page.getByText('userId STR_STARTS_WITH eu-')).toBeVisible();

    await goTo(page, '/flags');
    await page.getByRole('button', { name: 'Create flag' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByRole('textbox', { name: 'Name' }).fill('pay-later');
    await dialog.getByRole('button', { name: 'Create flag' }).click();
    await expect(page).toHaveURL('/flags/flag/pay-later');
  });

  await test.step('ada asks for a quarter of the segment in production', async () => {
    await setApproval(true);
    await page
      .getByRole('button', { name: 'Edit rules in production' })
      .click();
    const rules = page.getByRole('region', { name: 'production' });
    await rules.getByRole('button', { name: 'Add rule' }).click();
    await rules.getByRole('textbox', { name: 'Percentage' }).fill('25');
    await rules.getByRole('checkbox', { name: 'Europe' }).press('Space');
    await rules.getByRole('button', { name: 'Request change' }).click();
    await page
      .getByRole('switch', { name: 'Off in production' })
      .press('Space');
    await page
      .getByRole('dialog')
      .or(page.getByRole('alertdialog'))
      .getByRole('button', { name: 'Request change' })
      .click();
    const request = page.getByRole('article');
    await expect(request).toContainText('25%');
    await expect(
      page.getByText('Someone other than the author approves it.'),
    ).toBeVisible();
  });

  await test.step('grace sees it at once, approves and applies it, and the shop follows', async () => {
    await approve(grace);
    await expect(getsIt).toHaveText(/^eu-\d+( eu-\d+)*$/, {
      timeout: patient(10_000),
    });
    const users = ((await getsIt.textContent()) ?? '').split(' ');
    expect(users.length).toBeLessThan(10);
    await expect(
      page.getByRole('switch', { name: 'On in production' }),
    ).toBeVisible({ timeout: patient(5_000) });
  });

  await test.step('ada rolls it back from the history', async () => {
    await page
      .getByRole('button', { name: /^Roll back the change of/ })
      .first()
      .click();
    await page
      .getByRole('dialog')
      .or(page.getByRole('alertdialog'))
      .getByRole('button', { name: 'Roll back' })
      .click();
    await approve(grace);
    await expect(getsIt).toHaveText('nobody', { timeout: patient(10_000) });
  });

  await setApproval(false);
  shop.close();
});

/** Approves and applies the change request of pay-later, which appears without a reload. */
async function approve(page: Page): Promise<void> {
  const request = page.getByRole('article').filter({ hasText: 'pay-later' });
  await expect(request).toContainText('In review', { timeout: patient(5_000) });
  await request.getByRole('textbox', { name: 'Comment' }).fill('Go ahead');
  await request.getByRole('button', { name: 'Approve' }).click();
  await request.getByRole('button', { name: 'Apply now' }).click();
  await page.getByRole('button', { name: 'Apply change' }).click();
  await expect(request).toHaveCount(0);
}

/** Enables or disables approvals for changes in production. */
async function setApproval(isNeeded: boolean): Promise<void> {
  await admin('PUT', '/environments/production', { protected: isNeeded });
}

/** Calls the admin API as a script does. */
async function admin(
  method: string,
  path: string,
  body: object = {},
): Promise<Record<string, string>> {
  const response = await fetch(
    `${addresses.services['feature-flags']}/api/admin${path}`,
    {
      method,
      headers: {
        authorization: '*:*.dev-admin-token',
        'content-type': 'application/json',
      },
      body: JSON.stringify(body),
    },
  );
  expect(response.ok).toBe(true);
  return response.json();
}

testAccessiblePages('flags', {
  user: 'Ada',
  pages: [
    ['/flags?state=archived', 'new-checkout'],
    [flagUrl, 'History'],
    ['/flags/segments', 'segment'],
    ['/flags/api-access', 'Connect an application'],
    ['/flags/changes', 'Schedules'],
    ['/flags/environments', 'production'],
    ['/flags/projects', 'Import and export'],
    ['/flags/applications', 'portal'],
    ['/flags/clean-up', 'flag'],
    ['/flags/notices', 'Notice channels'],
  ],
});
