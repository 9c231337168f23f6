import { useState } from 'react';
import type { Meta, StoryObj } from '@storybook/react-vite';
import { PeriodPicker } from './PeriodPicker';
import { resolvePeriod } from './period';

const TODAY = '2026-11-21';

function Period() {
  const [value, setValue] = useState('');
  return (
    <PeriodPicker
      value={value}
      period={resolvePeriod(value, TODAY)}
      onChange={setValue}
    />
  );
}

/** The last 30 days, 90 days or 12 months, or any range of days. */
const meta = {
  title: 'Components/Period picker',
  component: Period,
} satisfies Meta<typeof Period>;

export default meta;
type Story = StoryObj<typeof meta>;

export const Basic: Story = {};
