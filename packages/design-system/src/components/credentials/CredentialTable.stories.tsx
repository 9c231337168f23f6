import type { Meta, StoryObj } from '@storybook/react-vite';
import { CredentialTable } from './CredentialTable';

/** Tokens or keys without their secrets. Who may not revoke one sees no button. */
const meta = {
  title: 'Components/Credential table',
  component: CredentialTable,
  args: {
    credentials: [
      { id: '1', name: 'checkout' },
      { id: '2', name: 'development' },
    ],
    columns: [
      { id: 'kind', label: 'Type', cell: () => 'Client' },
      {
        id: 'made',
        label: 'Created',
        cell: ({ id }) => (id === '2' ? 'In the configuration' : 'Yesterday'),
        wideOnly: true,
      },
    ],
    mayRevoke: ({ id }) => id !== '2',
    onRevoke: async () => {},
    texts: {
      label: 'Tokens',
      name: 'Name',
      revoke: 'Delete',
      revokeNamed: name => `Delete token ${name}`,
      revokeTitle: name => `Delete the token of ${name}?`,
      revokeConfirm: 'Delete token',
      revokeText: 'Whoever holds it is refused within seconds.',
    },
  },
} satisfies Meta<typeof CredentialTable>;

export default meta;
type Story = StoryObj<typeof meta>;

export const Basic: Story = {};
