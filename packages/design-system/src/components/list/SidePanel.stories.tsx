import type { Meta, StoryObj } from '@storybook/react-vite';
import { StatusBadge } from '../status/StatusBadge';
import { SidePanel } from './ListAndPanel';

/** The details of a row, next to its list and with their own URL. Receives focus when it opens. */
const meta = {
  title: 'Components/Side panel',
  component: SidePanel,
  args: {
    title: 'checkout 1.4.2',
    onClose: () => {},
    children: 'Deployed by grace, 12 minutes ago.',
  },
  parameters: { keyboard: { Escape: 'closes the panel' } },
} satisfies Meta<typeof SidePanel>;

export default meta;
type Story = StoryObj<typeof meta>;

export const Open: Story = {};

export const WithStatus: Story = {
  args: { status: <StatusBadge tone="danger" label="Failed" /> },
};
