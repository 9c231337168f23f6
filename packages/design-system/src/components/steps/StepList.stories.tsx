import type { Meta, StoryObj } from '@storybook/react-vite';
import { StepList } from './StepList';

/** The steps of a long task and their progress. */
const meta = {
  title: 'Components/Step list',
  component: StepList,
  args: {
    label: 'Start of api-gateway',
    steps: [
      {
        id: 'read',
        title: 'Read devfile',
        state: 'done',
        startedAt: '2026-11-21T10:00:00.000Z',
        endedAt: '2026-11-21T10:00:01.200Z',
      },
      {
        id: 'clone',
        title: 'Clone projects',
        state: 'running',
        progress: 0.4,
        message: 'Receiving objects',
        startedAt: '2026-11-21T10:00:01.200Z',
      },
      { id: 'editor', title: 'Start editor', state: 'pending' },
    ],
  },
} satisfies Meta<typeof StepList>;

export default meta;
type Story = StoryObj<typeof meta>;

export const Running: Story = {};

export const Failed: Story = {
  args: {
    steps: [
      { id: 'read', title: 'Read devfile', state: 'done' },
      {
        id: 'clone',
        title: 'Clone projects',
        state: 'failed',
        message: 'The repository was not found',
      },
    ],
  },
};
