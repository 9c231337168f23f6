import { Button } from '@backstage/ui';
import type { Meta, StoryObj } from '@storybook/react-vite';
import { StatusBadge } from '../status/StatusBadge';
import { PageHeader } from './Page';

/** Title, a sentence about the purpose of the page, and its single main action. */
const meta = {
  title: 'Components/Page header',
  component: PageHeader,
  args: {
    title: 'Workspaces',
    description: 'Editors in your browser, one per task.',
  },
} satisfies Meta<typeof PageHeader>;

export default meta;
type Story = StoryObj<typeof meta>;

export const WithAction: Story = {
  args: { action: <Button variant="primary">Create workspace</Button> },
};

/** For a single object: breadcrumbs, its state, its sub-pages. */
export const OfOneThing: Story = {
  args: {
    title: 'api-gateway',
    breadcrumbs: [{ label: 'Workspaces', href: '/workspaces' }],
    status: <StatusBadge tone="success" label="Running" />,
    tabs: [
      { id: 'overview', label: 'Overview', href: '/overview' },
      { id: 'log', label: 'Log', href: '/log' },
    ],
    activeTab: 'overview',
  },
};
