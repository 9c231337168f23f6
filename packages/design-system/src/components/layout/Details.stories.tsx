import type { Meta, StoryObj } from '@storybook/react-vite';
import { Details } from './Panel';

/** Facts about an object, as a definition list. */
const meta = {
  title: 'Components/Details',
  component: Details,
  args: {
    items: [
      { label: 'Namespace', value: 'ada-workspaces' },
      { label: 'Devfile', value: 'nodejs 2.2.1' },
      { label: 'Stops at', value: '18:30' },
    ],
  },
} satisfies Meta<typeof Details>;

export default meta;
type Story = StoryObj<typeof meta>;

export const Basic: Story = {};
