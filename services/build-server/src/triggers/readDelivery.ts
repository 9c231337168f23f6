import { type HeaderOf, isHmacOf, isSigned } from '@slipway/platform-guards';
import { InvalidRequestError } from '@slipway/service-kit';
import type { Payload } from './eventReading.ts';

/** A received webhook. */
export interface Delivery {
  token: string;
  /** The headers, which may include a signature of the raw body. */
  header: HeaderOf;
  body: Buffer;
  /** The media type of the body: JSON, or a form with JSON in the field `payload`. */
  type: 'json' | 'form' | 'other';
  /** The event type given by the forge. */
  event?: string;
  /** True if a header identifies a forge, whose payloads are complete. */
  isForge?: boolean;
  /** The forge's id of the delivery. */
  id?: string;
}

/** Bitbucket's signature header, formerly used by GitHub with SHA-1, which is not accepted. */
const BITBUCKET_SIGNATURE = 'x-hub-signature';

/** Checks whether a delivery is signed with one of several secrets, in the format of any supported forge. */
export function isSignedBy(
  secrets: readonly string[],
  { header, body, type }: Pick<Delivery, 'header' | 'body' | 'type'>,
): boolean {
  const sent = [header('x-hub-signature-256')];
  if (header('x-event-key') !== undefined) {
    sent.push(header(BITBUCKET_SIGNATURE));
  }
  // Every secret is tried, so that timing does not reveal which one matched.
  const ofBody = sent
    .filter(signature => signature !== undefined)
    .flatMap(signature =>
      secrets.map(secret => isHmacOf(signature, { body, secret })),
    );
  const ofForge = (['gitlab', 'gitea', 'forgejo'] as const)
    .filter(
      forge =>
        header(`x-${forge}-event`) !== undefined ||
        // GitLab's method is a standard, which other senders use, too.
        (forge === 'gitlab' && header('webhook-signature') !== undefined),
    )
    .map(forge =>
      // Gitea and Forgejo sign the JSON, also if they send it in a form.
      isSigned({
        ...{ forge, secrets },
        delivery: { header, body, message: textOfBody({ body, type }) },
      }),
    );
  return [...ofBody, ...ofForge].includes(true);
}

/**
 * Parses the JSON of a delivery.
 *
 * @throws InvalidRequestError if the body is not a JSON object or not declared as such.
 */
export function parsePayload({ body, type }: Delivery): Payload {
  // Any other media type is not JSON, whatever the content.
  if (type === 'other') {
    throw fault('The Content-Type must be application/json', 'mediaType');
  }
  let value: unknown;
  try {
    value = JSON.parse(textOfBody({ body, type }));
  } catch {
    throw fault('The request body is not valid JSON', 'format');
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    throw fault('The request body must be a JSON object', 'type');
  }
  return value as Payload;
}

/** Returns the JSON in a body; empty for a form without it. */
function textOfBody({ body, type }: Pick<Delivery, 'body' | 'type'>): string {
  const text = body.toString('utf8');
  return type === 'form'
    ? (new URLSearchParams(text).get('payload') ?? '')
    : text;
}

function fault(message: string, constraint: string): InvalidRequestError {
  return new InvalidRequestError(message, { field: 'body', constraint });
}
