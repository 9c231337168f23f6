import { storageApiRef } from '@backstage/frontend-plugin-api';
import { mockApis, renderInTestApp } from '@backstage/frontend-test-utils';
import { act, screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { SavedViews } from './SavedViews';

const stored = [{ name: 'Failed', query: 'status=failed' }];

/** Creates the user's settings, which are known once `arrive` is called. */
async function createSettings() {
  const settings = mockApis.storage();
  await settings.forBucket('slipway.views').set('builds', stored);
  let arrive = () => {};
  const api = {
    forBucket(name: string) {
      const bucket = settings.forBucket(name);
      return {
        ...api,
        set: bucket.set.bind(bucket),
        snapshot: (key: string) => ({ key, presence: 'unknown' as const }),
        observe$: (key: string) => ({
          subscribe({ next }: { next(snapshot: unknown): void }) {
            arrive = () => next(bucket.snapshot(key));
            return { unsubscribe() {}, closed: false };
          },
        }),
      };
    },
  };
  return { api, settings, arrive: () => arrive() };
}

/** Opens the form for the name of the current view, and types one. */
async function nameView(name: string) {
  await userEvent.click(await screen.findByRole('button', { name: 'Views' }));
  await userEvent.click(
    await screen.findByRole('menuitem', { name: 'Save this view' }),
  );
  await userEvent.type(await screen.findByRole('textbox'), name);
}

const isDisabled = async () =>
  (
    await screen.findByRole('menuitem', { name: 'Save this view' })
  ).getAttribute('aria-disabled') === 'true';

it('saves no view while those that exist are unknown, which it would replace', async () => {
  const { api, settings, arrive } = await createSettings();
  renderInTestApp(<SavedViews list="builds" />, {
    apis: [[storageApiRef, api as never]],
    initialRouteEntries: ['/?status=new'],
  });
  await userEvent.click(await screen.findByRole('button', { name: 'Views' }));
  expect(await isDisabled()).toBe(true);
  act(arrive);
  expect(await screen.findByRole('menuitem', { name: 'Failed' })).toBeVisible();
  await userEvent.click(
    screen.getByRole('menuitem', { name: 'Save this view' }),
  );
  await userEvent.type(await screen.findByRole('textbox'), 'New{Enter}');
  await waitFor(() =>
    expect(
      settings.forBucket('slipway.views').snapshot('builds').value,
    ).toEqual([...stored, { name: 'New', query: 'status=new' }]),
  );
});

it('says that a name is taken before it replaces a view', async () => {
  const { api, settings, arrive } = await createSettings();
  renderInTestApp(<SavedViews list="builds" />, {
    apis: [[storageApiRef, api as never]],
    initialRouteEntries: ['/?status=new'],
  });
  await screen.findByRole('button', { name: 'Views' });
  act(arrive);
  await nameView('Failed');
  expect(screen.getByText('Replaces the view “Failed”.')).toBeVisible();
  await userEvent.click(screen.getByRole('button', { name: 'Replace view' }));
  await waitFor(() =>
    expect(
      settings.forBucket('slipway.views').snapshot('builds').value,
    ).toEqual([{ name: 'Failed', query: 'status=new' }]),
  );
});

it('says that a view was not saved, and no longer lists it', async () => {
  const { api, arrive } = await createSettings();
  const failing = {
    forBucket: (name: string) => ({
      ...api.forBucket(name),
      set: async () => {
        throw new Error('The portal failed.');
      },
    }),
  };
  renderInTestApp(<SavedViews list="builds" />, {
    apis: [[storageApiRef, failing as never]],
    initialRouteEntries: ['/?status=new'],
  });
  await screen.findByRole('button', { name: 'Views' });
  act(arrive);
  await nameView('New{Enter}');
  // Toasts appear gradually.
  await screen.findByText("Couldn't save the views");
  await userEvent.click(screen.getByRole('button', { name: 'Views' }));
  expect(await screen.findByRole('menuitem', { name: 'Failed' })).toBeVisible();
  expect(screen.queryByRole('menuitem', { name: 'New' })).toBeNull();
});

it('brings a deleted view back without losing one that was saved in the meantime', async () => {
  const { api, settings, arrive } = await createSettings();
  renderInTestApp(<SavedViews list="builds" />, {
    apis: [[storageApiRef, api as never]],
    initialRouteEntries: ['/?status=failed'],
  });
  act(arrive);
  await userEvent.click(await screen.findByRole('button', { name: 'Failed' }));
  await userEvent.click(
    await screen.findByRole('menuitem', { name: 'Delete “Failed”' }),
  );
  const undo = await screen.findByRole('button', { name: 'Undo' });
  await nameView('New{Enter}');
  await userEvent.click(undo);
  await waitFor(() =>
    expect(
      settings
        .forBucket('slipway.views')
        .snapshot<{ name: string }[]>('builds')
        .value?.map(({ name }) => name),
    ).toEqual(['New', 'Failed']),
  );
});
