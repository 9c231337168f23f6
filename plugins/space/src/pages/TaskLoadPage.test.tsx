import { fireEvent, screen } from '@testing-library/react';
import { FakeSpaceApi } from '../__testUtils__/FakeSpaceApi';
import { renderPlugin } from '../__testUtils__/renderPlugin';

describe('TaskLoadPage', () => {
  it('builds sliders from the form, ignores untouched ones, and submits', async () => {
    const api = new FakeSpaceApi();
    const { user } = renderPlugin({ api, path: '/experience/task-load' });
    const mental = await screen.findByRole('slider', { name: /Mental demand/ });
    expect(mental).toHaveAttribute('step', '5');
    expect(screen.getByText('Failure · 100')).toBeVisible();

    await user.type(
      screen.getByRole('textbox', { name: 'Task' }),
      'Upgrade to Node 24',
    );
    fireEvent.change(mental, { target: { value: '80' } });
    await user.click(screen.getByRole('button', { name: 'Send task load' }));
    expect(screen.getByText('1 scale left to rate')).toBeVisible();
    expect(api.assessments).toEqual([]);

    const performance = screen.getByRole('slider', { name: /Performance/ });
    fireEvent.change(performance, { target: { value: '20' } });
    await user.click(screen.getByRole('button', { name: 'Send task load' }));
    expect(
      await screen.findByText(
        'This task scores 50 out of 100. Higher is more demanding.',
      ),
    ).toBeVisible();
    expect(api.assessments).toEqual([
      {
        task: 'Upgrade to Node 24',
        scores: { mental_demand: 80, performance: 20 },
      },
    ]);
    expect(
      await screen.findByText(
        'Team mean, last 30 days: 46.5 out of 100, from 6 assessments.',
      ),
    ).toBeVisible();
  });
});
