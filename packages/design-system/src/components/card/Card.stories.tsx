import type { Meta, StoryObj } from '@storybook/react-vite';
import { Button, Card, CardBody, CardFooter, CardHeader } from '@backstage/ui';

/** One object in a collection, with its actions. For a section of a page, use Panel. */
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

/** Actions are in the footer. */
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
