import { act, render, screen } from '@testing-library/react';
import { Skeletons } from '../states/states';
import { Steady } from './Steady';

const frame = () => screen.getByTestId('below').previousElementSibling;

function Page({ isLoading }: { isLoading: boolean }) {
  return (
    <>
      <Steady name="inbox" height={120}>
        {isLoading ? <Skeletons label="Loading">…</Skeletons> : 'Two builds'}
      </Steady>
      <p data-testid="below">Below</p>
    </>
  );
}

/** Runs pending observers and timers. */
const settle = () =>
  act(async () => {
    await Promise.resolve();
    vi.advanceTimersByTime(600);
  });

beforeEach(() => {
  vi.useFakeTimers();
  vi.spyOn(HTMLElement.prototype, 'offsetHeight', 'get').mockReturnValue(300);
});

afterEach(() => {
  vi.useRealTimers();
  vi.restoreAllMocks();
});

it('reserves space until nothing is loading, using the remembered height', async () => {
  const { rerender, unmount } = render(<Page isLoading />);
  await settle();
  expect(frame()).toHaveStyle({ minHeight: '120px' });
  rerender(<Page isLoading={false} />);
  await settle();
  expect(frame()).toHaveStyle({ minHeight: '' });
  unmount();

  render(<Page isLoading />);
  expect(frame()).toHaveStyle({ minHeight: '300px' });
});
