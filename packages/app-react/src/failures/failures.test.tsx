import { ResponseError } from '@backstage/errors';
import { renderInTestApp } from '@backstage/frontend-test-utils';
import { QueryClient } from '@tanstack/react-query';
import { screen } from '@testing-library/react';
import { ServicePages } from '../pages/pagesOfService';
import { ReadFailure, SendFailure } from './failures';

const words = {
  name: 'The build server',
  data: 'builds',
  endpoint: 'proxy.endpoints./build-server',
  access: 'Whoever runs it decides that in buildServer.auth.',
};

/** What a client throws for an answer of this status. */
const answered = (status: number) =>
  ResponseError.fromResponse(
    new Response(JSON.stringify({ error: { message: `It was ${status}` } }), {
      status,
      headers: { 'content-type': 'application/json' },
    }) as unknown as Parameters<typeof ResponseError.fromResponse>[0],
  );

function renderOnPage(element: JSX.Element) {
  renderInTestApp(
    <ServicePages client={new QueryClient()} words={words}>
      {element}
    </ServicePages>,
  );
}

describe('ReadFailure', () => {
  it.each([
    [401, 'No access to builds'],
    [403, 'No access to builds'],
    [502, 'The build server does not answer'],
    [503, 'The build server does not answer'],
    [500, 'The builds could not be read'],
  ])('says of %d whose turn it is', async (status, title) => {
    renderOnPage(
      <ReadFailure
        title="The builds could not be read"
        error={await answered(status)}
      />,
    );

    expect(await screen.findByText(title)).toBeInTheDocument();
  });
});

describe('SendFailure', () => {
  it('gives the reason of the service', async () => {
    renderOnPage(<SendFailure title="Not sent" error={await answered(500)} />);
    expect(await screen.findByRole('alert')).toHaveTextContent('It was 500');
  });

  it('says that there was no answer', async () => {
    renderOnPage(<SendFailure title="Not sent" error={await answered(502)} />);
    expect(await screen.findByRole('alert')).toHaveTextContent(
      'What you wrote stays here',
    );
  });
});
