import { CredentialName } from '@slipway/service-kit';
import { Type } from 'typebox';

export const ProjectPath = Type.Object({
  projectId: Type.String({ maxLength: 64 }),
});

export const CredentialPath = Type.Object({
  projectId: Type.String({ maxLength: 64 }),
  credentialId: Type.String({ maxLength: 64 }),
});

const Moment = Type.String({ format: 'date-time' });

export const ProjectBody = Type.Object({
  id: Type.String(),
  name: Type.String(),
  created_at: Moment,
});

export const ProjectList = Type.Object({
  projects: Type.Array(ProjectBody),
  /** What answers questions: chdb or sqlite. */
  engine: Type.String(),
  may_manage: Type.Boolean(),
});

export const NewProject = Type.Object({
  id: Type.String({
    pattern: '^[a-z0-9][a-z0-9_-]{0,62}$',
    patternDescription:
      'must have 1 to 63 small letters, digits, _ and -, a letter or digit first',
  }),
  name: Type.String({ minLength: 1, maxLength: 100 }),
});

const Kind = Type.Unsafe<'capture' | 'query'>(
  Type.String({ enum: ['capture', 'query'] }),
);

const CredentialBody = Type.Object({
  id: Type.String(),
  kind: Kind,
  name: Type.String(),
  hint: Type.String(),
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
});

export const CreatedCredential = Type.Object({
  credential: CredentialBody,
  secret: Type.String({ description: 'Shown this once' }),
});
