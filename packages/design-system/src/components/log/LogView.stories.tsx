import type { Meta, StoryObj } from '@storybook/react-vite';
import { LogView } from './LogView';

/** Follows the end of the log until the user scrolls up; the copy button copies the whole log. */
const meta = {
  title: 'Components/Log view',
  component: LogView,
  args: {
    label: 'Log of api-gateway',
    lines: [
      { seq: 1, at: '2026-11-21T10:00:00.000Z', text: 'Cloning into checkout' },
      {
        seq: 2,
        at: '2026-11-21T10:00:02.000Z',
        text: 'Editor is listening on port 13337',
      },
    ],
  },
  parameters: {
    keyboard: { Tab: 'moves to the log; the arrow keys then scroll it' },
  },
} satisfies Meta<typeof LogView>;

export default meta;
type Story = StoryObj<typeof meta>;

export const Basic: Story = {};
