import { ResponseError } from '@backstage/errors';
import { render, screen } from '@testing-library/react';
import { SendFailure, ServiceFailure } from '../../index';

/** What a client throws for an answer of this status. */
const answered = (status: number) =>
  ResponseError.fromResponse(
    new Response(JSON.stringify({ error: { message: `It was ${status}` } }), {
      status,
      headers: { 'content-type': 'application/json' },
    }) as unknown as Parameters<typeof ResponseError.fromResponse>[0],
  );
const texts = {
  deniedTitle: 'You may not read builds',
  deniedDescription: 'Ask a platform admin.',
  downTitle: 'The build server does not answer',
  downAdvice: 'Your platform team runs it.',
};

describe('ServiceFailure', () => {
  it.each([
    [401, 'You may not read builds'],
    [403, 'You may not read builds'],
    [502, 'The build server does not answer'],
    [503, 'The build server does not answer'],
    [500, 'The builds could not be read'],
  ])('says of %d whose turn it is', async (status, title) => {
    const error = await answered(status);
    render(
      <ServiceFailure
        title="The builds could not be read"
        error={error}
        texts={texts}
      />,
    );

    expect(screen.getByText(title)).toBeInTheDocument();
  });
});

describe('SendFailure', () => {
  const words = {
    down: 'Nothing was sent; try again.',
    request: (id: string) => `Request ${id}`,
  };

  it('has the reason of the service, or that there was none to be had', async () => {
    const { rerender } = render(
      <SendFailure
        title="Not sent"
        error={await answered(500)}
        texts={words}
      />,
    );
    expect(screen.getByRole('alert')).not.toHaveTextContent(words.down);

    rerender(
      <SendFailure
        title="Not sent"
        error={await answered(502)}
        texts={words}
      />,
    );
    expect(screen.getByRole('alert')).toHaveTextContent(words.down);
  });
});
