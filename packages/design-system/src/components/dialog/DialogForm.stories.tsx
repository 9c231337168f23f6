import type { Meta, StoryObj } from '@storybook/react-vite';
import { Dialog, DialogHeader, TextField } from '@backstage/ui';
import { DialogForm } from './DialogForm';

const meta = {
  title: 'Components/Dialog form',
  component: DialogForm,
  decorators: [
    Story => (
      <Dialog isOpen width={440}>
        <DialogHeader>Create flag</DialogHeader>
        <Story />
      </Dialog>
    ),
  ],
  args: {
    submitLabel: 'Create flag',
    isPending: false,
    onSubmit: () => {},
    children: <TextField label="Name" defaultValue="new-checkout" />,
  },
  parameters: {
    docs: { story: { inline: false, height: '320px' } },
    keyboard: {
      Enter: 'submits the form from any single-line field',
      Escape: 'closes the dialog; nothing is submitted',
    },
  },
} satisfies Meta<typeof DialogForm>;

export default meta;
type Story = StoryObj<typeof meta>;

export const Open: Story = {};

/** Cancel stays enabled unless the dialog is locked, because users need not wait for the request. */
export const Pending: Story = { args: { isPending: true } };
