import { Type, type Static } from 'typebox';
import { Value } from 'typebox/value';

/** `NotificationSendOptions` of the notifications plugin's API, for single users. */
const SendOptions = Type.Object(
  {
    recipients: Type.Object(
      {
        type: Type.Literal('entity'),
        entityRef: Type.String({ pattern: '^user:[a-z0-9-]+/[a-z0-9._-]+$' }),
      },
      { additionalProperties: false },
    ),
    payload: Type.Object(
      {
        title: Type.String({ minLength: 1 }),
        description: Type.Optional(Type.String()),
        link: Type.Optional(Type.String({ pattern: '^/' })),
        severity: Type.Optional(
          Type.String({ enum: ['critical', 'high', 'normal', 'low'] }),
        ),
        topic: Type.Optional(Type.String()),
        scope: Type.Optional(Type.String()),
      },
      { additionalProperties: false },
    ),
  },
  { additionalProperties: false },
);
type Notification = Static<typeof SendOptions>;

/** A fake of the portal's notifications plugin; responds with 400 to unknown input. */
export class FakeNotifications {
  /** A status to respond with although the notification has arrived; 0 for no response. */
  status: number | undefined;
  token = 'service-token';
  /** All valid notifications that arrived. */
  readonly sent: Notification[] = [];

  /** The recipients, sorted by name. */
  get recipients(): string[] {
    return this.sent.map(({ recipients }) => recipients.entityRef).sort();
  }

  take(request: { authorization?: string; body: unknown }): {
    status: number;
    body: unknown;
  } {
    const { authorization, body } = request;
    if (authorization !== `Bearer ${this.token}`) {
      return { status: 401, body: { error: { name: 'AuthenticationError' } } };
    }
    if (!Value.Check(SendOptions, body)) {
      return { status: 400, body: { error: { name: 'InputError' } } };
    }
    this.sent.push(body);
    return { status: this.status ?? 200, body: [] };
  }
}
