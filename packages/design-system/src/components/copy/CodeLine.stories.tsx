import type { Meta, StoryObj } from '@storybook/react-vite';
import { CodeLine } from './CopyButton';

/** Text to paste elsewhere, with a copy button. */
const meta = {
  title: 'Components/Code line',
  component: CodeLine,
  args: { code: 'yarn lake import deployments.ndjson', label: 'Copy command' },
} satisfies Meta<typeof CodeLine>;

export default meta;
type Story = StoryObj<typeof meta>;

export const Basic: Story = {};
