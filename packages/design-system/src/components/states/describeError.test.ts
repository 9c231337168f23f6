import { ResponseError } from '@backstage/errors';
import { describeError } from './describeError';

describe('describeError', () => {
  it('takes message and request id out of a ResponseError', async () => {
    const error = await ResponseError.fromResponse(
      Response.json(
        {
          error: { name: 'ConflictError', message: 'The name is taken' },
          response: { statusCode: 409 },
        },
        { status: 409, headers: { 'x-request-id': 'req-1' } },
      ),
    );
    expect(describeError(error)).toEqual({
      message: 'The name is taken',
      requestId: 'req-1',
    });
  });

  it.each([
    [new TypeError('Failed to fetch'), 'Failed to fetch'],
    ['out of paper', 'out of paper'],
  ])('says %s as it is', (error, message) => {
    expect(describeError(error).message).toBe(message);
  });
});
