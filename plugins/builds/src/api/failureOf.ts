import { ResponseError } from '@backstage/errors';

/**
 * What an answer that is none of 2xx says. The build server has its own words for errors,
 * `{message}`; pages read those of Backstage.
 */
export async function failureOf(response: Response): Promise<ResponseError> {
  const { status, statusText, headers } = response;
  const { message } = await response
    .clone()
    .json()
    .catch(() => ({}));
  if (typeof message !== 'string') {
    return ResponseError.fromResponse(response);
  }
  const body = {
    error: { name: 'Error', message },
    response: { statusCode: status },
  };
  const reworded = new Response(JSON.stringify(body), {
    status,
    statusText,
    headers,
  });
  return ResponseError.fromResponse(reworded);
}
