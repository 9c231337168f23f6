import { waitFor } from '@testing-library/react';
import { nameWindow } from './nameWindow';

let end: () => void;
beforeEach(() => {
  document.title = 'storybook - Storybook';
  end = nameWindow();
});
afterEach(() => end());

it('sets the title immediately, and after each navigation', async () => {
  expect(document.title).toBe('Slipway design system');
  document.title = 'Components / Button - Basic ⋅ Storybook';
  await waitFor(() =>
    expect(document.title).toBe(
      'Components / Button - Basic ⋅ Slipway design system',
    ),
  );
});

it('does not change other titles', async () => {
  document.title = 'Storybook of the sea';
  await new Promise(resolve => setTimeout(resolve));
  expect(document.title).toBe('Storybook of the sea');
});
