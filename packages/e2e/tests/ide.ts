import { existsSync, readFileSync } from 'node:fs';
import { expect, Page } from '@playwright/test';
import { patient } from '@slipway/dev-runner/src/patience.ts';

/** Opens the IDE in the tab that its link opens, and waits until it is rendered. */
export async function openIde(page: Page): Promise<Page> {
  const opened = page.context().waitForEvent('page');
  await page
    .getByRole('link', { name: /^Open IDE/ })
    .first()
    .click();
  const ide = await opened;
  await expect(ide.getByRole('treeitem', { name: 'README.md' })).toBeVisible({
    timeout: patient(60_000),
  });
  return ide;
}

/**
 * Opens the IDE's terminal and runs a command in it, until `isDone`. A shell without its prompt
 * loses keystrokes, and an editor that is still opening its views takes the focus and some
 * keystrokes; in these cases the line is cleared and typed again.
 */
export async function runInTerminal(
  ide: Page,
  command: string,
  isDone: () => boolean | Promise<boolean>,
): Promise<void> {
  const terminal = ide.locator('.terminal-wrapper.active');
  await expect(async () => {
    // The editor restores its views while it starts, which may close the terminal again.
    if (!(await terminal.isVisible())) {
      await ide.keyboard.press('Control+Backquote');
    }
    await terminal.click({ timeout: 10_000 });
    await ide.keyboard.press('Control+C');
    await ide.keyboard.type(`${command}\n`, { delay: 5 });
    await expect.poll(isDone, { timeout: 10_000 }).toBe(true);
  }).toPass({ timeout: patient(60_000) });
}

/**
 * Reads, in the terminal, the environment of its shell (`own`) and those of all processes that it
 * may read (`all`).
 *
 * @param project - the folder of the terminal on this machine.
 */
export async function readEnvironments(
  ide: Page,
  project: string,
): Promise<{ own: string; all: string }> {
  await runInTerminal(
    ide,
    // Processes of other users are not readable: cat reports an error for each and continues.
    'env > env.txt && { cat /proc/[0-9]*/environ > proc.txt 2>&1; touch looked.txt; }',
    () => existsSync(`${project}/looked.txt`),
  );
  const read = (file: string) => readFileSync(`${project}/${file}`, 'utf8');
  return { own: read('env.txt'), all: read('proc.txt') };
}

/**
 * Starts the server of the tests' shop in the terminal, and waits until its endpoint responds.
 */
export async function serveFromTerminal(
  ide: Page,
  endpoint: string,
): Promise<void> {
  const tab = await ide.context().newPage();
  await runInTerminal(ide, 'node server.js', async () => {
    await tab.goto(endpoint);
    return tab.getByText('hello from the shop').isVisible();
  });
  await tab.close();
}
