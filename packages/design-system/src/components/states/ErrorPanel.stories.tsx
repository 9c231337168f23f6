import type { Meta, StoryObj } from '@storybook/react-vite';
import { ErrorPanel } from './states';

/**
 * Shows what failed, what to do about it, and a retry button; the rest of the page stays
 * usable.
 */
const meta = {
  title: 'Components/Error panel',
  component: ErrorPanel,
  args: {
    title: "Couldn't load workspaces",
    message: 'The portal did not respond within 10 s',
  },
} satisfies Meta<typeof ErrorPanel>;

export default meta;
type Story = StoryObj<typeof meta>;

export const WithRetry: Story = {
  args: { onRetry: () => {}, advice: 'Check that the portal is running.' },
};

export const WithoutRetry: Story = {};
