import { createApiRef } from '@backstage/frontend-plugin-api';
import { renderInTestApp } from '@backstage/frontend-test-utils';
import { failAtOnce } from '@slipway/test-pages';
import { screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { pagesOfService } from '../pages/pagesOfService';
import { AppQueries } from './clientsOfApp';
import { useServiceChange, useServiceQuery } from './queries';

interface Counter {
  read(): Promise<number>;
  add(): Promise<string>;
}

const counterApiRef = createApiRef<Counter>().with({ id: 'test.counter' });

const { component: Pages } = pagesOfService(() => ({
  name: 'The counter',
  data: 'counts',
  access: '',
}));

function Count({ place }: { place: string }) {
  const { data } = useServiceQuery(counterApiRef, ['count'], api => api.read());
  return (
    <p>
      {place}: {data}
    </p>
  );
}

function AddButton({ hasSecret }: { hasSecret: boolean }) {
  const { mutate, data } = useServiceChange(
    counterApiRef,
    (api, _: void) => api.add(),
    { hasSecret },
  );
  return <button onClick={() => mutate()}>{data ?? 'Add'}</button>;
}

/** Shows a counter on Home and on the pages of its service, with a button to add to it. */
function renderCounter({ hasSecret = false, isStuck = false } = {}) {
  let count = 0;
  const counter: Counter = {
    // Refetching never ends if it is stuck.
    read: () =>
      isStuck && count > 0 ? new Promise(() => {}) : Promise.resolve(count),
    async add() {
      count += 1;
      return `Added ${count}`;
    },
  };
  renderInTestApp(
    <>
      <AppQueries>
        <Count place="Home" />
      </AppQueries>
      <Pages>
        <Count place="Page" />
        <AddButton hasSecret={hasSecret} />
      </Pages>
    </>,
    { apis: [[counterApiRef, counter], failAtOnce] },
  );
}

const add = async () =>
  userEvent.click(await screen.findByRole('button', { name: 'Add' }));

describe('useServiceChange', () => {
  it('refetches what pages of the service and others show', async () => {
    renderCounter();
    expect(await screen.findByText('Home: 0')).toBeVisible();
    expect(await screen.findByText('Page: 0')).toBeVisible();
    await add();
    expect(await screen.findByText('Home: 1')).toBeVisible();
    expect(await screen.findByText('Page: 1')).toBeVisible();
  });

  it('ends after a while if data is slow', async () => {
    renderCounter({ isStuck: true });
    await screen.findByText('Page: 0');
    await add();
    expect(
      await screen.findByRole('button', { name: 'Added 1' }),
    ).toBeVisible();
  });

  it('returns a secret without waiting for that', async () => {
    renderCounter({ hasSecret: true, isStuck: true });
    await screen.findByText('Page: 0');
    await add();
    expect(
      await screen.findByRole('button', { name: 'Added 1' }),
    ).toBeVisible();
  });
});
