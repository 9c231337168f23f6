import { Type, type Static } from 'typebox';
import { Value } from 'typebox/value';

/** `NotificationSendOptions` of the API of the notifications plugin, for single users. */
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

/** The notifications plugin of the portal, as a service sees it; 400 for what it does not know. */
export class FakeNotifications {
  /** A status to answer with instead, 0 for none, though what was sent has arrived. */
  status: number | undefined;
  token = 'service-token';
  /** Everything that arrived and was in order. */
  readonly sent: Notification[] = [];

  /** Whom something was sent to, in order of names. */
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
