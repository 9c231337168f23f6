import type { Meta, StoryObj } from '@storybook/react-vite';
import { Button, Card, CardBody, CardFooter, CardHeader } from '@backstage/ui';

/** One thing among several of its kind, with what to do with it. For a section of a page, use Panel. */
const meta = {
  title: 'Components/Card',
  component: Card,
} satisfies Meta<typeof Card>;

export default meta;
type Story = StoryObj<typeof meta>;

export const Basic: Story = {
  args: {
    children: (
      <>
        <CardHeader>
          <h3>payments-api</h3>
        </CardHeader>
        <CardBody>Takes payments and hands out receipts.</CardBody>
      </>
    ),
  },
};

/** What can be done with it stands at its foot. */
export const WithActions: Story = {
  args: {
    children: (
      <>
        <CardHeader>
          <h3>payments-api</h3>
        </CardHeader>
        <CardBody>Takes payments and hands out receipts.</CardBody>
        <CardFooter>
          <Button variant="secondary">Open in workspace</Button>
        </CardFooter>
      </>
    ),
  },
};
