import { Link } from '@backstage/ui';
import type { Meta, StoryObj } from '@storybook/react-vite';
import { EmptyState, ErrorPanel } from '../states/states';
import { StatusBadge } from '../status/StatusBadge';
import { DataTable } from './DataTable';

const ROWS = [
  { service: 'checkout', version: '1.4.2', status: 'Succeeded', seconds: 74 },
  { service: 'invoices', version: '0.9.0', status: 'Failed', seconds: 12 },
  { service: 'basket', version: '2.0.1', status: 'Succeeded', seconds: 131 },
];

/** The list used on every page: with sorting, responsive columns and all its states. */
const meta = {
  title: 'Components/Data table',
  component: DataTable<(typeof ROWS)[number]>,
  args: {
    label: 'Deployments',
    rows: ROWS,
    rowId: row => row.service,
    columns: [
      {
        id: 'service',
        label: 'Service',
        text: row => row.service,
        cell: row => <Link href={`#${row.service}`}>{row.service}</Link>,
        sortBy: row => row.service,
      },
      { id: 'version', label: 'Version', cell: row => row.version, from: 'xs' },
      {
        id: 'status',
        label: 'Status',
        cell: row => (
          <StatusBadge
            tone={row.status === 'Failed' ? 'danger' : 'success'}
            label={row.status}
          />
        ),
      },
      {
        id: 'duration',
        label: 'Duration',
        cell: row => `${row.seconds} s`,
        isNumber: true,
        sortBy: row => row.seconds,
        beside: false,
      },
    ],
  },
  parameters: {
    keyboard: {
      'Arrow up, arrow down': 'moves between rows',
      Enter:
        'opens a row that has a link; on a column header, sorts by the column',
    },
  },
} satisfies Meta<typeof DataTable<(typeof ROWS)[number]>>;

export default meta;
type Story = StoryObj<typeof meta>;

export const Basic: Story = {};

export const Sorted: Story = {
  args: {
    sort: {
      order: { column: 'duration', direction: 'descending' },
      setOrder: () => {},
    },
  },
};

/** The open row is highlighted; less important columns are hidden to make room for its panel. */
export const WithSelection: Story = { args: { selectedId: 'invoices' } };

export const Loading: Story = {
  args: { rows: undefined, loading: 'Loading deployments' },
};

export const Empty: Story = {
  args: {
    rows: [],
    empty: (
      <EmptyState
        title="No deployments yet"
        description="Deployments appear here once a pipeline reports them."
      />
    ),
  },
};

export const Failed: Story = {
  args: {
    rows: undefined,
    failure: (
      <ErrorPanel title="Couldn't load deployments" onRetry={() => {}} />
    ),
  },
};
