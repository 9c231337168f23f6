import {
  type BrowserContext,
  type Page,
  test as playwrightTest,
} from '@playwright/test';

interface Fixtures {
  /**
   * Opens a page in another browser profile, for a second person, and closes it after the test: an open
   * page keeps polling every part of the platform, and would do so during later tests.
   */
  openOtherProfile(): Promise<Page>;
}

/** Playwright's `test`, with a fixture for tests in which several people take part. */
export const test = playwrightTest.extend<Fixtures>({
  openOtherProfile: async ({ browser }, use) => {
    const profiles: BrowserContext[] = [];
    await use(async () => {
      const profile = await browser.newContext();
      profiles.push(profile);
      return profile.newPage();
    });
    await Promise.all(profiles.map(profile => profile.close()));
  },
});
