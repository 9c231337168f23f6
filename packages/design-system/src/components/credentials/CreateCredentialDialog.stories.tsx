import { useState } from 'react';
import type { Meta, StoryObj } from '@storybook/react-vite';
import { Alert, Button } from '@backstage/ui';
import { describeError } from '../states/describeError';
import { CreateCredentialDialog } from './CreateCredentialDialog';

const meta = {
  title: 'Components/Create credential dialog',
  component: CreateCredentialDialog,
  decorators: [
    function OpensAgain(Story, { args }) {
      const [isOpen, setIsOpen] = useState(true);
      return (
        <>
          <Button onPress={() => setIsOpen(true)}>{args.texts.create}</Button>
          {isOpen && (
            <Story args={{ ...args, onClose: () => setIsOpen(false) }} />
          )}
        </>
      );
    },
  ],
  args: {
    onClose: () => {},
    kinds: [
      { id: 'client', label: 'Client: an application reads flags' },
      { id: 'admin', label: 'Admin: a script changes flags' },
    ],
    onCreate: async () =>
      '*:development.3f1f0a5c7f6d4a4e9b0c2d8e7a6b5c4d3e2f1a0b',
    renderFailure: error => (
      <Alert
        status="danger"
        title="The token was not created"
        description={describeError(error).message}
      />
    ),
    texts: {
      create: 'Create token',
      name: 'Name',
      nameHelp: 'Which application or person will hold it.',
      nameMissing: 'Say who will hold it',
      kind: 'Type',
      madeTitle: name => `Token for ${name}`,
      madeText: 'This is the only time that the token is shown.',
      copy: 'Copy token',
      done: 'Done',
    },
  },
  parameters: {
    docs: { story: { inline: false, height: '420px' } },
    keyboard: {
      Enter: 'creates it, from within the name',
      Escape: 'closes it; a secret that was shown is gone',
    },
  },
} satisfies Meta<typeof CreateCredentialDialog>;

export default meta;
type Story = StoryObj<typeof meta>;

/** Create it to see the secret, this once. */
export const Basic: Story = {};

/** What was written stays. */
export const NotMade: Story = {
  args: {
    onCreate: async () => {
      throw new Error('A token of that name is there already');
    },
  },
};
