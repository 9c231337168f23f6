import { CredentialName, Timestamp } from '@slipway/service-kit';
import { Type } from 'typebox';
import { propertyFilter } from '../query/filterSchemas.ts';
import { TOKEN_SCOPES, type TokenScope } from './Credential.ts';

export const ProjectPath = Type.Object({
  projectId: Type.String({ maxLength: 64 }),
});

export const CredentialPath = Type.Object({
  ...ProjectPath.properties,
  credentialId: Type.String({ maxLength: 64 }),
});

const Moment = Type.String({ format: 'date-time' });

export const ProjectBody = Type.Object({
  id: Type.String(),
  name: Type.String(),
  created_at: Moment,
  hides_people: Type.Boolean({
    description: 'Whether results never show who did something',
  }),
  time_zone: Type.String({
    description: "Time zone in which the project's days begin",
  }),
  week_start: Type.Unsafe<'sunday' | 'monday'>({ enum: ['sunday', 'monday'] }),
  retention_days: Type.Optional(
    Type.Integer({ description: 'Days after which events are deleted' }),
  ),
  is_configured: Type.Boolean({
    description:
      'Whether the configuration declares it, and sets all but its test accounts',
  }),
  test_account_filters: Type.Array(propertyFilter),
  test_account_filters_default_checked: Type.Boolean(),
});

export const ProjectList = Type.Object({
  projects: Type.Array(ProjectBody),
  /** The engine that runs queries: chdb or sqlite. */
  engine: Type.String(),
  may_manage: Type.Boolean(),
});

const ProjectName = Type.String({
  minLength: 1,
  maxLength: 100,
  pattern: '\\S',
  patternDescription: 'must not be blank',
});

const TimeZone = Type.String({
  maxLength: 64,
  description: 'In which its days begin, such as Europe/Zurich',
});

const WeekStart = Type.Unsafe<'sunday' | 'monday'>({
  enum: ['sunday', 'monday'],
});

/** Changes of a project; omitted fields remain unchanged. */
export const ChangedProject = Type.Object(
  {
    name: Type.Optional(ProjectName),
    time_zone: Type.Optional(TimeZone),
    week_start: Type.Optional(WeekStart),
    retention_days: Type.Optional(
      Type.Unsafe<number | null>({
        type: ['integer', 'null'],
        minimum: 1,
        maximum: 36_500,
        description:
          'Events that happened longer ago are deleted; null: the default of the installation',
      }),
    ),
    test_account_filters: Type.Optional(
      Type.Array(propertyFilter, {
        maxItems: 20,
        description:
          'Filters that all events match except those of test accounts; queries with filterTestAccounts apply them',
      }),
    ),
    test_account_filters_default_checked: Type.Optional(
      Type.Boolean({ description: 'Whether new insights apply the filters' }),
    ),
  },
  { minProperties: 1 },
);

export const NewProject = Type.Object({
  id: Type.String({
    pattern: '^[a-z0-9][a-z0-9_-]{0,62}$',
    patternDescription:
      'must contain 1 to 63 lowercase letters, digits, _ and -, and start with a letter or digit',
  }),
  name: ProjectName,
  readers: Type.Optional(
    Type.Array(Type.String({ minLength: 1, maxLength: 255 }), {
      maxItems: 50,
      description:
        'Groups of the portal whose members may read it, in addition to admins; default: everyone who is signed in',
    }),
  ),
});

export const Pseudonym = Type.Object({ distinct_id: Type.String() });

const Kind = Type.Unsafe<'capture' | 'query'>(
  Type.String({ enum: ['capture', 'query'] }),
);

const Scopes = Type.Array(
  Type.Unsafe<TokenScope>(Type.String({ enum: [...TOKEN_SCOPES] })),
  {
    minItems: 1,
    uniqueItems: true,
    description: 'What an API token may do; default: query, export and persons',
  },
);

const CredentialBody = Type.Object({
  id: Type.String(),
  kind: Kind,
  name: Type.String(),
  scopes: Type.Optional(Scopes),
  hint: Type.String(),
  key: Type.Optional(
    Type.String({
      description:
        'A project key, which is public; never an API token. Absent if only its hash is known',
    }),
  ),
  expires_at: Type.Optional(Moment),
  origin: Type.String(),
  created_at: Moment,
  created_by: Type.String(),
});

export const CredentialList = Type.Object({
  credentials: Type.Array(CredentialBody),
});

export const NewCredential = Type.Object({
  kind: Kind,
  name: CredentialName,
  scopes: Type.Optional(Scopes),
  expires_at: Type.Optional(Timestamp),
});

export const CreatedCredential = Type.Object({
  credential: CredentialBody,
  secret: Type.String({
    description: 'That of an API token is shown only once',
  }),
});
