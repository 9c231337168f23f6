import { createHash } from 'node:crypto';
import { readFileSync, writeFileSync } from 'node:fs';
import { gunzipSync, gzipSync } from 'node:zlib';

/** The response to a request, as a page received it. */
export interface RecordedResponse {
  status: number;
  contentType: string;
  body: string;
}

/** A request of a page to a server. */
export interface Call {
  method: string;
  url: string;
  body: string | null;
}

/** The stored content of a recording. */
interface Content {
  /** When it was made, in milliseconds since the epoch: the time that pages see. */
  at: number;
  /** Addresses of the objects that page paths name in braces. */
  places: Record<string, string>;
  responses: Record<string, RecordedResponse>;
}

const fileOf = (name: string) =>
  new URL(`../../looks/${name}.json.gz`, import.meta.url);

/**
 * The responses that every page of a running platform received from its servers. With them, and
 * at the time of the recording, a page looks the same each time.
 */
export class Recording {
  readonly #content: Content;
  #entities: ReadonlyMap<string, RecordedEntity> | undefined;

  constructor(content: Pick<Content, 'at' | 'places'>) {
    this.#content = { responses: {}, ...content };
  }

  /** Reads a recording of the folder `looks`. */
  static read(name: string): Recording {
    const text = gunzipSync(readFileSync(fileOf(name))).toString('utf8');
    return new Recording(JSON.parse(text) as Content);
  }

  get at(): number {
    return this.#content.at;
  }

  /** Returns the address of a page, with the objects that its path names. */
  locate(path: string): string {
    return path.replace(
      /\{(\w+)\}/,
      (_, place: string) => this.#content.places[place] ?? 'none',
    );
  }

  /** Returns the response to a request, if it is recorded. */
  find(call: Call): RecordedResponse | undefined {
    const batch = this.#answerBatch(call);
    if (batch) {
      return {
        status: 200,
        contentType: 'application/json',
        body: JSON.stringify(batch),
      };
    }
    const known = this.#content.responses[keyOf(call)];
    const ids = idsOf(call);
    return (
      known && {
        ...known,
        body: known.body.replace(/\{id (\d+)\}/g, (_, index) => ids[index]),
      }
    );
  }

  /**
   * Answers batched requests, whose composition depends on timing: what a page requests within the
   * same few milliseconds is one request.
   */
  #answerBatch({ url, body }: Call): object | undefined {
    const { pathname } = new URL(url);
    if (pathname === '/api/permission/authorize') {
      const { items } = JSON.parse(body ?? '{}') as { items: { id: string }[] };
      return { items: items.map(({ id }) => ({ id, result: 'ALLOW' })) };
    }
    if (pathname === '/api/user-settings/multiget') {
      return { items: [] };
    }
    if (pathname === '/api/catalog/entities/by-refs') {
      const { entityRefs } = JSON.parse(body ?? '{}') as {
        entityRefs: string[];
      };
      this.#entities ??= collectEntities(
        Object.values(this.#content.responses),
      );
      return {
        items: entityRefs.map(
          ref => this.#entities?.get(ref.toLowerCase()) ?? null,
        ),
      };
    }
    return undefined;
  }

  /** Adds the response to a request, unless there is one already. */
  add(call: Call, response: RecordedResponse): void {
    const body = idsOf(call).reduce(
      (text, id, index) => text.replaceAll(id, `{id ${index}}`),
      response.body,
    );
    this.#content.responses[keyOf(call)] ??= { ...response, body };
  }

  /** Writes the recording into the folder `looks`, the same bytes for the same content. */
  write(name: string): void {
    const { responses } = this.#content;
    const sorted = Object.fromEntries(
      Object.entries(responses).sort(([one], [other]) =>
        one < other ? -1 : 1,
      ),
    );
    const text = JSON.stringify({ ...this.#content, responses: sorted });
    writeFileSync(fileOf(name), gzipSync(text, { level: 9 }));
  }
}

interface RecordedEntity {
  kind?: string;
  metadata?: { name?: string; namespace?: string };
  spec?: object;
}

/**
 * Returns all entities of catalog responses by reference, each with the fields of all responses
 * that contain it.
 */
function collectEntities(
  responses: readonly RecordedResponse[],
): Map<string, RecordedEntity> {
  const entities = new Map<string, RecordedEntity>();
  for (const { contentType, body } of responses) {
    const content: unknown =
      contentType.includes('json') && body ? JSON.parse(body) : undefined;
    const items = (content as { items?: (RecordedEntity | null)[] })?.items;
    for (const item of Array.isArray(items) ? items : []) {
      const { kind, metadata } = item ?? {};
      if (item && kind && metadata?.name) {
        const ref =
          `${kind}:${metadata.namespace ?? 'default'}/${metadata.name}`.toLowerCase();
        const known = entities.get(ref);
        entities.set(ref, {
          ...known,
          ...item,
          metadata: { ...known?.metadata, ...metadata },
          spec: { ...known?.spec, ...item.spec },
        });
      }
    }
  }
  return entities;
}

const UUID = /[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}/g;

/** Returns the random identifiers of a request, by which the response refers to its parts. */
function idsOf({ body }: Call): readonly string[] {
  return body?.match(UUID) ?? [];
}

/** Identifies a request by method, path, query and body, ignoring the server's address. */
export function keyOf({ method, url, body }: Call): string {
  const { pathname, searchParams } = new URL(url);
  searchParams.sort();
  const sent = body?.replace(UUID, 'id');
  const digest =
    sent && createHash('sha256').update(sent).digest('hex').slice(0, 12);
  return [method, pathname, String(searchParams), digest ?? '']
    .join(' ')
    .trim();
}
