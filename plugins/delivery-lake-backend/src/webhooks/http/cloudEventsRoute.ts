import { InputError } from '@backstage/errors';
import { CloudEvent, HTTP } from 'cloudevents';
import { Request, RequestHandler } from 'express';
import { z } from 'zod';
import { DeliveryLakeConfig } from '../../config';
import { IngestService } from '../../ingest/IngestService';
import { mapDelivery } from '../mapDelivery';
import {
  bodyOf,
  DeliveryResponse,
  deliveryResponse,
  keyOf,
  parseJson,
  storableType,
} from './delivery';

const BATCH = 'application/cloudevents-batch+json';
const STRUCTURED = 'application/cloudevents+json';
/** Maximum events per request. */
const BATCH_LIMIT = 1_000;

/** CloudEvents forbids control characters. */
const text = z
  .string()
  .regex(/^\P{Cc}+$/u, 'must be a text without control characters');

/** The attributes that CloudEvents 1.0 requires; the package would generate missing ones. */
const attributes = z.object({
  specversion: z.literal('1.0'),
  id: text,
  source: text,
  type: text,
});

/** A CloudEvent in JSON, with parsed data. */
type ReceivedEvent = z.output<typeof attributes> & { data?: unknown };

function check(value: unknown, at: string): void {
  const result = attributes.safeParse(value);
  if (!result.success) {
    const [issue] = result.error.issues;
    const path = [at, ...issue.path].filter(part => part !== '').join('.');
    throw new InputError(`${path || 'The event'}: ${issue.message}`);
  }
}

function dataOf({ data }: CloudEvent<unknown>): unknown {
  if (ArrayBuffer.isView(data)) {
    // The package stores each byte in its own element.
    return parseJson(
      Buffer.from(data as unknown as ArrayLike<number>).toString('utf8'),
    );
  }
  return typeof data === 'string' ? parseJson(data) : data;
}

function received(event: CloudEvent<unknown>): ReceivedEvent {
  const { specversion, id, source, type, subject, time } = event;
  const data = dataOf(event);
  const plain = { specversion, id, source, type, subject, time, data };
  check(plain, '');
  return { ...plain, specversion: '1.0' };
}

/** Returns the media type without its parameters, some of which the package does not support. */
function mediaType(req: Request): string {
  return (req.get('content-type') ?? '')
    .split(';')[0]
    .trim()
    .toLocaleLowerCase('en-US');
}

/** Checks the body of a request. @throws InputError for invalid JSON or a missing attribute. */
function checkBody(type: string, body: string): void {
  if (type === STRUCTURED) {
    check(parseJson(body), '');
    return;
  }
  const batch = parseJson(body);
  if (!Array.isArray(batch)) {
    throw new InputError('A batch must be a JSON array');
  }
  if (batch.length > BATCH_LIMIT) {
    throw new InputError(`A batch may contain at most ${BATCH_LIMIT} events`);
  }
  batch.forEach((event, index) => check(event, `[${index}]`));
}

/**
 * Reads the CloudEvents of a request, in the binary, structured or batched mode of
 * https://github.com/cloudevents/spec/blob/v1.0.2/cloudevents/bindings/http-protocol-binding.md
 *
 * @throws InputError naming the invalid part.
 */
function readCloudEvents(req: Request): ReceivedEvent[] {
  const type = mediaType(req);
  const body = bodyOf(req);
  if (type === BATCH || type === STRUCTURED) {
    checkBody(type, body);
  } else if (!req.get('ce-id')) {
    throw new InputError(
      `Not a CloudEvent: Content-Type must be ${STRUCTURED} or ${BATCH}, or the headers ce-id, ce-source, ce-type and ce-specversion must be present`,
    );
  } else if (type !== 'application/json') {
    throw new InputError('Content-Type must be application/json');
  } else {
    check(
      Object.fromEntries(
        Object.keys(attributes.shape).map(name => [
          name,
          req.get(`ce-${name}`),
        ]),
      ),
      'ce',
    );
    parseJson(body);
  }
  try {
    const read = HTTP.toEvent<unknown>({
      headers: { ...req.headers, 'content-type': type },
      body,
    });
    return (Array.isArray(read) ? read : [read]).map(event =>
      received(event as CloudEvent<unknown>),
    );
  } catch (error) {
    if (error instanceof InputError) {
      throw error;
    }
    throw new InputError('The event is not a CloudEvent 1.0', error);
  }
}

/** Combines several responses into one, in which each result has the index of its event. */
function together(answers: DeliveryResponse[]): DeliveryResponse {
  const sum = (of: (answer: DeliveryResponse) => number) =>
    answers.reduce((total, answer) => total + of(answer), 0);
  return {
    accepted: sum(({ accepted }) => accepted),
    duplicates: sum(({ duplicates }) => duplicates),
    stale: sum(({ stale }) => stale),
    rejected: sum(({ rejected }) => rejected),
    results: answers.flatMap((answer, index) =>
      answer.duplicate
        ? [{ index, outcome: 'duplicate' as const }]
        : answer.results.map(result => ({ ...result, index })),
    ),
  };
}

/**
 * Creates the route for CloudEvents, single or batched. Each event is a delivery, identified by its
 * source and id.
 */
export function createCloudEventsHandler(options: {
  config: DeliveryLakeConfig;
  ingest: Pick<IngestService, 'ingestDelivery'>;
}): RequestHandler {
  const { config, ingest } = options;

  async function accept(event: ReceivedEvent): Promise<DeliveryResponse> {
    const delivery = {
      channel: 'cloudevents',
      type: storableType(event.type),
      key: keyOf(event.source, event.id),
      body: JSON.stringify(event),
    };
    const { items, ignored } = mapDelivery(delivery, config);
    const ingested = await ingest.ingestDelivery(delivery, items, ignored);
    return deliveryResponse(ingested, ignored);
  }

  return async (req, res) => {
    const events = readCloudEvents(req);
    const answers: DeliveryResponse[] = [];
    for (const event of events) {
      answers.push(await accept(event));
    }
    res.json(answers.length === 1 ? answers[0] : together(answers));
  };
}
