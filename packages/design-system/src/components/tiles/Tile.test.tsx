import { render, screen, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { Tile } from './Tile';

describe('Tile', () => {
  it('groups the value with its change, and explains its label on request', async () => {
    render(
      <Tile
        label="Lead time"
        value="5 h 12 min"
        change={{
          text: '12% shorter than before (better)',
          direction: 'down',
          judgement: 'better',
        }}
        footnote="83 changes"
        definition={<p>From commit to production.</p>}
      />,
    );
    const tile = screen.getByRole('group', { name: 'Lead time' });
    expect(tile).toHaveTextContent('5 h 12 min');
    expect(tile).toHaveTextContent('12% shorter than before (better)');
    expect(tile).toHaveTextContent('83 changes');

    await userEvent.click(
      within(tile).getByRole('button', { name: 'About Lead time' }),
    );
    expect(
      screen.getByRole('dialog', { name: 'About Lead time' }),
    ).toHaveTextContent('From commit to production.');
  });
});
