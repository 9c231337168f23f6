import { useState } from 'react';
import { render, screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { RatingScale } from './RatingScale';

function Question({ max, onDigit }: { max: number; onDigit?: () => void }) {
  const [value, setValue] = useState<number>();
  return (
    <RatingScale
      label="How was it?"
      min={max > 9 ? 0 : 1}
      max={max}
      lowLabel="Bad"
      highLabel="Good"
      value={value}
      onChange={setValue}
      onDigit={onDigit}
    />
  );
}

describe('RatingScale', () => {
  it('is a group named by its question, with labelled ends', () => {
    render(<Question max={5} />);
    expect(
      screen.getByRole('group', { name: 'How was it?' }),
    ).toBeInTheDocument();
    expect(
      screen
        .getAllByRole('radio')
        .map(radio => radio.getAttribute('aria-label')),
    ).toEqual(['1, Bad', '2', '3', '4', '5, Good']);
  });

  it('accepts a digit as an answer, and ignores other keys', async () => {
    const onDigit = vi.fn();
    render(<Question max={5} onDigit={onDigit} />);
    await userEvent.tab();
    await userEvent.keyboard('4');
    expect(screen.getByRole('radio', { name: '4' })).toBeChecked();
    expect(onDigit).toHaveBeenCalledTimes(1);
    await userEvent.keyboard('9{Control>}2{/Control}');
    expect(screen.getByRole('radio', { name: '4' })).toBeChecked();
    expect(onDigit).toHaveBeenCalledTimes(1);
  });

  it('does not accept the 1 of a 10 as an answer', async () => {
    render(<Question max={10} />);
    await userEvent.tab();
    await userEvent.keyboard('1');
    expect(screen.getByRole('radio', { name: '1' })).not.toBeChecked();
  });
});
