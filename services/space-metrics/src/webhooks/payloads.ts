import { Type } from 'typebox';
import { itemReader } from '../schemas.ts';

const Text = Type.String();
/** Forges send null for unknown values, or omit them. */
const MaybeText = Type.Optional(
  Type.Unsafe<string | null>({ type: ['string', 'null'] }),
);
const Id = Type.Unsafe<string | number>({ type: ['string', 'number'] });
const Paths = Type.Optional(
  Type.Unsafe<string[] | null>({
    type: ['array', 'null'],
    items: { type: 'string' },
  }),
);

const Commit = Type.Object({
  id: Type.String({ minLength: 1, maxLength: 200 }),
  message: Type.Optional(Text),
  timestamp: Type.Optional(Text),
  author: Type.Optional(
    Type.Unsafe<{
      name?: string;
      email?: string | null;
      username?: string | null;
    } | null>({
      type: ['object', 'null'],
      properties: {
        email: { type: ['string', 'null'] },
        username: { type: ['string', 'null'] },
      },
    }),
  ),
  added: Paths,
  modified: Paths,
  removed: Paths,
});

const User = Type.Object({ login: Text, type: MaybeText });

const Repository = Type.Object({
  full_name: Text,
  default_branch: MaybeText,
});

/** Readers for the used parts of GitHub's payloads, and of Gitea's, which have the same format. */
export const readGithub = {
  push: itemReader(
    Type.Object({
      ref: Text,
      repository: Repository,
      commits: Type.Array(Commit),
    }),
  ),
  pullRequest: itemReader(
    Type.Object({
      action: Text,
      repository: Repository,
      pull_request: Type.Object({
        number: Id,
        merged: Type.Optional(
          Type.Unsafe<boolean | null>({ type: ['boolean', 'null'] }),
        ),
        merged_at: MaybeText,
        user: User,
      }),
    }),
  ),
  comment: itemReader(
    Type.Object({
      action: Text,
      repository: Repository,
      issue: Type.Optional(
        Type.Object({ pull_request: Type.Optional(Type.Unknown()) }),
      ),
      is_pull: Type.Optional(Type.Boolean()),
      comment: Type.Object({ id: Id, user: User, created_at: MaybeText }),
    }),
  ),
  review: itemReader(
    Type.Object({
      action: Text,
      repository: Repository,
      review: Type.Object({
        id: Id,
        user: User,
        state: MaybeText,
        body: MaybeText,
        submitted_at: MaybeText,
      }),
    }),
  ),
  /** Gitea's reviews have no id; they are identified by author, pull request and commit. */
  giteaReview: itemReader(
    Type.Object({
      repository: Repository,
      sender: User,
      pull_request: Type.Object({
        number: Id,
        head: Type.Optional(Type.Object({ sha: MaybeText })),
      }),
      review: Type.Object({ type: MaybeText, content: MaybeText }),
    }),
  ),
};

const Project = Type.Object({
  path_with_namespace: Text,
  default_branch: MaybeText,
});
const GitlabUser = Type.Object({ username: Text, email: MaybeText });

/** Readers for the used parts of GitLab's payloads. */
export const readGitlab = {
  push: itemReader(
    Type.Object({ ref: Text, project: Project, commits: Type.Array(Commit) }),
  ),
  mergeRequest: itemReader(
    Type.Object({
      project: Project,
      user: GitlabUser,
      object_attributes: Type.Object({
        iid: Id,
        action: MaybeText,
        updated_at: MaybeText,
        merged_at: MaybeText,
        last_commit: Type.Optional(
          Type.Unsafe<{
            id?: string;
            author?: { email?: string };
          } | null>({
            type: ['object', 'null'],
            properties: {
              id: { type: 'string' },
              author: {
                type: 'object',
                properties: { email: { type: 'string' } },
              },
            },
          }),
        ),
      }),
    }),
  ),
  note: itemReader(
    Type.Object({
      project: Project,
      user: GitlabUser,
      object_attributes: Type.Object({
        id: Id,
        noteable_type: MaybeText,
        action: MaybeText,
        created_at: MaybeText,
        system: Type.Optional(Type.Boolean()),
      }),
    }),
  ),
};
