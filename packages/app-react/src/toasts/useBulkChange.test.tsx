import { renderInTestApp } from '@backstage/frontend-test-utils';
import { Button } from '@slipway/design-system';
import { screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { useBulkChange } from './useBulkChange';

/** Flags by name; true if archived. */
let flags: Map<string, boolean>;

async function setArchived(name: string, isArchived: boolean) {
  if (!flags.has(name)) {
    throw new Error(`${name} has changed in the meantime.`);
  }
  flags.set(name, isArchived);
}

function Archive({ names }: { names: readonly string[] }) {
  const bulkChange = useBulkChange();
  return (
    <Button
      onPress={() =>
        void bulkChange(names, {
          change: name => setArchived(name, true),
          undo: name => setArchived(name, false),
          done: count => `${count} flags archived`,
          failed: count => `Couldn't archive ${count} flags`,
        })
      }
    >
      Archive
    </Button>
  );
}

beforeEach(() => {
  flags = new Map(['a', 'b', 'c', 'd', 'e', 'f', 'g'].map(n => [n, false]));
});

const archived = () => [...flags.values()].filter(Boolean).length;

it('changes every row, and undoes it for all', async () => {
  renderInTestApp(<Archive names={[...flags.keys()]} />);
  await userEvent.click(await screen.findByRole('button'));
  expect(await screen.findByText('7 flags archived')).toBeInTheDocument();
  expect(archived()).toBe(7);
  await userEvent.click(screen.getByRole('button', { name: 'Undo' }));
  await waitFor(() => expect(archived()).toBe(0));
});

it('says how many rows were not changed, and why', async () => {
  renderInTestApp(<Archive names={['a', 'x', 'y']} />);
  await userEvent.click(await screen.findByRole('button'));
  expect(
    await screen.findByText("Couldn't archive 2 flags"),
  ).toBeInTheDocument();
  expect(
    screen.getByText('x has changed in the meantime.'),
  ).toBeInTheDocument();
  expect(screen.getByText('1 flags archived')).toBeInTheDocument();
});
