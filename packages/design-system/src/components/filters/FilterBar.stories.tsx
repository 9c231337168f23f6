import type { Meta, StoryObj } from '@storybook/react-vite';
import { FilterBar } from './FilterBar';
import { useUrlFilters } from './useUrlFilters';

function Filters() {
  const filters = useUrlFilters({ q: '', status: '' });
  return (
    <FilterBar
      filters={filters}
      search={{ key: 'q', label: 'Search workspaces' }}
      selects={[
        {
          key: 'status',
          label: 'Status',
          anyLabel: 'Any status',
          options: [
            { value: 'Running', label: 'Running' },
            { value: 'Stopped', label: 'Stopped' },
          ],
        },
      ]}
      count={{ shown: 3, total: 12, noun: ['workspace', 'workspaces'] }}
    />
  );
}

/** Filters are part of the URL, so that a filtered page can be shared and reloaded. */
const meta = {
  title: 'Components/Filter bar',
  component: Filters,
} satisfies Meta<typeof Filters>;

export default meta;
type Story = StoryObj<typeof meta>;

export const Basic: Story = {};
