import type { Meta, StoryObj } from '@storybook/react-vite';
import { CodeLine } from './CopyButton';

/** A line to paste, with the button that copies it. */
const meta = {
  title: 'Components/Code line',
  component: CodeLine,
  args: { code: 'yarn lake import deployments.ndjson', label: 'Copy command' },
} satisfies Meta<typeof CodeLine>;

export default meta;
type Story = StoryObj<typeof meta>;

export const Basic: Story = {};
