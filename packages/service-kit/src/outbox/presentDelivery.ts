import { isoOf } from '@slipway/entity-contract';
import { type TProperties, Type } from 'typebox';
import type { WebhookDelivery } from './WebhookDelivery.ts';

/** The response format that the contract of a service requires. */
export interface WebhookAdminFormat {
  /** The case of multi-word field names. */
  names: 'camelCase' | 'snake_case';
  /** True to include endpoints from the configuration in lists, flagged as such. */
  listsConfigured: boolean;
  /** True to include the payload of deliveries. */
  showsPayload: boolean;
  /** The status after removing an endpoint: 200 with an empty object, or 204. */
  removed: 200 | 204;
}

/** Returns a function that converts camelCase field names to the format's case. */
export function namer({ names }: WebhookAdminFormat): (name: string) => string {
  return name =>
    names === 'camelCase'
      ? name
      : name.replace(/[A-Z]/g, letter => `_${letter.toLowerCase()}`);
}

/** Renames all fields of an object. */
export function rename<T>(
  fields: Readonly<Record<string, T>>,
  format: WebhookAdminFormat,
): Record<string, T> {
  const named = namer(format);
  return Object.fromEntries(
    Object.entries(fields).map(([name, value]) => [named(name), value]),
  );
}

/** Presents a delivery in a service's format. */
export function presentDelivery(
  delivery: WebhookDelivery,
  format: WebhookAdminFormat,
): Record<string, unknown> {
  const { id, event, state, attempts, deliveredAt } = delivery;
  return rename<unknown>(
    {
      id,
      webhookId: delivery.endpointId,
      event,
      ...(format.showsPayload && { payload: JSON.parse(delivery.payload) }),
      state,
      attempts,
      createdAt: isoOf(delivery.createdAt),
      nextAttemptAt: state === 'pending' ? isoOf(delivery.nextAttemptAt) : null,
      deliveredAt: isoOf(deliveredAt),
      lastStatus: delivery.lastStatus,
      lastError: delivery.lastError,
    },
    format,
  );
}

const NullableText = Type.Unsafe<string | null>({ type: ['string', 'null'] });

/** Returns the schema of a list of deliveries. */
export function deliveryListOf(format: WebhookAdminFormat) {
  return Type.Object({
    deliveries: Type.Array(
      Type.Object(
        rename<TProperties[string]>(
          {
            id: Type.String(),
            webhookId: Type.String(),
            event: Type.String(),
            ...(format.showsPayload && { payload: Type.Unknown() }),
            state: Type.String({
              enum: ['pending', 'delivered', 'given_up'],
            }),
            attempts: Type.Integer(),
            createdAt: Type.String({ format: 'date-time' }),
            nextAttemptAt: NullableText,
            deliveredAt: NullableText,
            lastStatus: Type.Unsafe<number | null>({
              type: ['integer', 'null'],
            }),
            lastError: NullableText,
          },
          format,
        ),
      ),
    ),
  });
}
