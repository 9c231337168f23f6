import { createHmac, randomUUID } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import {
  type APIRequestContext,
  expect,
  type Page,
  test,
} from '@playwright/test';
import { addresses } from '../src/addresses.ts';
import { continueAs, signIn } from './signIn.ts';

/** The event with which PagerDuty tests a webhook. */
const TEST_EVENT = new URL(
  '../../../plugins/delivery-lake-backend/src/webhooks/__fixtures__/pagerduty/ping.json',
  import.meta.url,
);

/** Gitea's webhook for a push of two commits. */
const PUSH = new URL(
  '../../../plugins/delivery-lake-backend/src/webhooks/__fixtures__/gitea/push.json',
  import.meta.url,
);

/** Returns the text that a button copies to the clipboard. */
async function copiedBy(page: Page, label: string): Promise<string> {
  const read = () => page.evaluate(() => navigator.clipboard.readText());
  await page.evaluate(() => navigator.clipboard.writeText(''));
  await page.getByRole('button', { name: label }).click();
  await expect.poll(read).not.toBe('');
  return read();
}

/** Sends a delivery as Gitea signs it. */
function deliver(
  request: APIRequestContext,
  options: { webhook: string; secret: string; body: string },
) {
  const { webhook, secret, body } = options;
  return request.post(`${addresses.api}${new URL(webhook).pathname}`, {
    headers: {
      'content-type': 'application/json',
      'x-gitea-event': 'push',
      'x-gitea-delivery': randomUUID(),
      'x-gitea-signature': createHmac('sha256', secret)
        .update(body)
        .digest('hex'),
    },
    data: body,
  });
}

test('an admin connects a repository of Gitea, and sees its first push arrive', async ({
  page,
  context,
  request,
}) => {
  // Each attempt connects another repository.
  const repository = `shop/billing-${Date.now()}`;
  await context.grantPermissions(['clipboard-read', 'clipboard-write']);
  await signIn(page, 'Ada');
  await page
    .getByRole('navigation')
    .getByRole('link', { name: 'Delivery' })
    .click();
  await page.getByRole('link', { name: 'Connections', exact: true }).click();
  await page
    .getByRole('button', { name: 'Connect a repository' })
    .first()
    .click();
  const dialog = page.getByRole('dialog', { name: 'Connect a repository' });
  await dialog
    .getByRole('textbox', { name: 'Repository' })
    .fill(`https://gitea.example.org/${repository}`);
  // The forge is guessed from the address.
  await expect(dialog.getByRole('button', { name: /Forge/ })).toHaveText(
    /Gitea/,
  );
  await dialog.getByRole('button', { name: 'Connect', exact: true }).click();

  const panel = page.getByRole('complementary', { name: repository });
  await expect(panel.getByText('Waiting', { exact: true })).toBeVisible();
  const webhook = await copiedBy(page, 'Copy webhook address');
  const secret = await copiedBy(page, 'Copy secret');
  const push = await readFile(PUSH, 'utf8');
  const body = push.replaceAll('shop/billing', repository);

  await test.step('a wrong secret is told', async () => {
    const answer = await deliver(request, { webhook, secret: 'wrong', body });
    expect(answer.status()).toBe(401);
    await expect(
      panel.getByText('The last delivery had a wrong signature', {
        exact: false,
      }),
    ).toBeVisible();
  });

  await test.step('the first push appears without reloading', async () => {
    const answer = await deliver(request, { webhook, secret, body });
    expect(answer.status()).toBe(200);
    await expect(panel.getByText('Last delivery: push')).toBeVisible();
    await expect(panel.getByText('Connected', { exact: true })).toBeVisible();
  });

  await test.step('the connection is removed', async () => {
    await panel.getByRole('button', { name: 'Remove connection' }).click();
    await page
      .getByRole('alertdialog')
      .or(page.getByRole('dialog'))
      .getByRole('button', { name: 'Remove connection' })
      .click();
    await expect(
      page.getByRole('link', { name: repository, exact: true }),
    ).toBeHidden();
    const answer = await deliver(request, { webhook, secret, body });
    expect(answer.status()).toBe(401);
  });
});

test('an admin connects an account of PagerDuty, and sees its test event arrive', async ({
  page,
  context,
  request,
}) => {
  // Each attempt connects another account.
  const account = `acme-${Date.now()}.pagerduty.com`;
  const secret = randomUUID();
  await context.grantPermissions(['clipboard-read', 'clipboard-write']);
  await continueAs(page, 'Ada');
  await page.goto('/delivery/connections');
  await page
    .getByRole('button', { name: 'Connect an incident tracker' })
    .first()
    .click();
  const dialog = page.getByRole('dialog', {
    name: 'Connect an incident tracker',
  });
  await dialog.getByRole('textbox', { name: 'Account' }).fill(account);
  await dialog.getByRole('button', { name: 'Connect', exact: true }).click();

  const panel = page.getByRole('complementary', { name: account });
  const webhook = await copiedBy(page, 'Copy webhook address');
  await panel.getByRole('button', { name: 'Enter the secret' }).click();
  const entering = page.getByRole('dialog', { name: 'Enter the secret' });
  await entering.getByLabel('Secret', { exact: true }).fill(secret);
  await entering.getByRole('button', { name: 'Save secret' }).click();
  await expect(
    panel.getByRole('button', { name: 'Enter another secret' }),
  ).toBeVisible();

  const body = await readFile(TEST_EVENT, 'utf8');
  const signature = createHmac('sha256', secret).update(body).digest('hex');
  const answer = await request.post(
    `${addresses.api}${new URL(webhook).pathname}`,
    {
      headers: {
        'content-type': 'application/json',
        'x-webhook-id': randomUUID(),
        'x-pagerduty-signature': `v1=${signature}`,
      },
      data: body,
    },
  );
  expect(answer.status()).toBe(200);
  await expect(panel.getByText('Last delivery: pagey.ping')).toBeVisible();
  await expect(panel.getByText('Connected', { exact: true })).toBeVisible();

  await panel.getByRole('button', { name: 'Remove connection' }).click();
  await page
    .getByRole('alertdialog')
    .or(page.getByRole('dialog'))
    .getByRole('button', { name: 'Remove connection' })
    .click();
  await expect(
    page.getByRole('link', { name: account, exact: true }),
  ).toBeHidden();
});
