import type { Service } from '@slipway/service-kit';
import type { FakePortal } from '@slipway/service-kit/testing';
import {
  PNG,
  startFeedback,
  startPortal,
  submission,
} from '../__testUtils__/startFeedback.ts';

const MIB = 1024 * 1024;

let portal: FakePortal;
let service: Service;
let url: string;

beforeAll(async () => {
  portal = await startPortal();
  service = await startFeedback(portal);
  url = await service.start();
});

afterAll(async () => {
  await service.stop();
  await portal.stop();
});

/** Sends feedback, in chunks or with its length, padded with this many meaningless bytes. */
async function send(
  body: object,
  options: { padding: number; chunked: boolean },
): Promise<number> {
  const text = JSON.stringify(body) + ' '.repeat(options.padding);
  const response = await fetch(`${url}/api/v1/feedback`, {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      cookie: await portal.cookie('user:default/grace'),
    },
    ...(options.chunked
      ? { body: new Blob([text]).stream(), duplex: 'half' }
      : { body: text }),
  });
  await response.body?.cancel();
  return response.status;
}

describe.each([
  ['in chunks', true],
  ['with its length', false],
])('a body %s', (_how, chunked) => {
  const screenshot = `data:image/png;base64,${PNG}`;

  it.each([
    ['is taken at a size that is usual', submission, MIB / 2, 201],
    ['is refused when it is large', submission, MIB, 413],
    [
      'is taken when it is large of a screenshot',
      { ...submission, screenshot },
      MIB,
      201,
    ],
    [
      'is refused when no screenshot is so large',
      { ...submission, screenshot },
      10 * MIB,
      413,
    ],
  ])('%s', async (_what, body, padding, status) => {
    expect(await send(body, { padding, chunked })).toBe(status);
  });
});

it('of an unknown sender may not contain millions of elements', async () => {
  // Used to block the event loop for 2.8 s and take 1.66 GB.
  const zeros = `[${'0,'.repeat(5_000_000)}0]`;
  const response = await fetch(`${url}/api/v1/feedback`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: `{"rating":4,"category":"Portal","message":"m","screenshot":"","x":${zeros}}`,
  });
  expect(response.status).toBe(413);
  expect((await response.json()).error.details).toEqual({
    field: 'body',
    constraint: 'maxItems',
  });
});
