import type { Meta, StoryObj } from '@storybook/react-vite';
import { RiCheckLine } from '@remixicon/react';
import { IconButton } from './IconButton';

/**
 * Performs an action on a row or next to a text, where words would take too much room. Give it a
 * hint of one or two words, and a label that names the object, too.
 */
const meta = {
  title: 'Components/Icon button',
  component: IconButton,
  args: {
    icon: <RiCheckLine size={16} />,
    label: 'Mark as done: checkout #4 failed',
    hint: 'Done',
    onPress: () => {},
  },
  parameters: {
    keyboard: {
      Enter: 'presses the button',
      Space: 'presses the button when the key is let go',
      Tab: 'moves on, and hides the hint',
      Escape: 'hides the hint',
    },
  },
} satisfies Meta<typeof IconButton>;

export default meta;
type Story = StoryObj<typeof meta>;

export const Basic: Story = {};

/** Only if the page explains what is missing. */
export const Disabled: Story = { args: { isDisabled: true } };
