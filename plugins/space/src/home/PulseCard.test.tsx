import { PageBlueprint } from '@backstage/frontend-plugin-api';
import { InPages } from '@slipway/test-pages';
import { screen, waitFor } from '@testing-library/react';
import { FakeSpaceApi } from '../__testUtils__/FakeSpaceApi';
import { renderPlugin } from '../__testUtils__/renderPlugin';
import { aReminder } from '../__testUtils__/reports';
import { servicePages } from '../queries';
import { PulseCard } from './PulseCard';

const home = PageBlueprint.make({
  name: 'home',
  params: {
    path: '/home',
    loader: async () => (
      <InPages pages={servicePages}>
        <PulseCard />
      </InPages>
    ),
  },
});

function renderCard(api: FakeSpaceApi) {
  return renderPlugin({ api, path: '/home', extensions: [home] });
}

describe('PulseCard', () => {
  it('submits the two answers in the card, then shows aggregated answers', async () => {
    const api = new FakeSpaceApi();
    const { user } = renderCard(api);
    await user.click(
      (await screen.findAllByRole('radio', { name: '1, Not at all' }))[0],
    );
    await user.keyboard('35{Enter}');
    const thanks = await screen.findByText(
      'Your answers are counted without your name.',
    );
    await waitFor(() => expect(thanks).toHaveFocus());
    expect(api.pulses).toMatchObject([{ satisfaction: 3, productivity: 5 }]);
    expect(await screen.findByText('payments, last 30 days')).toBeVisible();
  });

  it('adds the optional questions without losing the answers', async () => {
    const api = new FakeSpaceApi();
    const { user } = renderCard(api);
    await user.click(
      (await screen.findAllByRole('radio', { name: '1, Not at all' }))[0],
    );
    await user.keyboard('35');
    await user.click(screen.getByRole('button', { name: 'Add details' }));
    expect(screen.getByRole('group', { name: /^How likely/ })).toContainElement(
      document.activeElement as HTMLElement,
    );
    await user.click(screen.getByRole('radio', { name: '8' }));
    await user.click(screen.getByRole('button', { name: 'Send answers' }));
    await screen.findByText('Your answers are counted without your name.');
    expect(api.pulses).toEqual([
      {
        satisfaction: 3,
        productivity: 5,
        recommend: 8,
        blockers: '',
        wins: '',
      },
    ]);
  });

  it('renders nothing if no survey is due', async () => {
    const api = new FakeSpaceApi();
    api.reminder = aReminder({ due: false, dueAt: null, optedOut: true });
    renderCard(api);
    expect(await screen.findByText('Survey reminders are off.')).toBeVisible();
    expect(screen.queryByRole('radio')).toBeNull();
  });

  it('shows that the service is not responding', async () => {
    const api = new FakeSpaceApi();
    await api.refuse('getReminder', { status: 503, message: 'No database' });
    renderCard(api);
    expect(await screen.findByRole('alert')).toHaveTextContent(
      'The experience service is not responding',
    );
  });
});
