import { test } from '@playwright/test';
import { addresses } from '../src/addresses.ts';
import { signIn } from './signIn.ts';

test.use({ baseURL: addresses.appServer });

test('the app that developers run signs in', async ({ page }) => {
  await signIn(page, 'Ada');
});
