import { screen } from '@testing-library/react';
import { build, FakeBuildsApi, job } from '../__testUtils__/FakeBuildsApi';
import { renderPlugin } from '../__testUtils__/renderPlugin';

let api: FakeBuildsApi;

beforeEach(() => {
  // There is no layout here, and lines out of sight are not in the page.
  vi.spyOn(Element.prototype, 'clientHeight', 'get').mockReturnValue(480);
  api = new FakeBuildsApi();
  api.jobs = [job('payments', [build(3)])];
  api.builds.set('payments #3', build(3));
  api.logs.set('payments #3', 'one\n==> <b>two</b>\nthree\n');
});

it('brings the line into sight that its address names', async () => {
  renderPlugin({ api, path: '/builds/payments/3#L2' });
  const line = await screen.findByText('==> <b>two</b>');
  expect(line.parentElement).toHaveAttribute('data-focused');
  expect(line.parentElement).toHaveAttribute('data-heading');
  expect(screen.getByText('1').getAttribute('href')).toBe(
    '/builds/payments/3#L1',
  );
});

it('shows the whole log as text in a tab of its own', async () => {
  const tab = { opener: window, location: { href: '' }, close: vi.fn() };
  vi.spyOn(window, 'open').mockReturnValue(tab as never);
  let shown: Blob | undefined;
  URL.createObjectURL = blob => {
    shown = blob as Blob;
    return 'blob:log';
  };
  const { user } = renderPlugin({ api, path: '/builds/payments/3' });
  await user.click(await screen.findByRole('button', { name: 'Raw' }));
  await vi.waitFor(() => expect(tab.location.href).toBe('blob:log'));
  expect(tab.opener).toBeNull();
  expect(shown?.type).toBe('text/plain;charset=utf-8');
  expect(shown?.size).toBe(api.logs.get('payments #3')!.length);
});
