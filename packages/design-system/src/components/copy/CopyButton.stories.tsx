import type { Meta, StoryObj } from '@storybook/react-vite';
import { CopyButton } from './CopyButton';

const meta = {
  title: 'Components/Copy button',
  component: CopyButton,
  args: { text: 'workspace-0190', label: 'Copy ID' },
} satisfies Meta<typeof CopyButton>;

export default meta;
type Story = StoryObj<typeof meta>;

export const Basic: Story = {};
