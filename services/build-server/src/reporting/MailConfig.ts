import { type Static, Type } from 'typebox';
import { MAIL_ADDRESS } from '../jobs/JobParts.ts';

/** The SMTP server that mails of broken and fixed jobs are sent through. */
export const MailConfig = Type.Object(
  {
    host: Type.String({ pattern: '^[A-Za-z0-9.:_-]+$', maxLength: 253 }),
    /** 587, or 465 with `tls`. */
    port: Type.Optional(Type.Integer({ minimum: 1, maximum: 65_535 })),
    /** `none` is refused in production, except for a server on this machine. */
    security: Type.Unsafe<'starttls' | 'tls' | 'none'>(
      Type.String({ enum: ['starttls', 'tls', 'none'], default: 'starttls' }),
    ),
    user: Type.Optional(Type.String({ minLength: 1 })),
    password: Type.Optional(Type.String({ minLength: 1 })),
    /** Address of the sender. */
    from: Type.String({ pattern: MAIL_ADDRESS, maxLength: 254 }),
    /**
     * Domains of commit authors who may get mail; needed because addresses in commits are not
     * verified.
     */
    authorDomains: Type.Array(
      Type.String({
        pattern: '^[a-z0-9-]+(?:\\.[a-z0-9-]+)*$',
        maxLength: 253,
      }),
      { default: [] },
    ),
    /** File of trusted certificate authorities, replacing the system's; absolute. */
    caFile: Type.Optional(Type.String({ pattern: '^/' })),
  },
  { additionalProperties: false },
);
export type MailOptions = Static<typeof MailConfig>;
