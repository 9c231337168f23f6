import { CredentialName, Timestamp } from '@slipway/service-kit';
import { Type } from 'typebox';
import { TOKEN_TYPES, type TokenType } from '../model/ApiToken.ts';

const TypeName = Type.Unsafe<TokenType>(
  Type.String({ enum: [...TOKEN_TYPES] }),
);

/** The types of new tokens; since version 7, Unleash calls client tokens `backend`. */
const NewTypeName = Type.Unsafe<TokenType | 'backend'>(
  Type.String({ enum: [...TOKEN_TYPES, 'backend'] }),
);

const Project = Type.String({
  minLength: 1,
  maxLength: 100,
  pattern: '^(\\*|[A-Za-z0-9_.~-]+)$',
  patternDescription: 'must be * or contain only letters, digits and . _ ~ -',
});

/** Body of `POST /api/admin/api-tokens`. */
export const TokenCreation = Type.Object({
  tokenName: CredentialName,
  type: NewTypeName,
  projects: Type.Optional(
    Type.Array(Project, {
      minItems: 1,
      maxItems: 100,
      description:
        'The projects whose flags the token can access; default: all.',
    }),
  ),
  environment: Type.Optional(
    Type.String({
      maxLength: 100,
      description: 'Default: the environment of the service.',
    }),
  ),
  expiresAt: Type.Optional(Timestamp),
});

const token = {
  id: Type.String(),
  tokenName: Type.String(),
  type: TypeName,
  projects: Type.Array(Type.String()),
  environment: Type.String(),
  createdBy: Type.String(),
  createdAt: Type.Unsafe<string | null>({
    type: ['string', 'null'],
    description: 'Null for a token from the configuration.',
  }),
  expiresAt: Type.Optional(
    Type.String({ description: 'Absent for a token that does not expire.' }),
  ),
  lastUsedAt: Type.Optional(
    Type.String({
      description: 'Within a minute; absent for a token that was never used.',
    }),
  ),
};

export const TokenResponse = Type.Object(token);

export const NewTokenResponse = Type.Object({
  ...token,
  secret: Type.String({
    description: 'The complete token. Not shown again.',
  }),
});

/** Body of `POST /api/admin/api-tokens/{id}/rotate`. */
export const Rotation = Type.Object({
  overlapMinutes: Type.Integer({
    minimum: 0,
    maximum: 43_200,
    default: 1_440,
    description: 'How long the old secret works in addition to the new one.',
  }),
});

export const TokenList = Type.Object({ tokens: Type.Array(TokenResponse) });

export const TokenPath = Type.Object({ id: Type.String() });
