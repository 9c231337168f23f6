import type { Meta, StoryObj } from '@storybook/react-vite';
import { Sparkline } from '../charts/Sparkline';
import { StatusBadge } from '../status/StatusBadge';
import { Tile } from './Tile';

/** A number, what it is based on, and its previous value. */
const meta = {
  title: 'Components/Tile',
  component: Tile,
  args: {
    label: 'Lead time for changes',
    value: '5 h 12 min',
    footnote: '83 changes',
  },
  parameters: {
    keyboard: {
      Tab: 'moves to the button that explains the label',
      Escape: 'closes the explanation',
    },
  },
} satisfies Meta<typeof Tile>;

export default meta;
type Story = StoryObj<typeof meta>;

export const Full: Story = {
  args: {
    badge: <StatusBadge tone="success" label="Elite" />,
    change: {
      text: '12% shorter than in the previous 30 days (better)',
      direction: 'down',
      judgement: 'better',
    },
    definition: (
      <p>
        From commit to the first deployment in production that contains it, the
        median.
      </p>
    ),
    chart: <Sparkline values={[9, 8.2, 7, null, 6.1, 5.2]} />,
  },
};

/** Displayed in a muted colour, never like a good number. */
export const WithoutData: Story = {
  args: { value: 'No data', isEmpty: true, footnote: '0 changes' },
};

export const Small: Story = { args: { size: 'small' } };
