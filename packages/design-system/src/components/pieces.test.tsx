import { act, render, screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { MemoryRouter } from 'react-router-dom';
import {
  CopyButton,
  Details,
  EmptyState,
  ErrorPanel,
  ListAndPanel,
  LoadingRows,
  LogView,
  Page,
  PageHeader,
  Panel,
  RelativeTime,
  saveFile,
  SidePanel,
  StatusBadge,
  StepList,
} from '../index';

describe('ListAndPanel', () => {
  it('marks whether a panel is open next to the list', () => {
    const { container, rerender } = render(<ListAndPanel>rows</ListAndPanel>);
    expect(container.firstChild).toHaveAttribute('data-open', 'false');

    rerender(<ListAndPanel panel={<aside>details</aside>}>rows</ListAndPanel>);
    expect(container.firstChild).toHaveAttribute('data-open', 'true');
    expect(screen.getByRole('complementary')).toHaveTextContent('details');
  });
});

describe('Page and PageHeader', () => {
  it('have one h1, and mark the current tab and the breadcrumbs', () => {
    render(
      <MemoryRouter>
        <Page
          header={
            <PageHeader
              title="api-gateway"
              description="An editor."
              breadcrumbs={[{ label: 'Workspaces', href: '/workspaces' }]}
              status={<StatusBadge tone="success" label="Running" />}
              tabs={[
                { id: 'overview', label: 'Overview', href: '/a' },
                { id: 'log', label: 'Log', href: '/b' },
              ]}
              activeTab="log"
            />
          }
        >
          <Panel title="Endpoints">
            <Details items={[{ label: 'Port', value: '8080' }]} />
          </Panel>
        </Page>
      </MemoryRouter>,
    );
    const main = screen.getByRole('main');
    expect(
      within(main).getByRole('heading', { level: 1, name: 'api-gateway' }),
    ).toBeInTheDocument();
    const up = screen.getByRole('navigation', { name: 'Breadcrumbs' });
    expect(
      within(up).getByRole('link', { name: 'Workspaces' }),
    ).toHaveAttribute('href', '/workspaces');
    expect(screen.getByRole('link', { name: 'Log' })).toHaveAttribute(
      'aria-current',
      'page',
    );
    expect(screen.getByRole('link', { name: 'Overview' })).not.toHaveAttribute(
      'aria-current',
    );
    expect(screen.getByRole('region', { name: 'Endpoints' })).toHaveTextContent(
      'Port8080',
    );
  });

  it('has the title of the open panel in the browser tab until it closes', async () => {
    const page = (panel?: string) => (
      <MemoryRouter>
        <Page header={<PageHeader title="Deployments" />}>
          <ListAndPanel
            panel={
              panel && (
                <SidePanel title={panel} onClose={() => {}}>
                  Deployed by grace.
                </SidePanel>
              )
            }
          >
            rows
          </ListAndPanel>
        </Page>
      </MemoryRouter>
    );
    const { rerender } = render(page('payments 1.4.2'));
    // An app in an earlier test file may have added its name or a place to titles.
    const titled = (title: RegExp) =>
      waitFor(() => expect(document.title).toMatch(title));
    await titled(/payments 1.4.2 \| Deployments/);
    rerender(page('payments 1.4.3'));
    await titled(/payments 1.4.3 \| Deployments/);
    rerender(page());
    await waitFor(() => expect(document.title).not.toMatch(/payments/));
    await titled(/Deployments/);
  });
});

it('SidePanel gets the focus for another subject, but takes none from its content', async () => {
  const panel = (title: string) => (
    <MemoryRouter>
      <SidePanel title={title} onClose={() => {}}>
        <button>Roll back</button>
      </SidePanel>
    </MemoryRouter>
  );
  const { rerender } = render(panel('demo/payments 1.4.2'));
  expect(screen.getByRole('heading')).toHaveFocus();
  act(() => screen.getByRole('button', { name: 'Roll back' }).focus());
  rerender(panel('Payments 1.4.2'));
  expect(screen.getByRole('button', { name: 'Roll back' })).toHaveFocus();
  act(() => screen.getByRole('button', { name: 'Roll back' }).blur());
  rerender(panel('Payments 1.4.3'));
  expect(screen.getByRole('heading')).toHaveFocus();
});

describe('states', () => {
  it('EmptyState shows the next step and the text to paste', () => {
    render(
      <EmptyState
        title="No builds yet"
        description="Builds of the last week appear here."
        code="curl -X POST http://localhost:8200/job/hello/build"
      />,
    );
    expect(
      screen.getByRole('heading', { level: 2, name: 'No builds yet' }),
    ).toBeInTheDocument();
    expect(screen.getByText(/curl -X POST/)).toBeInTheDocument();
  });

  it('ErrorPanel is announced and retries', async () => {
    const onRetry = vi.fn();
    render(
      <ErrorPanel
        title="Couldn't load builds"
        message="No route to host"
        onRetry={onRetry}
      />,
    );
    expect(screen.getByRole('alert')).toHaveTextContent('No route to host');
    await userEvent.click(screen.getByRole('button', { name: 'Retry' }));
    expect(onRetry).toHaveBeenCalledOnce();
  });

  it('skeletons wait for 150 ms, their label does not', () => {
    vi.useFakeTimers();
    try {
      const { container } = render(<LoadingRows label="Loading" rows={3} />);
      expect(screen.getByRole('status')).toHaveTextContent('Loading');
      // Their space is reserved from the start.
      const rows = container.querySelectorAll('.slw-LoadingRow');
      expect(rows).toHaveLength(3);
      expect(rows[0]).not.toBeVisible();
      act(() => vi.advanceTimersByTime(150));
      expect(rows[0]).toBeVisible();
    } finally {
      vi.useRealTimers();
    }
  });
});

describe('StepList', () => {
  it('marks the running step, shows its progress and announces it', () => {
    render(
      <StepList
        label="Start of api-gateway"
        steps={[
          {
            id: 'fetch',
            title: 'Read the devfile',
            state: 'done',
            startedAt: '2026-11-21T10:00:00.000Z',
            endedAt: '2026-11-21T10:00:12.000Z',
          },
          {
            id: 'editor',
            title: 'Bring the editor',
            state: 'running',
            progress: 0.42,
            message: '42 of 100 MB',
          },
          { id: 'start', title: 'Start the editor', state: 'pending' },
        ]}
      />,
    );
    const steps = screen.getAllByRole('listitem');
    expect(steps[0]).toHaveTextContent('Read the devfile, done12 s');
    expect(steps[1]).toHaveAttribute('aria-current', 'step');
    expect(steps[1]).toHaveTextContent('42 of 100 MB');
    expect(
      screen.getByRole('progressbar', { name: 'Bring the editor' }),
    ).toHaveAttribute('value', '42');
    expect(screen.getByRole('status')).toHaveTextContent(
      'Bring the editor: running',
    );
  });
});

describe('LogView', () => {
  it('offers to follow again once the reader has scrolled up', async () => {
    const lines = [
      { seq: 1, text: 'Cloning', source: 'project' },
      { seq: 2, text: 'Done' },
    ];
    render(<LogView label="Log of api-gateway" lines={lines} />);
    const box = screen.getByRole('log', { name: 'Log of api-gateway' });
    expect(box).toHaveTextContent('projectCloningDone');
    expect(screen.queryByRole('button', { name: /Follow/ })).toBeNull();

    Object.defineProperties(box, {
      scrollHeight: { value: 1000 },
      clientHeight: { value: 200 },
    });
    act(() => {
      box.scrollTop = 100;
      box.dispatchEvent(new Event('scroll'));
    });
    await userEvent.click(screen.getByRole('button', { name: /Follow/ }));
    expect(box.scrollTop).toBe(1000);
    // The button is gone.
    await waitFor(() => expect(box).toHaveFocus());
  });
});

describe('CopyButton', () => {
  it('copies and announces it', async () => {
    const user = userEvent.setup();
    render(<CopyButton text="http://localhost:7010" label="Copy address" />);
    await user.click(screen.getByRole('button', { name: 'Copy address' }));
    expect(await navigator.clipboard.readText()).toBe('http://localhost:7010');
    expect(await screen.findByText('Copied')).toBeInTheDocument();
  });
});

describe('saveFile', () => {
  it('marks CSV as UTF-8 for Excel, and keeps files until they are read', () => {
    vi.useFakeTimers();
    const files: Blob[] = [];
    const revoked: string[] = [];
    vi.stubGlobal(
      'URL',
      class extends URL {
        static override createObjectURL = (file: Blob) =>
          `blob:${files.push(file)}`;

        static override revokeObjectURL = (url: string) =>
          void revoked.push(url);
      },
    );
    try {
      saveFile('people.csv', { text: 'Zoë', type: 'text/csv' });
      saveFile('people.txt', { text: 'Zoë', type: 'text/plain' });
      // The byte order mark has three bytes.
      expect(files.map(({ size }) => size)).toEqual([7, 4]);
      expect(revoked).toEqual([]);
      vi.advanceTimersByTime(60_000);
      expect(revoked).toHaveLength(2);
    } finally {
      vi.unstubAllGlobals();
      vi.useRealTimers();
    }
  });
});

describe('RelativeTime', () => {
  it('provides the absolute time', () => {
    const value = new Date(Date.now() - 5 * 60_000).toISOString();
    render(<RelativeTime value={value} />);
    const time = screen.getByText('5 minutes ago');
    expect(time).toHaveAttribute('datetime', value);
    expect(time.getAttribute('title')).toMatch(/\d{4}/);
  });
});

describe('what takes the place of an empty state or a failure', () => {
  function Place(props: {
    state: 'empty' | 'loading' | 'failed' | 'table' | 'nothing';
  }) {
    const { state } = props;
    return (
      <main>
        <h1>Jobs</h1>
        <div>
          {state === 'empty' && (
            <EmptyState
              title="No jobs yet"
              description="…"
              action={<button>Create job</button>}
            />
          )}
          {state === 'failed' && (
            <ErrorPanel title="Couldn't load jobs" onRetry={() => {}} />
          )}
          {state === 'loading' && <LoadingRows label="Loading jobs" />}
          {state === 'table' && <table aria-label="Jobs" tabIndex={-1} />}
        </div>
        <input aria-label="Search" />
      </main>
    );
  }
  const frame = () =>
    act(() => new Promise(done => requestAnimationFrame(done)));

  it.each([
    ['empty', 'Create job'],
    ['failed', 'Retry'],
  ] as const)(
    'gets the focus after %s, once it has loaded',
    async (state, button) => {
      const { rerender } = render(<Place state={state} />);
      await userEvent.click(screen.getByRole('button', { name: button }));
      rerender(<Place state="loading" />);
      await frame();
      expect(document.body).toHaveFocus();
      rerender(<Place state="table" />);
      await waitFor(() =>
        expect(screen.getByRole('table', { name: 'Jobs' })).toHaveFocus(),
      );
    },
  );

  it('gets the focus in its button if the retry fails as well', async () => {
    const { rerender } = render(<Place state="failed" />);
    await userEvent.click(screen.getByRole('button', { name: 'Retry' }));
    rerender(<Place state="loading" />);
    rerender(<Place state="failed" />);
    await waitFor(() =>
      expect(screen.getByRole('button', { name: 'Retry' })).toHaveFocus(),
    );
  });

  it('does not get the focus on another page, whose shell moves it', async () => {
    const { rerender } = render(<Place state="empty" />);
    await userEvent.click(screen.getByRole('button', { name: 'Create job' }));
    const before = window.location.href;
    window.history.pushState(null, '', '/other');
    rerender(<Place state="table" />);
    await frame();
    await frame();
    expect(document.body).toHaveFocus();
    window.history.pushState(null, '', before);
  });

  it('gets the focus after a dialog, in its heading if there is no table', async () => {
    const dialog = document.createElement('div');
    dialog.setAttribute('role', 'dialog');
    dialog.tabIndex = -1;
    const { rerender } = render(<Place state="empty" />);
    document.body.append(dialog);
    await userEvent.click(screen.getByRole('button', { name: 'Create job' }));
    act(() => dialog.focus());
    rerender(<Place state="nothing" />);
    await frame();
    expect(dialog).toHaveFocus();
    dialog.remove();
    await waitFor(() =>
      expect(screen.getByRole('heading', { name: 'Jobs' })).toHaveFocus(),
    );
  });

  it('leaves the focus where the user moved it in the meantime', async () => {
    const { rerender } = render(<Place state="empty" />);
    await userEvent.click(screen.getByRole('button', { name: 'Create job' }));
    await userEvent.click(screen.getByRole('textbox', { name: 'Search' }));
    rerender(<Place state="table" />);
    await frame();
    expect(screen.getByRole('textbox', { name: 'Search' })).toHaveFocus();
  });
});
