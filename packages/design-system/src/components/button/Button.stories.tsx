import type { Meta, StoryObj } from '@storybook/react-vite';
import { Button } from '@backstage/ui';
import { RiAddLine } from '@remixicon/react';

/**
 * Does something, named by a verb and its object: "Create workspace", not "Submit".
 * One primary button per page; a link that looks like a button leads somewhere.
 */
const meta = {
  title: 'Components/Button',
  component: Button,
  args: { children: 'Create workspace' },
  parameters: {
    keyboard: {
      Enter: 'presses the button',
      Space: 'presses the button when the key is let go',
      Tab: 'moves on; a disabled button is passed over',
    },
  },
} satisfies Meta<typeof Button>;

export default meta;
type Story = StoryObj<typeof meta>;

/** The one main action of a page. */
export const Primary: Story = { args: { variant: 'primary' } };

/** Beside a primary one, and in dialogs for the way back. */
export const Secondary: Story = { args: { variant: 'secondary' } };

/** In rows of tables and where a border would be noise. */
export const Tertiary: Story = { args: { variant: 'tertiary' } };

/** For what cannot be undone; asks by a ConfirmDialog first. */
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

/** While what it started goes on: it keeps its width and its focus. */
export const Pending: Story = {
  args: { variant: 'primary', isPending: true },
};

/** Only where the page says what is missing. */
export const Disabled: Story = {
  args: { variant: 'primary', isDisabled: true },
};
