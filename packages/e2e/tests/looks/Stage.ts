import { type Browser, type Page, test } from '@playwright/test';
import type { PortalPage } from '../../src/pages.ts';
import { watchShift } from '../expectStill.ts';
import { describeLook, type LookParts } from './describeLook.ts';
import { Recording } from './Recording.ts';
import { type Answers, replay, type Replay } from './replay.ts';
import { countChanges, untilQuiet } from './untilQuiet.ts';

/**
 * Selects everything on a page except the sidebar, which the description of the home page covers.
 */
export const CONTENT =
  '#slipway-content, .slw-SignIn, [role="dialog"], [role="alertdialog"]';

/** A browser page whose server responses are replayed from a recording. */
export interface Stage {
  user: PortalPage['as'];
  page: Page;
  servers: Replay;
  recording: Recording;
  /** Errors that the browser reported. */
  errors: string[];
}

/** Opens a browser page that replays a recording, with its clock set to the recording's time. */
export async function setStage(
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
  const errors: string[] = [];
  page.on('pageerror', ({ message }) => errors.push(message));
  page.on(
    'console',
    message => message.type() === 'error' && errors.push(message.text()),
  );
  await page.clock.setFixedTime(recording.at);
  await watchShift(page);
  await countChanges(page);
  await page.addInitScript(user => {
    // Each visit is the first one: no page remembers how high its content was.
    Object.keys(window.localStorage)
      .filter(key => key.startsWith('slipway.height.'))
      .forEach(key => window.localStorage.removeItem(key));
    if (user) {
      window.localStorage.setItem('slipway.signIn.user', user);
    }
  }, options.user);
  return { user: options.user, page, servers, recording, errors };
}

/** Waits until a page that was just opened no longer changes. */
export async function settle({ page, servers, user }: Stage): Promise<void> {
  await page
    .locator(user ? '#slipway-content h1' : 'main h1')
    .first()
    .waitFor();
  await servers.loaded(page);
  await untilQuiet(page, {
    isLoading: servers.answers === 'none',
    isNew: true,
  });
}

/** Resizes a page, and waits until it no longer changes. */
export async function resize(
  { page, servers }: Stage,
  width: number,
): Promise<void> {
  const isLoading = servers.answers === 'none';
  await page.setViewportSize({ width, height: 900 });
  // Columns that now have room may request their content.
  await untilQuiet(page, { isLoading, isNew: true });
  await servers.loaded(page);
  await untilQuiet(page, { isLoading });
}

/** Describes the visible elements of a page. */
export const describe = ({ page }: Stage, parts: LookParts, roots = CONTENT) =>
  page.evaluate(describeLook, { roots, parts });
