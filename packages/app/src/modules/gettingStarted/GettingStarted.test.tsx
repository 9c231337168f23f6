import { storageApiRef } from '@backstage/frontend-plugin-api';
import { mockApis, renderInTestApp } from '@backstage/frontend-test-utils';
import { cleanup, screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { type Demo, DemoApi, demoApiRef } from '../demo/DemoApi';
import { inboxApiRef, type StepId } from '../home/InboxApi';
import { GettingStarted } from './GettingStarted';

function renderCard(
  options: {
    demo?: Partial<Demo>;
    done?: StepId[];
    storage?: ReturnType<typeof mockApis.storage>;
  } = {},
) {
  const { done = [], storage = mockApis.storage() } = options;
  const methods: string[] = [];
  const asked: StepId[] = [];
  const demo = new DemoApi({
    memory: window.localStorage,
    client: {
      async json<T>(_: string, call?: { method?: string }) {
        methods.push(call?.method ?? 'GET');
        return {
          phase: 'absent',
          steps: [],
          error: null,
          mayManage: true,
          refusal: null,
          writes: [{ id: 'catalog', title: 'Catalog', writes: '60 people' }],
          ...options.demo,
        } as T;
      },
    },
    reload: () => {},
  });
  renderInTestApp(<GettingStarted />, {
    apis: [
      [demoApiRef, demo],
      [
        inboxApiRef,
        {
          async firstSteps(ids: readonly StepId[]) {
            asked.push(...ids);
            return Object.fromEntries(ids.map(id => [id, done.includes(id)]));
          },
        },
      ],
      [storageApiRef, storage],
    ],
  });
  return { asked, methods, storage };
}

it('ticks off what really happened', async () => {
  renderCard({ done: ['build', 'flag'] });
  expect(await screen.findByText('2 of 6 done')).toBeInTheDocument();
  const item = (title: string) => screen.getByText(title).closest('li')!;
  expect(within(item('Run a build')).getByText('Done')).toBeInTheDocument();
  expect(
    within(item('Connect a repository')).getByRole('link', { name: 'Connect' }),
  ).toHaveAttribute('href', '/delivery/connections');
});

it('leaves out what only administrators can do, and offers them the demo organisation alone', async () => {
  renderCard({ demo: { mayManage: false } });
  expect(await screen.findByText('0 of 4 done')).toBeInTheDocument();
  expect(screen.queryByText('Connect a repository')).not.toBeInTheDocument();
  expect(
    screen.queryByRole('button', { name: /Load/ }),
  ).not.toBeInTheDocument();
});

it('loads the demo organisation, and lists what it writes', async () => {
  const { methods } = renderCard();
  expect(await screen.findByText('Catalog: 60 people')).toBeInTheDocument();
  await userEvent.click(
    screen.getByRole('button', { name: 'Load the demo organisation' }),
  );
  await waitFor(() => expect(methods).toContain('POST'));
});

it('stays hidden once it was put away', async () => {
  const { storage } = renderCard();
  await userEvent.click(await screen.findByRole('button', { name: 'Hide' }));
  expect(screen.queryByText('Getting started')).not.toBeInTheDocument();
  expect(
    storage.forBucket('slipway.gettingStarted').snapshot('dismissed').value,
  ).toBe(true);
});

it('keeps what has happened ticked off, even once it is gone', async () => {
  const { storage } = renderCard({ done: ['workspace', 'flag'] });
  expect(await screen.findByText('2 of 6 done')).toBeInTheDocument();
  cleanup();

  // The workspace was deleted.
  const { asked } = renderCard({ done: ['flag', 'build'], storage });
  expect(await screen.findByText('3 of 6 done')).toBeInTheDocument();
  expect(asked).toEqual(['connect', 'build', 'deployment', 'team']);
});
