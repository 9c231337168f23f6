import type { Meta, StoryObj } from '@storybook/react-vite';
import { Duration } from './RelativeTime';

const meta = {
  title: 'Components/Duration',
  component: Duration,
  args: { from: '2026-11-21T10:00:00.000Z', to: '2026-11-21T10:01:12.000Z' },
} satisfies Meta<typeof Duration>;

export default meta;
type Story = StoryObj<typeof meta>;

export const Ended: Story = {};

/** Updates every second while in progress. */
export const InProgress: Story = { args: { to: null } };
