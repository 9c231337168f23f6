import type { Knex } from 'knex';

interface Authored {
  id: number | string;
  created_by: string;
}

/**
 * Adds the kind of author to history and tokens. Tokens used to be recorded only by name,
 * which could also be the name of a user. Existing entries with such a name are attributed
 * to the token, because nothing proves that the user made them.
 */
export async function up(knex: Knex): Promise<void> {
  const names = new Set(await tokenNames(knex));
  for (const table of ['history', 'api_tokens']) {
    const authors = await knex<Authored>(table).distinct('created_by');
    for (const { created_by: author } of authors) {
      if (author !== 'configuration' && !isUser(author, names)) {
        await knex(table)
          .where({ created_by: author })
          .update({ created_by: `token:${author}` });
      }
    }
  }
}

/** Reads the names of all existing tokens, and of those in the history. */
async function tokenNames(knex: Knex): Promise<string[]> {
  const tokens: { name: string }[] = await knex('api_tokens').select('name');
  const events: { before: string | null; after: string | null }[] = await knex(
    'history',
  )
    .whereIn('type', ['api-token-created', 'api-token-deleted'])
    .select('before', 'after');
  return [
    ...tokens.map(({ name }) => name),
    ...events.map(
      ({ before, after }) => JSON.parse(after ?? before ?? '{}').name,
    ),
  ];
}

function isUser(author: string, tokens: ReadonlySet<string>): boolean {
  return author.startsWith('user:') && !tokens.has(author);
}

export async function down(knex: Knex): Promise<void> {
  for (const table of ['history', 'api_tokens']) {
    const authors = await knex<Authored>(table)
      .where('created_by', 'like', 'token:%')
      .distinct('created_by');
    for (const { created_by: author } of authors) {
      await knex(table)
        .where({ created_by: author })
        .update({ created_by: author.slice('token:'.length) });
    }
  }
}
