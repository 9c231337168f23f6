import { renderInTestApp } from '@backstage/frontend-test-utils';
import { act, fireEvent, screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { ToastRegion } from './ToastRegion';
import { Toasts } from './Toasts';

async function renderToasts() {
  const toasts = new Toasts();
  renderInTestApp(<ToastRegion toasts={toasts} />);
  await screen.findByRole('region', { name: 'Messages' });
  return toasts;
}

it('shows a message until it is closed', async () => {
  const toasts = await renderToasts();
  act(
    () =>
      void toasts.post({
        title: 'Saved',
        links: [{ label: 'Open', href: '/x' }],
      }),
  );
  expect(screen.getByRole('status')).toHaveTextContent('Saved');
  expect(screen.getByRole('link', { name: 'Open' })).toHaveAttribute(
    'href',
    '/x',
  );
  await userEvent.click(screen.getByRole('button', { name: 'Close message' }));
  expect(screen.getByRole('status')).toBeEmptyDOMElement();
});

it('hides messages after a while, except hovered ones', async () => {
  const toasts = await renderToasts();
  vi.useFakeTimers();
  act(() => void toasts.post({ title: 'Gone soon', timeout: 1_000 }));
  fireEvent.mouseEnter(screen.getByText('Gone soon').closest('.slw-Toast')!);
  act(() => void vi.advanceTimersByTime(2_000));
  expect(screen.getByText('Gone soon')).toBeVisible();
  fireEvent.mouseLeave(screen.getByText('Gone soon').closest('.slw-Toast')!);
  act(() => void vi.advanceTimersByTime(1_000));
  expect(screen.queryByText('Gone soon')).toBeNull();
  vi.useRealTimers();
});

it('keeps a message that has the focus, though the mouse leaves it', async () => {
  const toasts = await renderToasts();
  vi.useFakeTimers();
  try {
    act(() => void toasts.post({ title: 'Archived', timeout: 1_000 }));
    const toast = screen.getByText('Archived').closest('.slw-Toast')!;
    act(() => screen.getByRole('button', { name: 'Close message' }).focus());
    fireEvent.mouseEnter(toast);
    fireEvent.mouseLeave(toast);
    act(() => void vi.advanceTimersByTime(2_000));
    expect(screen.getByText('Archived')).toBeVisible();
  } finally {
    vi.useRealTimers();
  }
});

it('returns the focus to what had it when a message is closed', async () => {
  const toasts = new Toasts();
  renderInTestApp(
    <>
      <button>Archive</button>
      <ToastRegion toasts={toasts} />
    </>,
  );
  const archive = await screen.findByRole('button', { name: 'Archive' });
  archive.focus();
  act(() => void toasts.post({ title: 'One' }));
  act(() => void toasts.post({ title: 'Two' }));
  const close = () =>
    screen.getAllByRole('button', { name: 'Close message' })[0];
  act(() => close().focus());
  await userEvent.keyboard('{Enter}');
  act(() => close().focus());
  await userEvent.keyboard('{Enter}');
  await waitFor(() => expect(archive).toHaveFocus());
});

it('keeps the newest four', async () => {
  const toasts = await renderToasts();
  act(() => {
    for (let index = 1; index <= 6; index += 1) {
      toasts.post({ title: `Message ${index}` });
    }
  });
  expect(screen.getAllByText(/Message/).map(one => one.textContent)).toEqual([
    'Message 3',
    'Message 4',
    'Message 5',
    'Message 6',
  ]);
});
