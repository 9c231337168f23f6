import {
  type BrowserContext,
  type Page,
  test as playwrightTest,
} from '@playwright/test';

interface Fixtures {
  /**
   * Opens a page in another browser profile, for a second person. It is closed after the test: an
   * open page keeps asking every part of the platform for news, and would do so during later tests.
   */
  openOtherProfile(): Promise<Page>;
}

/** A test in which several people take part. */
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
