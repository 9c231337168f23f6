import type { Meta, StoryObj } from '@storybook/react-vite';
import { RiCheckLine } from '@remixicon/react';
import { IconButton } from './IconButton';

/**
 * Performs an action on a row or next to text, where words would take up too much room. Give it a hint
 * of one or two words, and a label that also names the object.
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

/** Use only if the page explains why the button is disabled. */
export const Disabled: Story = { args: { isDisabled: true } };
