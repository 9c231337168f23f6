import { Button } from '@backstage/ui';
import type { Meta, StoryObj } from '@storybook/react-vite';
import { Panel } from './Panel';

/** A section of a page, with its heading. */
const meta = {
  title: 'Components/Panel',
  component: Panel,
  args: { title: 'Endpoints', children: 'https://3000-checkout.example.test' },
} satisfies Meta<typeof Panel>;

export default meta;
type Story = StoryObj<typeof meta>;

export const Padded: Story = {};

export const WithAction: Story = {
  args: { action: <Button variant="secondary">Add endpoint</Button> },
};
