import { expect, test } from '@playwright/test';
import { addresses } from '../src/addresses.ts';
import { signIn } from './signIn.ts';
import { testAccessiblePages } from './testAccessiblePages.ts';

const flagUrl = '/flags/flag/new-checkout';

test('ada rolls a flag out to an application, grace reads along', async ({
  browser,
  page,
}) => {
  let token = '';

  await test.step('ada makes a token, which is shown once', async () => {
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

  await test.step('ada creates a flag, gives it to a quarter of users and turns it on', async () => {
    await page.goto('/flags');
    await page.getByRole('button', { name: 'Create flag' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByRole('textbox', { name: 'Name' }).fill('new-checkout');
    await dialog
      .getByRole('textbox', { name: 'Description' })
      .fill('The form in one step');
    await dialog.getByRole('button', { name: 'Create flag' }).click();
    await expect(page).toHaveURL(flagUrl);
    expect(await readFlags()).toMatchObject({ enabled: false });

    await page.getByRole('button', { name: /^Everyone/ }).click();
    await page
      .getByRole('option', { name: 'Percentage of signed-in users' })
      .click();
    const slider = page.getByRole('slider');
    await slider.focus();
    await slider.press('ArrowRight');
    await page.getByRole('button', { name: 'Save rollout' }).click();
    await expect(page.getByRole('region', { name: 'History' })).toContainText(
      'gradualRolloutUserId 26%',
    );
    await page.getByRole('switch', { name: 'Off', exact: true }).press('Space');
    await expect(
      page.getByRole('switch', { name: 'On', exact: true }),
    ).toBeChecked();
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

  await test.step('the application reports what it asked', async () => {
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

  await test.step('grace sees the flag and who changed it, and cannot', async () => {
    const grace = await (await browser.newContext()).newPage();
    await signIn(grace, 'Grace');
    await grace.goto(flagUrl);
    await expect(grace.getByRole('region', { name: 'History' })).toContainText(
      'ada',
    );
    await expect(grace.getByText('Read-only.')).toBeVisible();
    await expect(grace.getByRole('switch')).toHaveCount(0);
    await grace.goto('/flags/api-access');
    await expect(grace.getByText('Tokens are managed by admins')).toBeVisible();
  });

  await test.step('ada takes it away again', async () => {
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

testAccessiblePages('flags', {
  user: 'Ada',
  pages: [
    ['/flags?state=archived', 'new-checkout'],
    [flagUrl, 'History'],
    ['/flags/api-access', 'Connect an application'],
  ],
});
