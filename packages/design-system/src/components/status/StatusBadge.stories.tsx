import type { Meta, StoryObj } from '@storybook/react-vite';
import { StatusBadge } from './StatusBadge';

const meta = {
  title: 'Components/Status badge',
  component: StatusBadge,
  args: { tone: 'success', label: 'Running' },
} satisfies Meta<typeof StatusBadge>;

export default meta;
type Story = StoryObj<typeof meta>;

export const Success: Story = {};

export const Warning: Story = {
  args: { tone: 'warning', label: 'Rolled back' },
};

export const Danger: Story = { args: { tone: 'danger', label: 'Failed' } };

export const Info: Story = { args: { tone: 'info', label: 'In progress' } };

export const Neutral: Story = { args: { tone: 'neutral', label: 'Stopped' } };

/** The icon of something in progress is animated, unless the user prefers reduced motion. */
export const Busy: Story = {
  args: { tone: 'info', label: 'Starting', busy: true },
};
