import type { Meta, StoryObj } from '@storybook/react-vite';
import { Panel } from '../layout/Panel';
import { ListAndPanel, SidePanel } from './ListAndPanel';

const meta = {
  title: 'Components/List and panel',
  component: ListAndPanel,
  args: { children: <Panel title="Deployments">checkout 1.4.2</Panel> },
} satisfies Meta<typeof ListAndPanel>;

export default meta;
type Story = StoryObj<typeof meta>;

export const ListAlone: Story = {};

/** The panel replaces the list in a narrow window. */
export const WithPanel: Story = {
  args: {
    panel: (
      <SidePanel title="checkout 1.4.2" onClose={() => {}}>
        Deployed by grace, 12 minutes ago.
      </SidePanel>
    ),
  },
};
