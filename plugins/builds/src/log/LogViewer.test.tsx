import { fireEvent, screen, within } from '@testing-library/react';
import {
  build,
  FakeBuildsApi,
  job,
  step,
} from '../__testUtils__/FakeBuildsApi';
import { renderPlugin } from '../__testUtils__/renderPlugin';

let api: FakeBuildsApi;

/** Long enough that some lines are omitted. */
const LONG = 'line\n'.repeat(600);

beforeEach(() => {
  // jsdom has no layout, and rows out of view are not rendered.
  vi.spyOn(Element.prototype, 'clientHeight', 'get').mockReturnValue(480);
  window.localStorage.clear();
  api = new FakeBuildsApi();
  api.jobs = [job('payments', [build(3)])];
  api.builds.set(
    'payments #3',
    build(3, {
      result: 'FAILURE',
      steps: [
        step('Install', { state: 'done' }),
        step('Test', { state: 'failed' }),
        step('Deploy', { state: 'skipped' }),
      ],
    }),
  );
  api.logs.set(
    'payments #3',
    'Triggered by dev\n==> Install\nadded 3 packages\n==> Test\n::group::Cases\nok 1\n::endgroup::\nnot ok 2 <b>two</b>\n',
  );
});

const open = (path = '/builds/payments/3') => renderPlugin({ api, path });
const log = () => screen.findByRole('log', { name: 'Log of payments #3' });
const head = async (name: RegExp) =>
  within(await log()).findByRole('button', { name });

it('opens at the failed step, and folds long sections', async () => {
  api.logs.set('payments #3', `==> Install\n${LONG}==> Test\nnot ok\n`);
  const { user } = open();
  expect(await screen.findByText('not ok')).toBeInTheDocument();
  expect(await head(/Passed ?Install/)).toHaveAttribute(
    'aria-expanded',
    'false',
  );
  expect(await head(/Failed ?Test/)).toHaveAttribute('aria-expanded', 'true');
  await user.click(await head(/Failed ?Test/));
  expect(screen.queryByText('not ok')).toBeNull();
});

it('opens at a step whose failure the job allows, if no other failed', async () => {
  const steps = [
    step('Install', { state: 'done' }),
    step('Lint', { state: 'warning' }),
    step('Test', { state: 'done' }),
  ];
  api.builds.set('payments #3', build(3, { result: 'UNSTABLE', steps }));
  api.logs.set(
    'payments #3',
    `==> Install\n${LONG}==> Lint\nunused\n==> Test\nok\n`,
  );
  open();
  expect(await screen.findByText('unused')).toBeInTheDocument();
  expect(await head(/Lint/)).toHaveAttribute('aria-expanded', 'true');
  expect(await head(/Test/)).toHaveAttribute('aria-expanded', 'false');
});

it('folds groups of lines', async () => {
  const { user } = open();
  const group = await head(/^Cases$/);
  expect(screen.queryByText('ok 1')).toBeNull();
  await user.click(group);
  expect(await screen.findByText('ok 1')).toBeInTheDocument();
  expect(screen.queryByText('::endgroup::')).toBeNull();
});

it('brings the line into sight that its address names', async () => {
  open('/builds/payments/3#step:2:2');
  const line = await screen.findByText('ok 1');
  expect(line.closest('[data-focused]')).not.toBeNull();
  expect((await head(/^Cases$/)).getAttribute('aria-expanded')).toBe('true');
  const text = await screen.findByText('not ok 2 <b>two</b>');
  const number = text.parentElement!.previousElementSibling!;
  expect(number.getAttribute('href')).toBe('/builds/payments/3#step:2:4');
});

it('finds text in folded sections', async () => {
  api.logs.set('payments #3', `==> Install\nneedle\n${LONG}==> Test\nno\n`);
  const { user } = open();
  await user.type(await screen.findByRole('searchbox'), 'NEEDLE');
  expect(await screen.findByText('1 of 1')).toBeInTheDocument();
  expect(await screen.findByText('needle')).toBeInTheDocument();
});

it('marks what is searched for in the lines and titles that contain it', async () => {
  const { user } = open();
  await user.click(await head(/^Cases$/));
  await user.type(await screen.findByRole('searchbox'), 'OK');
  await screen.findByText('1 of 2');
  const marks = () =>
    Array.from(document.querySelectorAll('mark'), mark => mark.textContent);
  expect(marks()).toEqual(['ok', 'ok']);
  await user.clear(screen.getByRole('searchbox'));
  expect(marks()).toEqual([]);
});

it('shows timestamps on request, and remembers that choice', async () => {
  const { user } = open();
  await screen.findByText('not ok 2 <b>two</b>');
  expect(screen.queryByText(/:30:00$/)).toBeNull();
  await user.click(screen.getByRole('button', { name: 'Timestamps' }));
  expect(screen.getAllByText(/:30:00$/).length).toBeGreaterThan(0);
  expect(window.localStorage.getItem('slipway.builds.log.times')).toBe('true');
});

it('shows the whole log as text in a new tab', async () => {
  const tab = { opener: window, location: { href: '' }, close: vi.fn() };
  vi.spyOn(window, 'open').mockReturnValue(tab as never);
  let shown: Blob | undefined;
  URL.createObjectURL = blob => {
    shown = blob as Blob;
    return 'blob:log';
  };
  const { user } = open();
  await user.click(await screen.findByRole('button', { name: 'Raw' }));
  await vi.waitFor(() => expect(tab.location.href).toBe('blob:log'));
  expect(tab.opener).toBeNull();
  expect(shown?.type).toBe('text/plain;charset=utf-8');
  expect(shown?.size).toBe(api.logs.get('payments #3')!.length);
});

it('follows a log until its scrollbar is dragged up, and again at the end', async () => {
  api.builds.set(
    'payments #3',
    build(3, {
      building: true,
      result: null,
      steps: [step('Install', { state: 'running' })],
    }),
  );
  open();
  const box = await log();
  const follow = { name: 'Follow' };
  const scrollTo = (scrollTop: number) => {
    Object.defineProperty(box, 'scrollHeight', {
      value: 2_000,
      configurable: true,
    });
    box.scrollTop = scrollTop;
    fireEvent.scroll(box);
  };
  scrollTo(1_520);
  expect(screen.queryByRole('button', follow)).toBeNull();
  scrollTo(700);
  expect(await screen.findByRole('button', follow)).toBeVisible();
  scrollTo(1_200);
  expect(screen.getByRole('button', follow)).toBeVisible();
  scrollTo(2_000);
  await vi.waitFor(() =>
    expect(screen.queryByRole('button', follow)).toBeNull(),
  );
  scrollTo(700);
  const button = await screen.findByRole('button', follow);
  button.focus();
  fireEvent.click(button);
  await vi.waitFor(() => expect(box).toHaveFocus());
});

describe('a log without lines', () => {
  beforeEach(() => api.logs.clear());

  it('may get some while the build runs', async () => {
    api.builds.set('payments #3', build(3, { building: true, result: null }));
    open();
    expect(await screen.findByText('No lines yet.')).toBeInTheDocument();
  });

  it('stays so once the build has ended', async () => {
    open();
    expect(
      await screen.findByText('This build has no log.'),
    ).toBeInTheDocument();
  });

  it('is not known to be empty until it is loaded', async () => {
    api.getLogOutline = () => new Promise(() => {});
    open();
    expect(await screen.findByText('Loading the log')).toBeInTheDocument();
  });

  it('is not called empty if it could not be loaded', async () => {
    api.getLogOutline = () => Promise.reject(new Error('Gone'));
    open();
    expect(
      await screen.findByText("Couldn't load more of the log. Retrying."),
    ).toBeInTheDocument();
    expect(screen.queryByText(/No lines|no log|Loading the log/)).toBeNull();
  });
});
