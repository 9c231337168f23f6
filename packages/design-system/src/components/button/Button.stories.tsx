import type { Meta, StoryObj } from '@storybook/react-vite';
import { Button } from '@backstage/ui';
import { RiAddLine } from '@remixicon/react';

/**
 * Performs an action. Label it with a verb and its object: "Create workspace", not "Submit". One
 * primary button per page; use a link that looks like a button for navigation.
 */
const meta = {
  title: 'Components/Button',
  component: Button,
  args: { children: 'Create workspace' },
  parameters: {
    keyboard: {
      Enter: 'presses the button',
      Space: 'presses the button when the key is released',
      Tab: 'moves to the next control; a disabled button is skipped',
    },
  },
} satisfies Meta<typeof Button>;

export default meta;
type Story = StoryObj<typeof meta>;

/** The one main action of a page. */
export const Primary: Story = { args: { variant: 'primary' } };

/** Next to a primary button, and for cancelling in dialogs. */
export const Secondary: Story = { args: { variant: 'secondary' } };

/** In table rows, and where a border would be visual noise. */
export const Tertiary: Story = { args: { variant: 'tertiary' } };

/** A button for actions that cannot be undone; ask for confirmation with a ConfirmDialog first. */
export const Destructive: Story = {
  args: {
    variant: 'primary',
    destructive: true,
    children: 'Delete workspace',
  },
};

export const WithIcon: Story = {
  args: { variant: 'primary', iconStart: <RiAddLine size={16} /> },
};

/** While the action is in progress; the button keeps its width and focus. */
export const Pending: Story = {
  args: { variant: 'primary', isPending: true },
};

/** Use only if the page explains why the button is disabled. */
export const Disabled: Story = {
  args: { variant: 'primary', isDisabled: true },
};
