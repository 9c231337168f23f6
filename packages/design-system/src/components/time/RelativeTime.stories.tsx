import type { Meta, StoryObj } from '@storybook/react-vite';
import { RelativeTime } from './RelativeTime';

/** Shows how long ago something was; on hover, the exact time in the user's time zone. */
const meta = {
  title: 'Components/Relative time',
  component: RelativeTime,
  args: { value: '2026-11-21T10:00:00.000Z' },
} satisfies Meta<typeof RelativeTime>;

export default meta;
type Story = StoryObj<typeof meta>;

export const Basic: Story = {};
