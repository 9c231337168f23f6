import { Button } from '@backstage/ui';
import type { Meta, StoryObj } from '@storybook/react-vite';
import { EmptyState } from './states';

/**
 * Takes the place of data that does not exist yet: says what will appear here, and the next step.
 */
const meta = {
  title: 'Components/Empty state',
  component: EmptyState,
  args: {
    title: 'No workspaces yet',
    description: 'Editors in your browser, one per task, appear here.',
  },
} satisfies Meta<typeof EmptyState>;

export default meta;
type Story = StoryObj<typeof meta>;

export const WithAction: Story = {
  args: { action: <Button variant="primary">Create workspace</Button> },
};

/** For data that comes in through an API. */
export const WithCode: Story = {
  args: {
    title: 'No deployments yet',
    description: 'Deployments appear here when the first one is reported.',
    code: 'yarn lake import deployments.ndjson',
  },
};
