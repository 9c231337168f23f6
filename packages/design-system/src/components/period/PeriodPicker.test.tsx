import { useState } from 'react';
import { render, screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { resolvePeriod } from './period';
import { PeriodPicker } from './PeriodPicker';

const BEGUN = '2026-11-02..2026-11-08';

function Host(props: { begun?: string; onChange(value: string): void }) {
  const { begun = BEGUN, onChange } = props;
  const [value, setValue] = useState(begun);
  return (
    <PeriodPicker
      value={value}
      period={resolvePeriod(value, '2026-11-21')}
      onChange={next => {
        onChange(next);
        setValue(next);
      }}
    />
  );
}

function open() {
  const changes: string[] = [];
  render(<Host onChange={value => changes.push(value)} />);
  const segment = (name: RegExp) => screen.getByRole('spinbutton', { name });
  return { changes, user: userEvent.setup(), segment };
}

describe('PeriodPicker', () => {
  it.each([
    ['', 'Last 30 days'],
    ['12m', 'Last 12 months'],
    ['7d', 'Last 30 days'],
    ['custom', 'Last 30 days'],
  ])('names the period of "%s" in the URL', (begun, name) => {
    render(<Host begun={begun} onChange={() => {}} />);
    expect(screen.getByRole('button', { name: /Period$/ })).toHaveTextContent(
      name,
    );
  });

  it('keeps the dates while the first is typed past the last one', async () => {
    const { changes, user, segment } = open();
    await user.click(segment(/^day, Start/i));
    await user.keyboard('20');
    expect(changes).toEqual([]);
    expect(segment(/^day, Start/i)).toHaveTextContent('20');
    await user.click(segment(/^day, End/i));
    await user.keyboard('21');
    expect(changes).toEqual(['2026-11-20..2026-11-21']);
  });

  it('waits until a year is complete', async () => {
    const { changes, user, segment } = open();
    await user.click(segment(/^year, Start/i));
    await user.keyboard('2025');
    expect(changes).toEqual(['2025-11-02..2026-11-08']);
  });

  it('shows the period again when the focus leaves incomplete dates', async () => {
    const { changes, user, segment } = open();
    await user.click(segment(/^day, Start/i));
    await user.keyboard('20');
    await user.click(document.body);
    expect(segment(/^day, Start/i)).toHaveTextContent(/^2$/);
    expect(changes).toEqual([]);
  });
});
