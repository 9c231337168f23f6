import { renderInTestApp } from '@backstage/frontend-test-utils';
import { act, screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { AppQueries } from '../queries/clientsOfApp';
import { ActionButtons } from './ActionButtons';
import { type InstalledSource, paletteApiRef } from './palette';

it('runs an action once, however often its button is pressed', async () => {
  const runs: (() => void)[] = [];
  const source: InstalledSource = {
    id: 'builds',
    title: 'Builds',
    icon: <svg />,
    order: 1,
    isScope: true,
    dialogs: {},
    load: async () => () => ({
      actionsFor: async () => [
        {
          id: 'rerun',
          title: 'Run again',
          kind: 'Action',
          act: {
            type: 'run',
            run: () => new Promise(done => runs.push(() => done(undefined))),
          },
        },
      ],
    }),
  };
  renderInTestApp(
    <AppQueries>
      <ActionButtons
        label="Actions"
        subjects={[{ kind: 'build', title: 'hello #3', page: '/hello/3' }]}
      />
    </AppQueries>,
    { apis: [[paletteApiRef, { sources: () => [source] }]] },
  );
  const button = await screen.findByRole('button', { name: 'Run again' });
  await userEvent.dblClick(button);
  expect(runs).toHaveLength(1);
  await act(async () => runs[0]());
  await userEvent.click(button);
  expect(runs).toHaveLength(2);
});
