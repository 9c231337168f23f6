import type { Meta, StoryObj } from '@storybook/react-vite';
import { InfoButton } from './Tile';

/** The definition of a label, one click away. */
const meta = {
  title: 'Components/Info button',
  component: InfoButton,
  args: { about: 'Lead time', children: 'From commit to production.' },
  parameters: {
    keyboard: { Enter: 'opens the explanation', Escape: 'closes it' },
  },
} satisfies Meta<typeof InfoButton>;

export default meta;
type Story = StoryObj<typeof meta>;

export const Closed: Story = {};
