import { expect, test } from '@playwright/test';
import { readLook, type Sections, snapTo, writeLook } from './compareLook.ts';

/** Compares a page with its description, and stores the new one if requested. */
export function expectLook(name: string, path: string, found: Sections): void {
  const stored = readLook(name);
  const snapped = snapTo(stored, found);
  const { updateSnapshots } = test.info().config;
  if (updateSnapshots === 'all' || updateSnapshots === 'changed') {
    writeLook(name, snapped);
  } else {
    expect.soft(snapped, `the look of ${path}`).toEqual(stored);
  }
}
