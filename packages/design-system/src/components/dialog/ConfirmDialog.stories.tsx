import type { Meta, StoryObj } from '@storybook/react-vite';
import { ConfirmDialog } from './ConfirmDialog';
import { opensAgain } from './opensAgain';

const meta = {
  title: 'Components/Confirm dialog',
  component: ConfirmDialog,
  decorators: [opensAgain],
  args: {
    isOpen: true,
    onOpenChange: () => {},
    title: 'Delete api-gateway?',
    confirmLabel: 'Delete workspace',
    onConfirm: () => {},
    children: 'Its files are lost, including changes that are not pushed.',
  },
  parameters: {
    docs: { story: { inline: false, height: '320px' } },
    keyboard: {
      Enter: 'presses Cancel, which has the initial focus',
      Escape: 'closes the dialog; nothing is deleted',
    },
  },
} satisfies Meta<typeof ConfirmDialog>;

export default meta;
type Story = StoryObj<typeof meta>;

export const Destructive: Story = {};

export const CanBeUndone: Story = {
  args: {
    title: 'Stop api-gateway?',
    confirmLabel: 'Stop workspace',
    children: 'Its files are kept.',
    destructive: false,
  },
};
