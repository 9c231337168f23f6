import type { Meta, StoryObj } from '@storybook/react-vite';
import { Prose } from './Prose';

/** Text that people wrote in Markdown, such as a component's description. */
const meta = {
  title: 'Components/Prose',
  component: Prose,
  args: {
    children: (
      <>
        <h2>Checkout API</h2>
        <p>
          Turns a basket into an order. Start with the{' '}
          <a href="https://runbook.example">runbook</a>, and call{' '}
          <code>POST /orders</code> once per basket.
        </p>
        <ul>
          <li>Retries are safe within an hour.</li>
          <li>Prices are in the smallest unit of the currency.</li>
        </ul>
        <blockquote>Refunds are in the billing API.</blockquote>
        <pre>
          <code>curl -X POST https://shop.example/orders</code>
        </pre>
        <table>
          <thead>
            <tr>
              <th>Status</th>
              <th>Meaning</th>
            </tr>
          </thead>
          <tbody>
            <tr>
              <td>409</td>
              <td>The basket has changed since</td>
            </tr>
          </tbody>
        </table>
      </>
    ),
  },
} satisfies Meta<typeof Prose>;

export default meta;
type Story = StoryObj<typeof meta>;

export const Basic: Story = {};
