import type { Meta, StoryObj } from '@storybook/react-vite';
import { LoadingBlock, LoadingRows } from './states';

/**
 * Placeholders in the layout of the content, shown after 150 ms, so that fast responses show none.
 */
const meta = {
  title: 'Components/Loading rows',
  component: LoadingRows,
  args: { label: 'Loading workspaces', rows: 5 },
} satisfies Meta<typeof LoadingRows>;

export default meta;
type Story = StoryObj<typeof meta>;

export const Rows: Story = {};

/** For a chart or a panel. */
export const Block: Story = {
  render: () => <LoadingBlock label="Loading lead time" height={160} />,
};
