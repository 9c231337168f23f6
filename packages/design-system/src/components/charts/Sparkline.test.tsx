import { render } from '@testing-library/react';
import { Sparkline } from './Sparkline';

const draw = (element: JSX.Element) =>
  render(element).container.querySelector('path');

it('starts where its data starts', () => {
  const path = draw(<Sparkline values={[null, null, 2, 4]} />);
  // In the middle of the third of four columns.
  expect(path).toHaveAttribute('d', 'M62.5 50L87.5 0');
});

it('draws nothing without a course', () => {
  expect(draw(<Sparkline values={[null, 3]} />)).toBeNull();
});

it('has the colour of its metric', () => {
  expect(draw(<Sparkline values={[1, 2]} color={3} />)).toHaveStyle({
    stroke: 'var(--slipway-chart-3)',
  });
});
