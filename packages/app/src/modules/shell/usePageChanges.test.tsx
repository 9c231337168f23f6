import { useRef } from 'react';
import { act, render, screen } from '@testing-library/react';
import { ListAndPanel, SidePanel } from '@slipway/design-system';
import {
  Link,
  MemoryRouter,
  type NavigateFunction,
  Route,
  Routes,
  useNavigate,
  useParams,
} from 'react-router-dom';
import { usePageChanges } from './usePageChanges';

let navigate: NavigateFunction;

/** A list that shows the details of a row next to it. */
function Deployments() {
  const { '*': id } = useParams();
  return (
    <ListAndPanel
      panel={
        id && (
          <SidePanel title={id} onClose={() => {}}>
            Details
          </SidePanel>
        )
      }
    >
      <Link to="/deployments/7">Open 7</Link>
      <Link to="/builds">Open builds</Link>
    </ListAndPanel>
  );
}

function Shell() {
  navigate = useNavigate();
  const content = useRef<HTMLDivElement>(null);
  const opened = usePageChanges(content);
  return (
    <>
      <span data-testid="opened">{opened}</span>
      <div ref={content} data-testid="content" tabIndex={-1}>
        <Routes>
          <Route path="/deployments/*" element={<Deployments />} />
          <Route path="/builds" element={<h1>Builds</h1>} />
        </Routes>
      </div>
    </>
  );
}

function open() {
  render(
    <MemoryRouter initialEntries={['/deployments']}>
      <Shell />
    </MemoryRouter>,
  );
  const content = screen.getByTestId('content');
  return {
    content,
    scroll(top: number) {
      content.scrollTop = top;
      act(() => void content.dispatchEvent(new Event('scroll')));
    },
    go: (to: string | -1) => act(() => navigate(to as string)),
  };
}

it('starts a new page at its top, and returns to where the last one was left', async () => {
  const { content, scroll, go } = open();
  scroll(700);
  await go('/builds');
  expect(content.scrollTop).toBe(0);
  scroll(90);
  await go(-1);
  expect(content.scrollTop).toBe(700);
});

it('does not move the list when details open next to it, or a filter changes', async () => {
  const { content, scroll, go } = open();
  scroll(700);
  await go('/deployments/7');
  expect(screen.getByRole('complementary')).toHaveTextContent('Details');
  expect(content.scrollTop).toBe(700);
  await go('/deployments/7?q=shop');
  await go('/deployments');
  expect(content.scrollTop).toBe(700);
});

it('waits for the content of a page that it returns to, unless the user scrolls', async () => {
  const { content, scroll, go } = open();
  let height = 1_000;
  let top = 0;
  Object.defineProperty(content, 'scrollTop', {
    get: () => top,
    set: (next: number) => {
      top = Math.min(next, height);
    },
  });
  const load = (loaded: number) =>
    act(async () => {
      height = loaded;
      content.append(document.createElement('p'));
    });
  scroll(700);
  await go('/builds');
  height = 200;
  await go(-1);
  expect(top).toBe(200);
  await load(1_000);
  expect(top).toBe(700);

  await go('/builds');
  height = 200;
  await go(-1);
  window.dispatchEvent(new Event('wheel'));
  scroll(50);
  await load(1_000);
  expect(top).toBe(50);
});

it('announces a new page, and takes the focus if the link that led to it is gone', async () => {
  vi.useFakeTimers();
  try {
    const { content } = open();
    const settle = () => act(() => void vi.advanceTimersByTime(500));
    settle();
    expect(screen.getByTestId('opened')).toBeEmptyDOMElement();

    const link = screen.getByRole('link', { name: 'Open builds' });
    link.focus();
    document.title = 'Builds | Slipway';
    act(() => link.click());
    settle();
    expect(screen.getByTestId('opened')).toHaveTextContent('Builds | Slipway');
    expect(content).toHaveFocus();
  } finally {
    vi.useRealTimers();
  }
});
