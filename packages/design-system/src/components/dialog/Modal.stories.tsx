import { Button, TextField } from '@backstage/ui';
import type { Meta, StoryObj } from '@storybook/react-vite';
import { Modal } from './ConfirmDialog';
import { opensAgain } from './opensAgain';

const meta = {
  title: 'Components/Modal',
  component: Modal,
  decorators: [opensAgain],
  args: {
    isOpen: true,
    onOpenChange: () => {},
    title: 'Create token',
    children: <TextField label="Name" defaultValue="checkout" />,
    footer: (
      <>
        <Button variant="secondary" slot="close">
          Cancel
        </Button>
        <Button variant="primary" slot="close">
          Create token
        </Button>
      </>
    ),
  },
  parameters: {
    docs: { story: { inline: false, height: '360px' } },
    keyboard: {
      Escape: 'closes the dialog; nothing is changed',
      Tab: 'moves within the dialog; the page behind it cannot be reached',
      Enter: 'presses the button that has the focus',
    },
  },
} satisfies Meta<typeof Modal>;

export default meta;
type Story = StoryObj<typeof meta>;

export const Open: Story = {};

/** Focus moves into the dialog when it opens, and back to the button when it closes. */
export const OpenedByButton: Story = {
  args: { isOpen: false },
};
