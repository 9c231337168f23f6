import { CredentialName, Timestamp } from '@slipway/service-kit';
import { Type } from 'typebox';
import { TOKEN_TYPES, type TokenType } from '../model/ApiToken.ts';

const TypeName = Type.Unsafe<TokenType>(
  Type.String({ enum: [...TOKEN_TYPES] }),
);

const Project = Type.String({
  minLength: 1,
  maxLength: 100,
  pattern: '^(\\*|[A-Za-z0-9_.~-]+)$',
  patternDescription: 'must be * or have letters, digits and . _ ~ - alone',
});

/** Body of `POST /api/admin/api-tokens`. */
export const TokenCreation = Type.Object({
  tokenName: CredentialName,
  type: TypeName,
  projects: Type.Optional(
    Type.Array(Project, {
      minItems: 1,
      maxItems: 100,
      description: 'Whose flags the token shows; all when left out.',
    }),
  ),
  environment: Type.Optional(
    Type.String({
      maxLength: 100,
      description: "The service's own when left out.",
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
    description: 'Null for a token of the configuration.',
  }),
  expiresAt: Type.Optional(
    Type.String({ description: 'Absent for a token that does not end.' }),
  ),
};

export const TokenAnswer = Type.Object(token);

export const NewTokenAnswer = Type.Object({
  ...token,
  secret: Type.String({
    description: 'The whole token. It is not shown again.',
  }),
});

export const TokenList = Type.Object({ tokens: Type.Array(TokenAnswer) });

export const TokenPath = Type.Object({ id: Type.String() });
