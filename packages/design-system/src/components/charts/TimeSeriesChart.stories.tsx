import type { Meta, StoryObj } from '@storybook/react-vite';
import { TimeSeriesChart } from './TimeSeriesChart';

/**
 * A chart whose points link to the underlying data. Put a SeriesTable next to it for screen readers.
 */
const meta = {
  title: 'Components/Time series chart',
  component: TimeSeriesChart,
  args: {
    label: 'Lead time by week',
    kind: 'line' as const,
    formatTick: (value: number) => `${value} h`,
    points: [8, 6.5, null, 5, 4.2].map((value, index) => ({
      id: String(index),
      label: `Week ${index + 1}`,
      tick: `W${index + 1}`,
      value,
      valueText: value === null ? 'No data' : `${value} hours`,
      href: `/weeks/${index + 1}`,
      tentative: index === 4,
    })),
  },
  parameters: {
    keyboard: {
      Tab: 'moves to the points',
      Enter: 'opens the records behind a point',
    },
  },
} satisfies Meta<typeof TimeSeriesChart>;

export default meta;
type Story = StoryObj<typeof meta>;

/** Shows medians; a gap means no data. */
export const Line: Story = {};

/** For counts and rates. */
export const Bar: Story = {
  args: { kind: 'bar', label: 'Deployments by week', color: 2 },
};
