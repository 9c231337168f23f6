import type { Meta, StoryObj } from '@storybook/react-vite';
import { Sparkline } from './Sparkline';

/** Shows how a number has developed; always next to the number, never instead of it. */
const meta = {
  title: 'Components/Sparkline',
  component: Sparkline,
  args: { values: [3, 4, null, 6, 5] },
} satisfies Meta<typeof Sparkline>;

export default meta;
type Story = StoryObj<typeof meta>;

export const Basic: Story = {};
