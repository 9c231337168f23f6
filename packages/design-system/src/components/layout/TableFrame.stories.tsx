import type { Meta, StoryObj } from '@storybook/react-vite';
import {
  CellText,
  Column,
  Row,
  TableBody,
  TableHeader,
  TableRoot,
} from '@backstage/ui';
import { TableFrame } from './TableFrame';

const meta = {
  title: 'Components/Table frame',
  component: TableFrame,
  args: {
    children: (
      <TableRoot aria-label="Deployments">
        <TableHeader>
          <Column isRowHeader>Service</Column>
          <Column>Version</Column>
        </TableHeader>
        <TableBody>
          <Row id="checkout">
            <CellText title="checkout" />
            <CellText title="1.4.2" />
          </Row>
          <Row id="invoices">
            <CellText title="invoices" />
            <CellText title="0.9.0" />
          </Row>
        </TableBody>
      </TableRoot>
    ),
  },
  parameters: {
    keyboard: {
      'Arrow up, arrow down': 'moves between rows',
      Enter: 'opens the row that leads somewhere',
    },
  },
} satisfies Meta<typeof TableFrame>;

export default meta;
type Story = StoryObj<typeof meta>;

export const Basic: Story = {};
