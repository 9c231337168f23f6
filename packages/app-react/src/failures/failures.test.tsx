import { ResponseError } from '@backstage/errors';
import { renderInTestApp } from '@backstage/frontend-test-utils';
import { QueryClient } from '@tanstack/react-query';
import { refusal } from '@slipway/test-pages';
import { screen } from '@testing-library/react';
import { ServicePages } from '../pages/pagesOfService';
import { readFailedCall } from './failedCall';
import { ReadFailure, SendFailure, useErrorWords } from './failures';

const words = {
  name: 'The build server',
  data: 'builds',
  endpoint: 'proxy.endpoints./build-server',
  access: 'Access is set in buildServer.auth.',
};

/** Creates the error that a client throws for a response with this status. */
const answered = (status: number) => refusal(status, `It was ${status}`);

function renderOnPage(
  element: JSX.Element,
  service: Parameters<typeof ServicePages>[0]['words'] = words,
) {
  renderInTestApp(
    <ServicePages client={new QueryClient()} words={service}>
      {element}
    </ServicePages>,
  );
}

describe('ReadFailure', () => {
  it.each([
    [401, 'No access to builds'],
    [403, 'No access to builds'],
    [502, 'The build server is not responding'],
    [503, 'The build server is not responding'],
    [500, "Couldn't load builds"],
  ])('tells who can fix %d', async (status, title) => {
    renderOnPage(
      <ReadFailure
        title="Couldn't load builds"
        error={await answered(status)}
      />,
    );

    expect(await screen.findByText(title)).toBeInTheDocument();
  });
});

it('offers to sign in again if the portal itself rejects the session', async () => {
  renderOnPage(
    <ReadFailure
      title="Couldn't load deliveries"
      error={await answered(401)}
    />,
    { name: 'The portal', data: 'deliveries', access: '' },
  );
  expect(await screen.findByText("Couldn't load deliveries")).toBeVisible();
  expect(screen.getByText(/Your session has ended/)).toBeVisible();
  expect(screen.getByRole('button', { name: 'Sign in' })).toBeVisible();
});

describe('SendFailure', () => {
  it('shows the reason given by the service', async () => {
    renderOnPage(<SendFailure title="Not sent" error={await answered(500)} />);
    expect(await screen.findByRole('alert')).toHaveTextContent('It was 500');
  });

  it('shows that there was no response', async () => {
    renderOnPage(<SendFailure title="Not sent" error={await answered(502)} />);
    expect(await screen.findByRole('alert')).toHaveTextContent(
      'Your input is kept',
    );
  });
});

describe('useErrorWords', () => {
  function Words({ error }: { error: unknown }) {
    return <p>{useErrorWords()(error)}</p>;
  }

  it.each([
    [409, 'The name is taken', 'The name is taken'],
    [409, undefined, 'It has changed in the meantime. Reload and try again.'],
    [401, 'jwt expired', 'Your session has ended. Sign in again.'],
    [502, undefined, 'The build server is not responding.'],
    [500, undefined, 'The build server failed.'],
  ])('describes %i with %j', async (status, message, told) => {
    renderOnPage(<Words error={await refusal(status, message)} />);
    expect(await screen.findByText(told, { exact: false })).toBeVisible();
  });

  it('describes a lost connection, and shows other errors unchanged', async () => {
    renderOnPage(
      <>
        <Words error={new TypeError('Failed to fetch')} />
        <Words error={new Error('The file is empty')} />
      </>,
    );
    expect(await screen.findByText(/reach the portal/)).toBeVisible();
    expect(screen.getByText('The file is empty')).toBeVisible();
  });
});

it('reads message and request id of a response', async () => {
  const error = await ResponseError.fromResponse(
    Response.json(
      {
        error: { name: 'ConflictError', message: 'The name is taken' },
        response: { statusCode: 409 },
      },
      { status: 409, headers: { 'x-request-id': 'req-1' } },
    ),
  );
  expect(readFailedCall(error)).toEqual({
    status: 409,
    message: 'The name is taken',
    requestId: 'req-1',
  });
});
