import type { Meta, StoryObj } from '@storybook/react-vite';
import { useState } from 'react';
import { RatingScale, type RatingScaleProps } from './RatingScale';

function Rating(props: Omit<RatingScaleProps, 'value' | 'onChange'>) {
  const [value, setValue] = useState<number>();
  return <RatingScale {...props} value={value} onChange={setValue} />;
}

/** Answers a question on a scale with one click or one digit. */
const meta = {
  title: 'Components/Rating scale',
  component: Rating,
  args: {
    label: 'How satisfied are you?',
    min: 1,
    max: 5,
    lowLabel: 'Not at all',
    highLabel: 'Very',
  },
  parameters: {
    keyboard: {
      '0 to 9': 'chooses the number',
      'Arrow left, arrow right': 'moves to the next number',
    },
  },
} satisfies Meta<typeof Rating>;

export default meta;
type Story = StoryObj<typeof meta>;

export const Basic: Story = {};

export const WithError: Story = { args: { error: 'Choose a number' } };
